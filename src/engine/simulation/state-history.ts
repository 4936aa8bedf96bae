import type { CommittedState } from "../store/multi-store.ts";

/** Heights whose state stays readable whatever happened since. */
const RECENT = 1000;
/** Beyond that, states are kept about this many heights apart. */
const KEYFRAME = 1000;

/**
 * The state after each height. Heights at which nothing was written share their state's object and cost
 * nothing; where much was written, all recent states are kept and older ones at keyframes.
 */
export class StateHistory {
  /** Ascending: from this height on, the state was this one, up to `to` if older states were dropped. */
  #runs: { readonly from: number; to: number; readonly state: CommittedState }[] = [];

  /** What a keyframe holds of it. */
  get kept() {
    return [this.#runs] as const;
  }
  set kept(kept) {
    [this.#runs] = kept;
  }

  record(height: number, state: CommittedState): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && last.state === state && last.to === height - 1) {
      last.to = height;
      return;
    }
    this.#runs.push({ from: height, to: height, state });
    if (this.#runs.length > 1.25 * RECENT) this.#thin(height);
  }

  /** The state after a height; undefined if it is not kept. */
  at(height: number): CommittedState | undefined {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const run = this.#runs[middle];
      if (run === undefined || height < run.from) high = middle - 1;
      else if (height > run.to) low = middle + 1;
      else return run.state;
    }
    return undefined;
  }

  #thin(height: number): void {
    let keyframe = Number.NEGATIVE_INFINITY;
    this.#runs = this.#runs.filter((run) => {
      if (run.to > height - RECENT || run.from >= keyframe + KEYFRAME) {
        keyframe = run.from;
        return true;
      }
      return false;
    });
  }
}
