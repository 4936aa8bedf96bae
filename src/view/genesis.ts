/**
 * Genesis files: a chain's state as JSON, module by module, in the shapes of the REST interface. An
 * export of the state after height H is the beginning of a chain whose first block is H + 1.
 */

import { INPUT } from "../base/limits.ts";
import { formatRfc3339, goDuration, parseRfc3339, type Time } from "../base/time.ts";
import type { AppGenesis } from "../engine/app/app.ts";
import { type BinarySpec, type MigrationBehaviour, V1 } from "../engine/app/binary.ts";
import { type ConsensusParams, DEFAULT_CONSENSUS_PARAMS } from "../engine/consensus/params.ts";
import { errorText } from "../engine/framework/errors.ts";
import type { Module } from "../engine/framework/module.ts";
import type { Tampered } from "../engine/network/chain/ledger.ts";
import { LIMITS } from "../engine/simulation/genesis/params.ts";
import { writeContinuation } from "../engine/simulation/genesis/write-continuation.ts";
import type { ExportedGenesis } from "../engine/simulation/views.ts";
import { type Continuation, ContinuationSchema } from "../gen/lab/v1/continuation_pb.ts";
import { type Json, JsonError, messageFromJson, messageToJson } from "./json.ts";
import { describe } from "./json-reader.ts";

/** The parts of a genesis file in the engine's form. */
export interface ReadGenesis extends Omit<AppGenesis, "upgrades"> {
  /** Absent in files of other software. */
  readonly continuation: Continuation | undefined;
  readonly chainId: string;
  readonly initialHeight: number;
  /** Time of the first block. */
  readonly time: Time;
  readonly consensusParams: ConsensusParams;
}

type Path = readonly (string | number)[];

/** Reports what is wrong with a file, and where. */
export type ReportGenesis = (path: Path, message: string) => void;

/**
 * Two parts are not upstream's. `module_versions`: the upgrade module exports no genesis, so the versions of
 * the state would be lost. `lab`: the world besides its chain's state, and in `lab.continuation` what
 * upstream's exports lose: the plan and the done marks, proposer priorities and the last commit.
 * @param tampered what was changed by hand up to there: no chain can have come to that state
 */
export function genesisToJson(exported: ExportedGenesis, tampered: readonly Tampered[] = []): Json {
  const { app, spec, height, time, messages, versions, consensusParams } = exported;
  return {
    chain_id: spec.chainId,
    genesis_time: formatRfc3339(time),
    initial_height: String(height + 1),
    consensus: { params: paramsToJson(consensusParams) },
    module_versions: Object.fromEntries(versions),
    app_state: Object.fromEntries(
      app.modules.map(({ name, genesis }) => [
        name,
        messageToJson(genesis.schema, messages.get(name) ?? genesis.defaults()),
      ]),
    ),
    lab: labToJson(exported, tampered),
  };
}

/** CometBFT's consensus params as files and answers have them. */
export function paramsToJson({ block, evidence }: ConsensusParams): Json {
  return {
    block: { max_bytes: `${block.maxBytes}`, max_gas: `${block.maxGas}` },
    evidence: {
      max_age_num_blocks: `${evidence.maxAgeNumBlocks}`,
      max_age_duration: `${evidence.maxAgeDuration}`,
      max_bytes: `${evidence.maxBytes}`,
    },
    validator: { pub_key_types: ["ed25519"] },
    version: { app: "0" },
    abci: { vote_extensions_enable_height: "0" },
  };
}

/**
 * The lab's part of a genesis, in the terms of scenario files: names, owners of keys, binaries and
 * settings.
 */
function labToJson(exported: ExportedGenesis, tampered: readonly Tampered[]): Json {
  const { app, spec, binaries } = exported;
  const others = binaries.filter(({ name }) => name !== V1.name);
  return {
    seed: spec.start?.keySeed ?? spec.seed,
    ...(spec.prefix !== undefined && { prefix: spec.prefix }),
    profile: spec.profile,
    block_time: goDuration(spec.blockTime),
    commits: spec.commits,
    evidence_routes: [...spec.evidenceRoutes],
    safety_delta: goDuration(spec.safetyDelta),
    accounts: spec.accounts.map(({ name }) => name),
    nodes: spec.validators.map(({ name }) => name),
    binary: app.binary.name,
    binaries: Object.fromEntries(others.map((binary) => [binary.name, binaryToJson(binary)])),
    continuation: messageToJson(ContinuationSchema, writeContinuation(exported)),
    ...(tampered.length > 0 && { impossible: tampered.map(tamperedToJson) }),
  };
}

/** Manual edits of the state: a chain that begins from the file is impossible too. */
const tamperedToJson = ({ appHash, heldAppHash, ...changed }: Tampered): Json => ({
  ...changed,
  app_hash: appHash,
  held_app_hash: heldAppHash,
});

function binaryToJson({ modules, handlers, stores, migration }: BinarySpec): Json {
  return {
    modules: { ...modules },
    handlers: [...handlers],
    stores: Object.fromEntries(
      Object.entries(stores).map(([plan, { added, renamed, deleted }]) => [
        plan,
        {
          added: [...added],
          renamed: renamed.map(({ oldKey, newKey }) => ({ old_key: oldKey, new_key: newKey })),
          deleted: [...deleted],
        },
      ]),
    ),
    migration: migrationToJson(migration),
  };
}

/** The behaviour of a binary's Handlers, as files have it. */
export function migrationToJson(migration: MigrationBehaviour): Json {
  if (migration.kind === "returns") {
    const { versions, migrates } = migration;
    return { returns: { ...versions }, ...(!migrates && { migrates }) };
  }
  return "text" in migration ? { [migration.kind]: migration.text } : migration.kind;
}

/**
 * Reads and validates a genesis file for a binary with these modules; a module that is not in it begins
 * with its defaults. All that is wrong is reported, a module's part with upstream's text; undefined if
 * anything is.
 */
export function genesisFromJson(
  modules: readonly Module[],
  json: unknown,
  report: ReportGenesis,
): ReadGenesis | undefined {
  let sound = true;
  const reader = new Reader((path, message) => {
    sound = false;
    report(path, message);
  });
  const file = reader.object([], json);
  const read = {
    chainId: reader.text(["chain_id"], file.chain_id),
    time: reader.time(["genesis_time"], file.genesis_time),
    initialHeight: reader.integer(["initial_height"], file.initial_height, 1, LIMITS.height),
    messages: new Map(reader.modules(modules, file.app_state)),
    versions: new Map(reader.versions(file.module_versions)),
    consensusParams: reader.params(file.consensus),
    continuation: reader.continuation(reader.object(["lab"], file.lab ?? {}).continuation),
  };
  return sound ? read : undefined;
}

class Reader {
  readonly #report: ReportGenesis;

  constructor(report: ReportGenesis) {
    this.#report = report;
  }

  object(path: Path, value: unknown): Readonly<Record<string, unknown>> {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    this.#report(path, `expected a map, found ${describe(value)}`);
    return {};
  }

  text(path: Path, value: unknown): string {
    if (typeof value === "string" && /^\S{1,50}$/.test(value)) return value;
    const expected = "text of 1 to 50 characters without spaces";
    this.#report(path, `expected ${expected}, found ${describe(value)}`);
    return "";
  }

  time(path: Path, value: unknown): Time {
    try {
      if (typeof value === "string") return parseRfc3339(value);
    } catch {
      // Said below.
    }
    const expected = "a time such as 2026-01-01T00:00:00Z, in the years 1 to 9999";
    this.#report(path, `expected ${expected}, found ${describe(value)}`);
    return 0n;
  }

  /** Upstream writes whole numbers as text in some places and as numbers in others. */
  integer(path: Path, value: unknown, least = 1, most = Number.MAX_SAFE_INTEGER): number {
    const isText = typeof value === "string" && /^\d{1,16}$/.test(value);
    const number = isText || typeof value === "number" ? Number(value) : Number.NaN;
    if (Number.isSafeInteger(number) && number >= least && number <= most) return number;
    const range = most < Number.MAX_SAFE_INTEGER ? `to ${most}` : "on";
    this.#report(path, `expected a whole number from ${least} ${range}, found ${describe(value)}`);
    return least;
  }

  modules(modules: readonly Module[], json: unknown): [string, ReadModule][] {
    const state = this.#parts(["app_state"], json);
    for (const name of Object.keys(state)) {
      if (modules.some((module) => module.name === name)) continue;
      this.#report(["app_state", name], "this binary has no such module");
    }
    return modules.flatMap((module): [string, ReadModule][] => {
      const message = Object.hasOwn(state, module.name)
        ? this.#module(module, state[module.name])
        : undefined;
      return message ? [[module.name, message]] : [];
    });
  }

  continuation(json: unknown): Continuation | undefined {
    if (json === undefined) return undefined;
    const path = ["lab", "continuation"];
    try {
      return messageFromJson(ContinuationSchema, json);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      for (const { path: inside, message } of error.problems) {
        this.#report([...path, ...inside], message);
      }
      return undefined;
    }
  }

  #module({ name, genesis }: Module, json: unknown): ReadModule | undefined {
    const path = ["app_state", name];
    try {
      const message = messageFromJson(genesis.schema, json);
      genesis.validate(message);
      return message;
    } catch (error) {
      if (!(error instanceof JsonError)) this.#report(path, errorText(error));
      else {
        for (const { path: inside, message } of error.problems) {
          const where = inside.length > 0 ? `${inside.join(".")}: ` : "";
          const text = `failed to unmarshal ${name} genesis state: ${where}${message}`;
          this.#report([...path, ...inside], text);
        }
      }
      return undefined;
    }
  }

  versions(json: unknown): [string, number][] {
    return Object.entries(this.#parts(["module_versions"], json)).map(([name, version]) => [
      name,
      this.integer(["module_versions", name], version),
    ]);
  }

  /** An object with a key for each module. */
  #parts(path: Path, value: unknown): Readonly<Record<string, unknown>> {
    const parts = this.object(path, value);
    const found = Object.keys(parts).length;
    if (found <= INPUT.binaryParts) return parts;
    this.#report(path, `expected at most ${INPUT.binaryParts} modules, found ${found}`);
    return {};
  }

  /**
   * Missing params have their defaults. Only those of evidence can be chosen in chains made here.
   */
  params(json: unknown): ConsensusParams {
    const { block, evidence } = DEFAULT_CONSENSUS_PARAMS;
    const path = ["consensus", "params"];
    const params = this.object(path, this.object(["consensus"], json ?? {}).params ?? {});
    const source = {
      block: this.object([...path, "block"], params.block ?? {}),
      evidence: this.object([...path, "evidence"], params.evidence ?? {}),
    };
    this.#fixed([...path, "block", "max_bytes"], source.block.max_bytes, block.maxBytes);
    this.#fixed([...path, "block", "max_gas"], source.block.max_gas, block.maxGas);
    const ofEvidence = (key: string, usual: number, ...range: [least?: number, most?: number]) =>
      this.integer([...path, "evidence", key], source.evidence[key] ?? usual, ...range);
    return {
      block,
      evidence: {
        maxAgeNumBlocks: ofEvidence("max_age_num_blocks", evidence.maxAgeNumBlocks),
        maxAgeDuration: BigInt(ofEvidence("max_age_duration", Number(evidence.maxAgeDuration))),
        maxBytes: ofEvidence("max_bytes", evidence.maxBytes, 0, block.maxBytes),
      },
    };
  }

  #fixed(path: Path, value: unknown, only: number): void {
    const source = typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
    if (value === undefined || source === only) return;
    this.#report(path, `expected ${only}, as all chains here have it, found ${describe(value)}`);
  }
}

type ReadModule = ReturnType<Module["genesis"]["defaults"]>;
