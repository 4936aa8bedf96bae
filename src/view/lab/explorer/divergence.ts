import { EMPTY, toHexUpper } from "../../../base/bytes.ts";
import type { App } from "../../../engine/app/app.ts";
import { describeEntry } from "../../../engine/app/describe.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { type Change, diffStates } from "../../../engine/store/diff.ts";
import type { Divergence, KeyDifference, StateDiff } from "../../../gen/lab/v1/state_plain.ts";
import { nameOf, ownersOf } from "./entry-names.ts";

const MOST = 500;

/** The keys in which the states of two nodes differ; undefined for an unknown node. */
export function divergenceOf(
  sim: Simulation,
  before: string,
  after: string,
): Divergence | undefined {
  const [a, b] = [sim.node(before), sim.node(after)];
  if (a === undefined || b === undefined) return undefined;
  const all = changesOf(diffStates(sim.stateOf(before), sim.stateOf(after)));
  const describe = describer(sim, sim.appOf(before), sim.appOf(after));
  return {
    beforeHeight: a.height,
    afterHeight: b.height,
    beforeAppHash: toHexUpper(a.appHash),
    afterAppHash: toHexUpper(b.appHash),
    differences: all.slice(0, MOST).map(describe),
    total: all.length,
  };
}

interface Part {
  readonly store: string;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The keys in which the states after two heights differ. Throws StatusError for a height that does
 * not exist.
 */
export function stateDiffOf(
  sim: Simulation,
  before: number,
  after: number,
  { store, offset, limit }: Part,
): StateDiff {
  const [a, b] = [sim.state(before), sim.state(after)];
  const diffs = diffStates(a, b);
  const all = changesOf(diffs.filter((each) => store === "" || each.store === store));
  const [first, second] = [before, after].map((height) => sim.read((_, app) => app, height));
  const describe = describer(sim, first as App, second as App);
  return {
    beforeHeight: before,
    afterHeight: after,
    beforeAppHash: toHexUpper(a.appHash),
    afterAppHash: toHexUpper(b.appHash),
    differences: all.slice(offset, offset + (limit || MOST)).map(describe),
    total: all.length,
    stores: diffs.map(({ store: name, changes }) => ({ store: name, changes: changes.length })),
  };
}

export interface StoreChange extends Change {
  readonly store: string;
}

/** Changes of all stores in one list. */
export const changesOf = (diffs: ReturnType<typeof diffStates>): readonly StoreChange[] =>
  diffs.flatMap(({ store, changes }) => changes.map((change) => ({ store, ...change })));

/** Describes changes; each side is formatted by the application that wrote it. */
function describer(sim: Simulation, before: App, after: App) {
  const owners = ownersOf(sim);
  const read =
    (app: App): ReadEntry =>
    (store, key, value) => {
      const entry = describeEntry(app, store, key, value);
      return { name: nameOf(entry, owners), text: entry.value };
    };
  const [was, is] = [read(before), read(after)];
  return (change: StoreChange): KeyDifference => keyDifference(change, was, is);
}

/** Name and readable value of a store entry. */
export type ReadEntry = (
  store: string,
  key: Uint8Array,
  value: Uint8Array,
) => { readonly name: string; readonly text: string };

/** A change with both of its values, each formatted by its own side. */
export function keyDifference(
  { store, key, before, after }: StoreChange,
  readBefore: ReadEntry,
  readAfter: ReadEntry,
): KeyDifference {
  const was = before && readBefore(store, key, before);
  const is = after && readAfter(store, key, after);
  return {
    store,
    key: toHexUpper(key),
    name: (was ?? is)?.name ?? "",
    before: toHexUpper(before ?? EMPTY),
    after: toHexUpper(after ?? EMPTY),
    beforeText: was?.text ?? "",
    afterText: is?.text ?? "",
    created: before === undefined,
    removed: after === undefined,
  };
}
