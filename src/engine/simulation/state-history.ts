import type { CommittedState } from "../store/multi-store.ts";
import type { TreeNode } from "../store/node.ts";

/**
 * Limits on the states in memory: number and bytes (some 500 busy blocks). A keyframe contains
 * enough of them for an operator to roll back some blocks.
 */
export const STATE_LIMITS = { count: 1000, bytes: 24 << 20, inKeyframe: 100 };

/** Bytes of a tree node in memory, with its value: measured mean of both kinds. */
const NODE_BYTES = 100;

/** Maximum number of recomputed states of old heights in memory. */
const RECALLED = 4;

/** A state and the heights after which it was current. */
export interface StateRun {
  readonly from: number;
  to: number;
  readonly state: CommittedState;
  /** Bytes not shared with an earlier state. */
  readonly bytes: number;
}

/**
 * The state after each height. Heights at which nothing was written share their state's object and
 * cost nothing. The newest stay in memory; older ones are recomputed on request.
 */
export class StateHistory {
  readonly #limits: typeof STATE_LIMITS;
  readonly #recall: (height: number) => CommittedState;
  /** Ascending by height, without gaps. */
  #runs: StateRun[] = [];
  #bytes = 0;
  #recalled: { readonly height: number; readonly state: CommittedState }[] = [];

  /** @param recall recomputes the state after a height */
  constructor(limits: typeof STATE_LIMITS, recall: (height: number) => CommittedState) {
    this.#limits = limits;
    this.#recall = recall;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#runs.slice(-this.#limits.inKeyframe)] as const;
  }
  set persisted([runs]) {
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

  /**
   * Evicts the oldest states above the limits. Until the call, all states recorded since the last
   * one stay.
   */
  settle(): void {
    const { count } = this.#limits;
    // Drops a quarter at once, so that the array is rarely moved.
    if (this.#runs.length > 1.25 * count) this.#drop(this.#runs.length - count);
    while (this.#bytes > this.#limits.bytes && this.#runs.length > 1) this.#drop(1);
  }

  #drop(count: number): void {
    for (const { bytes } of this.#runs.splice(0, count)) this.#bytes -= bytes;
  }

  /** Returns true if the state after a height is in memory. */
  has(height: number): boolean {
    return this.#inMemory(height) !== undefined;
  }

  /** State after a recorded height; recomputed if it was evicted. */
  at(height: number): CommittedState {
    const known = this.#inMemory(height);
    if (known !== undefined) return known;
    const state = this.#recall(height);
    this.#recalled = [{ height, state }, ...this.#recalled].slice(0, RECALLED);
    return state;
  }

  #inMemory(height: number): CommittedState | undefined {
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
 * Counts the tree nodes that a state added at a height: all ancestors of such a node are of that
 * height, too.
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
