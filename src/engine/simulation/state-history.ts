import type { CommittedState } from "../store/multi-store.ts";
import type { TreeNode } from "../store/node.ts";

/**
 * Limits on the states in memory: their number and bytes, those of some 500 busy blocks. A keyframe
 * contains enough for an operator who rolls back some blocks.
 */
export const STATES_KEPT = { count: 1000, bytes: 24 << 20, inKeyframe: 100 };

/** Bytes that a node of a tree takes in memory, with its value: measured, the mean of both kinds. */
const NODE_BYTES = 100;

/** Maximum number of recomputed states of old heights in memory. */
const RECALLED = 4;

/** A state, and the heights after which it was that. */
export interface StateRun {
  readonly from: number;
  to: number;
  readonly state: CommittedState;
  /** Bytes that no earlier state has. */
  readonly bytes: number;
}

/**
 * The state after each height. Heights at which nothing was written share their state's object and cost
 * nothing. The newest stay in memory; an older one is made again when it is asked for.
 */
export class StateHistory {
  readonly #limits: typeof STATES_KEPT;
  readonly #recall: (height: number) => CommittedState;
  /** Ascending and without gaps. */
  #runs: StateRun[] = [];
  #bytes = 0;
  #recalled: { readonly height: number; readonly state: CommittedState }[] = [];

  /** @param recall makes the state after a height again */
  constructor(limits: typeof STATES_KEPT, recall: (height: number) => CommittedState) {
    this.#limits = limits;
    this.#recall = recall;
  }

  /** State stored in keyframes. */
  get kept() {
    return [this.#runs.slice(-this.#limits.inKeyframe)] as const;
  }
  set kept([runs]) {
    this.#runs = runs;
    this.#bytes = runs.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  record(height: number, state: CommittedState): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && last.state === state && last.to === height - 1) {
      last.to = height;
      return;
    }
    const bytes = NODE_BYTES * nodesOf(state, height);
    this.#runs.push({ from: height, to: height, state, bytes });
    this.#bytes += bytes;
  }

  /** Lets the oldest states go if they are too many: those recorded since the last time stay until then. */
  settle(): void {
    const { count } = this.#limits;
    // A quarter at once: the array is moved rarely.
    if (this.#runs.length > 1.25 * count) this.#drop(this.#runs.length - count);
    while (this.#bytes > this.#limits.bytes && this.#runs.length > 1) this.#drop(1);
  }

  #drop(count: number): void {
    for (const { bytes } of this.#runs.splice(0, count)) this.#bytes -= bytes;
  }

  /** Returns true if the state after a height is in memory. */
  has(height: number): boolean {
    return this.#kept(height) !== undefined;
  }

  /** The state after a recorded height; made again if it is not kept. */
  at(height: number): CommittedState {
    const known = this.#kept(height);
    if (known !== undefined) return known;
    const state = this.#recall(height);
    this.#recalled = [{ height, state }, ...this.#recalled].slice(0, RECALLED);
    return state;
  }

  #kept(height: number): CommittedState | undefined {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const run = this.#runs[middle];
      if (run === undefined || height < run.from) high = middle - 1;
      else if (height > run.to) low = middle + 1;
      else return run.state;
    }
    return this.#recalled.find((one) => one.height === height)?.state;
  }
}

/**
 * Counts the nodes that a state's trees got at a height: above each there are only others of that
 * height.
 */
function nodesOf(state: CommittedState, height: number): number {
  const count = (node: TreeNode | undefined): number => {
    if (node === undefined || node.version !== height) return 0;
    return node.left === undefined ? 1 : 1 + count(node.left) + count(node.right);
  };
  return state.storeNames.reduce((sum, name) => {
    const { root, memory } = state.store(name);
    return sum + count(root) + count(memory);
  }, 0);
}
