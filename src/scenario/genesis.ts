/** From the `genesis` section to the beginning of a world. */
import type { BinarySpec } from "../engine/app/binary.ts";
import {
  OPERATOR_BALANCE,
  type ValidatorSpec,
  type WorldSpec,
} from "../engine/simulation/genesis/world-spec.ts";
import { type Coin, MAX_SUPPLY } from "./fields.ts";
import { DEFAULT_STAKE, type WrittenGenesis } from "./genesis-schema.ts";
import { RESERVED } from "./names.ts";
import type { Problem } from "./problems.ts";

/** Upstream's ratio of expedited to ordinary deposits, 50 to 10 million. */
const EXPEDITED_DEPOSIT_FACTOR = 5n;
const POWER_UNIT = 1_000_000n;
/** Evidence types that every chain knows (evidence document §3, world model). */
const BUILT_IN_ROUTES = ["equivocation", "counterfactual", "scripted"];

/** The beginning of a world. Reports what the schema cannot see: denoms, names, sums, periods. */
export function buildSpec(
  written: WrittenGenesis,
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
  const known = [...BUILT_IN_ROUTES, ...written.evidence_types];
  written.evidence_routes.forEach((route, i) => {
    if (known.includes(route)) return;
    inGenesis(
      `there is no evidence type ${route}; there are ${known.join(", ")}`,
      "evidence_routes",
      i,
    );
  });
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
    ...(written.max_evidence_bytes === undefined
      ? {}
      : { maxEvidenceBytes: written.max_evidence_bytes }),
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
function validatorList({ validators: written }: WrittenGenesis): readonly ValidatorSpec[] {
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

function periods({ gov: written }: WrittenGenesis, report: Report) {
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
  { gov: written }: WrittenGenesis,
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
