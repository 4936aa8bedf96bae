import { useActions, useFrameState } from "../../store/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./band.module.css";
import StorySteps from "./StorySteps.tsx";
import { newestRow } from "./story-rows.ts";

const ENDS: Readonly<Record<string, string>> = {
  passed: "Finished, everything as expected.",
  failed: "Something was not as expected.",
};

/** How far the story is, with its steps on request; `brief` where the band says something else. */
export function StoryProgress({ brief = false }: { brief?: boolean }) {
  const { openDialog } = useActions();
  const story = useFrameState(({ frame }) => frame?.story);
  if (!story || story.state === "none" || story.steps.length === 0) return null;
  const done = story.steps.filter(({ state }) => state === "ok").length;
  return (
    <section className={css.story} data-brief={brief || undefined} aria-label="Story">
      <details className={css.steps}>
        <summary>
          <span className={css.title}>{story.title || story.name}</span>
          <progress max={story.steps.length} value={done} aria-label="Steps done" />
          <span className={css.count}>
            {done} of {story.steps.length}
          </span>
        </summary>
        <StorySteps steps={story.steps} />
      </details>
      {brief && <span className={css.newest}>{newestRow(story.steps)?.text}</span>}
      {ENDS[story.state] && (
        <span className={css.end} data-state={story.state} data-testid="story-end">
          {ENDS[story.state]}
        </span>
      )}
      <button
        type="button"
        data-link=""
        className={css.all}
        onClick={() => openDialog("stories")}
        title="All stories (S)"
      >
        <Icon name="book" size={14} />
        All stories…
      </button>
    </section>
  );
}
