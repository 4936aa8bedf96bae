import { toHex } from "../../base/bytes.ts";
import type { PageSlot, Pages } from "../../base/pages.ts";
import { unreachable } from "../../base/unreachable.ts";
import type { ValidatorSets } from "../consensus/validator-sets.ts";
import type { BlockPage } from "../network/chain/block-page.ts";
import type { Network } from "../network/network.ts";
import type { Applied } from "../network/node/applied.ts";
import type { CommittedState } from "../store/multi-store.ts";
import { BlockHistory } from "./block-history.ts";
import type { WorldSpec } from "./genesis/world-spec.ts";
import type { HistoryRange } from "./history-range.ts";
import type { ResultsPage } from "./results-page.ts";
import { StateHistory } from "./state-history.ts";
import { StateReader } from "./state-reader.ts";
import { World } from "./world.ts";
import { type PageKey, type Residence, WorldPages } from "./world-pages.ts";

/** Result of searching a block by hash. */
export interface FoundBlock {
  readonly height: number | undefined;
}

/** A part of the history that may be evicted. */
export interface HistoryPart<T extends object = object> {
  /** Unique within the world. */
  readonly key: string;
  /** Height of the part. */
  readonly height: number;
  /** Key, if the part is a page: a host that has stored the page loads it. */
  readonly page?: PageKey;
  /**
   * Hash of a block, if the part is the block's height: the block is on an evicted page, or does
   * not exist.
   */
  readonly hash?: Uint8Array;
  /** Value in memory; undefined if it was evicted. */
  resident(): T | undefined;
  /**
   * Reads the part from a second world of the same spec and journal. Returns `later` if that world
   * has not reached it, `gone` if it is past it.
   */
  read(past: WorldHistory): T | "later" | "gone";
}

/** Adds the parts that are in memory to the opened ones; returns the others. */
export function missingParts(
  parts: readonly HistoryPart[],
  opened: Map<string, object>,
): readonly HistoryPart[] {
  return parts.filter((part) => {
    if (opened.has(part.key)) return false;
    const resident = part.resident();
    if (resident !== undefined) opened.set(part.key, resident);
    return resident === undefined;
  });
}

/** Blocks from genesis on whose validator sets are computed when needed; later ones are replayed. */
const COMPUTED_SETS = 16_384;

type StorableViews = readonly [
  World["persisted"],
  StateHistory["persisted"],
  BlockHistory["persisted"],
];

/** Block, result and state history; evicted entries are recomputed. */
export abstract class WorldHistory {
  readonly spec: WorldSpec;
  readonly world: World;
  /** Main chain, for code that is loaded separately from the running engine. */
  readonly network: Network;
  protected readonly states: StateHistory;
  protected readonly history: BlockHistory;
  protected readonly reader: StateReader;
  /** Sealed pages of old blocks, which can be in storage instead of memory. */
  readonly pages: WorldPages;

  /** @param kept state from a keyframe; without it the world starts at genesis */
  protected constructor(
    spec: WorldSpec,
    { blocks, results, states }: Residence,
    stored?: StorableViews,
  ) {
    this.spec = spec;
    this.states = new StateHistory(states, (height) => this.recall(this.#stateAfter(height)));
    const onCommit = (applied: Applied): void => {
      this.states.record(applied.height, applied.outcome?.state ?? applied.state);
      this.history.record(applied);
    };
    this.world = new World(spec, onCommit, stored?.[0], {
      ...blocks,
      recall: (index) => this.recall(this.#blockPage(index)),
    });
    const { network } = this.world;
    this.network = network;
    this.reader = new StateReader(this.world, {
      stateAt: (height) => this.stateAt(height),
      setsAfter: (height) => this.setsAfter(height),
    });
    const recall = (index: number) => this.recall(this.#resultsPage(index));
    this.history = new BlockHistory(network.ledger, { ...results, recall });
    this.pages = new WorldPages(() => network.ledger.blocks, this.history);
    const { genesis } = network.ledger;
    if (stored === undefined) this.states.record(genesis.height, genesis.state);
    else [, this.states.persisted, this.history.persisted] = stored;
  }

  /** Greatest height applied by nodes with more than two thirds of the power. */
  get height(): number {
    return this.network.ledger.committed;
  }

  /**
   * Evicts old blocks, results and states before a change. Everything added by one change stays
   * until the next, so that a replaying world finds each height. A healed partition may add many at
   * once.
   */
  protected settle(): void {
    this.network.ledger.blocks.sealed.settle();
    this.history.sealed.settle();
    this.states.settle();
  }

  /** Loads an evicted part of the history. */
  protected abstract recall<T extends object>(part: HistoryPart<T>): T;

  /** Parts of the history in a range, whether or not they are in memory. */
  partsOf(range: HistoryRange): readonly HistoryPart[] {
    const { blocks } = this.network.ledger;
    switch (range.kind) {
      case "blocks":
        // A header needs the previous block; a block's commit is in the next one.
        return Array.from(blocks.sealed.within(range.from - 1, range.to + 1), (index) =>
          this.#blockPage(index),
        );
      case "results":
        return Array.from(this.history.sealed.within(range.from, range.to), (index) =>
          this.#resultsPage(index),
        );
      case "state":
        return this.height >= range.height && range.height > this.network.ledger.genesis.height
          ? [this.#stateAfter(range.height)]
          : [];
      case "sets":
        return this.#hasSetsAfter(range.height) || range.height > this.height
          ? []
          : [this.#setsAfter(range.height)];
      case "hash":
        return [this.#blockWith(range.hash)];
      default:
        return unreachable(range);
    }
  }

  /** Evicted pages of a range. */
  missingPages(range: HistoryRange): readonly PageKey[] {
    return this.partsOf(range).flatMap((part) =>
      part.page !== undefined && part.resident() === undefined ? [part.page] : [],
    );
  }

  /** Loads blocks or a state before a change. */
  protected loadRange(range: HistoryRange): void {
    for (const { page, height } of this.partsOf(range)) {
      if (page === undefined) this.states.at(height);
      else this.network.ledger.blocks.sealed.get(page.index);
    }
  }

  #blockPage(index: number): HistoryPart<BlockPage> {
    return this.#page("blocks", index, (past) => past.network.ledger.blocks.sealed);
  }

  #resultsPage(index: number): HistoryPart<ResultsPage> {
    return this.#page("results", index, (past) => past.history.sealed);
  }

  #page<P extends { readonly size: number }>(
    kind: PageKey["kind"],
    index: number,
    sealedIn: (world: WorldHistory) => Pages<P, PageSlot<P>>,
  ): HistoryPart<P> {
    return {
      key: `${kind}/${index}`,
      height: sealedIn(this).slots[index]?.first ?? 0,
      page: { kind, index },
      resident: () => sealedIn(this).slots[index]?.page,
      read: (past) => {
        const { slots } = sealedIn(past);
        if (index >= slots.length || !this.#isAhead(past)) return "later";
        return slots[index]?.page ?? "gone";
      },
    };
  }

  /**
   * Returns true if this world continues a second one. During a partition, the second one may have
   * blocks that this chain dropped when the partition healed.
   */
  #isAhead(past: WorldHistory): boolean {
    return this.network.ledger.blocks.continues(past.network.ledger.blocks);
  }

  /** Height of an evicted block with this hash; undefined if it is not found. */
  protected heightOutOfMemory(hash: Uint8Array): number | undefined {
    return this.recall(this.#blockWith(hash)).height;
  }

  #blockWith(hash: Uint8Array): HistoryPart<FoundBlock> {
    return {
      key: `hash/${toHex(hash)}`,
      ...{ height: this.height, hash },
      resident: () => {
        const height = this.network.ledger.blocks.heightOf(hash);
        const isKnown = height !== undefined || this.pages.missingBlocks().length === 0;
        return isKnown ? { height } : undefined;
      },
      // Without pages there is no search: all blocks would have to be recomputed.
      read: () => ({ height: undefined }),
    };
  }

  #stateAfter(height: number): HistoryPart<CommittedState> {
    return {
      key: `state/${height}`,
      height,
      resident: () => (this.states.has(height) ? this.states.at(height) : undefined),
      read: (past) => {
        if (past.height < height || !this.#isAhead(past)) return "later";
        return past.states.has(height) ? past.states.at(height) : "gone";
      },
    };
  }

  /** State after a height; undefined if the chain does not have it. */
  protected stateAt(height: number): CommittedState | undefined {
    const { genesis, committed } = this.network.ledger;
    if (height === genesis.height) return genesis.state;
    return height > genesis.height && height <= committed ? this.states.at(height) : undefined;
  }

  /** The validator sets after a committed height. */
  protected setsAfter(height: number): ValidatorSets {
    const { ledger } = this.network;
    return this.#hasSetsAfter(height)
      ? ledger.setsAfter(height)
      : this.recall(this.#setsAfter(height));
  }

  /** True if the sets after a height can be computed at once: each block since genesis costs some 20 µs. */
  #hasSetsAfter(height: number): boolean {
    const { blocks, committed, genesis } = this.network.ledger;
    if (height === committed || height <= genesis.height) return true;
    if (height > genesis.height + COMPUTED_SETS) return false;
    return blocks.sealed.slots.every(({ page }) => page !== undefined);
  }

  #setsAfter(height: number): HistoryPart<ValidatorSets> {
    return {
      key: `sets/${height}`,
      height,
      resident: () => undefined,
      // If the other world is already beyond the height, the changes since genesis are replayed,
      // for example after a heal that adds many blocks at once.
      read: (past) =>
        past.height < height || !this.#isAhead(past)
          ? "later"
          : past.network.ledger.setsAfter(height),
    };
  }

  protected get storableViews(): StorableViews {
    return [this.world.persisted, this.states.persisted, this.history.persisted];
  }
}
