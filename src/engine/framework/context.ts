import type { Time } from "../primitives/time.ts";
import type { KVReader, KVStore } from "../store/kv-store.ts";
import type { MultiStore } from "../store/multi-store.ts";
import type { Event, EventAttribute } from "./events.ts";
import type { Profile } from "./profile.ts";
import type { LogLevel, Step, StepOutcome, Trace } from "./trace.ts";

/** Consensus parameters that modules read. Durations in nanoseconds. */
export interface ConsensusParams {
  readonly evidence: { readonly maxAgeDuration: bigint; readonly maxAgeNumBlocks: number };
}

/** The votes of the last commit; the order is the validator set's. */
export interface CommitInfo {
  readonly size: number;
  /** The validators_hash of that set; empty where there is no last commit. */
  validatorsHash(): Uint8Array;
  /** Consensus address (20 bytes) of validator `i`. */
  address(i: number): Uint8Array;
  power(i: number): number;
  /** Indexes of those whose precommit is absent, ascending. A nil vote counts as signed. */
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

/** The chain's own past, the same for every node that follows it. */
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

/** The block being executed, as far as modules may know it. */
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
  /** Tells nodes apart where a defective binary's results depend on the node. */
  readonly name: string;
  /** `--halt-height`; 0 for none. */
  readonly haltHeight: number;
  /** `--halt-time`, seconds since 1970; 0 for none. */
  readonly haltTime: number;
  /** True if `data/` is writable. */
  readonly diskWritable: boolean;
  /** Writes a file of the node's disk once the execution has ended, also when it fails. */
  writeFile(path: string, content: string): void;
}

/** The stores of a state, by module, as what only reads them needs. */
export interface StateStores {
  store(name: string): KVReader;
  /** The memory store beside a module's store. */
  memory(name: string): KVReader;
}

/** Everything an execution shares; contexts are cheap views over it. */
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
 * The view of an execution that a module gets. Stores are reached by module name; a module uses only
 * its own. Thrown ChainErrors are answers, any other error thrown on purpose is a panic.
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

  /** The memory store beside a module's store: part of the state, but of no hash. */
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
   * Notes a decision, so that it can be explained; modules note theirs by a `stepNoter`. Never influences
   * state.
   */
  step(module: string, kind: string, data: object, outcome: StepOutcome): void {
    const { phase, item, steps } = this.env.trace;
    const step = { phase, module, kind, data, outcome };
    steps.push(item === undefined ? step : { ...step, item });
  }

  /** Runs `body`, which decides on one piece of evidence: all steps noted meanwhile carry its number. */
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
   * Runs `body` so that its writes and events count only if it returns (rules/store 3.1): whatever it throws
   * is thrown on, after state and events are as before. Logs and steps stay, since they show what was tried;
   * the steps are marked as reverted.
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

  /** Runs `body`, gives back the events it emitted and takes them off the trace. */
  captureEvents<T>(body: () => T): { readonly value: T; readonly events: readonly Event[] } {
    const { events } = this.env.trace;
    const start = events.length;
    const value = body();
    return { value, events: events.length === start ? NO_EVENTS : events.splice(start) };
  }
}

const NO_EVENTS: readonly Event[] = [];

/** The function by which a module notes its steps: kind, data, and `info` unless another outcome is given. */
export const stepNoter =
  <Kinds>(module: string) =>
  <Kind extends keyof Kinds & string>(
    ctx: Context,
    kind: Kind,
    data: Kinds[Kind] & object,
    outcome: StepOutcome = "info",
  ): void =>
    ctx.step(module, kind, data, outcome);
