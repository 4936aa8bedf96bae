import { toHex } from "../../base/bytes.ts";
import { parseRfc3339, SECOND, type Time } from "../../base/time.ts";
import { emptyState, MultiStore } from "../store/multi-store.ts";
import {
  type BlockInfo,
  type ChainRecord,
  type CommitInfo,
  Context,
  type NodeInfo,
} from "./context.ts";
import { ChainError } from "./errors.ts";
import type { Event } from "./events.ts";
import type { Profile } from "./profile.ts";
import { type StepOf, type StepTexts, Trace, textOfStep } from "./trace.ts";

/** Rows according to the interface documents; tests name the rows they change. */
const DOCUMENTED: Profile = {
  evidenceAge: "time",
  evidenceTime: "block-at-height",
  unknownValidator: "ignored",
  unknownVoter: "ignored",
  tombstonedKey: "jailed",
  misbehaviorCheck: "validate-basic",
  messageAction: "literal",
  badEvidenceHash: "invalid-argument",
  badQueryAddress: "invalid-argument",
  stakingLookup: "by-cause",
  badFilterAddress: "invalid-argument",
  filteredPages: "kept",
  noRouter: "no-handler",
  doneKey: "name",
  lastUpgrade: "height",
  appliedQuery: "header",
  missingUpgrade: "error",
  upgradeHeight: "plan",
  upgradeHalt: "process-exits",
};

export const GENESIS_TIME: Time = parseRfc3339("2026-01-01T00:00:00Z");
export const BLOCK_TIME = 5n * SECOND;
/** Block time of a height on a chain with one block every five seconds. */
export const timeAt = (height: number): Time => GENESIS_TIME + BigInt(height - 1) * BLOCK_TIME;

const EMPTY_COMMIT: CommitInfo = {
  size: 0,
  validatorsHash: () => new Uint8Array(),
  address: () => new Uint8Array(),
  power: () => 0,
  absent: [],
};

/** Record with a block at every height from 1 on and empty validator sets. */
export const plainRecord = (height: number): ChainRecord => ({
  timeAt: (h) => (h >= 1 && h <= height ? timeAt(h) : undefined),
  blockHashAt: () => undefined,
  validatorAt: () => undefined,
});

export interface TestBlock extends Partial<BlockInfo> {
  readonly node?: Partial<NodeInfo>;
  readonly profile?: Partial<Profile>;
  readonly record?: ChainRecord;
  readonly maxEvidenceAge?: { readonly duration: bigint; readonly blocks: number };
}

/** Contexts over one set of real stores, as a module receives them from a chain of blocks. */
export class TestChain {
  stores: MultiStore;
  readonly trace = new Trace();
  readonly files = new Map<string, string>();
  #version = 1;

  constructor(...storeNames: readonly string[]) {
    this.stores = new MultiStore(emptyState(storeNames), this.#version);
  }

  /** Commits all writes; later writes belong to the next version. Returns the app hash in hex. */
  commit(): string {
    const state = this.stores.commit();
    this.#version += 1;
    this.stores = new MultiStore(state, this.#version);
    return toHex(state.appHash);
  }

  /** Context of a block; its time follows from its height unless specified. */
  block(height = 1, options: TestBlock = {}): Context {
    const { node, profile, record, maxEvidenceAge, ...block } = options;
    return new Context({
      stores: this.stores,
      block: {
        chainId: "lab-1",
        height,
        time: timeAt(height),
        proposerAddress: new Uint8Array(20),
        lastCommit: EMPTY_COMMIT,
        misbehavior: [],
        ...block,
      },
      node: {
        name: "val-0",
        skipUpgradeHeights: new Set(),
        haltHeight: 0,
        haltTime: 0,
        firstBlock: false,
        diskWritable: true,
        writeFile: (path, content) => this.files.set(path, content),
        ...node,
      },
      record: record ?? plainRecord(height),
      params: {
        evidence: {
          maxAgeDuration: maxEvidenceAge?.duration ?? 172_800n * SECOND,
          maxAgeNumBlocks: maxEvidenceAge?.blocks ?? 100_000,
        },
      },
      profile: { ...DOCUMENTED, ...profile },
      trace: this.trace,
    });
  }

  /** Every key and value of a store, as hex. */
  dump(store: string): Record<string, string> {
    return Object.fromEntries(
      Array.from(this.stores.store(store).iterate(), (e) => [toHex(e.key), toHex(e.value)]),
    );
  }

  /** Returns the events as `type{key=value, …}` and removes them from the trace. */
  takeEvents(): string[] {
    return this.trace.events.splice(0).map(eventText);
  }

  /** Returns the log texts and removes them from the trace. */
  takeLogs(): string[] {
    return this.trace.logs.splice(0).map((line) => `${line.level}: ${line.text}`);
  }

  /**
   * Returns the steps of one module as `what: found [outcome]`, by its texts, and removes them from
   * the trace.
   */
  takeSteps<Kinds>(texts: StepTexts<Kinds>): string[] {
    return this.trace.steps.splice(0).map((step) => {
      const { what, found } = textOfStep(texts, step as StepOf<string, Kinds>);
      return `${what}: ${found} [${step.outcome}]`;
    });
  }
}

const eventText = (event: Event): string =>
  `${event.type}{${event.attributes.map(({ key, value }) => `${key}=${value}`).join(", ")}}`;

/** Address of 20 bytes that contain its name, so that failing tests show it. */
export function testAddress(name: string): Uint8Array {
  const bytes = new Uint8Array(20).fill(0x5f);
  for (let i = 0; i < name.length && i < 20; i++) bytes[i] = name.charCodeAt(i);
  return bytes;
}

/** Returns the error that a body throws; fails the test if it does not throw. */
export function thrownBy(body: () => unknown): Error {
  try {
    body();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/**
 * The ChainError a body throws, as `codespace/code text`; fails the test if it is anything else.
 */
export function refusalOf(body: () => unknown): string {
  const error = thrownBy(body);
  if (!(error instanceof ChainError)) throw error;
  return `${error.codespace}/${error.code} ${error.message}`;
}
