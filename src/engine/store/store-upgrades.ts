import { CommittedState, CommittedStore } from "./committed-state.ts";
import { insert, Leaf, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

/** The stores an upgrade adds, renames and deletes. */
export interface StoreUpgrades {
  readonly added: readonly string[];
  readonly renamed: readonly { readonly oldKey: string; readonly newKey: string }[];
  readonly deleted: readonly string[];
}

/** Opens the stores that a binary mounts on a state committed at a height. */
export type LoadStores = (
  committed: CommittedState,
  mounted: readonly string[],
  height: number,
) => CommittedState;

/**
 * Returns how an application's stores are loaded, given the height of an upgrade and the store upgrades that
 * come with it (rules/upgrade 6.4).
 */
export type StoreLoader = (
  upgradeHeight: number,
  storeUpgrades: StoreUpgrades | undefined,
) => LoadStores;

/** The StoreLoader of a binary without store upgrades: the stores must fit as they are. */
export const defaultStoreLoader: StoreLoader = () => (committed, mounted, height) =>
  loadState(committed, mounted, undefined, height);

/**
 * The StoreLoader of x/upgrade: store upgrades happen only where the next block is the upgrade's, so exactly
 * once.
 */
export const upgradeStoreLoader: StoreLoader =
  (upgradeHeight, storeUpgrades) => (committed, mounted, height) =>
    loadState(committed, mounted, upgradeHeight === height + 1 ? storeUpgrades : undefined, height);

/** A store that a binary mounts is not on the disk at the version it is to be loaded at. */
export class StoreVersionError extends Error {}

/**
 * What a binary that mounts these stores starts from (rules/upgrade 6.2, 6.3). `version` is the last
 * committed height. Throws a StoreVersionError, with upstream's text, for a mounted store that the state does
 * not have and the upgrade does not add. A store no longer mounted, deleted or renamed away is dropped.
 * Returns `base` itself if nothing changes.
 */
export function loadState(
  base: CommittedState,
  mounted: readonly string[],
  upgrades: StoreUpgrades | undefined,
  version: number,
): CommittedState {
  const { added = [], renamed = [], deleted = [] } = upgrades ?? {};
  const oldNames = new Map(renamed.map(({ oldKey, newKey }) => [newKey, oldKey]));
  const gone = new Set([...deleted, ...oldNames.values()]);
  const stores: CommittedStore[] = [];
  for (const name of mounted) {
    const oldName = oldNames.get(name);
    const isNew = added.includes(name) || oldName !== undefined;
    // At version 0 nothing has been committed yet, so every store is as new as the chain.
    if (!isNew && !base.has(name) && version > 0) {
      throw new StoreVersionError(
        `version of store ${name} mismatch root store's version; expected ${version} got 0; new stores should be added using StoreUpgrades`,
      );
    }
    if (gone.has(name)) continue;
    const known = base.has(name) ? base.store(name) : new CommittedStore(name, undefined);
    const moved = oldName !== undefined && base.has(oldName) ? base.store(oldName) : undefined;
    stores.push(moved ? copyInto(known, moved, version + 1) : known);
  }
  const unchanged =
    stores.length === base.storeNames.length &&
    stores.every((store) => base.has(store.name) && base.store(store.name) === store);
  return unchanged ? base : new CommittedState(stores, base.isGenesis);
}

/** A rename writes every pair anew, in key order, at the first height of the new name. */
function copyInto(target: CommittedStore, source: CommittedStore, version: number): CommittedStore {
  let root: TreeNode | undefined = target.root;
  for (const { key, value } of new Range(source.root, undefined, undefined, false)) {
    root = insert(root, new Leaf(key, value, version));
  }
  return new CommittedStore(target.name, root, source.memory);
}
