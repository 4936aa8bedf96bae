import { useStore } from "zustand";
import type { Participation } from "../store/types.ts";
import { count } from "../widgets/format.ts";
import { type BlockWindowStore, COUNTS, hasOlder, moved, rangeText } from "./block-window.ts";
import css from "./charts.module.css";

/**
 * Returns the range of blocks as text; for the newest without heights, since each chart updates at
 * its own time.
 */
const textOf = (last: number | undefined, blocks: Participation["blocks"]): string =>
  last === undefined ? `the newest ${count(blocks.length)}` : rangeText(blocks, count);

/** Shows which blocks the charts below cover, and selects others. */
export function BlockWindowBar({ shown }: { shown: BlockWindowStore }) {
  const blocks = useStore(shown);
  const { last, answer, problem } = blocks;
  return (
    <div className={css.bar}>
      <p className="soft">{problem || `Single blocks: ${textOf(last, answer?.blocks ?? [])}`}</p>
      <label className="soft">
        <span className="hidden">How many blocks</span>
        <select
          value={blocks.count}
          onChange={(event) => shown.setState({ count: Number(event.target.value) })}
        >
          {COUNTS.map((each) => (
            <option key={each} value={each}>
              {each} blocks
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        disabled={!hasOlder(blocks)}
        onClick={() => shown.setState(moved(blocks, -1))}
      >
        Older
      </button>
      <button
        type="button"
        disabled={last === undefined}
        onClick={() => shown.setState(moved(blocks, 1))}
      >
        Newer
      </button>
      <button
        type="button"
        disabled={last === undefined}
        onClick={() => shown.setState({ last: undefined })}
      >
        Newest
      </button>
    </div>
  );
}
