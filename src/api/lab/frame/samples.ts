import { equal } from "../../../engine/primitives/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Sample } from "../plain.ts";

/** Of each kind, so that few points are left to draw however long the chain is. */
export const MOST = 60;

interface Kept extends Sample {
  /** How much it differs from what was before: shares of the power and of what is burned. */
  weight: number;
}

/**
 * A chain's history for charts. Blocks that change the powers or burn something are kept as they
 * are, the slightest ones given up when there are too many; of quiet blocks every n-th is kept, n
 * doubled whenever there are too many.
 */
export class Samples {
  #stride = 1;
  #quiet: Sample[] = [];
  #changes: Kept[] = [];
  #newest: Sample | undefined;
  #first: number | undefined;
  #burned = 0n;
  #set: ReturnType<Simulation["validators"]> = [];

  /** To be called once for each height, in order. */
  add(sim: Simulation, height: number, burned: bigint): void {
    const set = sim.validators();
    const changed = !sameSet(set, this.#set) || burned !== this.#burned;
    this.#set = set;
    this.#burned = burned;
    const before = this.#newest;
    const powers = changed || !before ? sim.nodes().map(({ power }) => power) : before.powers;
    const sample = {
      height,
      powers,
      burned: String(burned),
      intervalSeconds: interval(sim, height),
    };
    this.#newest = sample;
    if (changed && before) this.#addChange({ ...sample, weight: weigh(before, sample) });
    else if (this.#isKept(height)) this.#addQuiet(sample);
  }

  #addChange(change: Kept): void {
    this.#changes.push(change);
    if (this.#changes.length <= MOST) return;
    const least = this.#changes.reduce((min, { weight }) => Math.min(min, weight), Infinity);
    const at = this.#changes.findIndex(({ weight }) => weight === least);
    this.#changes.splice(at, 1);
    // The next one tells of this one, too.
    const next = this.#changes[at];
    if (next) next.weight += least;
  }

  #addQuiet(sample: Sample): void {
    this.#quiet.push(sample);
    if (this.#quiet.length <= MOST) return;
    this.#stride *= 2;
    this.#quiet = this.#quiet.filter(({ height }) => this.#isKept(height));
  }

  /** Counted from the first block, which is always kept. */
  #isKept(height: number): boolean {
    this.#first ??= height;
    return (height - this.#first) % this.#stride === 0;
  }

  /** By height, at most 2 * MOST + 1: the first block and the newest among them. */
  all(): readonly Sample[] {
    const kept = [...this.#quiet, ...this.#changes].sort((a, b) => a.height - b.height);
    const newest = this.#newest;
    return !newest || kept.at(-1)?.height === newest.height ? kept : [...kept, newest];
  }
}

function sameSet(a: ReturnType<Simulation["validators"]>, b: typeof a): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i];
      return other && one.power === other.power && equal(one.address, other.address);
    })
  );
}

function weigh(before: Sample, after: Sample): number {
  const moved = after.powers.reduce(
    (sum, power, i) => sum + Math.abs(power - (before.powers[i] ?? 0)),
    0,
  );
  const total = after.powers.reduce((sum, power) => sum + power, 0);
  const burned = Number(BigInt(after.burned) - BigInt(before.burned));
  return moved / Math.max(1, total) + burned / Math.max(1, Number(after.burned));
}

function interval(sim: Simulation, height: number): number {
  const time = sim.timeAt(height) ?? sim.spec.genesisTime;
  return Number(time - (sim.timeAt(height - 1) ?? time)) / 1e9;
}
