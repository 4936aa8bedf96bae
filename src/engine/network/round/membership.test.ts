import { describe, expect, test } from "vitest";
import { ValidatorSets } from "../../consensus/validator-sets.ts";
import type { Node } from "../node/node.ts";
import { appliedAt, appOf, ledgerOf, nodesOf, setOf } from "../testing.ts";
import { Membership } from "./membership.ts";

function chain(powers: readonly number[] = []) {
  const nodes = nodesOf(3) as [Node, Node, Node];
  const ledger = ledgerOf(setOf(nodes, powers));
  return { nodes, ledger, membership: new Membership(ledger, appOf, nodes) };
}

describe("membership", () => {
  test("keeps its groups until a node changes, and then sorts the nodes anew", () => {
    const { nodes, membership } = chain();
    const { groups, votingGroups } = membership;
    expect(membership.groups).toBe(groups);
    expect(membership.votingGroups).toBe(votingGroups);
    const { changes } = membership;
    nodes[1].setHaltHeight(5);
    expect(membership.changes).toBe(changes + 1);
    expect(membership.groups.map((group) => group.nodes.length)).toEqual([2, 1]);
  });

  test("sorts only nodes that run and have applied the newest block", () => {
    const { nodes, ledger, membership } = chain([10, 20, 30]);
    nodes[0].stop();
    expect(membership.groups.flatMap((group) => group.nodes)).toEqual([nodes[1], nodes[2]]);
    expect(membership.groupOf(nodes[0])).toBeUndefined();
    expect(membership.groupOf(nodes[1])).toBe(membership.groups[0]);
    expect(membership.signers.weigh(ledger.voting.powers)).toBe(50);
    nodes[2].setApplied(appliedAt(1));
    expect(membership.groupOf(nodes[2])).toBeUndefined();
  });

  test("sorts anew when the voting set has changed", () => {
    const { nodes, ledger, membership } = chain([10, 20, 30]);
    expect(membership.votingGroups[0]?.power).toBe(60);
    ledger.sets = ValidatorSets.genesis(setOf(nodes, [10, 20, 40]));
    expect(membership.votingGroups[0]?.power).toBe(70);
    expect(membership.signers.weigh(ledger.voting.powers)).toBe(70);
  });

  test("lets the nodes of a group share their progress until they change", () => {
    const { nodes, membership } = chain();
    const group = membership.groupOf(nodes[0]);
    if (group === undefined) throw new Error("no group");
    group.applied = appliedAt(1);
    expect(nodes.map(({ applied }) => applied.height)).toEqual([1, 1, 1]);
    nodes[0].stop();
    group.applied = appliedAt(2);
    expect(nodes.map(({ applied }) => applied.height)).toEqual([1, 2, 2]);
  });

  test("is notified by its own nodes only", () => {
    const { nodes, membership } = chain();
    membership.remove([nodes[2]]);
    expect(membership.nodes).toEqual([nodes[0], nodes[1]]);
    const { changes } = membership;
    nodes[2].stop();
    expect(membership.changes).toBe(changes);
    membership.add([nodes[2]]);
    expect(membership.nodes).toEqual([nodes[0], nodes[1], nodes[2]]);
    expect(membership.changes).toBe(changes + 1);
    expect(membership.groupOf(nodes[2])).toBeUndefined();
  });

  test("knows the twins that are ready", () => {
    const { nodes, membership } = chain();
    expect(membership.twins).toEqual([]);
    const twin = nodes[0].twin("val-0-twin");
    membership.add([twin]);
    expect(membership.twins).toEqual([twin]);
    twin.stop();
    expect(membership.twins).toEqual([]);
  });

  test("regroups voting groups after a block that brought other app hashes", () => {
    const { nodes, membership } = chain();
    nodes[0].setHaltHeight(9);
    const [first, second] = membership.groups;
    if (first === undefined || second === undefined) throw new Error("no groups");
    const together = membership.votingGroups;
    expect(together).toHaveLength(1);
    const { changes } = membership;
    first.applied = appliedAt(1);
    second.applied = appliedAt(1, 9);
    membership.blockApplied(0);
    expect(membership.votingGroups).toHaveLength(2);
    expect(membership.changes).toBe(changes);
    expect(membership.groups).toEqual([first, second]);
  });

  test("finds that another partition has fallen behind after a block", () => {
    const { nodes, membership } = chain();
    nodes[2].joinPartition(1);
    expect(membership.groups).toHaveLength(2);
    const { changes } = membership;
    membership.blockApplied(0);
    expect(membership.changes).toBe(changes + 1);
  });

  test("isolates a node in a group of its own, and sorts anew after that", () => {
    const { nodes, membership } = chain();
    const { changes } = membership;
    const group = membership.isolate(nodes[1]);
    expect(group.nodes).toEqual([nodes[1]]);
    group.applied = appliedAt(1);
    expect(nodes[1].applied.height).toBe(1);
    expect(nodes[0].applied.height).toBe(0);
    expect(membership.changes).toBe(changes + 1);
    expect(membership.groups.flatMap(({ nodes: members }) => members)).toEqual([
      nodes[0],
      nodes[2],
    ]);
  });
});
