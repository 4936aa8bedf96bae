import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { Sample } from "./plain.ts";

export const MAX_SAMPLES = 300;
/** More lines than this no chart can tell apart. */
const MAX_LINES = 50;

/** A chain's history for charts: every n-th block, n doubled whenever there are too many. */
export class Samples {
  #stride = 1;
  #kept: Sample[] = [];
  #newest: Sample | undefined;

  /** To be called once for each height, in order. */
  add(sim: Simulation, height: number, burned: bigint): void {
    if (height % this.#stride !== 0) return;
    this.#kept.push(sampleOf(sim, height, burned));
    if (this.#kept.length < MAX_SAMPLES) return;
    this.#stride *= 2;
    this.#kept = this.#kept.filter((sample) => sample.height % this.#stride === 0);
  }

  /** At most MAX_SAMPLES, the newest block among them. */
  all(sim: Simulation, burned: bigint): readonly Sample[] {
    const { height } = sim;
    if (height === 0 || this.#kept.at(-1)?.height === height) return this.#kept;
    if (this.#newest?.height !== height) this.#newest = sampleOf(sim, height, burned);
    return [...this.#kept, this.#newest];
  }
}

function sampleOf(sim: Simulation, height: number, burned: bigint): Sample {
  const time = sim.timeAt(height) ?? sim.spec.genesisTime;
  const before = sim.timeAt(height - 1) ?? time;
  return {
    height,
    powers: sim
      .nodes()
      .slice(0, MAX_LINES)
      .map((node) => node.power),
    burned: Number(burned / 1_000_000n),
    intervalSeconds: Number(time - before) / 1e9,
  };
}
