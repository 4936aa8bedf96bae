/** The form of the `genesis` section with its defaults (scenario format, staking facts §1.1, §2.1 and §3.1). */
import * as v from "valibot";
import { DEFAULT_CONSENSUS_PARAMS } from "../engine/consensus/params.ts";
import { binariesSchema } from "./binaries.ts";
import {
  about,
  amount,
  choice,
  coin,
  duration,
  flag,
  fraction,
  has,
  isList,
  isText,
  LIMITS,
  map,
  name,
  oneOf,
  text,
  time,
  whole,
} from "./fields.ts";

/** The seed is a 32-bit number. */
export const seedSchema = whole(0, 4_294_967_295);

/** Smallest unit; power 100. */
export const DEFAULT_STAKE = 100_000_000n;

const slashing = map({
  slash_fraction_double_sign: about(
    v.optional(fraction, "0.05"),
    "Share of the stake that a double sign costs.",
  ),
  slash_fraction_downtime: about(
    v.optional(fraction, "0.01"),
    "Share of the stake that being offline costs.",
  ),
  signed_blocks_window: about(
    v.optional(whole(1, LIMITS.height), 100),
    "Blocks over which missed signatures are counted.",
  ),
  min_signed_per_window: about(
    v.optional(fraction, "0.5"),
    "Share of the window that must be signed.",
  ),
  downtime_jail_duration: about(
    v.optional(duration, "600s"),
    "How long a validator is jailed for being offline.",
  ),
});

const staking = map({
  unbonding_time: about(
    v.optional(duration, "504h"),
    "How long stake stays locked, and can be slashed, after it was withdrawn.",
  ),
  max_validators: about(
    v.optional(whole(1, LIMITS.validators), 100),
    "How many validators vote at a time.",
  ),
  max_entries: about(
    v.optional(whole(1, 1_000_000), 7),
    "How many withdrawals a delegator may have under way with one validator.",
  ),
});

const gov = map({
  min_deposit: about(v.optional(coin), "Deposit at which voting on a proposal begins."),
  max_deposit_period: about(
    v.optional(duration, "48h"),
    "How long a proposal may wait for its deposit.",
  ),
  voting_period: about(v.optional(duration, "60s"), "How long votes are taken."),
  quorum: about(v.optional(fraction, "0.334"), "Share of the bonded stake that must vote."),
  threshold: about(
    v.optional(fraction, "0.5"),
    "Share of yes, abstentions left out, that must be exceeded.",
  ),
  veto_threshold: about(
    v.optional(fraction, "0.334"),
    "Share of vetoes that, if exceeded, rejects a proposal.",
  ),
  safety_delta: about(
    v.optional(duration, "60s"),
    "Time people need to notice that a passed upgrade was a bad idea; used for advice only.",
  ),
  expedited_voting_period: about(
    v.optional(duration),
    "Voting period of expedited proposals; half of the ordinary one unless given.",
  ),
  expedited_threshold: about(v.optional(fraction, "0.667"), "Threshold of expedited proposals."),
  expedited_min_deposit: about(
    v.optional(coin),
    "Deposit of expedited proposals; five times the ordinary one unless given.",
  ),
  burn_vote_quorum: about(
    v.optional(flag, false),
    "Whether deposits are burned when the quorum is missed.",
  ),
  burn_vote_veto: about(v.optional(flag, true), "Whether deposits of vetoed proposals are burned."),
  burn_proposal_deposit_prevote: about(
    v.optional(flag, false),
    "Whether deposits are burned of proposals that never come to voting.",
  ),
  min_initial_deposit_ratio: about(
    v.optional(fraction, "0"),
    "Share of the minimum deposit that the proposer must bring.",
  ),
  min_deposit_ratio: about(
    v.optional(fraction, "0.01"),
    "Share of the minimum deposit that every deposit must reach.",
  ),
  proposal_cancel_ratio: about(
    v.optional(fraction, "0.5"),
    "Share of the deposits that is lost when the proposer withdraws a proposal.",
  ),
  proposal_cancel_dest: about(
    v.optional(text, ""),
    "Address that gets that share; it is burned unless given.",
  ),
});

const validator = map({
  name: about(name, "Name of the validator, its node and its operator's account."),
  stake: about(
    v.optional(amount, DEFAULT_STAKE.toString()),
    "Its own stake, in the smallest unit.",
  ),
  binary: about(v.optional(text, "v1"), "The binary that it begins with."),
});

const validators = choice(
  "a number of validators or a list of maps with name, stake, binary",
  [
    isList,
    v.pipe(
      v.array(validator, "a list of validators"),
      v.minLength(1, "at least one validator"),
      v.maxLength(LIMITS.validators, `at most ${LIMITS.validators} validators`),
    ),
  ],
  [() => true, whole(1, LIMITS.validators)],
);

const profile = oneOf("documented", "sdk-0.53");
const commits = oneOf("compact", "full");
const evidenceRoutes = v.array(
  v.pipe(text, v.regex(/^[a-zA-Z0-9]+$/, "a route of letters and digits")),
  "a list of routes",
);
const ABOUT = {
  profile: "Which rules hold where the documents and today's upstream differ.",
  block_time: "Simulated time between blocks.",
  evidence_routes:
    "Evidence handlers registered before the Router is sealed; none means no Router at all: equivocation, counterfactual, scripted, or one of evidence_types.",
  commits: "full: every commit carries real signatures.",
};

/** A chain that begins anew. */
const newChain = map({
  chain_id: about(
    v.optional(
      v.pipe(text, v.regex(/^[^\s]{1,50}$/, "a chain id of 1 to 50 characters without spaces")),
      "lab-1",
    ),
    "Name of the chain, part of everything that is signed.",
  ),
  genesis_time: about(v.optional(time, "2026-01-01T00:00:00Z"), "Time of block 1."),
  profile: about(v.optional(profile, "documented"), ABOUT.profile),
  block_time: about(v.optional(duration, "5s"), ABOUT.block_time),
  denom: about(
    v.optional(
      v.pipe(text, v.regex(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/, "a denom such as stake")),
      "stake",
    ),
    "The staking token.",
  ),
  max_evidence_age: about(
    v.optional(duration, "48h"),
    "Age up to which evidence of a double sign is accepted.",
  ),
  max_evidence_age_blocks: about(
    v.optional(whole(1, LIMITS.height), 100_000),
    "The same in blocks, used by the profile sdk-0.53.",
  ),
  max_evidence_bytes: about(
    v.optional(whole(0, DEFAULT_CONSENSUS_PARAMS.block.maxBytes)),
    "How many bytes of evidence a block takes; 1048576 unless given.",
  ),
  evidence_types: about(
    v.optional(evidenceRoutes, []),
    "Evidence types of your own by their routes: ScriptedEvidence with that route, once it is among evidence_routes.",
  ),
  evidence_routes: about(
    v.optional(evidenceRoutes, ["equivocation", "counterfactual"]),
    ABOUT.evidence_routes,
  ),
  commits: about(v.optional(commits, "compact"), ABOUT.commits),
  slashing: about(v.optional(slashing, {}), "What offences cost."),
  staking: about(v.optional(staking, {}), "How stake is bonded and unbonded."),
  gov: about(v.optional(gov, {}), "How proposals are decided."),
  accounts: about(
    v.optional(v.record(name, coin, "a map of accounts with their amounts"), {}),
    "People with their tokens.",
  ),
  validators: about(
    v.optional(validators, 4),
    "A number, for val-0, val-1 … with equal stake, or a list.",
  ),
});

const exported = choice(
  "an exported genesis file or its path",
  [isText, text],
  [() => true, v.looseObject({}, "the content of an exported genesis file")],
);

/** A chain that goes on from an exported state; what the file says is not said again. */
const importedChain = map({
  import: about(
    exported,
    "An exported genesis file that the chain goes on from: its content, or on the command line its path, seen from the scenario file.",
  ),
  binary: about(
    v.optional(text),
    "The binary that all nodes begin with; the one that the file names, or v1.",
  ),
  profile: about(v.optional(profile), ABOUT.profile),
  block_time: about(v.optional(duration), ABOUT.block_time),
  evidence_routes: about(v.optional(evidenceRoutes), ABOUT.evidence_routes),
  commits: about(v.optional(commits), ABOUT.commits),
});

/** The part `lab` of an exported file: what a world is besides its chain's state. Files from elsewhere have none. */
export const labSchema = v.optional(
  v.looseObject(
    {
      seed: v.optional(seedSchema),
      profile: v.optional(profile),
      block_time: v.optional(duration),
      commits: v.optional(commits),
      evidence_routes: v.optional(evidenceRoutes),
      safety_delta: v.optional(duration),
      accounts: v.optional(v.array(name, "a list of names"), []),
      nodes: v.optional(v.array(name, "a list of names"), []),
      binary: v.optional(text),
      binaries: binariesSchema,
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
  "How the chain begins.",
);

export type WrittenGenesis = v.InferOutput<typeof newChain>;
export type Lab = v.InferOutput<typeof labSchema>;
export type WrittenImport = v.InferOutput<typeof importedChain>;
