/**
 * Hash of the state that determines a world's future: worlds with the same hash are explored once.
 */
import { toHex, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";

type Node = Simulation["network"]["nodes"][number];

/**
 * Excludes history that no rule reads: the signers of blocks that every node has, and with them the
 * hashes of their headers; logs and statistics. Undefined if more of the history may matter, so
 * that the world equals no other.
 */
export function worldKey(sim: Simulation): string | undefined {
  const { network } = sim;
  const { ledger } = network;
  const { pool, sets, decided, head } = ledger;
  const [parts] = network.persisted;
  const [, mempool, faults, , reachability, rounds, , , equivocations] = parts;
  const split = sim.forks().length > 0 || network.nodes.some(({ orphaned }) => orphaned);
  const conflict = equivocations.some((list) => sizeOf(list) > 0) || sizeOf(pool.persisted[2]) > 0;
  const helped = network.nodes.some(({ sidecar }) => sidecar);
  if (split || conflict || helped || pool.pending.length > 0) return undefined;
  // Blocks that a node still has to execute, as requests.
  const lowest = Math.min(...network.nodes.map(({ applied }) => applied.height), head.height);
  const blocks = Array.from({ length: decided - lowest }, (_, i) => ledger.request(lowest + i + 1));
  return hashOf([
    [decided, head.height, head.appHash, head.binary, ledger.commitInfo(decided), blocks],
    [sets.last, sets.current, sets.next, [...pool.persisted[1]].sort()],
    [mempool, faults, reachability, rounds, sim.clock, sim.nextTime],
    network.nodes.map((node) => keyOf(sim, node)),
  ]);
}

const sizeOf = (list: unknown): number => {
  if (list instanceof Map || list instanceof Set) return list.size;
  return Array.isArray(list) ? list.length : 0;
};

function keyOf(sim: Simulation, node: Node): unknown {
  const { applied, process, haltCause, binary, staged, fresh, lastFailedRound } = node;
  const { height, appHash, binary: by, defaultFlags } = applied;
  const { skipFlag, haltHeight, haltTime, diskWritable, blocksLost, partition } = node;
  return [
    [node.name, process, haltCause, binary, staged, fresh],
    [height, appHash, by, defaultFlags, lastFailedRound?.round],
    [skipFlag, haltHeight, haltTime, diskWritable, blocksLost, partition],
    node.placedSignerState?.at,
    [...sim.files(node.name)],
  ];
}

export const hashOf = (value: unknown): string => toHex(sha256(utf8(JSON.stringify(value, plain))));

/** Converts values that JSON cannot represent. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Uint8Array) return toHex(value);
  if (ArrayBuffer.isView(value)) return [...(value as Float64Array)];
  return value;
}
