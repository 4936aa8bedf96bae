import { useFrameState } from "../../store/page.ts";
import css from "./band.module.css";
import { StoryProgress } from "./StoryProgress.tsx";
import { newestRow } from "./story-rows.ts";

/** The running story: how far it is, its newest sentence, and what went wrong. */
export function StoryBand() {
  const story = useFrameState(({ frame }) => frame?.story);
  if (!story) return null;
  const row = newestRow(story.steps);
  return (
    <div
      className={css.band}
      data-kind="story"
      data-tone={row?.state === "failed" ? "bad" : undefined}
    >
      <div className={css.say}>
        <StoryProgress />
        {row && <h2 data-testid="story-line">{row.noted ? row.text : row.message}</h2>}
        {row?.noted && row.message && <p className={css.message}>{row.message}</p>}
      </div>
    </div>
  );
}
