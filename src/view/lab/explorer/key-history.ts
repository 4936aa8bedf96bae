import { toHexUpper } from "../../../base/bytes.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { find, type Leaf } from "../../../engine/store/node.ts";
import type { KeyChange, KeyHistory } from "../../../gen/lab/v1/state_plain.ts";
import { bytesOf } from "../../hex.ts";
import { openState } from "../reading.ts";
import { textOf } from "./entry-names.ts";

const USUAL = 20;
/** Maximum states read for one answer: each may have to be recomputed. */
const LOOKS = 100;

/**
 * The blocks that changed a key, up to a height, newest first. The tree records when an entry was
 * written, so only the states before those blocks are read; while a key is missing, the states
 * before each block that wrote to its store. Throws StatusError for a height that does not exist.
 */
export function* keyHistoryOf(
  sim: Simulation,
  store: string,
  hex: string,
  limit: number,
  height: number,
): HistoryRanges<KeyHistory> {
  const key = bytesOf(hex);
  const genesis = sim.initialHeight - 1;
  const most = limit || USUAL;
  const changes: KeyChange[] = [];
  let at = height;
  let now = yield* locationOf(sim, store, key, at);
  for (let looks = 1; looks < LOOKS && changes.length < most; looks++) {
    // The genesis is part of the first block's tree, and has a state of its own.
    const since = Math.min(at, now.since);
    if (since <= genesis) {
      if (now.leaf !== undefined) changes.push(yield* changeTo(sim, store, now.leaf, genesis));
      return { changes, since: genesis, complete: true };
    }
    const before = yield* locationOf(sim, store, key, since - 1);
    if (!sameValue(before.leaf, now.leaf)) {
      changes.push(yield* changeTo(sim, store, now.leaf, since));
    }
    at = since - 1;
    now = before;
  }
  return { changes, since: at + 1, complete: false };
}

interface KeyLocation {
  readonly leaf: Leaf | undefined;
  /** Height from which the key is known to have this value, or none; it may be older. */
  readonly since: number;
}

function* locationOf(
  sim: Simulation,
  store: string,
  key: Uint8Array,
  height: number,
): HistoryRanges<KeyLocation> {
  yield { kind: "state", height };
  const state = sim.state(height);
  const root = state.has(store) ? state.store(store).root : undefined;
  const leaf = find(root, key);
  // The tree does not record since when it is empty. Manual edits belong to no block.
  const by = sim.tampered.findLast((each) => each.height < height)?.height ?? -1;
  return { leaf, since: Math.max((leaf ?? root)?.version ?? height, by + 1) };
}

const sameValue = (a: Leaf | undefined, b: Leaf | undefined): boolean =>
  a === undefined || b === undefined ? a === b : toHexUpper(a.value) === toHexUpper(b.value);

function* changeTo(
  sim: Simulation,
  store: string,
  leaf: Leaf | undefined,
  height: number,
): HistoryRanges<KeyChange> {
  if (leaf === undefined) return { height, present: false, value: "", text: "" };
  yield* openState(height);
  const app = sim.read((_, each) => each, height);
  const { value } = textOf(app, store, leaf);
  return { height, present: true, value: toHexUpper(leaf.value), text: value };
}
