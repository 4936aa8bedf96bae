import { powerOf } from "../../store/power.ts";
import type { Frame, Node } from "../../store/types.ts";

/** Nodes with the same app hash at the same height. */
export interface HashGroup {
  readonly height: number;
  readonly appHash: string;
  readonly nodes: readonly string[];
  readonly power: number;
}

/**
 * The nodes at the greatest height with more than one app hash, by hash, the strongest first; empty
 * if all nodes of each height agree.
 */
export function hashGroups({
  validators,
  nodes,
}: Pick<Frame, "validators" | "nodes">): readonly HashGroup[] {
  const groups = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = `${node.height}/${node.appHash}`;
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  const all = Array.from(groups.values(), (members) => ({
    height: members[0]?.height ?? 0,
    appHash: members[0]?.appHash ?? "",
    nodes: members.map(({ name }) => name),
    power: powerOf(validators, members),
  }));
  const diverged = all.filter((a) => all.some((b) => a !== b && a.height === b.height));
  const newest = Math.max(...diverged.map(({ height }) => height));
  return diverged.filter(({ height }) => height === newest).sort((a, b) => b.power - a.power);
}
