import { CommittedState, CommittedStore, type RemovedStore } from "./committed-state.ts";
import { insert, Leaf, type TreeNode } from "./node.ts";
import { Range } from "./range.ts";

/** Stores that an upgrade adds, renames and deletes. */
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
 * Returns the function that loads an application's stores, for the height of an upgrade and its
 * store upgrades (rules/upgrade 6.4).
 */
export type StoreLoader = (
  upgradeHeight: number,
  storeUpgrades: StoreUpgrades | undefined,
) => LoadStores;

/** The StoreLoader of a binary without store upgrades: the stores must match as they are. */
export const defaultStoreLoader: StoreLoader = () => (committed, mounted, height, firstVersion) =>
  loadState(committed, mounted, undefined, height, firstVersion);

/**
 * The StoreLoader of x/upgrade: store upgrades are applied only if the next block is the upgrade's,
 * so exactly once.
 */
export const upgradeStoreLoader: StoreLoader =
  (upgradeHeight, storeUpgrades) => (committed, mounted, height, firstVersion) => {
    const isNow = upgradeHeight === height + 1;
    return loadState(committed, mounted, isNow ? storeUpgrades : undefined, height, firstVersion);
  };

/** A store that a binary mounts is not on the disk at the version to load. */
export class StoreVersionError extends Error {}

/**
 * Returns the stores with which a binary starts (rules/upgrade 6.2, 6.3), or `base` itself if
 * nothing changes. Throws a StoreVersionError, with upstream's text, for a mounted store that is
 * neither in the state nor added by the upgrade, and for an added store of which the disk has
 * earlier versions.
 * @param version last committed height
 * @param firstVersion first version of the stores on the disk
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
    // At version 0 nothing has been committed yet, so every store is new.
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
  return new CommittedState(stores, base.isGenesis, removedAfter(base, stores, version));
}

/** First version of a store on a disk; undefined if there is none. */
function firstOnDisk(
  state: CommittedState,
  name: string,
  firstVersion: number,
): number | undefined {
  if (state.has(name)) return Math.max(state.store(name).life.first, firstVersion);
  const versions = state.removedStores.filter(
    (one) => one.name === name && one.last >= firstVersion,
  );
  return versions.length === 0
    ? undefined
    : Math.max(Math.min(...versions.map(({ first }) => first)), firstVersion);
}

/**
 * Stores that no longer exist, including those that are no longer listed from the next commit on.
 */
function removedAfter(
  base: CommittedState,
  stores: readonly CommittedStore[],
  version: number,
): readonly RemovedStore[] {
  const stay = new Set(stores.flatMap(({ name, life }) => (life.removed ? [] : name)));
  const gone = base.storeNames.filter((name) => !stay.has(name));
  return [
    ...base.removedStores,
    ...gone.map((name) => ({ name, first: base.store(name).life.first, last: version })),
  ];
}

/** A rename rewrites every pair, in key order, at the first height of the new name. */
function copyInto(target: CommittedStore, source: CommittedStore, version: number): CommittedStore {
  let root: TreeNode | undefined = target.root;
  for (const { key, value } of new Range(source.root, undefined, undefined, false)) {
    root = insert(root, new Leaf(key, value, version));
  }
  return target.with(root, source.memory);
}
