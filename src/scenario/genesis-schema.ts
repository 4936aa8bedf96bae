/** The schema of the `genesis` section with its defaults. */
import * as v from "valibot";
import { prefixesOf, USUAL_PREFIX } from "../base/address-prefix.ts";
import { INPUT } from "../base/limits.ts";
import { ADDRESS_PREFIX, prefixText } from "../base/prefix-text.ts";
import { formatRfc3339 } from "../base/time.ts";
import { V1 } from "../engine/app/binary.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../engine/consensus/params.ts";
import { WORLD_DEFAULTS } from "../engine/simulation/genesis/new-world.ts";
import { LIMITS } from "../engine/simulation/genesis/params.ts";
import { binariesSchema } from "./binaries.ts";
import {
  about,
  amount,
  choice,
  coin,
  duration,
  has,
  integer,
  isList,
  isMap,
  isText,
  list,
  map,
  name,
  oneOf,
  record,
  text,
  time,
  withUnknownKeys,
} from "./fields.ts";
import { durationText, paramEntries } from "./genesis-params.ts";

/** In whole seconds. */
const GENESIS_TIME = formatRfc3339(WORLD_DEFAULTS.genesisTime);

/** The seed is a 32-bit number. */
export const seedSchema = integer(0, 4_294_967_295);

const slashing = map(paramEntries("slashing"));
const staking = map(paramEntries("staking"));
const gov = map({
  ...paramEntries("gov"),
  safety_delta: about(
    v.optional(duration, durationText(WORLD_DEFAULTS.safetyDelta)),
    "Time to notice that a passed upgrade is a mistake; used for advice only.",
  ),
});

const validator = map({
  name: about(name, "Name of the validator, its node and its operator's account."),
  stake: about(
    v.optional(amount, WORLD_DEFAULTS.stake.toString()),
    "Self-delegation, in the smallest unit.",
  ),
  binary: about(v.optional(text, V1.name), "Initial binary."),
});

const validators = choice(
  "a number of validators or a list of maps with name, stake, binary",
  [
    isList,
    v.pipe(
      list(validator, "a list of validators", LIMITS.validators),
      v.minLength(1, "at least one validator"),
    ),
  ],
  [() => true, integer(1, LIMITS.validators)],
);

const prefixWord = v.pipe(
  text,
  v.regex(
    /^[a-z][a-z0-9]{0,19}$/,
    "a prefix of 1 to 20 small letters and digits, of which the first is a letter",
  ),
);
/** One word, or one for each kind of addresses; both are stored as one text. */
const prefix = choice(
  "a prefix, or a map with account, validator and consensus",
  [
    isMap,
    v.pipe(
      map({
        account: about(prefixWord, "Prefix of accounts' addresses."),
        validator: about(prefixWord, "Prefix of operators' addresses."),
        consensus: about(prefixWord, "Prefix of consensus addresses."),
      }),
      v.transform(prefixText),
    ),
  ],
  [
    () => true,
    v.pipe(
      text,
      v.regex(
        ADDRESS_PREFIX,
        "a prefix of 1 to 20 small letters and digits, of which the first is a letter, or three, separated by commas",
      ),
      v.transform((source) => prefixText(prefixesOf(source))),
    ),
  ],
);
const profile = oneOf("documented", "sdk-0.53");
const commits = oneOf("compact", "full");
const evidenceRoutes = list(
  v.pipe(text, v.regex(/^[a-zA-Z0-9]+$/, "a route of letters and digits")),
  "a list of routes",
  INPUT.routes,
);
const ABOUT = {
  profile: "Rules to use where the interface documents and current upstream differ.",
  block_time: "Simulated time between blocks.",
  evidence_routes:
    "Evidence handlers registered before the Router is sealed: equivocation, counterfactual, scripted, or one of evidence_types. An empty list means no Router.",
  commits: "full: every commit contains real signatures.",
};

/** The `genesis` section of a new chain. */
const newChain = map({
  chain_id: about(
    v.optional(
      v.pipe(text, v.regex(/^[^\s]{1,50}$/, "a chain id of 1 to 50 characters without spaces")),
      WORLD_DEFAULTS.chainId,
    ),
    "Chain id, part of all sign bytes.",
  ),
  genesis_time: about(v.optional(time, GENESIS_TIME), "Time of the first block."),
  initial_height: about(
    v.optional(integer(1, LIMITS.height), WORLD_DEFAULTS.initialHeight),
    "Height of the first block.",
  ),
  prefix: about(
    v.optional(prefix, USUAL_PREFIX),
    "Bech32 prefix of addresses: one word, or one for each kind of addresses.",
  ),
  profile: about(v.optional(profile, WORLD_DEFAULTS.profile), ABOUT.profile),
  block_time: about(v.optional(duration, durationText(WORLD_DEFAULTS.blockTime)), ABOUT.block_time),
  denom: about(
    v.optional(
      v.pipe(text, v.regex(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/, "a denom such as stake")),
      WORLD_DEFAULTS.denom,
    ),
    "The staking token.",
  ),
  max_evidence_age: about(
    v.optional(duration, durationText(WORLD_DEFAULTS.maxEvidenceAge)),
    "Maximum age of evidence of a double sign.",
  ),
  max_evidence_age_blocks: about(
    v.optional(integer(1, LIMITS.height), WORLD_DEFAULTS.maxEvidenceAgeBlocks),
    "Maximum evidence age in blocks, used by the profile sdk-0.53.",
  ),
  max_evidence_bytes: about(
    v.optional(integer(0, DEFAULT_CONSENSUS_PARAMS.block.maxBytes)),
    `Maximum bytes of evidence in a block. Default: ${DEFAULT_CONSENSUS_PARAMS.evidence.maxBytes}.`,
  ),
  evidence_types: about(
    v.optional(evidenceRoutes, []),
    "Routes of additional evidence types. Each is ScriptedEvidence with that route; evidence_routes must contain it too.",
  ),
  evidence_routes: about(
    v.optional(evidenceRoutes, [...WORLD_DEFAULTS.evidenceRoutes]),
    ABOUT.evidence_routes,
  ),
  commits: about(v.optional(commits, WORLD_DEFAULTS.commits), ABOUT.commits),
  slashing: about(v.optional(slashing, {}), "Parameters of the slashing module."),
  staking: about(v.optional(staking, {}), "Parameters of the staking module."),
  gov: about(v.optional(gov, {}), "Parameters of the gov module."),
  accounts: about(
    v.optional(record(name, coin, "a map of accounts with their amounts", INPUT.accounts), {}),
    "Accounts with their balances.",
  ),
  validators: about(
    v.optional(validators, WORLD_DEFAULTS.validators),
    "A number, for val-0, val-1 … with equal stake, or a list.",
  ),
});

const exported = choice(
  "an exported genesis file or its path",
  [isText, text],
  [() => true, withUnknownKeys(v.looseObject({}, "the content of an exported genesis file"))],
);

/** The `genesis` section that continues an exported state. It cannot repeat values of the file. */
const importedChain = map({
  import: about(
    exported,
    "Exported genesis file that the chain continues: its content, or on the command line its path relative to the scenario file.",
  ),
  binary: about(
    v.optional(text),
    "Initial binary of all nodes. Default: the one in the file, or v1.",
  ),
  initial_height: about(
    v.optional(integer(1, LIMITS.height)),
    "Height of the first block; must equal the one in the file.",
  ),
  profile: about(v.optional(profile), ABOUT.profile),
  block_time: about(v.optional(duration), ABOUT.block_time),
  evidence_routes: about(v.optional(evidenceRoutes), ABOUT.evidence_routes),
  commits: about(v.optional(commits), ABOUT.commits),
});

const names = (most: number) => list(name, "a list of names", most);

const HEX = /^([0-9A-F]{2})*$/;
const hex = v.pipe(text, v.regex(HEX, "bytes in upper-case hex"));
const byte = integer(0, 255);

/** Matches `lab.v1.Tampered`. */
const changedByHand = map({
  height: integer(0, LIMITS.height),
  store: text,
  key: hex,
  place: integer(0, INPUT.fileBytes),
  was: byte,
  is: byte,
  app_hash: hex,
  held_app_hash: hex,
});

/**
 * The `lab` section of an exported file: the world except its chain's state. Other software writes
 * none.
 */
export const labSchema = v.optional(
  v.looseObject(
    {
      seed: v.optional(seedSchema),
      prefix: v.optional(prefix),
      profile: v.optional(profile),
      block_time: v.optional(duration),
      commits: v.optional(commits),
      evidence_routes: v.optional(evidenceRoutes),
      safety_delta: v.optional(duration),
      accounts: v.optional(names(INPUT.accounts), []),
      nodes: v.optional(names(LIMITS.validators), []),
      binary: v.optional(text),
      binaries: binariesSchema,
      impossible: v.optional(list(changedByHand, "a list of bytes that were changed by hand"), []),
    },
    "a map",
  ),
  {},
);

export const genesisSchema = about(
  v.optional(
    choice("a map of how the chain begins", [has("import"), importedChain], [() => true, newChain]),
    {},
  ),
  "Genesis of the chain.",
);

export type SourceGenesis = v.InferOutput<typeof newChain>;
export type Lab = v.InferOutput<typeof labSchema>;
export type SourceImport = v.InferOutput<typeof importedChain>;
