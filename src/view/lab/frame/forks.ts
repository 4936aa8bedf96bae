/** Chains made by other partitions of the network, and those that have rejoined the main one. */
import { EMPTY, toHexUpper } from "../../../base/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ForkView } from "../../../engine/simulation/views.ts";
import type { Fork } from "../../../gen/lab/v1/lab_plain.ts";

const MAX_REJOINED = 20;

/** Forks besides the main chain; empty unless the network is partitioned and has forked. */
export const forksOf = (sim: Simulation): Fork[] => sim.forks().map((fork) => forkOf(sim, fork));

/** @param known the same fork, as it was before: its old blocks are not read again */
function forkOf(sim: Simulation, fork: ForkView, known?: Fork): Fork {
  const { nodes, common, height: newest, hashAt } = fork;
  if (known !== undefined && known.height > 0) return { ...known, newest };
  const last = Math.min(newest, sim.height);
  let height = Math.max(common, known?.common ?? 0) + 1;
  const hashes = () => [sim.block(height)?.hash, hashAt(height)].map((h) => toHexUpper(h ?? EMPTY));
  while (height <= last && hashes()[0] === hashes()[1]) height += 1;
  const [hash = "", otherHash = ""] = height > last ? [] : hashes();
  return {
    nodes: [...nodes],
    // The sides may have made identical blocks after the split.
    common: height - 1,
    height: height > last ? 0 : height,
    hash,
    otherHash,
    newest,
    met: 0,
  };
}

/** Recorded forks, as plain data: the open ones, each as if it merged now, and the merged. */
export interface RejoinedForksState {
  readonly apart: readonly Fork[];
  readonly met: readonly Fork[];
}

/** Stores forks with two blocks of one height after their partitions have rejoined. */
export class RejoinedForks {
  /** The newest forks that have rejoined the main chain, oldest first. */
  rejoined: readonly Fork[];
  #apart: readonly Fork[];

  constructor(state?: RejoinedForksState) {
    this.rejoined = state?.met ?? [];
    this.#apart = state?.apart ?? [];
  }

  state(): RejoinedForksState {
    return { apart: this.#apart, met: this.rejoined };
  }

  /** Must be called after every round and every command. */
  observe(sim: Simulation): void {
    const were = this.#apart;
    const forks = sim.forks();
    if (were.length + forks.length === 0) return;
    // A new fork starts above the heights at which an old one differed.
    const isSame = ({ height, common: equal, nodes: [first = ""] }: Fork, fork: ForkView) =>
      fork.common < (height || equal + 1) && fork.nodes.includes(first);
    const rejoined = were.filter(
      (one) => one.height > 0 && !forks.some((fork) => isSame(one, fork)),
    );
    if (rejoined.length > 0) this.rejoined = [...this.rejoined, ...rejoined].slice(-MAX_REJOINED);
    this.#apart = forks.map((fork) => {
      const known = were.find((one) => isSame(one, fork));
      return { ...forkOf(sim, fork, known), nodes: [...fork.nodes], met: sim.height };
    });
  }
}
