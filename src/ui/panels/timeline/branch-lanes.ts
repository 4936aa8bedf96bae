/** The branches of a world as lanes below its timeline: their start and their newest height. */
import type { WorldInfo } from "../../store/types.ts";

export interface BranchLane {
  readonly id: string;
  readonly name: string;
  /** Height of the last common block with the world on screen; below its first if there is none. */
  readonly common: number;
  /** Height of its newest block. */
  readonly newest: number;
  /** True if it is an ancestor of the world on screen. */
  readonly above: boolean;
}

/** A world of a tree and its ancestors, nearest first, each with the height of its branch point. */
interface Ancestor {
  readonly id: string;
  /** The last common height. */
  readonly common: number;
}

/** All worlds related by branching to one, in list order, its ancestors first. */
export function lanesOf(worlds: readonly WorldInfo[], own: string): readonly BranchLane[] {
  const byId = new Map(worlds.map((world) => [world.id, world]));
  const mine = ancestorsOf(byId, own);
  const lanes = worlds.flatMap((world): BranchLane[] => {
    const { id, name, height: newest, problem } = world;
    if (id === own || problem !== "") return [];
    for (const { id: at, common } of ancestorsOf(byId, id)) {
      const met = mine.find((one) => one.id === at);
      if (met === undefined) continue;
      return [{ id, name, newest, common: Math.min(common, met.common), above: at === id }];
    }
    return [];
  });
  return [...lanes.filter(({ above }) => above), ...lanes.filter(({ above }) => !above)];
}

/** The world itself first, which shares all of its blocks. */
function ancestorsOf(worlds: ReadonlyMap<string, WorldInfo>, id: string): readonly Ancestor[] {
  const found: Ancestor[] = [];
  let next: string | undefined = id;
  let common = Number.POSITIVE_INFINITY;
  while (next !== undefined && !found.some((one) => one.id === next)) {
    found.push({ id: next, common });
    const parent: WorldInfo["parent"] = worlds.get(next)?.parent;
    common = Math.min(common, parent?.height ?? common);
    next = parent?.world;
  }
  return found;
}
