import { useFrameState } from "../../store/page.ts";
import css from "./StoryLine.module.css";
import { storyRows } from "./story-rows.ts";

/** The running story's newest sentence above what it speaks of, and how far the story is. */
export default function StoryLine() {
  const story = useFrameState(({ frame }) => frame?.story);
  if (!story || story.state === "none") return null;
  const begun = storyRows(story.steps).filter(({ state }) => state !== "pending");
  const failed = begun.find(({ state }) => state === "failed");
  const row = failed ?? begun.findLast(({ noted }) => noted);
  const done = story.steps.filter(({ state }) => state === "ok").length;
  return (
    <section
      className={css.line}
      data-state={failed && "failed"}
      aria-label="Where the story is"
      data-testid="story-line"
    >
      <p>{row?.message || row?.text || story.title || story.name}</p>
      <span className="small soft">
        {done} of {story.steps.length}
      </span>
    </section>
  );
}
