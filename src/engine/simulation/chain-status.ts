import { hasTwoThirds } from "../consensus/quorum.ts";
import { faultAbsence } from "../network/faults/kinds.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import { type AbsenceCause, absenceCause, absenceText } from "../network/round/absence.ts";
import { participationOf } from "../network/round/round.ts";
import type { VotingGroup } from "../network/round/voting-groups.ts";
import type { ChainStatus, Missing } from "./views.ts";

/**
 * Returns the nodes that can vote together now, and why the others cannot. O(nodes), on request.
 */
export function chainStatusOf(network: Network, neededPower: number): ChainStatus {
  const { voting, decided, committed } = network.ledger;
  const votingGroup = network.votingGroup;
  const pending = decided !== committed;
  const causes = new Map<Node, AbsenceCause | undefined>();
  for (const node of [...network.nodes, ...network.otherForks.nodes]) {
    causes.set(node, whyMissing(node, votingGroup, network));
  }
  // The power of nodes that share a key counts once, and is not missing while one of them votes.
  const counted = new Set([...causes].flatMap(([node, cause]) => (cause ? [] : [node.validator])));
  const missing = new Map<string, Missing>();
  for (const [node, cause] of causes) {
    if (cause === undefined) continue;
    const again = counted.has(node.validator);
    counted.add(node.validator);
    const power = again ? 0 : (voting.list.find(node.consensusAddress)?.power ?? 0);
    const reason = absenceText(cause);
    const known = missing.get(reason) ?? { nodes: [], power: 0, cause, reason };
    const nodes = [...known.nodes, node.name];
    missing.set(reason, { ...known, nodes, power: known.power + power });
  }
  const { votingPower, canPropose } = powerOf(votingGroup, network);
  const able = !pending && canPropose && hasTwoThirds(votingPower, voting.totalPower);
  return {
    state: able ? "running" : "halted",
    votingPower,
    totalPower: voting.totalPower,
    neededPower,
    missing: [...missing.values()],
  };
}

/** Flaky nodes count as voting: they will vote in one of the next rounds. */
function powerOf(votingGroup: VotingGroup | undefined, { ledger, faults }: Network) {
  if (votingGroup === undefined) return { votingPower: 0, canPropose: false };
  const { list } = ledger.voting;
  const roundFaults = { ...faults.at(ledger.decided + 1, 0), flaky: [] };
  const { voters, onTime } = participationOf(votingGroup, list, roundFaults);
  return { votingPower: voters.weigh(list.powers), canPropose: !onTime.isEmpty() };
}

function whyMissing(
  node: Node,
  votingGroup: VotingGroup | undefined,
  network: Network,
): AbsenceCause | undefined {
  const own = network.groupOf(node);
  if (!votingGroup?.groups.some((group) => group === own))
    return absenceCause(node, votingGroup, network);
  for (const { kind } of network.faults.of(node, network.ledger.decided + 1)) {
    if (faultAbsence(kind) !== "") return { kind: "fault", fault: kind };
  }
  return undefined;
}
