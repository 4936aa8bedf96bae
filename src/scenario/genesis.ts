/** The `genesis` section: a chain's beginning, with its defaults (scenario format, staking facts §1.1, §2.1 and §3.1). */
import * as v from "valibot";
import type { BinarySpec } from "../engine/app/binary.ts";
import {
  OPERATOR_BALANCE,
  type ValidatorSpec,
  type WorldSpec,
} from "../engine/simulation/world-spec.ts";
import type { Problem } from "./faults.ts";
import {
  amount,
  type Coin,
  choice,
  coin,
  duration,
  flag,
  fraction,
  isList,
  LIMITS,
  MAX_SUPPLY,
  map,
  name,
  oneOf,
  text,
  time,
  whole,
} from "./fields.ts";
import { RESERVED } from "./names.ts";

const DEFAULT_STAKE = 100_000_000n;
/** Upstream's ratio of expedited to ordinary deposits, 50 to 10 million. */
const EXPEDITED_DEPOSIT_FACTOR = 5n;
const POWER_UNIT = 1_000_000n;

const slashing = map({
  slash_fraction_double_sign: v.optional(fraction, "0.05"),
  slash_fraction_downtime: v.optional(fraction, "0.01"),
  signed_blocks_window: v.optional(whole(1, LIMITS.height), 100),
  min_signed_per_window: v.optional(fraction, "0.5"),
  downtime_jail_duration: v.optional(duration, "600s"),
});

const staking = map({
  unbonding_time: v.optional(duration, "504h"),
  max_validators: v.optional(whole(1, LIMITS.validators), 100),
  max_entries: v.optional(whole(1, 1_000_000), 7),
});

const gov = map({
  min_deposit: v.optional(coin),
  max_deposit_period: v.optional(duration, "48h"),
  voting_period: v.optional(duration, "60s"),
  quorum: v.optional(fraction, "0.334"),
  threshold: v.optional(fraction, "0.5"),
  veto_threshold: v.optional(fraction, "0.334"),
  safety_delta: v.optional(duration, "60s"),
  expedited_voting_period: v.optional(duration),
  expedited_threshold: v.optional(fraction, "0.667"),
  expedited_min_deposit: v.optional(coin),
  burn_vote_quorum: v.optional(flag, false),
  burn_vote_veto: v.optional(flag, true),
  burn_proposal_deposit_prevote: v.optional(flag, false),
  min_initial_deposit_ratio: v.optional(fraction, "0"),
  min_deposit_ratio: v.optional(fraction, "0.01"),
  proposal_cancel_ratio: v.optional(fraction, "0.5"),
  proposal_cancel_dest: v.optional(text, ""),
});

const validator = map({
  name,
  stake: v.optional(amount, DEFAULT_STAKE.toString()),
  binary: v.optional(text, "v1"),
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

export const genesisSchema = v.optional(
  map({
    chain_id: v.optional(
      v.pipe(text, v.regex(/^[^\s]{1,50}$/, "a chain id of 1 to 50 characters without spaces")),
      "lab-1",
    ),
    genesis_time: v.optional(time, "2026-01-01T00:00:00Z"),
    profile: v.optional(oneOf("documented", "sdk-0.53"), "documented"),
    block_time: v.optional(duration, "5s"),
    denom: v.optional(
      v.pipe(text, v.regex(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/, "a denom such as stake")),
      "stake",
    ),
    max_evidence_age: v.optional(duration, "48h"),
    max_evidence_age_blocks: v.optional(whole(1, LIMITS.height), 100_000),
    evidence_routes: v.optional(
      v.array(
        v.pipe(text, v.regex(/^[a-zA-Z0-9]+$/, "a route of letters and digits")),
        "a list of routes",
      ),
      ["equivocation", "counterfactual"],
    ),
    commits: v.optional(oneOf("compact", "full"), "compact"),
    slashing: v.optional(slashing, {}),
    staking: v.optional(staking, {}),
    gov: v.optional(gov, {}),
    accounts: v.optional(v.record(name, coin, "a map of accounts with their amounts"), {}),
    validators: v.optional(validators, 4),
  }),
  {},
);

type Written = v.InferOutput<typeof genesisSchema>;

/** The beginning of a world. Reports what the schema cannot see: denoms, names, sums, periods. */
export function buildSpec(
  written: Written,
  seed: number,
  binaries: readonly BinarySpec[],
  report: (problem: Problem) => void,
): WorldSpec {
  const { denom } = written;
  const inGenesis = (message: string, ...path: (string | number)[]): void =>
    report({ path: ["genesis", ...path], message });
  const amountOf = (
    { amount: value, denom: found }: Coin,
    ...path: (string | number)[]
  ): bigint => {
    if (found !== denom) inGenesis(`expected an amount of ${denom}, found ${found}`, ...path);
    return value;
  };
  const accounts = Object.entries(written.accounts).map(([account, held]) => ({
    name: account,
    amount: amountOf(held, "accounts", account),
  }));
  const list = validatorList(written);
  checkNames(accounts, list, binaries, inGenesis);
  checkSums(accounts, list, inGenesis);
  if (new Set(written.evidence_routes).size < written.evidence_routes.length) {
    inGenesis("expected every route once", "evidence_routes");
  }
  const minDeposit = written.gov.min_deposit
    ? amountOf(written.gov.min_deposit, "gov", "min_deposit")
    : 10_000_000n;
  return {
    seed,
    chainId: written.chain_id,
    genesisTime: written.genesis_time,
    profile: written.profile,
    blockTime: written.block_time,
    denom,
    maxEvidenceAge: written.max_evidence_age,
    maxEvidenceAgeBlocks: written.max_evidence_age_blocks,
    evidenceRoutes: written.evidence_routes,
    commits: written.commits,
    slashing: {
      slashFractionDoubleSign: written.slashing.slash_fraction_double_sign,
      slashFractionDowntime: written.slashing.slash_fraction_downtime,
      signedBlocksWindow: written.slashing.signed_blocks_window,
      minSignedPerWindow: written.slashing.min_signed_per_window,
      downtimeJailDuration: written.slashing.downtime_jail_duration,
    },
    staking: {
      unbondingTime: written.staking.unbonding_time,
      maxValidators: written.staking.max_validators,
      maxEntries: written.staking.max_entries,
    },
    gov: {
      minDeposit,
      ...periods(written, inGenesis),
      quorum: written.gov.quorum,
      threshold: written.gov.threshold,
      vetoThreshold: written.gov.veto_threshold,
      expeditedThreshold: written.gov.expedited_threshold,
      expeditedMinDeposit: expeditedDeposit(written, minDeposit, amountOf, inGenesis),
      burnVoteQuorum: written.gov.burn_vote_quorum,
      burnVoteVeto: written.gov.burn_vote_veto,
      burnProposalDepositPrevote: written.gov.burn_proposal_deposit_prevote,
      minInitialDepositRatio: written.gov.min_initial_deposit_ratio,
      minDepositRatio: written.gov.min_deposit_ratio,
      proposalCancelRatio: written.gov.proposal_cancel_ratio,
      proposalCancelDest: written.gov.proposal_cancel_dest,
      safetyDelta: written.gov.safety_delta,
    },
    accounts,
    validators: list,
    binaries,
  };
}

type Report = (message: string, ...path: (string | number)[]) => void;

/** `validators: 4` means val-0 to val-3 with equal stake. */
function validatorList({ validators: written }: Written): readonly ValidatorSpec[] {
  if (typeof written !== "number") return written;
  return Array.from({ length: written }, (_, index) => ({
    name: `val-${index}`,
    stake: DEFAULT_STAKE,
    binary: "v1",
  }));
}

function checkNames(
  accounts: readonly { readonly name: string }[],
  list: readonly ValidatorSpec[],
  binaries: readonly BinarySpec[],
  report: Report,
): void {
  const taken = new Set(RESERVED);
  const take = (own: string, ...path: (string | number)[]): void => {
    if (taken.has(own)) report(`the name "${own}" is taken: expected another one`, ...path);
    taken.add(own);
  };
  for (const { name: account } of accounts) take(account, "accounts", account);
  list.forEach(({ name: own, binary }, index) => {
    take(own, "validators", index, "name");
    if (!binaries.some((known) => known.name === binary)) {
      const names = binaries.map((known) => known.name).join(", ");
      report(`there is no binary "${binary}": expected ${names}`, "validators", index, "binary");
    }
  });
}

function checkSums(
  accounts: readonly { readonly amount: bigint }[],
  list: readonly ValidatorSpec[],
  report: Report,
): void {
  const supply =
    accounts.reduce((sum, { amount: held }) => sum + held, 0n) +
    list.reduce((sum, { stake }) => sum + stake + OPERATOR_BALANCE, 0n);
  if (supply > MAX_SUPPLY) {
    report(`expected a supply of at most ${MAX_SUPPLY}, found ${supply}`);
  }
  if (!list.some(({ stake }) => stake >= POWER_UNIT)) {
    report(`expected a validator with a stake of at least ${POWER_UNIT}`, "validators");
  }
}

function periods({ gov: written }: Written, report: Report) {
  const votingPeriod = written.voting_period;
  // Upstream's ratio of expedited to ordinary voting, 24 h to 48 h.
  const expeditedVotingPeriod = written.expedited_voting_period ?? votingPeriod / 2n;
  if (expeditedVotingPeriod >= votingPeriod) {
    report(
      "expected an expedited voting period shorter than the voting period",
      "gov",
      "expedited_voting_period",
    );
  }
  if (written.expedited_threshold < written.threshold) {
    report("expected at least the threshold", "gov", "expedited_threshold");
  }
  return {
    maxDepositPeriod: written.max_deposit_period,
    votingPeriod,
    expeditedVotingPeriod,
    safetyDelta: written.safety_delta,
  };
}

function expeditedDeposit(
  { gov: written }: Written,
  minDeposit: bigint,
  amountOf: (held: Coin, ...path: (string | number)[]) => bigint,
  report: Report,
): bigint {
  if (!written.expedited_min_deposit) return minDeposit * EXPEDITED_DEPOSIT_FACTOR;
  const deposit = amountOf(written.expedited_min_deposit, "gov", "expedited_min_deposit");
  if (deposit <= minDeposit) {
    report("expected more than min_deposit", "gov", "expedited_min_deposit");
  }
  return deposit;
}
