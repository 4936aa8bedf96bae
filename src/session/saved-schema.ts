/**
 * Reads stored data of worlds. It is untrusted: it may be from another version or corrupt. Only
 * data of exactly this shape becomes a world; the simulation decides if its content is valid.
 */
import * as v from "valibot";
import { INPUT } from "../base/limits.ts";
import { ADDRESS_PREFIX } from "../base/prefix-text.ts";
import { isTimestamp, MAX_DURATION } from "../base/time.ts";
import { NODE_FAULTS } from "../engine/network/faults/kinds.ts";
import { SKIP_FORMS } from "../engine/network/node/start-args.ts";
import type { Command, JournalEntry, NodeAction } from "../engine/simulation/command.ts";
import type { ModuleParams, ParamsModule } from "../engine/simulation/genesis/params.ts";
import { LIMITS } from "../engine/simulation/genesis/params.ts";
import { readParams } from "../engine/simulation/genesis/read-params.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import type { Head, WorldGenesis } from "./saved.ts";

const text = v.string();
const flag = v.boolean();
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const whole = v.bigint();
const texts = v.array(text);
const option = v.exactOptional;
const namespace = v.picklist(["chain", "cosmos", "both"]);

/** A map with arbitrary keys; valibot's own silently drops `constructor` and `prototype`. */
const record = <const S extends v.GenericSchema>(value: S) =>
  v.pipe(
    v.custom<object>((input) => typeof input === "object" && input !== null),
    v.transform((map) => Object.entries(map)),
    v.array(v.tuple([text, value])),
    v.transform((entries): Record<string, v.InferOutput<S>> => Object.fromEntries(entries)),
  );

const migration = v.variant("kind", [
  v.object({ kind: v.literal("ok") }),
  v.object({ kind: v.literal("error"), text }),
  v.object({ kind: v.literal("panic"), text }),
  v.object({ kind: v.literal("nondeterministic") }),
  v.object({ kind: v.literal("returns"), versions: record(count), migrates: flag }),
]);

const stores = v.object({
  added: texts,
  renamed: v.array(v.object({ oldKey: text, newKey: text })),
  deleted: texts,
});

const binary = v.object({
  name: text,
  modules: record(count),
  handlers: texts,
  stores: record(stores),
  migration,
});

const params = <M extends ParamsModule>(module: M) =>
  v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }): ModuleParams[M] => {
      const read = readParams(module, dataset.value);
      if (read !== undefined) return read;
      addIssue({ message: `parameters of ${module}` });
      return NEVER;
    }),
  );

const spec = v.object({
  seed: count,
  chainId: text,
  genesisTime: whole,
  initialHeight: v.pipe(count, v.minValue(1)),
  prefix: option(v.pipe(text, v.regex(ADDRESS_PREFIX))),
  profile: v.picklist(["documented", "sdk-0.53"]),
  blockTime: v.pipe(whole, v.minValue(1n)),
  maxEvidenceAge: whole,
  maxEvidenceAgeBlocks: count,
  maxEvidenceBytes: option(count),
  evidenceRoutes: texts,
  commits: v.picklist(["compact", "full"]),
  slashing: params("slashing"),
  staking: params("staking"),
  gov: params("gov"),
  safetyDelta: whole,
  accounts: v.array(v.object({ name: text, amount: whole })),
  validators: v.array(v.object({ name: text, stake: whole, binary: text })),
  binaries: v.array(binary),
  start: option(
    v.object({
      appState: record(v.instance(Uint8Array)),
      versions: record(count),
      continuation: option(v.instance(Uint8Array)),
      keySeed: count,
      tampered: option(
        v.array(
          v.object({
            ...{ height: count, store: text, key: text, place: count, was: count, is: count },
            ...{ appHash: text, heldAppHash: text },
          }),
        ),
      ),
    }),
  ),
});

const action = v.variant("kind", [
  v.object({ kind: v.literal("stop") }),
  v.object({ kind: v.literal("start") }),
  v.object({ kind: v.literal("install"), binary: text }),
  v.object({ kind: v.literal("stage"), binary: text }),
  v.object({
    kind: v.literal("sidecar"),
    sidecar: v.object({
      mode: v.picklist(["manual", "staged", "download"]),
      restartAfterUpgrade: option(flag),
      restartDelay: option(whole),
      shutdownGrace: option(whole),
      shutdownTakes: option(whole),
      pollInterval: option(whole),
      mustHaveChecksum: option(flag),
      backup: option(flag),
      backupDir: option(text),
      customPreUpgrade: option(text),
      recase: option(flag),
      preUpgradeMaxRetries: option(count),
      preUpgradeExits: option(v.array(count)),
    }),
  }),
  v.object({
    kind: v.literal("skip_upgrades"),
    heights: v.array(count),
    form: option(v.picklist(SKIP_FORMS)),
  }),
  v.object({ kind: v.literal("halt_height"), height: count }),
  v.object({ kind: v.literal("halt_time"), time: count }),
  v.object({ kind: v.literal("twin") }),
  v.object({ kind: v.literal("remove_twin") }),
  v.object({ kind: v.literal("lose_signer_state") }),
  v.object({ kind: v.literal("roll_back"), blocks: count }),
  v.object({ kind: v.literal("state_sync"), from: text }),
  v.object({ kind: v.literal("wipe") }),
  v.object({ kind: v.literal("disk"), writable: flag }),
  v.object({ kind: v.literal("write_file"), path: text, content: text }),
  v.object({ kind: v.literal("remove_file"), path: text }),
]);

const any = v.object({
  $typeName: v.literal("google.protobuf.Any"),
  typeUrl: text,
  value: v.instance(Uint8Array),
});

const command = v.variant("type", [
  v.object({ type: v.literal("tx"), signer: text, messages: v.array(any), memo: option(text) }),
  v.object({ type: v.literal("signed_tx"), bytes: v.instance(Uint8Array) }),
  v.object({
    type: v.literal("misbehavior"),
    kind: count,
    validator: text,
    height: count,
    time: option(whole),
    power: option(count),
  }),
  v.object({
    type: v.literal("tamper"),
    store: text,
    key: v.instance(Uint8Array),
    place: count,
    byte: v.pipe(count, v.maxValue(0xff)),
  }),
  v.object({ type: v.literal("double_sign"), node: text }),
  v.object({
    type: v.literal("light_client_attack"),
    kind: v.picklist(["lunatic", "equivocation", "amnesia"]),
    by: texts,
    height: option(count),
  }),
  v.object({ type: v.literal("node"), node: text, action }),
  v.object({ type: v.literal("partition"), groups: v.array(texts) }),
  v.object({ type: v.literal("heal") }),
  v.variant("kind", [
    v.object({
      type: v.literal("fault"),
      kind: v.literal("partition"),
      groups: v.array(texts),
      at: option(count),
      for: option(count),
    }),
    v.object({
      type: v.literal("fault"),
      node: text,
      kind: v.picklist(NODE_FAULTS),
      at: option(count),
      for: option(count),
      by: option(whole),
      probability: option(v.number()),
    }),
  ]),
  v.object({ type: v.literal("chaos"), level: v.number(), for: count }),
  v.object({ type: v.literal("clear_faults"), node: option(text) }),
  v.object({
    type: v.literal("release"),
    name: text,
    url: text,
    serves: v.picklist(["binary", "missing", "slow", "wrong_checksum", "empty"]),
  }),
  v.object({ type: v.literal("binary"), binary }),
]);

type Covers<T extends Loose<U>, U> = T;
/**
 * Does not compile if a command, action or setting is missing above, which would then be lost on
 * reading.
 * @public
 */
export type Complete = [
  Covers<Command, v.InferOutput<typeof command>>,
  Covers<NodeAction, v.InferOutput<typeof action>>,
  Covers<WorldSpec, v.InferOutput<typeof spec>>,
];
type Loose<T> = T extends Uint8Array
  ? Uint8Array
  : T extends readonly (infer E)[]
    ? readonly Loose<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Loose<T[K]> }
      : T;

const bytes = v.instance(Uint8Array);
const hash = v.pipe(bytes, v.length(32));
/** Heights are 32-bit numbers on the wire, and a world has no more rounds than possible heights. */
const rounds = v.pipe(count, v.maxValue(2 ** 32 - 1));
const time = v.pipe(v.number(), v.finite(), v.minValue(0));

const genesisSchema: v.GenericSchema<unknown, WorldGenesis> = v.object({
  spec,
  text,
  file: text,
});

const entrySchema: v.GenericSchema<unknown, JournalEntry> = v.object({ at: rounds, command });

const speed = v.pipe(v.number(), v.minValue(0), v.finite());
const startsAt = v.pipe(v.number(), v.safeInteger(), v.minValue(-1));
const watched = option(
  v.array(v.object({ name: text, since: option(count), met: option(v.literal(true)) })),
);

const headSchema: v.GenericSchema<unknown, Head> = v.object({
  seq: count,
  name: text,
  parent: option(v.object({ world: text, height: count })),
  note: option(text),
  impossible: option(flag),
  createdMs: time,
  savedMs: time,
  entries: count,
  chain: hash,
  beginning: hash,
  height: count,
  appHash: bytes,
  bytes: count,
  rounds,
  playing: flag,
  speed,
  blocks: count,
  held: flag,
  began: option(v.object({ rounds, entries: count, namespace: option(namespace) })),
  results: v.array(
    v.object({
      name: text,
      value: option(text),
      evidence: option(text),
      offence: option(v.object({ by: texts, from: count, to: count })),
    }),
  ),
  story: option(
    v.object({
      state: v.picklist(["none", "running", "passed", "failed"]),
      current: count,
      message: text,
      resting: option(flag),
      autoplay: option(flag),
      speed: option(speed),
      starts: option(v.array(v.object({ rounds: startsAt, entries: startsAt, watched }))),
      watched,
      told: option(count),
      own: option(count),
      until: option(count),
    }),
  ),
  steps: texts,
});

const reader =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (value: unknown): T | undefined => {
    const read = v.safeParse(schema, value, { abortEarly: true });
    return read.success ? read.output : undefined;
  };

/**
 * A world that takes too much work to create, or whose numbers do not fit a chain; the message
 * names the limit.
 */
export class BeyondLimit extends Error {}

const COUNTED = [
  ["validators", "validators", LIMITS.validators],
  ["accounts", "accounts", INPUT.accounts],
  ["binaries", "binaries", INPUT.binaries + 1],
  ["evidenceRoutes", "evidence routes", INPUT.routes],
] as const;

/**
 * Throws a BeyondLimit if a world's genesis has too much of something, before any of it is parsed.
 */
export function checkLimits(genesis: unknown): void {
  const spec = Object(Object(genesis).spec) as Readonly<Record<string, unknown>>;
  for (const [field, what, most] of COUNTED) {
    const { [field]: list } = spec;
    if (Array.isArray(list) && list.length > most)
      throw new BeyondLimit(`expected a world of at most ${most} ${what}, found ${list.length}`);
  }
  const { initialHeight: first, genesisTime: time, blockTime } = spec;
  if (typeof first === "number" && !(first >= 1 && first <= LIMITS.height)) {
    throw new BeyondLimit(
      `expected a world that begins with a block from 1 to ${LIMITS.height}, found ${first}`,
    );
  }
  if (typeof time === "bigint" && !isTimestamp(time))
    throw new BeyondLimit("expected a world that begins in the years 1 to 9999");
  if (typeof blockTime === "bigint" && !(blockTime > 0n && blockTime <= MAX_DURATION))
    throw new BeyondLimit(
      "expected a world with more than 0 s and at most 100 years between blocks",
    );
}

/** Parses the genesis of a world; undefined for anything else. */
export const readGenesis = reader(genesisSchema);
/** Parses an entry of a journal; undefined for anything else. */
export const readEntry = reader(entrySchema);
/** Parses a head; undefined for anything else. */
export const readHead = reader(headSchema);
