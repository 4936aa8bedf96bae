/** Differences between two states, found without visiting their shared nodes. */
import { equal } from "../../base/bytes.ts";
import { walkChanges } from "./changes.ts";
import type { CommittedState } from "./committed-state.ts";
import { rootHash, type TreeNode } from "./node.ts";

export interface Change {
  readonly key: Uint8Array;
  /** Absent if the key is new. */
  readonly before?: Uint8Array;
  /** Absent if the key was removed. */
  readonly after?: Uint8Array;
}

export interface StoreDiff {
  readonly store: string;
  /** Sorted by key, never empty. A key rewritten with the same value is not a change. */
  readonly changes: readonly Change[];
}

/** Stores sorted by name; a store that only one state has counts as empty in the other. */
export function diffStates(before: CommittedState, after: CommittedState): StoreDiff[] {
  const names = [...new Set([...before.storeNames, ...after.storeNames])].sort();
  return names
    .map((store) => ({ store, changes: diffStores(rootOf(before, store), rootOf(after, store)) }))
    .filter(({ changes }) => changes.length > 0);
}

function rootOf(state: CommittedState, name: string): TreeNode | undefined {
  return state.has(name) ? state.store(name).root : undefined;
}

/** Returns the changes between two trees of a store; undefined is an empty tree. */
export function diffStores(before: TreeNode | undefined, after: TreeNode | undefined): Change[] {
  const changes: Change[] = [];
  walkChanges(before, after, isEqual, (gone, come) => {
    if (gone && come) {
      if (!equal(gone.value, come.value)) {
        changes.push({ key: gone.key, before: gone.value, after: come.value });
      }
    } else if (gone) changes.push({ key: gone.key, before: gone.value });
    else if (come) changes.push({ key: come.key, after: come.value });
  });
  return changes;
}

const isEqual = (a: TreeNode, b: TreeNode): boolean => a === b || equal(rootHash(a), rootHash(b));
