import { useEffect } from "react";
import { nextMark } from "../../store/next-mark.ts";
import { useActions, useFrameState, usePage } from "../../store/page.ts";
import { liveHeight, shownHeight, travelTo } from "../../store/travel.ts";
import { useWatching } from "../../widgets/ControlButton.tsx";
import { count, percent } from "../../widgets/format.ts";
import css from "../band/band.module.css";
import own from "./past.module.css";

/** States that the page shows the past, and offers to continue from there in a branch. */
export function HistoryBand() {
  const page = usePage();
  const { openDialog } = useActions();
  const shown = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const past = useFrameState(({ frame }) => frame?.past);
  const to = useFrameState(shownHeight);
  const newest = useFrameState(liveHeight);
  const watching = useWatching();
  useHistoryStyle();
  const before = useFrameState((state) => nextMark(state, to, -1));
  const after = useFrameState((state) => nextMark(state, to, 1));
  const going = to !== shown && !past?.problem;
  return (
    <section className={`${css.band} ${own.band}`} aria-label="Past" data-testid="past">
      <div className={css.say}>
        <h2 aria-live="polite">
          You are viewing block {count(shown)} of {count(newest)}.
        </h2>
        <p className="soft" role={past?.problem ? "alert" : undefined}>
          {past?.problem
            ? past.problem
            : going
              ? `Going to block ${count(to)}… ${percent(past?.progress ?? 0, 1)}`
              : watching
                ? "Another tab plays this world: only there a branch begins."
                : "What you do here starts a new branch; the past stays."}
        </p>
      </div>
      <div className={css.actions}>
        <button
          type="button"
          data-plain=""
          disabled={before === undefined}
          onClick={() => before !== undefined && travelTo(page, before)}
        >
          Previous event <kbd>[</kbd>
        </button>
        <button
          type="button"
          data-plain=""
          disabled={after === undefined}
          onClick={() => after !== undefined && travelTo(page, after)}
        >
          Next event <kbd>]</kbd>
        </button>
        <button
          type="button"
          data-plain=""
          title="What has changed from here to the newest block"
          onClick={() =>
            void import("../compare/open.ts").then(({ compareWith }) =>
              compareWith(page, { other: "height", at: newest }),
            )
          }
        >
          Compare with now
        </button>
        <button
          type="button"
          disabled={watching || going || Boolean(past?.problem)}
          onClick={() => openDialog("fork")}
        >
          Fork here… <kbd>F</kbd>
        </button>
      </div>
    </section>
  );
}

/** Has the page look like the past as long as this is drawn. */
function useHistoryStyle(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset.past = "";
    return () => {
      delete dataset.past;
    };
  }, []);
}
