import type { RoundFaults } from "../faults/faults.ts";
import type { Node } from "../node/node.ts";
import type { VotingGroup } from "../round/voting-groups.ts";

/**
 * The nodes that precommit twice with a voting group: those that a fault makes sign twice, then twins
 * that vote beside another node of their key. Silent nodes do not vote.
 */
export function doubleSignersIn(
  { groups }: VotingGroup,
  twins: readonly Node[],
  { doubleSign, mute, refused, flaky }: RoundFaults,
): readonly Node[] {
  const inGroup = (node: Node): boolean => groups.some(({ nodes }) => nodes.includes(node));
  const silent = [...mute, ...refused, ...flaky];
  return [
    ...doubleSign.filter((node) => inGroup(node) && !silent.includes(node)),
    ...votingTwins(
      twins.filter(inGroup),
      groups.flatMap(({ nodes }) => nodes),
      refused,
    ),
  ];
}

/** One twin of each validator that votes with two nodes; a node that is refused signatures does not vote. */
function votingTwins(
  twins: readonly Node[],
  nodes: readonly Node[],
  refused: readonly Node[],
): readonly Node[] {
  const votes = (node: Node): boolean => !refused.includes(node);
  const found = new Map<string, Node>();
  for (const twin of twins.filter(votes)) {
    const { validator } = twin;
    const beside = nodes.some((n) => n !== twin && n.validator === validator && votes(n));
    if (beside && !found.has(validator)) found.set(validator, twin);
  }
  return [...found.values()];
}
