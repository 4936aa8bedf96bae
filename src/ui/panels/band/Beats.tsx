import { useEffect, useRef } from "react";
import { useActions } from "../../store/page.ts";
import type { Beat, Story } from "../../store/types.ts";
import { useWatching } from "../../widgets/ControlButton.tsx";
import { plural } from "../../widgets/format.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import css from "./Beats.module.css";
import { checksOf, messageOf, sentenceOf } from "./playing-story.ts";

const ICONS: Readonly<Record<string, IconName>> = {
  ok: "check",
  failed: "cross",
  running: "play",
  pending: "minus",
};

/** All beats of a story, each of which can be selected; the current one is scrolled into view. */
export function Beats({ story }: { story: Story }) {
  return (
    <ol className={css.beats}>
      {story.beats.map((beat, index) => (
        <BeatRow key={beat.first} story={story} beat={beat} index={index} />
      ))}
    </ol>
  );
}

function BeatRow({ story, beat, index }: { story: Story; beat: Beat; index: number }) {
  const { goToBeat } = useActions();
  const watching = useWatching();
  const ref = useRef<HTMLLIElement>(null);
  const { state } = beat;
  const isCurrent = index === story.beat;
  useEffect(() => {
    // A closed list shows nothing, and searching it would force a layout of the page.
    const item = ref.current;
    if (isCurrent && item?.closest("details")?.open) item.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const message = messageOf(story, beat);
  return (
    <li
      ref={ref}
      className={css.beat}
      data-state={state}
      aria-current={isCurrent ? "step" : undefined}
    >
      <Icon name={ICONS[state] ?? "minus"} size={14} />
      <span>
        <span className="hidden">{state}: </span>
        <button
          type="button"
          data-link=""
          disabled={watching}
          onClick={() => goToBeat(index, true)}
          title="Go to this step"
        >
          {sentenceOf(story, beat)}
        </button>
        {message && <span className={css.message}>{message}</span>}
      </span>
    </li>
  );
}

/** The checks of a beat in one line; expected and found values on request. */
export function Checks({ story, beat }: { story: Story; beat: Beat }) {
  const checks = checksOf(story, beat);
  if (checks.length === 0) return null;
  const failed = checks.filter(({ state }) => state === "failed").length;
  const made = plural(checks.length, "check");
  return (
    <details className={css.checks}>
      <summary>{failed > 0 ? `${failed} of ${made} failed` : `${made} passed`}</summary>
      <dl>
        {checks.map(({ index, state, expected, found, message }) => (
          <div key={index} data-state={state}>
            <dt>
              expected <code>{expected}</code>
            </dt>
            <dd>
              found <code>{message || found || "as expected"}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
