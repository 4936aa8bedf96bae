/**
 * The state on which a block is executed: reads and writes over a committed state, reverted or
 * committed as a whole.
 */
import { CommittedState, type CommittedStore } from "./committed-state.ts";
import type { KVStore } from "./kv-store.ts";
import type { TreeNode } from "./node.ts";
import { type Draft, WorkingStore } from "./working-store.ts";

export { CommittedState, emptyState } from "./committed-state.ts";
export type { Codec, KVStore } from "./kv-store.ts";
export { loadState, type StoreUpgrades, StoreVersionError } from "./store-upgrades.ts";

/** Snapshot of all stores within a block. Remains valid after later reverts and writes. */
export interface Mark {
  /** Drafts of the stores in use, in order of first use. */
  readonly stores: readonly Draft[];
  readonly memories: readonly Draft[];
}

export class MultiStore {
  private readonly base: CommittedState;
  private readonly version: number;
  /** Stores in use. */
  private readonly working = new Map<string, WorkingStore>();
  /** Memory stores in use. */
  private readonly memories = new Map<string, WorkingStore>();

  /** `version` is the height being executed, which new nodes contain. */
  constructor(base: CommittedState, version: number) {
    this.base = base;
    this.version = version;
  }

  /** Throws for a store that is not mounted. */
  store(name: string): KVStore {
    const known = this.working.get(name);
    if (known !== undefined) return known;
    const store = new WorkingStore(this.base.store(name).root, this.version);
    this.working.set(name, store);
    return store;
  }

  /**
   * The memory store beside a store: part of the state and reverted like it, but not of the app
   * hash (rules/store 2.4). For data that follows from the blocks so far and would cost a hash in a
   * store. Throws like `store`.
   */
  memory(name: string): KVStore {
    const known = this.memories.get(name);
    if (known !== undefined) return known;
    const store = new WorkingStore(this.base.store(name).memory, this.version);
    this.memories.set(name, store);
    return store;
  }

  /** O(number of stores), regardless of the number of writes. */
  mark(): Mark {
    return { stores: draftsOf(this.working), memories: draftsOf(this.memories) };
  }

  revert({ stores, memories }: Mark): void {
    revertTo(stores, this.working);
    revertTo(memories, this.memories);
  }

  /**
   * Returns the state after this block; the same object as before if nothing was written, except
   * after a genesis.
   */
  commit(): CommittedState {
    const { base } = this;
    const { hasRemoved } = base;
    const isUnwritten = isUntouched(this.working) && isUntouched(this.memories);
    if (!base.isGenesis && !hasRemoved && isUnwritten) return base;
    const stores = this.#committedStores((working) =>
      base.isGenesis ? working.rebuiltRoot() : working.canonicalRoot(),
    );
    const changed = hasRemoved || stores.some((store) => store !== base.store(store.name));
    if (!changed && !base.isGenesis) return base;
    const listed = hasRemoved ? stores.filter(({ life }) => !life.removed) : stores;
    return new CommittedState(listed, false, base.removedStores);
  }

  /** Returns the writes as a genesis state, which the commit of the first block includes. */
  genesis(): CommittedState {
    return new CommittedState(
      this.#committedStores((working) => working.rebuiltRoot()),
      true,
      this.base.removedStores,
    );
  }

  #committedStores(rootOf: (working: WorkingStore) => TreeNode | undefined): CommittedStore[] {
    return this.base.storeNames.map((name) => {
      const before = this.base.store(name);
      const working = this.working.get(name);
      const root = working === undefined ? before.root : rootOf(working);
      const inUse = this.memories.get(name);
      const memory = inUse === undefined ? before.memory : inUse.root;
      const unchanged = root === before.root && memory === before.memory;
      return unchanged ? before : before.with(root, memory);
    });
  }
}

type Stores = ReadonlyMap<string, WorkingStore>;

const draftsOf = (stores: Stores): Draft[] => Array.from(stores.values(), ({ draft }) => draft);

/** Stores first used later are reset to their initial content. */
function revertTo(drafts: readonly Draft[], stores: Stores): void {
  let i = 0;
  for (const store of stores.values()) store.revert(drafts[i++]);
}

function isUntouched(stores: Stores): boolean {
  for (const { isUntouched } of stores.values()) if (!isUntouched) return false;
  return true;
}
