import { useFrameState } from "../../store/page.ts";
import { Checks } from "./Beats.tsx";
import css from "./band.module.css";
import { messageOf, playingStory, sentenceOf } from "./playing-story.ts";
import { StoryControls } from "./StoryControls.tsx";
import { StoryProgress } from "./StoryProgress.tsx";
import { staysInSight } from "./stays-in-sight.ts";

/** The story: its progress, the sentence of its beat, its checks, failures, and controls. */
export function StoryBand() {
  const story = useFrameState(({ frame }) => playingStory(frame?.story));
  const beat = story?.beats[story.beat];
  if (!story || !beat) return null;
  const message = messageOf(story, beat);
  return (
    <div
      ref={staysInSight}
      className={css.band}
      data-pinned=""
      data-tone={message ? "bad" : undefined}
    >
      <div className={css.say}>
        <StoryProgress />
        <h2 data-testid="story-line">{beat.sentence || message || sentenceOf(story, beat)}</h2>
        {beat.sentence && message && <p className={css.message}>{message}</p>}
        <Checks story={story} beat={beat} />
      </div>
      <StoryControls story={story} />
    </div>
  );
}
