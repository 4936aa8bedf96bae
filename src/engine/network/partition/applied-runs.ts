import { EMPTY_HASH } from "../../consensus/hashes.ts";
import type { Applied } from "../node/applied.ts";

/** A block, and the quiet blocks after it, which left its state unchanged. */
export interface AppliedRun {
  readonly first: Applied;
  to: number;
}

/**
 * Consecutive blocks as applied by most of the power. Blocks in which nothing happened are counted,
 * not stored: a fork has no transactions, so a million blocks of it are a few runs.
 */
export class AppliedRuns {
  #runs: AppliedRun[] = [];

  /** State stored in keyframes. */
  get persisted() {
    return this.#runs;
  }
  set persisted(persisted) {
    this.#runs = persisted;
  }

  add(block: Applied): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && last.to === block.height - 1 && continues(last.first, block)) {
      last.to = block.height;
    } else this.#runs.push({ first: block, to: block.height });
  }

  /** Block of a height; undefined if there is none. */
  at(height: number): Applied | undefined {
    const run = this.#runs.find(({ first, to }) => first.height <= height && height <= to);
    return run && blockOf(run, height);
  }

  /** Yields the blocks above a height, in order. */
  *above(height: number): Iterable<Applied> {
    for (const run of this.#runs) {
      for (let at = Math.max(run.first.height, height + 1); at <= run.to; at++) {
        yield blockOf(run, at);
      }
    }
  }
}

/** Returns true if nothing happened in a block, and the state is that of the previous block. */
function continues(first: Applied, block: Applied): boolean {
  const { outcome } = block;
  return (
    outcome !== undefined &&
    outcome.events.length + outcome.txResults.length + outcome.steps.length === 0 &&
    first.state === block.state &&
    first.outcome?.state === outcome.state &&
    first.binary === block.binary &&
    first.defaultFlags === block.defaultFlags
  );
}

function blockOf({ first }: AppliedRun, height: number): Applied {
  const { outcome } = first;
  if (height === first.height || outcome === undefined) return first;
  return { ...first, height, resultsHash: EMPTY_HASH, outcome: { ...outcome, ...NOTHING } };
}

const NOTHING = { events: [], txResults: [], steps: [], logs: [], validatorUpdates: [] };
