import { CommittedState, CommittedStore, type PastStore } from "./committed-state.ts";
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
  firstVersion?: number,
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
export const defaultStoreLoader: StoreLoader = () => (committed, mounted, height, firstVersion) =>
  loadState(committed, mounted, undefined, height, firstVersion);

/**
 * The StoreLoader of x/upgrade: store upgrades happen only where the next block is the upgrade's, so exactly
 * once.
 */
export const upgradeStoreLoader: StoreLoader =
  (upgradeHeight, storeUpgrades) => (committed, mounted, height, firstVersion) => {
    const isNow = upgradeHeight === height + 1;
    return loadState(committed, mounted, isNow ? storeUpgrades : undefined, height, firstVersion);
  };

/** A store that a binary mounts is not on the disk at the version it is to be loaded at. */
export class StoreVersionError extends Error {}

/**
 * Returns the stores that a binary starts from (rules/upgrade 6.2, 6.3). Returns `base` itself if nothing changes.
 * Throws a StoreVersionError, with upstream's text, for a mounted store that the state does not have and the upgrade
 * does not add, and for one that is added where the disk has earlier versions of it.
 * @param version the last committed height
 * @param firstVersion the first version of stores on the disk
 */
export function loadState(
  base: CommittedState,
  mounted: readonly string[],
  upgrades: StoreUpgrades | undefined,
  version: number,
  firstVersion = 1,
): CommittedState {
  const { added = [], renamed = [], deleted = [] } = upgrades ?? {};
  const oldNames = new Map(renamed.map(({ oldKey, newKey }) => [newKey, oldKey]));
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
    if (isNew) {
      const earlier = version > 0 ? firstOnDisk(base, name, firstVersion) : undefined;
      if (earlier !== undefined && earlier <= version) {
        throw new StoreVersionError(
          `failed to load store: initial version set to ${version + 1}, but found earlier version ${earlier}`,
        );
      }
    }
    const life = { first: base.has(name) ? base.store(name).life.first : version + 1 };
    if (deleted.includes(name)) {
      const removed = { ...life, removed: true };
      stores.push(new CommittedStore(name, undefined, undefined, undefined, removed));
      continue;
    }
    const moved = oldName !== undefined && base.has(oldName) ? base.store(oldName) : undefined;
    const known = base.has(name)
      ? base.store(name)
      : new CommittedStore(name, undefined, undefined, undefined, { ...life, removed: false });
    stores.push(moved ? copyInto(known, moved, version + 1) : known);
  }
  const unchanged =
    stores.length === base.storeNames.length &&
    stores.every((store) => base.has(store.name) && base.store(store.name) === store);
  if (unchanged) return base;
  return new CommittedState(stores, base.isGenesis, pastAfter(base, stores, version));
}

/** The first version of a store on a disk; undefined if it has none. */
function firstOnDisk(
  state: CommittedState,
  name: string,
  firstVersion: number,
): number | undefined {
  if (state.has(name)) return Math.max(state.store(name).life.first, firstVersion);
  const versions = state.past.filter((one) => one.name === name && one.last >= firstVersion);
  return versions.length === 0
    ? undefined
    : Math.max(Math.min(...versions.map(({ first }) => first)), firstVersion);
}

/** The stores that are gone, with those that are not listed any more from the next commit on. */
function pastAfter(
  base: CommittedState,
  stores: readonly CommittedStore[],
  version: number,
): readonly PastStore[] {
  const stay = new Set(stores.flatMap(({ name, life }) => (life.removed ? [] : name)));
  const gone = base.storeNames.filter((name) => !stay.has(name));
  return [
    ...base.past,
    ...gone.map((name) => ({ name, first: base.store(name).life.first, last: version })),
  ];
}

/** A rename writes every pair anew, in key order, at the first height of the new name. */
function copyInto(target: CommittedStore, source: CommittedStore, version: number): CommittedStore {
  let root: TreeNode | undefined = target.root;
  for (const { key, value } of new Range(source.root, undefined, undefined, false)) {
    root = insert(root, new Leaf(key, value, version));
  }
  return target.with(root, source.memory);
}
