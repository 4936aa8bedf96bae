import { describe, expect, test } from "vitest";
import type { App } from "../../app/app.ts";
import { type BinarySpec, V1 } from "../../app/binary.ts";
import type { Node } from "../node/node.ts";
import { appliedAt, appOf, listOf, nodesOf } from "../testing.ts";
import { groupNodes, noteFailedRound, settingsOf, votingGroupsOf } from "./voting-groups.ts";

const [a, b, c, d] = nodesOf(4) as [Node, Node, Node, Node];
const fresh = () => nodesOf(3) as [Node, Node, Node];
const names = (groups: readonly { readonly nodes: readonly Node[] }[]): string[][] =>
  groups.map(({ nodes }) => nodes.map(({ name }) => name));
const group = (...nodes: readonly Node[]) => groupNodes(nodes, listOf([a, b, c, d]), appOf);

describe("nodes execute together", () => {
  test("if nothing makes their execution differ", () => {
    expect(names(group(a, b, c))).toEqual([["val-0", "val-1", "val-2"]]);
    expect(group()).toEqual([]);
  });

  test.each<[string, (node: Node) => void]>([
    ["partition", (node) => node.joinPartition(1)],
    ["binary", (node) => node.install("other")],
    ["app hash", (node) => node.setApplied(appliedAt(0, 9))],
    ["results hash", (node) => node.setApplied(appliedAt(0, 1, 9))],
    [
      "stores",
      (node) =>
        node.setApplied({ ...appliedAt(0), state: { storeNames: ["bank", "oracle"] } as never }),
    ],
    ["skip heights", (node) => node.setSkipFlag([], new Set([5]))],
    ["halt height", (node) => node.setHaltHeight(5)],
    ["halt time", (node) => node.setHaltTime(5)],
    ["first block", (node) => node.finishStart()],
    ["disk", (node) => node.setDiskWritable(false)],
  ])("but not with another %s", (_, change) => {
    const [x, y, z] = fresh();
    change(y);
    expect(names(group(x, y, z))).toEqual([["val-0", "val-2"], ["val-1"]]);
  });

  test("but not with a binary whose results depend on the node", () => {
    const binary: BinarySpec = { ...V1, migration: { kind: "nondeterministic" } };
    const random = (): App => ({ binary }) as Partial<App> as App;
    const made = groupNodes([a, b], listOf([a, b]), random);
    expect(names(made)).toEqual([["val-0"], ["val-1"]]);
  });

  test("with binaries that differ in their names only; the one with most power gives the name", () => {
    const [x, y, z] = fresh();
    y.install("v1-copy");
    const made = groupNodes([x, y, z], listOf([x, y, z], [10, 30, 10]), appOf);
    expect(names(made)).toEqual([["val-0", "val-1", "val-2"]]);
    expect(made[0]?.binary).toBe("v1-copy");
    expect(groupNodes([x, y, z], listOf([x, y, z], [15, 30, 15]), appOf)[0]?.binary).toBe("v1");
  });

  test("and count each validator's power once, twins and nodes outside the set or not", () => {
    const list = listOf([a, b, c], [10, 20, 30]);
    const [made] = groupNodes([a, a.twin("val-0-twin"), b, d], list, appOf);
    expect(made?.power).toBe(30);
    expect(made?.signers.get(list.indexOf(a.consensusAddress))).toBe(true);
    expect(made?.signers.get(list.indexOf(b.consensusAddress))).toBe(true);
    expect(made?.signers.get(list.indexOf(c.consensusAddress))).toBe(false);
  });

  test("and grouping changes no node", () => {
    const [x] = fresh();
    const [made] = groupNodes([x], listOf([x]), appOf);
    if (made === undefined) throw new Error("no group");
    made.applied = appliedAt(7);
    expect(x.applied.height).toBe(0);
    expect(made.lastFailedRound).toBeUndefined();
  });

  test("with the settings of the first node", () => {
    const [x] = fresh();
    x.setSkipFlag([], new Set([5]));
    x.setHaltHeight(8);
    x.setHaltTime(90);
    expect(settingsOf(x)).toEqual({
      name: "val-0",
      skipUpgradeHeights: new Set([5]),
      haltHeight: 8,
      haltTime: 90,
      firstBlock: true,
      diskWritable: true,
    });
  });
});

describe("groups vote together", () => {
  const voting = (...nodes: readonly Node[]) => {
    const list = listOf([...nodes], [10, 20, 30]);
    return votingGroupsOf(groupNodes(nodes, list, appOf), list).map(({ groups, power }) => ({
      nodes: groups.flatMap((one) => one.nodes.map(({ name }) => name)),
      power,
    }));
  };

  test("a single one as it is", () => {
    expect(voting(...fresh())).toEqual([{ nodes: ["val-0", "val-1", "val-2"], power: 60 }]);
  });

  test("with the same partition, app hash and results, most power first", () => {
    const [x, y, z] = fresh();
    y.setHaltHeight(9);
    z.joinPartition(1);
    expect(voting(x, y, z)).toHaveLength(2);
    expect(voting(x, y, z)).toContainEqual({ nodes: ["val-0", "val-1"], power: 30 });
    expect(voting(x, y, z)).toContainEqual({ nodes: ["val-2"], power: 30 });
    y.setApplied(appliedAt(0, 9));
    expect(voting(x, y, z).map(({ power }) => power)).toEqual([30, 20, 10]);
    y.setApplied(appliedAt(0, 1, 9));
    expect(voting(x, y, z).map(({ power }) => power)).toEqual([30, 20, 10]);
  });
});

test("a failed round counts for all nodes of the groups but the silent ones, which keep their last one", () => {
  const [x, y] = fresh();
  const [made] = groupNodes([x, y], listOf([x, y]), appOf);
  if (made === undefined) throw new Error("no group");
  x.share(made);
  y.share(made);
  const first = { height: 4, round: 0, silent: [] };
  const second = { height: 4, round: 1, silent: [y] };
  const third = { height: 4, round: 2, silent: [y] };
  noteFailedRound([made], first);
  expect([x.lastFailedRound, y.lastFailedRound]).toEqual([first, first]);
  noteFailedRound([made], second);
  noteFailedRound([made], third);
  expect([x.lastFailedRound, y.lastFailedRound]).toEqual([third, first]);
});
