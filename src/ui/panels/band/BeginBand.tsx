import { useNewWorlds } from "../../store/new-worlds.ts";
import { useActions } from "../../store/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./band.module.css";

/** Three introductory stories. */
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
    about: "The new binary restarts the chain.",
  },
  {
    file: "upgrade-cancelled.yaml",
    icon: "rise",
    title: "An upgrade cancelled",
    about: "A second proposal cancels the plan in time.",
  },
] as const;

/** Introductory stories, while none is playing. */
export default function BeginBand() {
  const { openDialog } = useActions();
  const { runStory } = useNewWorlds();
  return (
    <section className={css.begin} aria-label="Story">
      <h2>Begin with a story</h2>
      {FIRST.map((story) => (
        <button
          key={story.file}
          type="button"
          title={story.about}
          onClick={() => runStory(story.file)}
        >
          <Icon name={story.icon} />
          {story.title}
        </button>
      ))}
      <button
        type="button"
        data-plain=""
        onClick={() => openDialog("stories")}
        title="All stories (S)"
      >
        <Icon name="book" />
        All stories…
      </button>
    </section>
  );
}
