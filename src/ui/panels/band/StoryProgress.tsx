import { useFrameState } from "../../store/page.ts";
import { Beats, Checks } from "./Beats.tsx";
import css from "./band.module.css";
import { StoryControls } from "./StoryControls.tsx";
import { messageOf, sentenceOf, toldStory } from "./told.ts";

const ENDS: Readonly<Record<string, string>> = {
  passed: "Finished, everything as expected.",
  failed: "Something was not as expected.",
};

/** How far the story is, with its beats on request; `brief` where the band says something else. */
export function StoryProgress({ brief = false }: { brief?: boolean }) {
  const story = useFrameState(({ frame }) => toldStory(frame?.story));
  if (!story) return null;
  const { beats } = story;
  const beat = beats[story.beat];
  const message = beat && messageOf(story, beat);
  const done = beats.filter(({ state }) => state === "ok").length;
  return (
    <section className={css.story} data-brief={brief || undefined} aria-label="Story">
      <details className={css.steps}>
        <summary>
          <span className={css.title}>{story.title || story.name}</span>
          <progress max={beats.length} value={done} aria-label="Beats told" />
          <span className={css.count}>
            beat {story.beat + 1} of {beats.length}
          </span>
        </summary>
        <Beats story={story} />
      </details>
      {ENDS[story.state] && (
        <span className={css.end} data-state={story.state} data-testid="story-end">
          {ENDS[story.state]}
        </span>
      )}
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
