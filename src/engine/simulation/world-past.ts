import type { ValidatorSets } from "../consensus/validator-sets.ts";
import type { Network } from "../network/network.ts";
import type { Applied } from "../network/node/applied.ts";
import { toHex } from "../primitives/bytes.ts";
import type { PageSlot, Pages } from "../primitives/pages.ts";
import type { CommittedState } from "../store/multi-store.ts";
import { BlockHistory } from "./block-history.ts";
import type { WorldSpec } from "./genesis/world-spec.ts";
import { StateHistory } from "./state-history.ts";
import { StateReader } from "./state-reader.ts";
import { World } from "./world.ts";
import { type PageKey, type Residence, WorldPages } from "./world-pages.ts";

/** The height of a block that was searched by its hash. */
export interface FoundBlock {
  readonly height: number | undefined;
}

type KeptViews = readonly [World["kept"], StateHistory["kept"], BlockHistory["kept"]];

/** A part of the past that is not in memory. */
export interface PastNeed<T extends object = object> {
  /** No other part of the same world has it. */
  readonly key: string;
  /** The height that it is of. */
  readonly height: number;
  /** The page that it is, if it is one: a host that has written it loads it. */
  readonly page?: PageKey;
  /** The hash of a block, if what is needed is its height: it is on one of the pages out of memory, or on none. */
  readonly hash?: Uint8Array;
  /** Takes it from a second world of the same spec and journal: `later` below it, `gone` above it. */
  take(past: WorldPast): T | "later" | "gone";
}

/** A world with its blocks, results and states, of which the old ones may have to be made again. */
export abstract class WorldPast {
  readonly spec: WorldSpec;
  readonly world: World;
  /** The main chain, for what reads it apart from a chain that runs. */
  readonly network: Network;
  protected readonly states: StateHistory;
  protected readonly history: BlockHistory;
  protected readonly reader: StateReader;
  /** Its full pages of old blocks, which storage may keep instead of memory. */
  readonly pages: WorldPages;

  /** @param kept what a keyframe holds of the world; else it begins with its genesis */
  protected constructor(spec: WorldSpec, { blocks, results, states }: Residence, kept?: KeptViews) {
    this.spec = spec;
    this.states = new StateHistory(states, (height) => this.#recallState(height));
    const onCommit = (applied: Applied): void => {
      this.states.record(applied.height, applied.outcome?.state ?? applied.state);
      this.history.record(applied);
    };
    this.world = new World(spec, onCommit, kept?.[0], {
      ...blocks,
      recall: this.#pastPage("blocks", (past) => past.network.ledger.blocks.sealed),
    });
    const { network } = this.world;
    this.network = network;
    this.reader = new StateReader(this.world, {
      stateAt: (height) => this.stateAt(height),
      setsAfter: (height) => this.setsAfter(height),
    });
    const recall = this.#pastPage("results", (past) => past.history.sealed);
    this.history = new BlockHistory(network.ledger, { ...results, recall });
    this.pages = new WorldPages(() => network.ledger.blocks, this.history);
    const { genesis } = network.ledger;
    if (kept === undefined) this.states.record(genesis.height, genesis.state);
    else [, this.states.kept, this.history.kept] = kept;
  }

  /** Greatest height applied by nodes with more than two thirds of the power. */
  get height(): number {
    return this.network.ledger.committed;
  }

  /**
   * Lets old blocks, results and states go, before a change: all that one change brings stays until the next, so
   * that a past that follows finds each height. A healed partition may bring many at once.
   */
  protected settle(): void {
    this.network.ledger.blocks.sealed.settle();
    this.history.sealed.settle();
    this.states.settle();
  }

  /** Brings a part of the past back that was let go. */
  protected abstract recall<T extends object>(need: PastNeed<T>): T;

  #pastPage<P extends { readonly size: number }>(
    kind: PageKey["kind"],
    sealedIn: (world: WorldPast) => Pages<P, PageSlot<P>>,
  ): (index: number) => P {
    return (index) =>
      this.recall({
        key: `${kind}/${index}`,
        height: sealedIn(this).slots[index]?.first ?? 0,
        page: { kind, index },
        take: (past) => {
          const { slots } = sealedIn(past);
          if (index >= slots.length || !this.#isAhead(past)) return "later";
          return slots[index]?.page ?? "gone";
        },
      });
  }

  /**
   * Whether this world has gone on from a second one. While a partition lasts, that one may have blocks which this
   * chain gave up when it healed.
   */
  #isAhead(past: WorldPast): boolean {
    return this.network.ledger.blocks.continues(past.network.ledger.blocks);
  }

  /** Height of a block that is not in memory; undefined if it is not found. */
  protected heightOutOfMemory(hash: Uint8Array): number | undefined {
    if (this.pages.missingBlocks().length === 0) return undefined;
    const { height } = this;
    return this.recall<FoundBlock>({
      key: `hash/${toHex(hash)}`,
      ...{ height, hash },
      // Without pages to search it is not looked for: all blocks would have to be made again.
      take: () => ({ height: undefined }),
    }).height;
  }

  #recallState(height: number): CommittedState {
    return this.recall({
      key: `state/${height}`,
      height,
      take: (past) => {
        if (past.height < height || !this.#isAhead(past)) return "later";
        return past.states.has(height) ? past.states.at(height) : "gone";
      },
    });
  }

  /** The state after a height; undefined for one that the chain does not have. */
  protected stateAt(height: number): CommittedState | undefined {
    const { genesis, committed } = this.network.ledger;
    if (height === genesis.height) return genesis.state;
    return height > genesis.height && height <= committed ? this.states.at(height) : undefined;
  }

  /** The validator sets after a committed height. */
  protected setsAfter(height: number): ValidatorSets {
    const { ledger } = this.network;
    const { blocks } = ledger;
    if (height === ledger.committed || blocks.sealed.slots.every((slot) => slot.page !== undefined))
      return ledger.setsAfter(height);
    return this.recall({
      key: `sets/${height}`,
      height,
      // Beyond it the changes since the beginning are made again, as after a heal that brings many blocks at once.
      take: (past) =>
        past.height < height || !this.#isAhead(past)
          ? "later"
          : past.network.ledger.setsAfter(height),
    });
  }

  protected get keptViews(): KeptViews {
    return [this.world.kept, this.states.kept, this.history.kept];
  }
}
