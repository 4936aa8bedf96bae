import type { Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { SECOND } from "../../base/time.ts";
import {
  type BlockInfo,
  type ChainRecord,
  type CommitInfo,
  Context,
  type ExecutionEnv,
  type NodeInfo,
} from "../framework/context.ts";
import { errorText } from "../framework/errors.ts";
import { type Event, withAttribute } from "../framework/events.ts";
import { type HaltCause, HaltError, haltCauseOf, isUpgradeHalt } from "../framework/halt.ts";
import type { Module, ValidatorUpdate } from "../framework/module.ts";
import { ServiceRouter } from "../framework/router.ts";
import { type LogLine, Trace } from "../framework/trace.ts";
import { type ImportedAccount, importAccounts } from "../modules/bank/accounts.ts";
import type { Evidence } from "../modules/evidence/types.ts";
import type { UpgradeState } from "../modules/upgrade/types.ts";
import { type CommittedState, emptyState, MultiStore } from "../store/multi-store.ts";
import {
  defaultStoreLoader,
  type StoreLoader,
  upgradeStoreLoader,
} from "../store/store-upgrades.ts";
import { type BinarySpec, storeUpgradesOf } from "./binary.ts";
import type { ChainConfig } from "./chain-config.ts";
import { deliverTx, type TxResult } from "./deliver-tx.ts";
import { gasUsed, gasWanted } from "./gas.ts";
import { createModules, type Keepers, type Modules } from "./modules.ts";
import type { ModuleStep } from "./steps.ts";

/** Genesis state by module. */
export type GenesisMessages = ReadonlyMap<string, Message>;

/** The upgrade module's part of an export; it has no genesis (rules/upgrade 2.5). */
export interface UpgradeGenesis {
  /** Consensus versions of the state. */
  readonly versions: ReadonlyMap<string, number>;
  /** Absent if not in the file: no upgrade is planned, and none was completed. */
  readonly upgrades?: UpgradeState;
}

export interface AppGenesis extends UpgradeGenesis {
  readonly messages: GenesisMessages;
  readonly upgrades: UpgradeState;
}

/** Error for an invalid module genesis; the text is the module's own. */
export class GenesisError extends Error {
  readonly module: string;

  constructor(module: string, text: string) {
    super(text);
    this.name = "GenesisError";
    this.module = module;
  }
}

/** Outcome of a block: a new state, or the end of this node's consensus. */
export type BlockOutcome = AppliedOutcome | HaltedOutcome;

interface OutcomeNotes {
  readonly steps: readonly ModuleStep[];
  readonly logs: readonly LogLine[];
  /** Files to write to the node's disk, in order. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/**
 * Result of a transaction in a block, with its gas: everything covered by the hash of results, and
 * more.
 */
export interface ExecTxResult extends TxResult {
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
}

export interface AppliedOutcome extends OutcomeNotes {
  readonly kind: "applied";
  readonly state: CommittedState;
  /** Events of PreBlock, BeginBlock and EndBlock. */
  readonly events: readonly Event[];
  readonly txResults: readonly ExecTxResult[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
}

export interface HaltedOutcome extends OutcomeNotes {
  readonly kind: "halted";
  readonly cause: HaltCause;
  /** True if the process also exits; otherwise it keeps running. */
  readonly exits?: boolean;
}

/** The block as the consensus engine passes it to the application. */
export interface BlockRequest extends BlockInfo {
  readonly txs: readonly Uint8Array[];
}

/** Settings for queries and genesis: no flags of a node. */
export const PLAIN_NODE: Omit<NodeInfo, "writeFile"> = {
  name: "",
  skipUpgradeHeights: new Set(),
  haltHeight: 0,
  haltTime: 0,
  firstBlock: false,
  diskWritable: true,
};

/** The module manager's text for a genesis without validators. */
const NO_VALIDATORS =
  "validator set is empty after InitGenesis, please ensure at least one validator is initialized with a delegation greater than or equal to the DefaultPowerReduction (1000000)";

const NO_COMMIT: CommitInfo = {
  size: 0,
  validatorsHash: () => new Uint8Array(),
  absent: [],
  address: () => new Uint8Array(),
  power: () => 0,
};

/**
 * Application of one binary: stateless code that receives its state. The same state, block and node
 * settings always give the same outcome.
 */
export class App {
  readonly binary: BinarySpec;
  readonly config: ChainConfig;
  readonly router = new ServiceRouter();
  readonly #modules: Modules;
  readonly #profile;
  #storeLoader: StoreLoader = defaultStoreLoader;

  constructor(binary: BinarySpec, config: ChainConfig) {
    this.binary = binary;
    this.config = config;
    this.#profile = config.profile;
    this.#modules = createModules(binary, config, this.router);
    for (const module of this.#modules.all) module.registerMessages(this.router);
    if (Object.keys(binary.stores).length > 0) this.setStoreLoader(upgradeStoreLoader);
  }

  /**
   * Registers how the stores are loaded when a process of this binary starts (rules/upgrade 6.4).
   */
  setStoreLoader(loader: StoreLoader): void {
    this.#storeLoader = loader;
  }

  /**
   * Returns the stores with which this binary starts on a state committed at a height.
   * @param upgrade the upgrade in upgrade-info.json, and the height at which it is executed
   * @param firstVersion first version of the stores on the disk
   */
  loadStores(
    committed: CommittedState,
    height: number,
    upgrade: { readonly name: string; readonly height: number } | undefined,
    firstVersion = 1,
  ): CommittedState {
    const upgrades = upgrade && storeUpgradesOf(this.binary, upgrade.name);
    const load = this.#storeLoader(upgrade?.height ?? 0, upgrades);
    return load(committed, this.storeNames, height, firstVersion);
  }

  /** Names of the stores this binary mounts, one per module. */
  get storeNames(): readonly string[] {
    return this.#modules.all.map((module) => module.name);
  }

  /** Evidence in an Any; undefined if it contains no evidence known to this chain. */
  unpackEvidence(any: Any): Evidence | undefined {
    return this.keepers.evidence.codec.unpack(any);
  }

  /** Every module with its genesis, for tools that read or write genesis files. */
  get modules(): readonly Module[] {
    return this.#modules.all;
  }

  get keepers(): Keepers {
    return this.#modules.keepers;
  }

  /**
   * Returns the state before the first block and the first validators; modules that are not in
   * genesis start with their defaults. Throws a GenesisError with the module's text if a part is
   * invalid.
   * @param block height and time before the first block: height 0, or the height of the exported
   * state
   * @param exported records of the upgrade module; this binary's versions for a new chain
   */
  initChain(
    block: BlockInfo,
    genesis: GenesisMessages,
    record: ChainRecord,
    exported: UpgradeGenesis & { readonly accounts?: readonly ImportedAccount[] } = {
      versions: this.versions(),
    },
  ): { readonly state: CommittedState; readonly validators: readonly ValidatorUpdate[] } {
    const stores = new MultiStore(emptyState(this.storeNames), block.height + 1);
    const ctx = new Context(
      this.#env(stores, block, { ...PLAIN_NODE, writeFile: () => {} }, record),
    );
    if (exported.accounts) importAccounts(ctx, exported.accounts);
    const validators: ValidatorUpdate[] = [];
    for (const module of this.#modules.genesisOrder) {
      const state = genesis.get(module.name) ?? module.genesis.defaults();
      try {
        validators.push(...module.genesis.init(ctx, state));
      } catch (error) {
        throw new GenesisError(module.name, errorText(error));
      }
    }
    if (validators.length === 0) throw new GenesisError("staking", NO_VALIDATORS);
    const { upgrade } = this.keepers;
    upgrade.setModuleVersionMap(ctx, exported.versions);
    try {
      if (exported.upgrades !== undefined) upgrade.importState(ctx, exported.upgrades);
    } catch (error) {
      throw new GenesisError("upgrade", errorText(error));
    }
    return { state: stores.genesis(), validators };
  }

  /** Module consensus versions of this binary. */
  versions(): ReadonlyMap<string, number> {
    return new Map(this.#modules.all.map((module) => [module.name, module.consensusVersion]));
  }

  /**
   * Executes a block: PreBlock, BeginBlock, transactions, EndBlock, commit. An error thrown on
   * purpose outside a transaction halts this node and leaves `state` unchanged; pending files are
   * still written, such as upgrade-info.json before the stop. A bug is rethrown (rules/consensus
   * 8.4).
   */
  finalizeBlock(
    state: CommittedState,
    block: BlockRequest,
    node: Omit<NodeInfo, "writeFile">,
    record: ChainRecord,
  ): BlockOutcome {
    if (!state.hasRemoved && this.#isQuiet(state, block, node)) return unchanged(state);
    const stores = new MultiStore(state, block.height);
    const files: { path: string; content: string }[] = [];
    const writeFile = (path: string, content: string): void => {
      files.push({ path, content });
    };
    const env = this.#env(stores, block, { ...node, writeFile }, record);
    const { trace } = env;
    const ctx = new Context(env);
    try {
      const halt = configuredHalt(block, node);
      if (halt !== undefined) throw new HaltError(halt);
      const beginBlock = this.#beginBlock(ctx, trace);
      const txResults = this.#deliverAll(ctx, trace, block.txs);
      trace.phase = "end-block";
      const end = ctx.captureEvents(() => this.#endBlock(ctx));
      return {
        kind: "applied",
        state: stores.commit(),
        events: joined(beginBlock, withAttribute(end.events, "mode", "EndBlock")),
        txResults,
        validatorUpdates: end.value,
        steps: stepsOf(trace),
        logs: trace.logs,
        files,
      };
    } catch (error) {
      const cause = haltCauseOf(error, (text) => ({ kind: "application_error", error: text }));
      return {
        kind: "halted",
        cause,
        exits: isUpgradeHalt(cause) && this.#profile.upgradeHalt === "process-exits",
        steps: stepsOf(trace),
        logs: trace.logs,
        files,
      };
    }
  }

  /** Returns a context for reading a state; writes to it are discarded. */
  contextOf(state: CommittedState, block: BlockInfo, record: ChainRecord): Context {
    const stores = new MultiStore(state, block.height);
    return new Context(this.#env(stores, block, { ...PLAIN_NODE, writeFile: () => {} }, record));
  }

  /** Exports a state as genesis, from which `initChain` creates an equivalent state. */
  exportGenesis(state: CommittedState, block: BlockInfo, record: ChainRecord): AppGenesis {
    const ctx = this.contextOf(state, block, record);
    return {
      messages: new Map(
        this.#modules.all.map((module) => [module.name, module.genesis.export(ctx)]),
      ),
      versions: this.keepers.upgrade.getModuleVersionMap(ctx),
      upgrades: this.keepers.upgrade.exportState(ctx),
    };
  }

  /**
   * Returns true if a block executes nothing and has no effect; the first block always commits the
   * genesis state.
   */
  #isQuiet(state: CommittedState, block: BlockRequest, node: Omit<NodeInfo, "writeFile">): boolean {
    if (block.txs.length > 0 || state.isGenesis) return false;
    if (configuredHalt(block, node) !== undefined) return false;
    for (const module of this.#modules.all) {
      const { name, preBlock, beginBlock, endBlock } = module;
      // If a store was deleted, the node stops when a hook reads it.
      if (!state.has(name)) return false;
      if (module.isDue?.(state, block, node) ?? preBlock ?? beginBlock ?? endBlock) return false;
    }
    return true;
  }

  #beginBlock(ctx: Context, trace: Trace): readonly Event[] {
    trace.phase = "pre-block";
    const pre = ctx.captureEvents(() => {
      for (const module of this.#modules.preBlockOrder) module.preBlock?.(ctx);
    });
    trace.phase = "begin-block";
    const begin = ctx.captureEvents(() => {
      for (const module of this.#modules.beginBlockOrder) module.beginBlock?.(ctx);
    });
    return joined(pre.events, withAttribute(begin.events, "mode", "BeginBlock"));
  }

  #deliverAll(ctx: Context, trace: Trace, txs: readonly Uint8Array[]): readonly ExecTxResult[] {
    if (txs.length === 0) return NONE;
    return txs.map((tx, index) => {
      trace.phase = `tx ${index}`;
      const result = deliverTx(ctx, this.router, tx);
      const gas = { gasWanted: gasWanted(tx), gasUsed: gasUsed(tx, result.events) };
      return { ...result, ...gas };
    });
  }

  #endBlock(ctx: Context): readonly ValidatorUpdate[] {
    const updates: ValidatorUpdate[] = [];
    for (const module of this.#modules.endBlockOrder) {
      const changed = module.endBlock?.(ctx);
      if (changed !== undefined && changed.length > 0) updates.push(...changed);
    }
    return updates;
  }

  #env(stores: MultiStore, block: BlockInfo, node: NodeInfo, record: ChainRecord): ExecutionEnv {
    return {
      stores,
      block,
      node,
      record,
      params: this.config.params,
      profile: this.#profile,
      trace: new Trace(),
    };
  }
}

/**
 * Returns the halt configured at the node's start if it is due at this block (rules/upgrade 4.6);
 * the height is checked first.
 */
function configuredHalt(
  { height, time }: BlockInfo,
  { haltHeight, haltTime }: Pick<NodeInfo, "haltHeight" | "haltTime">,
): HaltCause | undefined {
  const settings = { height: haltHeight, time: haltTime };
  if (haltHeight > 0 && height >= haltHeight) return { kind: "halt_height", ...settings };
  if (haltTime > 0 && time >= BigInt(haltTime) * SECOND) return { kind: "halt_time", ...settings };
  return undefined;
}

const unchanged = (state: CommittedState): AppliedOutcome => ({
  kind: "applied",
  state,
  events: NONE,
  txResults: NONE,
  validatorUpdates: NONE,
  steps: NONE,
  logs: NONE,
  files: NONE,
});

/** Steps of an execution. The cast is safe: modules record only the kinds in their tables. */
const stepsOf = ({ steps }: Trace): readonly ModuleStep[] => steps as readonly ModuleStep[];

const NONE: readonly never[] = [];

/** Concatenates two lists, without a copy if one is empty, as in most blocks. */
function joined<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

/** Block info for queries and genesis: height and time only. */
export function blockInfoAt(chainId: string, height: number, time: bigint): BlockInfo {
  return {
    chainId,
    height,
    time,
    proposerAddress: new Uint8Array(),
    lastCommit: NO_COMMIT,
    misbehavior: [],
  };
}
