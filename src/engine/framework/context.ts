import type { Time } from "../../base/time.ts";
import type { KVReader, KVStore } from "../store/kv-store.ts";
import type { MultiStore } from "../store/multi-store.ts";
import type { Event, EventAttribute } from "./events.ts";
import type { Profile } from "./profile.ts";
import type { LogLevel, Step, StepOutcome, Trace } from "./trace.ts";

/** Consensus parameters that modules read. Durations in nanoseconds. */
export interface ConsensusParams {
  readonly evidence: { readonly maxAgeDuration: bigint; readonly maxAgeNumBlocks: number };
}

/** Votes of the last commit, in the order of the validator set. */
export interface CommitInfo {
  readonly size: number;
  /** The validators_hash of that set; empty without a last commit. */
  validatorsHash(): Uint8Array;
  /** Consensus address (20 bytes) of validator `i`. */
  address(i: number): Uint8Array;
  power(i: number): number;
  /** Indexes of validators whose precommit is absent, ascending. A nil vote counts as signed. */
  readonly absent: readonly number[];
}

/** Misbehavior of a validator, as the consensus engine reports it. */
export interface Misbehavior {
  /** 1 DUPLICATE_VOTE, 2 LIGHT_CLIENT_ATTACK; anything else is unknown. */
  readonly type: number;
  /** Consensus address, 20 bytes. */
  readonly address: Uint8Array;
  readonly power: number;
  readonly height: number;
  readonly time: Time;
  readonly totalVotingPower: number;
}

/** History of the chain, the same for every node on it. */
export interface ChainRecord {
  /** Time of the block at a height; undefined if there is no such block. */
  timeAt(height: number): Time | undefined;
  /** Hash of the block at a height; undefined if there is no such block. */
  blockHashAt(height: number): Uint8Array | undefined;
  /** Public key and power of a validator in the set of a height; undefined if it was not in it. */
  validatorAt(
    height: number,
    consensusAddress: Uint8Array,
  ): { readonly pubKey: Uint8Array; readonly power: number } | undefined;
}

/** The part of the block being executed that is visible to modules. */
export interface BlockInfo {
  readonly chainId: string;
  readonly height: number;
  readonly time: Time;
  readonly proposerAddress: Uint8Array;
  readonly lastCommit: CommitInfo;
  readonly misbehavior: readonly Misbehavior[];
}

/** Context of the executing node: flags of its process and its disk. */
export interface NodeInfo {
  /** `--unsafe-skip-upgrades` heights. */
  readonly skipUpgradeHeights: ReadonlySet<number>;
  /** True for the first block that this process executes (the wrong-binary check runs then). */
  readonly firstBlock: boolean;
  /** Identifies the node, for defective binaries whose results depend on the node. */
  readonly name: string;
  /** `--halt-height`; 0 for none. */
  readonly haltHeight: number;
  /** `--halt-time`, seconds since 1970; 0 for none. */
  readonly haltTime: number;
  /** True if `data/` is writable. */
  readonly diskWritable: boolean;
  /** Writes a file to the node's disk once the execution has ended, even if it fails. */
  writeFile(path: string, content: string): void;
}

/** Read-only access to the stores of a state, by module. */
export interface StateStores {
  store(name: string): KVReader;
  /** The memory store beside a module's store. */
  memory(name: string): KVReader;
}

/** Everything shared within an execution; contexts are cheap views of it. */
export interface ExecutionEnv {
  readonly stores: MultiStore;
  readonly block: BlockInfo;
  readonly node: NodeInfo;
  readonly record: ChainRecord;
  readonly params: ConsensusParams;
  readonly profile: Profile;
  readonly trace: Trace;
}

/**
 * A module's view of an execution. Stores are accessed by module name; a module uses only its own.
 * Thrown ChainErrors are regular results, any other error thrown on purpose is a panic.
 */
export class Context implements StateStores {
  readonly env: ExecutionEnv;

  constructor(env: ExecutionEnv) {
    this.env = env;
  }

  get chainId(): string {
    return this.env.block.chainId;
  }
  /** Height of the block being executed (for a query: of the state being read). */
  get height(): number {
    return this.env.block.height;
  }
  /** Time of that block. */
  get time(): Time {
    return this.env.block.time;
  }
  get profile(): Profile {
    return this.env.profile;
  }
  get record(): ChainRecord {
    return this.env.record;
  }

  store(name: string): KVStore {
    return this.env.stores.store(name);
  }

  /** The memory store beside a module's store: part of the state, but not of any hash. */
  memory(name: string): KVStore {
    return this.env.stores.memory(name);
  }

  /** Emits an event; pairs are attribute key and value in order. */
  emit(type: string, ...pairs: readonly (readonly [string, string])[]): void {
    const attributes: EventAttribute[] = pairs.map(([key, value]) => ({ key, value }));
    this.env.trace.events.push({ type, attributes });
  }

  log(
    level: LogLevel,
    module: string,
    text: string,
    fields?: Readonly<Record<string, string>>,
  ): void {
    this.env.trace.logs.push(
      fields === undefined ? { level, module, text } : { level, module, text, fields },
    );
  }

  /**
   * Records a decision, so that it can be explained; modules use a `stepNoter`. Never influences
   * state.
   */
  step(module: string, kind: string, data: object, outcome: StepOutcome): void {
    const { phase, item, steps } = this.env.trace;
    const step = { phase, module, kind, data, outcome };
    steps.push(item === undefined ? step : { ...step, item });
  }

  /**
   * Runs `body`, which decides on one piece of evidence: all steps recorded meanwhile get its
   * number.
   */
  decideItem<T>(body: () => T): T {
    const { trace } = this.env;
    const outer = trace.item;
    trace.items += 1;
    trace.item = trace.items;
    try {
      return body();
    } finally {
      trace.item = outer;
    }
  }

  /**
   * Runs `body` and reverts its writes and events if it throws (rules/store 3.1), then rethrows.
   * Logs and steps remain, since they show what was attempted; the steps are marked as reverted.
   */
  atomically<T>(body: () => T): T {
    const { stores, trace } = this.env;
    const mark = stores.mark();
    const [events, steps] = [trace.events.length, trace.steps.length];
    try {
      return body();
    } catch (error) {
      stores.revert(mark);
      trace.events.length = events;
      const tried = trace.steps.splice(steps);
      trace.steps.push(...tried.map((step): Step => ({ ...step, reverted: true })));
      throw error;
    }
  }

  /** Runs `body`, returns the events it emitted and removes them from the trace. */
  captureEvents<T>(body: () => T): { readonly value: T; readonly events: readonly Event[] } {
    const { events } = this.env.trace;
    const start = events.length;
    const value = body();
    return { value, events: events.length === start ? NO_EVENTS : events.splice(start) };
  }
}

const NO_EVENTS: readonly Event[] = [];

/**
 * Returns the function with which a module records its steps: kind, data, and outcome (default:
 * `info`).
 */
export const stepNoter =
  <Kinds>(module: string) =>
  <Kind extends keyof Kinds & string>(
    ctx: Context,
    kind: Kind,
    data: Kinds[Kind] & object,
    outcome: StepOutcome = "info",
  ): void =>
    ctx.step(module, kind, data, outcome);
