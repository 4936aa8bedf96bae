import type { Sample } from "../../../gen/lab/v1/lab_plain.ts";

/** Maximum samples of each kind, however long the chain. */
export const MOST = 60;

interface WeightedSample extends Sample {
  /** Difference from the previous sample: shares of the power and of the burned stake. */
  weight: number;
}

export interface SamplesState {
  readonly stride: number;
  readonly quiet: readonly Sample[];
  readonly changes: readonly WeightedSample[];
  readonly newest?: Sample | undefined;
  readonly first?: number | undefined;
}

/**
 * A chain's history for charts. Blocks that change the powers or burn something are stored, and the
 * smallest changes dropped if there are too many; of quiet blocks every n-th is stored, with n
 * doubled whenever there are too many.
 */
export class Samples {
  #stride: number;
  #quiet: Sample[];
  readonly #changes: WeightedSample[];
  #newest: Sample | undefined;
  #first: number | undefined;

  constructor({ stride = 1, quiet = [], changes = [], newest, first }: Partial<SamplesState> = {}) {
    this.#stride = stride;
    this.#quiet = [...quiet];
    // Weights are updated in place.
    this.#changes = changes.map((change) => ({ ...change }));
    this.#newest = newest;
    this.#first = first;
  }

  state(): SamplesState {
    return {
      stride: this.#stride,
      quiet: this.#quiet,
      changes: this.#changes,
      newest: this.#newest,
      first: this.#first,
    };
  }

  /** Adds the sample of the next height. */
  add(sample: Sample): void {
    const before = this.#newest;
    this.#newest = sample;
    if (before && differs(before, sample)) {
      this.#addChange({ ...sample, weight: weigh(before, sample) });
    } else if (this.#hasSample(sample.height)) this.#addQuiet(sample);
  }

  #addChange(change: WeightedSample): void {
    this.#changes.push(change);
    if (this.#changes.length <= MOST) return;
    const least = this.#changes.reduce((min, { weight }) => Math.min(min, weight), Infinity);
    const at = this.#changes.findIndex(({ weight }) => weight === least);
    this.#changes.splice(at, 1);
    // Merged into the next sample.
    const next = this.#changes[at];
    if (next) next.weight += least;
  }

  #addQuiet(sample: Sample): void {
    this.#quiet.push(sample);
    if (this.#quiet.length <= MOST) return;
    this.#stride *= 2;
    this.#quiet = this.#quiet.filter(({ height }) => this.#hasSample(height));
  }

  /** Counted from the first block, which is always stored. */
  #hasSample(height: number): boolean {
    this.#first ??= height;
    return (height - this.#first) % this.#stride === 0;
  }

  /** By height, at most 2 * MOST + 1, including the first block and the newest. */
  all(): readonly Sample[] {
    const samples = [...this.#quiet, ...this.#changes].sort((a, b) => a.height - b.height);
    const newest = this.#newest;
    return !newest || samples.at(-1)?.height === newest.height ? samples : [...samples, newest];
  }
}

const differs = (a: Sample, b: Sample): boolean =>
  a.burned !== b.burned ||
  (a.powers !== b.powers &&
    (a.powers.length !== b.powers.length || a.powers.some((power, i) => power !== b.powers[i])));

function weigh(before: Sample, after: Sample): number {
  const moved = after.powers.reduce(
    (sum, power, i) => sum + Math.abs(power - (before.powers[i] ?? 0)),
    0,
  );
  const total = after.powers.reduce((sum, power) => sum + power, 0);
  const burned = Number(BigInt(after.burned) - BigInt(before.burned));
  return moved / Math.max(1, total) + burned / Math.max(1, Number(after.burned));
}
