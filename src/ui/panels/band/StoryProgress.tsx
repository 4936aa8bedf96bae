import { useFrameState } from "../../store/page.ts";
import { situationOf, situationPhrase } from "../../store/situation.ts";
import { Beats, Checks } from "./Beats.tsx";
import css from "./band.module.css";
import { ENDS, messageOf, playingStory, sentenceOf } from "./playing-story.ts";
import { StoryControls } from "./StoryControls.tsx";
import { staysInSight } from "./stays-in-sight.ts";

/** Progress of the story, with its beats on request; `brief` if the band shows something else. */
export function StoryProgress({ brief = false }: { brief?: boolean }) {
  const story = useFrameState(({ frame }) => playingStory(frame?.story));
  if (!story) return null;
  const { beats } = story;
  const beat = beats[story.beat];
  const message = beat && messageOf(story, beat);
  const done = beats.filter(({ state }) => state === "ok").length;
  return (
    <section
      ref={brief ? staysInSight : undefined}
      className={css.story}
      data-brief={brief || undefined}
      data-pinned={brief || undefined}
      aria-label="Story"
    >
      <details className={css.steps}>
        <summary>
          <span className={css.title}>{story.title || story.name}</span>
          <progress max={beats.length} value={done} aria-label="Steps shown" />
          <span className={css.count}>
            {story.beat + 1} of {beats.length}
          </span>
        </summary>
        <Beats story={story} />
      </details>
      {ENDS[story.state] && (
        <span className={css.end} data-state={story.state} data-testid="story-end">
          {ENDS[story.state]}
        </span>
      )}
      {brief && <State />}
      {brief && <StoryControls story={story} />}
      {brief && beat && (
        <>
          <p className={css.newest}>{sentenceOf(story, beat)}</p>
          <div className={css.found}>
            {message && <p className={css.message}>{message}</p>}
            <Checks story={story} beat={beat} />
          </div>
        </>
      )}
    </section>
  );
}

/** The chain's problem on a small screen, where the header's state pill has scrolled away. */
function State() {
  const kind = useFrameState(({ frame }) => frame && situationOf(frame));
  const phrase = useFrameState(({ frame }) => (frame ? situationPhrase(frame) : ""));
  return (
    <span className={css.state} data-state={kind} aria-hidden="true">
      {phrase}
    </span>
  );
}
