import { create } from "@bufbuild/protobuf";
import { accAddress } from "../../../base/bech32.ts";
import { type Dec, decFromString, truncateInt } from "../../../base/dec.ts";
import { unpackAny } from "../../../engine/framework/codec.ts";
import {
  addCoins,
  amountOf,
  type Coin,
  coinsFromMessages,
} from "../../../engine/framework/coins.ts";
import { cancelCharge } from "../../../engine/modules/gov/deposits.ts";
import { ballotsOf as portionsOf } from "../../../engine/modules/gov/tally.ts";
import { type Vote, VoteOption } from "../../../engine/modules/gov/types.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { VoteSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgDepositSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import type { Ballots, BallotView, DepositView } from "../../../gen/lab/v1/lab_plain.ts";
import type { Observer } from "../frame/observer.ts";
import { openBlocks, openState } from "../reading.ts";
import { governanceOf, openGovernance } from "./governance.ts";

/** Votes and deposits of a proposal, by address. */
interface Box {
  readonly votes: ReadonlyMap<string, Vote>;
  readonly deposits: ReadonlyMap<string, readonly Coin[]>;
}

const EMPTY: Box = { votes: new Map(), deposits: new Map() };

/**
 * The deposits and votes of a proposal; after a tally, which deletes them, those of the block that
 * tallied.
 *
 * @param height of a tally; 0 for the last one, or for now while the proposal is open
 */
export function* ballotsOf(
  sim: Simulation,
  observer: Observer,
  id: number,
  height: number,
): HistoryRanges<Ballots | undefined> {
  yield* openGovernance(sim, observer);
  const course = governanceOf(sim, observer).find(({ proposal }) => proposal.id === id);
  if (course === undefined) return undefined;
  const { ended, lost, proposal } = course;
  const at = height || ended;
  if (at > 0) {
    yield* openState(at - 1);
    yield* openBlocks(at);
    yield* openState(at);
  }
  const box = at === 0 ? boxAfter(sim, id, sim.height) : boxIn(sim, id, at);
  const fate = at === 0 || at !== ended ? "held" : proposal.status;
  const ratio = sim.read((ctx, { keepers: { gov } }) => gov.getParams(ctx).proposalCancelRatio);
  return {
    deposits: [...box.deposits].map(([depositor, coins]) =>
      depositOf(sim, depositor, coins, { fate, burned: lost !== "0", ratio: decFromString(ratio) }),
    ),
    votes: votesOf(sim, [...box.votes.values()], at || sim.height),
  };
}

/** Votes and deposits in the state after a block. */
const boxAfter = (sim: Simulation, id: number, height: number): Box =>
  height < sim.initialHeight
    ? EMPTY
    : sim.read((ctx, { keepers: { gov } }) => {
        const deposits = gov.deposits(ctx, BigInt(id));
        return {
          votes: new Map(gov.votes(ctx, BigInt(id)).map((vote) => [vote.voter, vote])),
          deposits: new Map(
            deposits.map(({ depositor, amount }) => [depositor, coinsFromMessages(amount)]),
          ),
        };
      }, height);

/** Votes and deposits at the end of a block: those before it, and those that it added. */
function boxIn(sim: Simulation, id: number, height: number): Box {
  const before = boxAfter(sim, id, height - 1);
  const votes = new Map(before.votes);
  const deposits = new Map(before.deposits);
  const block = sim.block(height);
  for (const step of block?.steps ?? []) {
    if (step.module !== "gov" || step.kind !== "vote" || step.reverted) continue;
    const { proposalId, options } = step.data;
    const voter = accAddress(step.data.voter);
    if (Number(proposalId) !== id) continue;
    votes.set(voter, create(VoteSchema, { proposalId, voter, options: [...options] }));
  }
  for (const { code, messages } of block?.txs ?? []) {
    if (code !== 0) continue;
    for (const message of messages) {
      const deposit = unpackAny(MsgDepositSchema, message);
      if (deposit === undefined || Number(deposit.proposalId) !== id) continue;
      const { depositor, amount } = deposit;
      const added = addCoins(deposits.get(depositor) ?? [], coinsFromMessages(amount));
      deposits.set(depositor, added);
    }
  }
  return { votes, deposits };
}

interface Fate {
  /** `held`, or the final status of the proposal. */
  readonly fate: string;
  readonly burned: boolean;
  /** Share of the deposit that a withdrawal costs. */
  readonly ratio: Dec;
}

function depositOf(
  sim: Simulation,
  depositor: string,
  coins: readonly Coin[],
  { fate, burned, ratio }: Fate,
): DepositView {
  const { bondDenom: denom } = sim.spec.staking;
  const amount = amountOf(coins, denom);
  const lost =
    fate === "held"
      ? 0n
      : fate === "withdrawn"
        ? cancelCharge({ denom, amount }, ratio).amount
        : burned
          ? amount
          : 0n;
  const returned = fate === "held" ? 0n : amount - lost;
  return { depositor, amount: `${amount}`, returned: `${returned}`, lost: `${lost}` };
}

/** Votes with their stake after a block. */
function votesOf(sim: Simulation, votes: readonly Vote[], height: number): readonly BallotView[] {
  const powers = new Map(votes.map(({ voter }) => [voter, { own: 0n, inherited: 0n }]));
  sim.read((ctx, { keepers: { gov } }) => {
    for (const { voter, power, inherited } of portionsOf(ctx, gov, votes)) {
      const sums = powers.get(accAddress(voter));
      if (sums) sums[inherited ? "inherited" : "own"] += power;
    }
  }, height);
  return votes
    .map(({ voter, options }) => ({ voter, options, ...(powers.get(voter) ?? NO_POWER) }))
    .sort((a, b) => Number(b.own + b.inherited - a.own - a.inherited))
    .map(({ voter, options, own, inherited }) => ({
      voter,
      yes: weightOf(VoteOption.YES, options),
      no: weightOf(VoteOption.NO, options),
      abstain: weightOf(VoteOption.ABSTAIN, options),
      veto: weightOf(VoteOption.NO_WITH_VETO, options),
      own: `${truncateInt(own)}`,
      inherited: `${truncateInt(inherited)}`,
    }));
}

const weightOf = (option: VoteOption, options: Vote["options"]): number =>
  Number(options.find((each) => each.option === option)?.weight ?? 0);

const NO_POWER = { own: 0n, inherited: 0n };
