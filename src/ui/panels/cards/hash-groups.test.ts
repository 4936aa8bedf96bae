import { expect, test } from "vitest";
import { frameOf } from "../../testing.ts";
import { hashGroups } from "./hash-groups.ts";

const node = (name: string, height: number, appHash: string, validator = name) => ({
  name,
  validator,
  height,
  appHash,
});

/** Groups of nodes whose validators have 100 power each, or their descriptions. */
function groupsOf(nodes: ReturnType<typeof node>[], powers: Record<string, number> = {}) {
  const names = [...new Set(nodes.map(({ validator }) => validator))];
  const validators = names.map((name) => ({ name, power: powers[name] ?? 100 }));
  return hashGroups(frameOf({ validators, nodes }));
}

test("nodes of one height and one hash belong together, the strongest first", () => {
  const groups = groupsOf([node("a", 20, "X"), node("b", 20, "Y"), node("c", 20, "X")], { b: 300 });
  expect(groups.map(({ nodes, power }) => [nodes.join(), power])).toEqual([
    ["b", 300],
    ["a,c", 200],
  ]);
});

test("a node that is merely behind has not diverged", () => {
  expect(groupsOf([node("a", 20, "X"), node("b", 19, "Y"), node("c", 20, "X")])).toEqual([]);
});

test("of several heights only the greatest counts at which hashes differ", () => {
  const nodes = [node("a", 9, "A"), node("b", 9, "B"), node("c", 8, "C"), node("d", 8, "D")];
  expect(groupsOf(nodes).map(({ height }) => height)).toEqual([9, 9]);
});

test("two nodes with one key have its power once", () => {
  const nodes = [node("a", 9, "X"), node("a-twin", 9, "X", "a"), node("b", 9, "Y")];
  expect(groupsOf(nodes).map((group) => [group.nodes.join(), group.power])).toEqual([
    ["a,a-twin", 100],
    ["b", 100],
  ]);
});
