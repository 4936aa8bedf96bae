import { type App, blockInfoAt } from "../app/app.ts";
import type { ValidatorSets } from "../consensus/validator-sets.ts";
import type { Context } from "../framework/context.ts";
import { STATUS, StatusError } from "../framework/errors.ts";
import type { CommittedState } from "../store/multi-store.ts";
import type { ExportedGenesis } from "./views.ts";
import { consensusParamsOf, type World } from "./world.ts";

/** History of the main chain, whether or not it is in memory. */
export interface ChainHistory {
  /** Undefined for a height that the chain does not have. */
  stateAt(height: number): CommittedState | undefined;
  /** Throws for a height that the chain does not have. */
  setsAfter(height: number): ValidatorSets;
}

/** Reads the states of the main chain: by height, by query, as genesis. */
export class StateReader {
  readonly #world: World;
  readonly #history: ChainHistory;

  constructor(world: World, past: ChainHistory) {
    this.#world = world;
    this.#history = past;
  }

  /** The state after a height. Throws StatusError if the chain has no such height. */
  state(height: number): CommittedState {
    if (height < 0) {
      throw new StatusError(
        STATUS.invalidArgument,
        "cannot query with height < 0; please provide a valid height: invalid request",
      );
    }
    const state = this.#history.stateAt(height);
    if (state === undefined) {
      throw new StatusError(
        STATUS.invalidArgument,
        `the state of height ${height} is not available; ${this.extent(height)}`,
      );
    }
    return state;
  }

  /** Sentence that names the range of the chain outside of which a missing height is. */
  extent(height: number): string {
    const { blocks, committed } = this.#world.network.ledger;
    return height < blocks.initialHeight
      ? `the chain begins with block ${blocks.initialHeight}`
      : `the chain is at height ${committed}`;
  }

  /**
   * Reads the state after a height through the app that wrote it. Throws as `state` and `read` do.
   */
  read<T>(read: (ctx: Context, app: App) => T, height: number): T {
    const { app, state, block, record } = this.#at(height);
    return read(app.contextOf(state, block, record), app);
  }

  /** The value under a key of a module's store; undefined if there is none or no such store. */
  storeValue(store: string, key: Uint8Array, height: number): Uint8Array | undefined {
    const state = this.state(height);
    return state.has(store) ? state.reader(store).get(key) : undefined;
  }

  /** The state after a height as genesis, and the app that wrote it. Throws as `state` does. */
  exportGenesis(height: number): ExportedGenesis {
    const { spec, network, binaries } = this.#world;
    const { app, state, block, record } = this.#at(height);
    const { ledger, nextTime } = network;
    return {
      ...app.exportGenesis(state, block, record),
      sets: this.#history.setsAfter(height),
      absent: ledger.commitInfo(height).absent,
      app,
      state: app.contextOf(state, block, record),
      spec,
      binaries,
      height,
      // The next block's time is fixed once the block before it exists.
      time: ledger.blocks.timeAt(height + 1) ?? nextTime,
      consensusParams: consensusParamsOf(spec),
    };
  }

  /** App, block and chain for reading the state after a height. */
  #at(height: number) {
    const { spec, network } = this.#world;
    const { ledger } = network;
    const time = ledger.blocks.timeAt(height) ?? spec.genesisTime;
    return {
      state: this.state(height),
      app: this.#world.appOf(ledger.binaryAt(height) ?? ledger.genesis.binary),
      block: blockInfoAt(spec.chainId, height, time),
      record: ledger.blocks.recordUpTo(height),
    };
  }
}
