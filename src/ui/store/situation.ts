import { count } from "../widgets/format.ts";
import type { Frame } from "./types.ts";

/** Situation of the chain; `cut` is a partitioned network with one chain. */
export type Situation = "halted" | "split" | "cut" | "whole";

/** If two apply, the more severe one. */
export function situationOf({ forks, chainStatus, nodes }: Frame): Situation {
  if (forks.some(({ height }) => height > 0)) return "split";
  if (chainStatus?.state === "halted") return "halted";
  return sidesOf(nodes) > 1 ? "cut" : "whole";
}

/** Partitions of the network that cannot reach each other. */
export const sidesOf = (nodes: Frame["nodes"]): number =>
  new Set(nodes.map(({ partition }) => partition)).size;

/**
 * The block that a halted chain cannot commit: one that is decided but not applied, or the next
 * one.
 */
export const stuckAt = ({ chain }: Frame): number => (chain?.height ?? 0) + 1;

/** True if that block is decided, and only the halted nodes cannot apply it. */
export const isDecided = (frame: Frame): boolean =>
  (frame.chain?.decidedHeight ?? 0) >= stuckAt(frame);

/** The voting power, and the least that is enough. */
export function votingPhrase({ chainStatus }: Frame): string {
  const { votingPower = 0, neededPower = 0, totalPower = 0 } = chainStatus ?? {};
  return `${count(votingPower)} of ${count(totalPower)}, needs ${count(neededPower)}`;
}

/** Returns the chain's situation in a few words, the same everywhere; empty if all is well. */
export function situationPhrase(frame: Frame): string {
  switch (situationOf(frame)) {
    case "split":
      return frame.forks.length > 1
        ? `Split: ${frame.forks.length + 1} chains`
        : "Split: two chains";
    case "halted":
      return `Halted at ${count(stuckAt(frame))} · ${votingPhrase(frame)}`;
    case "cut":
      return `Network cut in ${count(sidesOf(frame.nodes))}`;
    default:
      return "";
  }
}
