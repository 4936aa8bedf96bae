import type { WorldInfo } from "../store/types.ts";

/**
 * Rows of worlds in tree order: each world is followed by its branches, with their depth. A branch
 * whose parent is not listed, or that would be its own ancestor, starts a new tree.
 */
export function asTree<R extends { readonly world: WorldInfo }>(
  rows: readonly R[],
): readonly (R & { readonly depth: number })[] {
  const ids = new Set(rows.map(({ world }) => world.id));
  const parentOf = ({ world }: R): string =>
    world.parent && ids.has(world.parent.world) ? world.parent.world : "";
  const branchesOf = (id: string): readonly R[] => rows.filter((row) => parentOf(row) === id);
  const placed = new Set<R>();
  const found: (R & { depth: number })[] = [];
  const place = (row: R, depth: number): void => {
    if (placed.has(row)) return;
    placed.add(row);
    found.push({ ...row, depth });
    for (const branch of branchesOf(row.world.id)) place(branch, depth + 1);
  };
  for (const row of branchesOf("")) place(row, 0);
  for (const row of rows) place(row, 0);
  return found;
}
