import type { RoundFaults } from "../faults/faults.ts";
import type { Node } from "../node/node.ts";
import type { VotingGroup } from "../round/voting-groups.ts";

/**
 * Returns the nodes that precommit twice with a voting group: nodes with a double-sign fault, then
 * twins that vote beside another node with their key. Silent nodes do not vote.
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

/**
 * Returns one twin per validator that votes with two nodes; a node whose signer refuses does not
 * vote.
 */
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
