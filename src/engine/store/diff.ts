/** What changed between two states, found without walking what they share. */
import { compare, equal } from "../primitives/bytes.ts";
import type { CommittedState } from "./committed-state.ts";
import { type Leaf, rootHash, type TreeNode } from "./node.ts";

export interface Change {
  readonly key: Uint8Array;
  /** Absent if the key is new. */
  readonly before?: Uint8Array;
  /** Absent if the key is gone. */
  readonly after?: Uint8Array;
}

export interface StoreDiff {
  readonly store: string;
  /** Sorted by key, never empty. A key rewritten with the same value is no change. */
  readonly changes: readonly Change[];
}

/** Stores sorted by name; a store that only one state has counts as empty in the other. */
export function diffStates(before: CommittedState, after: CommittedState): StoreDiff[] {
  const names = [...new Set([...before.storeNames, ...after.storeNames])].sort();
  return names
    .map((store) => ({ store, changes: diffTrees(rootOf(before, store), rootOf(after, store)) }))
    .filter(({ changes }) => changes.length > 0);
}

function rootOf(state: CommittedState, name: string): TreeNode | undefined {
  return state.has(name) ? state.store(name).root : undefined;
}

/**
 * Walks both trees from the left at once, each as a stack of subtrees still to visit. Equal subtrees at the
 * front are skipped whole; otherwise the taller one is opened.
 */
function diffTrees(before: TreeNode | undefined, after: TreeNode | undefined): Change[] {
  const changes: Change[] = [];
  const left = before ? [before] : [];
  const right = after ? [after] : [];
  for (;;) {
    const a = left.at(-1);
    const b = right.at(-1);
    if (a === undefined && b === undefined) return changes;
    if (a && b && (a === b || equal(rootHash(a), rootHash(b)))) {
      left.pop();
      right.pop();
    } else if (a?.left && a.height >= (b?.height ?? 0)) {
      left.splice(-1, 1, a.right, a.left);
    } else if (b?.left) {
      right.splice(-1, 1, b.right, b.left);
    } else {
      takeLeaf(changes, left as Leaf[], right as Leaf[]);
    }
  }
}

/** Both fronts are leaves, or absent: takes the one with the smaller key, or both if their keys are equal. */
function takeLeaf(changes: Change[], left: Leaf[], right: Leaf[]): void {
  const a = left.at(-1);
  const b = right.at(-1);
  const order = a === undefined ? 1 : b === undefined ? -1 : compare(a.key, b.key);
  const gone = order <= 0 ? left.pop() : undefined;
  const come = order >= 0 ? right.pop() : undefined;
  if (gone && come) {
    if (!equal(gone.value, come.value)) {
      changes.push({ key: gone.key, before: gone.value, after: come.value });
    }
  } else if (gone) changes.push({ key: gone.key, before: gone.value });
  else if (come) changes.push({ key: come.key, after: come.value });
}
