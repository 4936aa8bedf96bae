import { useEffect, useState } from "react";
import { Chooser } from "../panels/compare/Chooser.tsx";
import css from "../panels/compare/compare.module.css";
import { Differences } from "../panels/compare/Differences.tsx";
import { FirstDifference } from "../panels/compare/FirstDifference.tsx";
import { KeyDifferences } from "../panels/compare/KeyDifferences.tsx";
import { type Other, otherOf } from "../panels/compare/other.ts";
import { compareTable } from "../panels/compare/rows.ts";
import { SideCard } from "../panels/compare/SideCard.tsx";
import { useComparison } from "../panels/compare/use-comparison.ts";
import type { ComparedSides } from "../store/dialog.ts";
import { useDialog, useFrameState, usePage } from "../store/page.ts";
import { liveHeight, shownHeight, travelTo } from "../store/travel.ts";
import type { WorldComparison } from "../store/types.ts";
import { useWatching } from "../widgets/ControlButton.tsx";
import { count, sentence } from "../widgets/format.ts";

const KEYS_ON_A_PAGE = 100;

/** The world on screen beside another one, or beside another height of its own. */
export default function Compare() {
  const page = usePage();
  const compared = useDialog((dialog) => dialog.compared);
  const world = useFrameState(({ travel, frame }) => (travel?.live.frame ?? frame)?.world ?? "");
  const shown = useFrameState(shownHeight);
  const newest = useFrameState(liveHeight);
  const { other, problem: missing } = useOther(compared?.other);
  /** A height that only the other side has. */
  const [beyond, setBeyond] = useState(0);
  const [limit, setLimit] = useState(KEYS_ON_A_PAGE);
  const linked = compared?.at ?? 0;
  const isLinked = typeof linked === "string";
  // The other world's height is linked to a height of this world, so it cannot exceed this world's
  // newest.
  const height = isLinked ? shown : Math.max(shown, beyond);
  const [link, at] = isLinked ? [linked, height] : ["", linked || height];
  const two = `${world} ${compared?.other}`;
  const about = `${height} ${link || at} ${limit}`;
  const { answer, problem, waiting, stop, again } = useComparison(
    two,
    about,
    other && newest > 0 ? { other, a: height, b: at, limit, link } : undefined,
  );
  const longest = Math.max(newest, answer?.b?.newestHeight ?? 0);
  const goTo = (to: number): void => {
    setBeyond(to > newest ? to : 0);
    travelTo(page, to);
  };
  const sides = other && answer && sidesOf(other, answer);
  useEffect(() => {
    // Any other move leaves the height that only the other side has.
    if (beyond > 0 && shown < newest) setBeyond(0);
  }, [beyond, shown, newest]);
  const trouble = missing || problem;
  return (
    <div className={css.compare} data-part="compare">
      <Chooser
        height={height}
        newest={newest}
        longest={longest}
        answer={answer}
        onHeight={goTo}
        onOther={(next) => page.dialog.setState({ compared: { other: next, at: 0 } })}
        onAt={(next) => compared && page.dialog.setState({ compared: { ...compared, at: next } })}
      />
      {trouble && (
        <p className={`card ${css.reading}`} role="alert">
          {sentence(trouble)}
          {problem && (
            <button type="button" onClick={again}>
              Compare again
            </button>
          )}
        </p>
      )}
      {waiting && <Reading onStop={stop} />}
      {answer && (
        <div className={css.answer} aria-busy={waiting || undefined}>
          <div className={css.sides}>
            <SideCard letter="A" side={answer.a} answer={answer} link={link} />
            <SideCard letter="B" side={answer.b} answer={answer} link={link} />
          </div>
          {other && (
            <FirstDifference
              key={two}
              answer={answer}
              other={other}
              height={height}
              onGo={(to) => {
                // Differences require the same height.
                if (compared && link !== "")
                  page.dialog.setState({ compared: { ...compared, at: 0 } });
                goTo(to);
              }}
            />
          )}
          <Differences
            title={titleOf(answer.a?.height, answer.b?.height)}
            answer={answer}
            table={compareTable(answer)}
            sides={sides}
          />
          <KeyDifferences answer={answer} onMore={() => setLimit(limit + KEYS_ON_A_PAGE)} />
        </div>
      )}
    </div>
  );
}

/** Delay after which slow comparisons show a message and a stop button, in ms. */
const LONG_MS = 1000;

/**
 * Shows after a delay that a comparison is pending, and can stop it: a scenario runs for it, or a
 * world is replayed to its height.
 */
function Reading({ onStop }: { onStop: () => void }) {
  // It is computed where the world is played, for all clients.
  const watching = useWatching();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLong, LONG_MS, true);
    return () => clearTimeout(timer);
  }, []);
  if (!long) return null;
  return (
    <p className={`card ${css.reading}`} role="status">
      Reading both worlds. What is not there yet is played first.
      {!watching && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
    </p>
  );
}

/** Both sides as queried, at the heights of an answer. */
const sidesOf = (other: Other, { a, b }: WorldComparison): ComparedSides => ({
  a: { request: { world: "", height: a?.height ?? 0 }, name: a?.name ?? "" },
  b: { request: { ...other, height: b?.height ?? 0 }, name: b?.name ?? "" },
});

const titleOf = (a = 0, b = 0): string =>
  a === b ? `At block ${count(a)}` : `A at block ${count(a)}, B at block ${count(b)}`;

/** Loads the other side of the comparison, or reports why it cannot be loaded. */
function useOther(named: string | undefined): { other: Other | undefined; problem: string } {
  const [state, setState] = useState({
    named: "",
    other: undefined as Other | undefined,
    problem: "",
  });
  useEffect(() => {
    if (named === undefined) return;
    let current = true;
    otherOf(named).then(
      (other) => current && setState({ named, other, problem: "" }),
      ({ message }: Error) => current && setState({ named, other: undefined, problem: message }),
    );
    return () => {
      current = false;
    };
  }, [named]);
  return state.named === named ? state : { other: undefined, problem: "" };
}
