import { hasTwoThirds } from "../consensus/quorum.ts";
import type { Fault } from "../network/faults/faults.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import { absenceReason } from "../network/round/absence.ts";
import { voicesOf } from "../network/round/round.ts";
import type { VotingGroup } from "../network/round/voting-groups.ts";
import type { ChainStatus } from "./views.ts";

/** Who could vote together now, and why the others do not. Costs O(nodes); asked for, not per block. */
export function chainStatusOf(network: Network, neededPower: number): ChainStatus {
  const { voting, decided, committed } = network.ledger;
  const votingGroup = network.strongest();
  const pending = decided !== committed;
  const missing = new Map<string, { nodes: string[]; power: number }>();
  const reasons = new Map<Node, string>();
  for (const node of [...network.nodes, ...network.elsewhere]) {
    reasons.set(node, whyMissing(node, votingGroup, network));
  }
  // The power of machines with one key is there once, and not missing while one of them votes.
  const counted = new Set([...reasons].flatMap(([node, words]) => (words ? [] : [node.validator])));
  for (const [node, words] of reasons) {
    if (words === "") continue;
    const again = counted.has(node.validator);
    counted.add(node.validator);
    const power = again ? 0 : (voting.list.find(node.consensusAddress)?.power ?? 0);
    const known = missing.get(words) ?? { nodes: [], power: 0 };
    known.nodes.push(node.name);
    known.power += power;
    missing.set(words, known);
  }
  const { votingPower, canPropose } = powerOf(votingGroup, network);
  const able = !pending && canPropose && hasTwoThirds(votingPower, voting.totalPower);
  return {
    state: able ? "running" : "halted",
    votingPower,
    totalPower: voting.totalPower,
    neededPower,
    missing: Array.from(missing, ([words, { nodes, power }]) => ({ nodes, power, words })),
  };
}

/** Flaky machines count as voting: they will, in one of the next rounds. */
function powerOf(votingGroup: VotingGroup | undefined, { ledger, faults }: Network) {
  if (votingGroup === undefined) return { votingPower: 0, canPropose: false };
  const { list } = ledger.voting;
  const lasting = { ...faults.at(ledger.decided + 1, 0), flaky: [] };
  const { voters, prompt } = voicesOf(votingGroup, list, lasting);
  return { votingPower: voters.weigh(list.powers), canPropose: !prompt.isEmpty() };
}

function whyMissing(node: Node, votingGroup: VotingGroup | undefined, network: Network): string {
  const { decided } = network.ledger;
  if (!votingGroup?.groups.some((group) => group === node.group))
    return absenceReason(node, votingGroup, network);
  const faults = network.faults.of(node, decided + 1);
  return faults.map((fault) => WORDS[fault.kind] ?? "").find((words) => words !== "") ?? "";
}

/** What a fault keeps a running machine from. */
const WORDS: Readonly<Partial<Record<Fault["kind"], string>>> = {
  mute: "mute: it follows the chain and says nothing",
  slow: "slow: its proposals and votes come too late",
  flaky: "flaky: in some rounds it says nothing",
  signer: "signer: its file remembers a later height, so it signs nothing until that is past",
};
