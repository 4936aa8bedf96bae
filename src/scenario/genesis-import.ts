/** Reads an exported genesis file into the spec of a world that continues it. */
import { toBinary } from "@bufbuild/protobuf";
import * as v from "valibot";
import { USUAL_PREFIX } from "../base/address-prefix.ts";
import { fromAccAddress, setAddressPrefix } from "../base/bech32.ts";
import { toHex } from "../base/bytes.ts";
import { INPUT } from "../base/limits.ts";
import { prefixFrom } from "../base/prefix-text.ts";
import { App, GenesisError } from "../engine/app/app.ts";
import { type BinarySpec, V1 } from "../engine/app/binary.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../engine/consensus/params.ts";
import { errorText } from "../engine/framework/errors.ts";
import { ContinuationError } from "../engine/simulation/genesis/continuation.ts";
import { WORLD_DEFAULTS } from "../engine/simulation/genesis/new-world.ts";
import { type StatedSpec, startBytes, statedSpec } from "../engine/simulation/genesis/start.ts";
import {
  consensusKeyOf,
  type ValidatorSpec,
  type WorldSpec,
} from "../engine/simulation/genesis/world-spec.ts";
import { chainConfigOf, World } from "../engine/simulation/world.ts";
import { type Continuation, ContinuationSchema } from "../gen/lab/v1/continuation_pb.ts";
import { toBase64 } from "../view/base64.ts";
import { genesisFromJson, type ReadGenesis } from "../view/genesis.ts";
import { describe } from "../view/json-reader.ts";
import { buildBinaries, type SourceBinaries } from "./binaries.ts";
import { isMap } from "./fields.ts";
import { type Lab, labSchema, type SourceImport } from "./genesis-schema.ts";
import { type Path, type Problem, problemsOf } from "./problems.ts";

/** Path of an imported file in a scenario. */
export const IMPORT: Path = ["genesis", "import"];

/** Reports a problem at a path of the imported file. */
type Report = (path: Path, message: string) => void;

/**
 * The spec of a world that continues an exported state. Reports every problem, with the modules'
 * own texts; undefined then.
 * @param seed of all randomness; also of the keys if the file does not name their seed
 */
export function importedSpec(
  source: SourceImport,
  seed: number,
  ownBinaries: SourceBinaries,
  report: (problem: Problem) => void,
): WorldSpec | undefined {
  const inFile: Report = (path, message) => report({ path: [...IMPORT, ...path], message });
  const file = source.import;
  if (!isMap(file)) {
    inFile([], "expected the content of a file: a path can be followed on the command line only");
    return undefined;
  }
  const read = v.safeParse(labSchema, file.lab);
  if (!read.success) {
    for (const problem of problemsOf(read.issues, [...IMPORT, "lab"])) report(problem);
    return undefined;
  }
  const lab = read.output;
  const binaries = buildBinaries({ ...lab.binaries, ...ownBinaries }, report);
  const binary = chosenBinary(source, lab, binaries, report);
  const prefix = lab.prefix ?? prefixIn(file);
  setAddressPrefix(prefix);
  const genesis = binary && readFor(binary, file, inFile);
  if (genesis === undefined) return undefined;
  const { chainId, time, initialHeight, versions, stated, consensusParams, continuation } = genesis;
  if (!accountsFit(continuation?.accounts ?? [], inFile)) return undefined;
  const { initial_height: requested = initialHeight } = source;
  if (requested !== initialHeight) {
    const message = `expected ${initialHeight}, the initial_height of the file, found ${requested}`;
    report({ path: ["genesis", "initial_height"], message });
    return undefined;
  }
  const keySeed = lab.seed ?? seed;
  const validators = nodesIn(stated, lab, keySeed, binary?.name ?? V1.name, inFile);
  if (validators === undefined) return undefined;
  const spec: WorldSpec = {
    seed,
    chainId,
    genesisTime: time,
    initialHeight,
    ...(prefix !== USUAL_PREFIX && { prefix }),
    profile: source.profile ?? lab.profile ?? WORLD_DEFAULTS.profile,
    blockTime: source.block_time ?? lab.block_time ?? WORLD_DEFAULTS.blockTime,
    maxEvidenceAge: consensusParams.evidence.maxAgeDuration,
    maxEvidenceAgeBlocks: consensusParams.evidence.maxAgeNumBlocks,
    maxEvidenceBytes: consensusParams.evidence.maxBytes,
    evidenceRoutes: source.evidence_routes ?? lab.evidence_routes ?? WORLD_DEFAULTS.evidenceRoutes,
    commits: source.commits ?? lab.commits ?? WORLD_DEFAULTS.commits,
    slashing: stated.slashing,
    staking: stated.staking,
    gov: stated.gov,
    safetyDelta: lab.safety_delta ?? WORLD_DEFAULTS.safetyDelta,
    accounts: lab.accounts.map((name) => ({ name, amount: stated.balanceOf(name) })),
    validators,
    binaries,
    start: {
      appState: genesis.bytes,
      versions: Object.fromEntries(versions),
      ...(continuation && { continuation: toBinary(ContinuationSchema, continuation) }),
      keySeed,
      ...(lab.impossible.length > 0 && {
        tampered: lab.impossible.map(({ app_hash, held_app_hash, ...changed }) => ({
          ...changed,
          appHash: app_hash,
          heldAppHash: held_app_hash,
        })),
      }),
    },
  };
  return begins(spec, inFile) ? spec : undefined;
}

/** Address prefix of a file from other software, from the first address of each kind. */
function prefixIn({ app_state: state }: Readonly<Record<string, unknown>>): string {
  const found = (path: string): string | undefined => {
    const part = path.split(".").reduce<unknown>((at, key) => Object(at)[key], state);
    return typeof part === "string" ? part : undefined;
  };
  const prefix = prefixFrom({
    account: found("bank.balances.0.address"),
    validator: found("staking.validators.0.operator_address"),
    consensus: found("slashing.signing_infos.0.address"),
  });
  return prefix ?? USUAL_PREFIX;
}

function chosenBinary(
  source: SourceImport,
  lab: Lab,
  binaries: readonly BinarySpec[],
  report: (problem: Problem) => void,
): BinarySpec | undefined {
  const name = source.binary ?? lab.binary ?? V1.name;
  const found = binaries.find((binary) => binary.name === name);
  if (found === undefined) {
    const path = source.binary === undefined ? [...IMPORT, "lab", "binary"] : ["genesis", "binary"];
    const names = binaries.map((binary) => binary.name).join(", ");
    report({ path, message: `there is no binary "${name}": expected ${names}` });
  }
  return found;
}

/**
 * Reads the file with a binary. Undefined, with a report, if its state has other module versions.
 */
function readFor(binary: BinarySpec, file: unknown, report: Report) {
  const { modules } = new App(binary, chainConfigOf(TO_READ_WITH));
  const genesis = genesisFromJson(modules, file, report);
  if (genesis === undefined || !fits(genesis, binary, report)) return undefined;
  const { messages } = genesis;
  return {
    ...genesis,
    bytes: startBytes(modules, messages),
    stated: statedSpec(modules, messages),
  };
}

/** Modules' genesis does not depend on these values. */
const TO_READ_WITH = {
  profile: "documented",
  maxEvidenceAge: DEFAULT_CONSENSUS_PARAMS.evidence.maxAgeDuration,
  maxEvidenceAgeBlocks: DEFAULT_CONSENSUS_PARAMS.evidence.maxAgeNumBlocks,
  evidenceRoutes: [],
} as const;

/** True if the state has the module versions of a binary: importing it migrates nothing. */
function fits({ versions }: ReadGenesis, { name, modules }: BinarySpec, report: Report): boolean {
  const expectedOf = (module: string) =>
    Object.hasOwn(modules, module) ? modules[module] : undefined;
  const wrong = [...new Set([...versions.keys(), ...Object.keys(modules)])].filter(
    (module) => versions.get(module) !== expectedOf(module),
  );
  for (const module of wrong) {
    const [found, expected] = [versions.get(module), expectedOf(module)];
    report(
      ["module_versions", module],
      expected === undefined
        ? `binary ${name} has no such module: expected a binary that has, chosen with genesis.binary`
        : `expected ${expected}, the version in binary ${name}, found ${found ?? "none"}; genesis.binary chooses another one`,
    );
  }
  return wrong.length === 0;
}

/**
 * A node for every validator of the state, with the name of its key, and for those that the file
 * also names. Undefined, with a report, if no node has the key of a validator.
 */
function nodesIn(
  { validators }: StatedSpec,
  lab: Lab,
  keySeed: number,
  binary: string,
  report: Report,
): readonly ValidatorSpec[] | undefined {
  const keyOf = (name: string): Uint8Array => consensusKeyOf(name, keySeed).publicKey;
  let others: ReadonlyMap<string, string> | undefined;
  const named = (key: string): string | undefined => {
    others ??= new Map(
      [...new Set([...lab.nodes, ...lab.accounts])]
        .slice(0, INPUT.keys)
        .map((name) => [toHex(keyOf(name)), name]),
    );
    return others.get(key);
  };
  const stakes = new Map(lab.nodes.map((name) => [name, 0n]));
  let unknown = 0;
  for (const [index, { moniker, publicKey, stake }] of validators.entries()) {
    const path = ["app_state", "staking", "validators", index, "consensus_pubkey"];
    // Deriving a key is slow, and the listed problems are enough.
    if (unknown >= INPUT.problems) {
      report(path, `no node here has the key of validator "${moniker}"`);
      continue;
    }
    const key = toHex(publicKey);
    const expected = keyOf(moniker);
    const name = toHex(expected) === key ? moniker : named(key);
    if (name !== undefined) {
      stakes.set(name, stake);
      continue;
    }
    unknown += 1;
    report(
      path,
      `no node here has the key of validator ${describe(moniker)}: expected ${toBase64(expected)}, ` +
        `the key of that name under seed ${keySeed}, found ${toBase64(publicKey)}; ` +
        `${lab.seed === undefined ? "seed" : "lab.seed"} must be the seed of the chain that was exported`,
    );
  }
  return unknown === 0
    ? Array.from(stakes, ([name, stake]) => ({ name, stake, binary }))
    : undefined;
}

/** True if the accounts can exist in one chain; reports problems. */
function accountsFit(accounts: Continuation["accounts"], report: Report): boolean {
  const numbers = new Set<bigint>();
  const addresses = new Set<string>();
  const problems = accounts.flatMap(({ address, number, pubKey }, index) => {
    const wrong = (field: string, message: string) => [{ field, message, index }];
    try {
      fromAccAddress(address);
    } catch (error) {
      return wrong("address", errorText(error));
    }
    if (addresses.has(address))
      return wrong("address", `expected each account once, found ${address} twice`);
    if (numbers.has(number))
      return wrong("number", `expected a number of its own, found ${number} twice`);
    if (number >= MAX_NUMBER)
      return wrong("number", `expected a number below ${MAX_NUMBER}, found ${number}`);
    if (pubKey.length !== 0 && pubKey.length !== KEY_LENGTH)
      return wrong(
        "pub_key",
        `expected a compressed key of ${KEY_LENGTH} bytes, found ${pubKey.length}`,
      );
    addresses.add(address);
    numbers.add(number);
    return [];
  });
  for (const { field, message, index } of problems)
    report(["lab", "continuation", "accounts", index, field], message);
  return problems.length === 0;
}

/** Maximum account number: no chain has as many. */
const MAX_NUMBER = 2n ** 53n;
/** Bytes of a compressed secp256k1 key. */
const KEY_LENGTH = 33;

/** True if a chain can start with the spec; modules check some of it only on import. */
function begins(spec: WorldSpec, report: Report): boolean {
  try {
    new World(spec, () => {});
    return true;
  } catch (error) {
    report(pathOf(error), errorText(error));
    return false;
  }
}

/** Path of an error in the file. The upgrade module has no genesis of its own. */
function pathOf(error: unknown): Path {
  const continuation = ["lab", "continuation"];
  if (error instanceof ContinuationError) return [...continuation, ...error.path];
  if (!(error instanceof GenesisError)) return [];
  return error.module === "upgrade" ? [...continuation, "plan"] : ["app_state", error.module];
}
