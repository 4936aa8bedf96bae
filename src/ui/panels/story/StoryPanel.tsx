import { Suspense } from "react";
import { useActions, useFrameState } from "../../store/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import css from "./StoryPanel.module.css";

const StorySteps = lazyPart("The story", () => import("./StorySteps.tsx"));

/** The three stories to begin with. */
const FIRST = [
  {
    file: "double-sign.yaml",
    icon: "twice",
    title: "A double sign",
    about: "Slashed, jailed and tombstoned.",
  },
  {
    file: "upgrade-halts-and-recovers.yaml",
    icon: "stop",
    title: "An upgrade that halts",
    about: "The new binary brings the chain back.",
  },
  {
    file: "upgrade-cancelled.yaml",
    icon: "rise",
    title: "An upgrade cancelled",
    about: "A second proposal cancels the plan in time.",
  },
] as const;

/** The running story with its steps; without one, the stories to begin with. */
export function StoryPanel() {
  const { openDialog } = useActions();
  const story = useFrameState(({ frame }) => frame?.story);
  const running = story && story.state !== "none" && story.steps.length > 0;
  return (
    <section className={css.panel} aria-label="Story">
      <Suspense>{running ? <StorySteps story={story} /> : <Beginning />}</Suspense>
      <div className={css.more}>
        <button type="button" onClick={() => openDialog("stories")} title="All stories (S)">
          <Icon name="book" />
          All stories…
        </button>
      </div>
    </section>
  );
}

function Beginning() {
  const { runStory } = useActions();
  return (
    <>
      <h2>Begin with a story</h2>
      <ul className={css.stories}>
        {FIRST.map((story) => (
          <li key={story.file}>
            <button
              type="button"
              className={css.story}
              popoverTarget="stories"
              popoverTargetAction="hide"
              onClick={() => runStory(story.file)}
            >
              <Icon name={story.icon} size={18} />
              <span>
                <b>{story.title}</b>
                <span className={css.about}>{story.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className={css.hint}>Or do it yourself: pick a validator of the chain that is running.</p>
    </>
  );
}
