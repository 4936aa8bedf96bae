import { type CSSProperties, useEffect, useMemo, useState } from "react";
import { useActions, useDialog, useFrameState, usePage } from "../../store/page.ts";
import type { WorldInfo } from "../../store/types.ts";
import { count, UNNAMED } from "../../widgets/format.ts";
import { type BranchLane, lanesOf } from "./branch-lanes.ts";
import css from "./Lanes.module.css";
import { CELL, PITCH, type Span, xOf } from "./timeline-layout.ts";

interface LanesProps {
  /** Visible range of heights of the timeline above, as in Span. */
  first: number;
  cells: number;
  width: number;
}

/**
 * A lane for every branch of the world on screen, and for its ancestors; pressing a lane opens its
 * world.
 */
export default function Lanes({ first, cells, width }: LanesProps) {
  const { client } = usePage();
  const { report } = useActions();
  const own = useFrameState(
    ({ travel, frame }) => (travel?.live.frame ?? frame)?.player?.kept?.id ?? "",
  );
  const name = useFrameState(
    ({ travel, frame }) => (travel?.live.frame ?? frame)?.player?.kept?.name,
  );
  const dialog = useDialog((open) => open.name);
  const saved = useFrameState(
    ({ travel, frame }) => (travel?.live.frame ?? frame)?.player?.kept?.state ?? "",
  );
  const [worlds, setWorlds] = useState<readonly WorldInfo[]>([]);
  // A branch is listed once it is saved, possibly after it is on screen.
  const isListed = worlds.some(({ id }) => id === own);
  // biome-ignore lint/correctness/useExhaustiveDependencies: worlds come and go with what is on screen, and in dialogs
  useEffect(() => {
    let current = true;
    // If the worlds cannot be listed, there are no lanes.
    client.lab.listWorlds({}).then(
      (list) => current && setWorlds(list.worlds),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [client, own, name, dialog === undefined, isListed || saved]);
  const lanes = useMemo(() => lanesOf(worlds, own), [worlds, own]);
  if (lanes.length === 0 || width === 0) return null;
  return (
    <ul className={css.lanes} aria-label="Branches">
      {lanes.map((lane) => {
        const { begins, empty, style } = placesOf(lane, { first, cells }, width);
        const named = lane.name || UNNAMED;
        return (
          <li key={lane.id}>
            <button
              type="button"
              className={css.lane}
              style={style}
              title={`Open ${named}`}
              onClick={() => void client.lab.openWorld({ world: lane.id }).catch(report)}
            >
              <i
                className={css.bar}
                data-begins={begins || undefined}
                data-empty={empty || undefined}
                aria-hidden="true"
              />
              <b>{named}</b>
              <span>{wordsOf(lane)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const wordsOf = ({ common, newest }: BranchLane): string =>
  `${common > 0 ? `from ${count(common)}` : "from its beginning"} · ends at ${count(newest)}`;

/** Minimum width of a label beside a bar. */
const WORDS = 260;

/** Returns the visible start and end of a lane, and the position of its label, beside or on it. */
function placesOf({ common, newest }: BranchLane, span: Span, width: number) {
  const last = span.first + span.cells - 1;
  const [from, to] = [Math.max(common + 1, span.first), Math.min(newest, last)];
  const left = xOf(span, from);
  const wide = to < from ? 0 : (to - from) * PITCH + CELL;
  const most = Math.max(8, width - Math.min(WORDS, width * 0.7));
  const words = to < span.first ? 8 : Math.min(left + wide + 8, most);
  return {
    begins: common + 1 >= span.first && common + 1 <= last,
    empty: wide === 0,
    style: {
      "--left": `${left}px`,
      "--wide": `${wide}px`,
      "--words": `${words}px`,
    } as CSSProperties,
  };
}
