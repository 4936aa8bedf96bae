import type { Node } from "../../store/types.ts";

/** Nodes that hold one app hash after one height. */
export interface HashGroup {
  readonly height: number;
  readonly appHash: string;
  readonly nodes: readonly string[];
  readonly power: number;
}

/**
 * The nodes of the greatest height at which there is more than one app hash, by hash, the strongest first;
 * empty if all who stand at one height agree.
 */
export function hashGroups(nodes: readonly Node[]): readonly HashGroup[] {
  const groups = new Map<string, HashGroup>();
  for (const { name, height, appHash, power } of nodes) {
    const key = `${height}/${appHash}`;
    const known = groups.get(key);
    groups.set(key, {
      height,
      appHash,
      nodes: [...(known?.nodes ?? []), name],
      power: (known?.power ?? 0) + power,
    });
  }
  const all = [...groups.values()];
  const parted = all.filter((a) => all.some((b) => a !== b && a.height === b.height));
  const newest = Math.max(...parted.map(({ height }) => height));
  return parted.filter(({ height }) => height === newest).sort((a, b) => b.power - a.power);
}
