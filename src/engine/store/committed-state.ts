import { concat, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { uvarint } from "../../base/varint.ts";
import { type KVReader, TreeReader } from "./kv-store.ts";
import { leafHash, merkleRootOfHashes } from "./merkle.ts";
import { rootHash, type TreeNode } from "./node.ts";

/** Lifetime of a store on the disks that have committed it. */
export interface StoreLife {
  /** First committed version of the store; 0 if it exists since the start of the chain. */
  readonly first: number;
  /** True if it was deleted when loaded: it exists for one more block, and no commit lists it. */
  readonly removed: boolean;
}

const SINCE_GENESIS: StoreLife = { first: 0, removed: false };

/**
 * A store that is no longer in commits, but whose versions remain on the disk (rules/upgrade 6.2).
 */
export interface RemovedStore {
  readonly name: string;
  /** First and last version of the store. */
  readonly first: number;
  readonly last: number;
}

/** One store at one height. */
export class CommittedStore extends TreeReader {
  readonly name: string;
  readonly root: TreeNode | undefined;
  /** The memory store beside it: a tree not covered by any hash. */
  readonly memory: TreeNode | undefined;
  /** This store's leaf in the tree under the app hash. */
  readonly leafHash: Uint8Array;
  readonly life: StoreLife;
  private reader: KVReader | undefined = undefined;

  /** @param hash its leaf hash, if already known */
  constructor(
    name: string,
    root: TreeNode | undefined,
    memory?: TreeNode,
    hash: Uint8Array = leafHash(mapLeaf(utf8(name), rootHash(root))),
    life: StoreLife = SINCE_GENESIS,
  ) {
    super();
    this.name = name;
    this.root = root;
    this.memory = memory;
    this.leafHash = hash;
    this.life = life;
  }

  protected get now(): TreeNode | undefined {
    return this.root;
  }

  /** Returns the store with different content. */
  with(root: TreeNode | undefined, memory: TreeNode | undefined): CommittedStore {
    return new CommittedStore(this.name, root, memory, undefined, this.life);
  }

  get memoryReader(): KVReader {
    this.reader ??= new RootReader(this.memory);
    return this.reader;
  }
}

class RootReader extends TreeReader {
  readonly root: TreeNode | undefined;

  constructor(root: TreeNode | undefined) {
    super();
    this.root = root;
  }

  protected get now(): TreeNode | undefined {
    return this.root;
  }
}

const NO_PAST: readonly RemovedStore[] = [];

/** All stores at one height, immutable. The app hash commits to all of them (rules/store 2.1). */
export class CommittedState {
  readonly appHash: Uint8Array;
  /**
   * True for a genesis: written, but committed only with the first block, so that both are added to
   * the tree as one sorted batch.
   */
  readonly isGenesis: boolean;
  /** Sorted by name. */
  readonly storeNames: readonly string[];
  /** Stores that no longer exist. */
  readonly removedStores: readonly RemovedStore[];
  private readonly stores: ReadonlyMap<string, CommittedStore>;

  constructor(
    stores: readonly CommittedStore[],
    isGenesis = false,
    past: readonly RemovedStore[] = NO_PAST,
  ) {
    this.isGenesis = isGenesis;
    this.removedStores = past;
    const sorted = stores.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    this.stores = new Map(sorted.map((store) => [store.name, store]));
    this.storeNames = sorted.map((store) => store.name);
    this.appHash = merkleRootOfHashes(sorted.map((store) => store.leafHash));
  }

  /** True if it contains a store that will no longer be committed. */
  get hasRemoved(): boolean {
    for (const { life } of this.stores.values()) if (life.removed) return true;
    return false;
  }

  has(name: string): boolean {
    return this.stores.has(name);
  }

  reader(name: string): KVReader {
    return this.store(name);
  }

  /** The store's IAVL root hash. */
  root(name: string): Uint8Array {
    return rootHash(this.store(name).root);
  }

  /** The memory store beside a store. Throws as `store` does. */
  memory(name: string): KVReader {
    return this.store(name).memoryReader;
  }

  /** Throws for a store this state does not have. */
  store(name: string): CommittedStore {
    const store = this.stores.get(name);
    if (store === undefined) throw new Error(`store ${name} is not mounted`);
    return store;
  }
}

/** A leaf of the SDK's simple Merkle map: the value is hashed once more than expected. */
export function mapLeaf(key: Uint8Array, value: Uint8Array): Uint8Array {
  return concat(uvarint(key.length), key, uvarint(32), sha256(value));
}

export function emptyState(storeNames: readonly string[]): CommittedState {
  return new CommittedState(storeNames.map((name) => new CommittedStore(name, undefined)));
}
