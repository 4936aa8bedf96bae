import { hasTwoThirds } from "../consensus/quorum.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node.ts";
import type { Standing } from "./views.ts";

/** Who could vote together now, and why the others do not. Costs O(nodes); asked for, not per block. */
export function standingOf(network: Network, neededPower: number): Standing {
  const { voting, decided, committed } = network.ledger;
  const bloc = network.strongest();
  const pending = decided !== committed;
  const votingPower = bloc?.power ?? 0;
  const able = !pending && hasTwoThirds(votingPower, voting.totalPower);
  const missing = new Map<string, { nodes: string[]; power: number }>();
  for (const node of network.nodes) {
    if (bloc?.groups.some((group) => group === node.group)) continue;
    const power = voting.list.find(node.consensusAddress)?.power ?? 0;
    const words = wordsOf(node, network);
    const known = missing.get(words) ?? { nodes: [], power: 0 };
    known.nodes.push(node.name);
    known.power += power;
    missing.set(words, known);
  }
  return {
    state: able ? "running" : "halted",
    votingPower,
    totalPower: voting.totalPower,
    neededPower,
    missing: Array.from(missing, ([words, { nodes, power }]) => ({ nodes, power, words })),
  };
}

function wordsOf(node: Node, network: Network): string {
  if (node.process === "stopped") return "stopped by its operator";
  if (node.process !== "running") return node.reason;
  if (node.applied.height < network.ledger.decided)
    return "cut off: it does not hear of the newest block";
  return "runs, but is cut off from the others or holds another app hash";
}
