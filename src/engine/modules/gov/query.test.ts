import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { GenesisStateSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import {
  QueryDepositRequestSchema,
  QueryDepositsRequestSchema,
  QueryParamsRequestSchema,
  type QueryParamsResponse,
  QueryProposalRequestSchema,
  QueryProposalsRequestSchema,
  type QueryProposalsResponse,
  QueryTallyResultRequestSchema,
  QueryVoteRequestSchema,
  QueryVotesRequestSchema,
} from "../../../gen/chain/gov/v1/query_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { STATUS, StatusError } from "../../framework/errors.ts";
import { thrownBy } from "../../framework/testing.ts";
import { account, govChain, proposal } from "./testing.ts";
import { ProposalStatus, VoteOption } from "./types.ts";

/** Bob has voted on proposal 1; proposal 2 still collects deposits. */
function filled() {
  const g = govChain();
  g.staking.validator("val-0", 100);
  g.staking.delegate("bob", "val-0", 40);
  const ctx = g.chain.block(1);
  g.send(ctx, MsgSubmitProposalSchema, proposal());
  const initialDeposit = [{ denom: "stake", amount: "100000" }];
  g.send(ctx, MsgSubmitProposalSchema, proposal({ initialDeposit, proposer: account("bob") }));
  const vote = { proposalId: 1n, voter: account("bob"), option: VoteOption.YES };
  g.send(ctx, MsgVoteSchema, vote);
  return g;
}

const status = (body: () => unknown): [number, string] => {
  const error = thrownBy(body) as StatusError;
  expect(error).toBeInstanceOf(StatusError);
  return [error.code, error.message];
};

describe("queries", () => {
  test("Proposal, by id", () => {
    const { ask } = filled();
    const one = (proposalId: bigint) => ask("Proposal", QueryProposalRequestSchema, { proposalId });
    expect(one(2n)).toMatchObject({ proposal: { id: 2n, title: "Upgrade to v2" } });
    expect(status(() => one(0n))).toEqual([STATUS.invalidArgument, "proposal id can not be 0"]);
    expect(status(() => one(7n))).toEqual([STATUS.notFound, "proposal 7 doesn't exist"]);
  });

  test.each([
    [{}, [1n, 2n]],
    [{ proposalStatus: ProposalStatus.DEPOSIT_PERIOD }, [2n]],
    [{ voter: account("bob") }, [1n]],
    [{ depositor: account("bob") }, [2n]],
    [{ voter: account("bob"), depositor: account("bob") }, []],
    [{ pagination: { limit: 1n, reverse: true } }, [2n]],
  ])("Proposals %#", (request, ids) => {
    const page = filled().ask("Proposals", QueryProposalsRequestSchema, request);
    expect((page as QueryProposalsResponse).proposals.map(({ id }) => id)).toEqual(ids);
  });

  test("Proposals with a filter page over those it keeps, or over all as upstream's do", () => {
    const { ask } = filled();
    const page = (filteredPages: "kept" | "all") => {
      const request = {
        proposalStatus: ProposalStatus.DEPOSIT_PERIOD,
        pagination: { offset: 1n, limit: 5n, countTotal: true },
      };
      const answer = ask("Proposals", QueryProposalsRequestSchema, request, { filteredPages });
      const { proposals, pagination } = answer as QueryProposalsResponse;
      return [proposals.map(({ id }) => id), pagination?.total];
    };
    expect(page("kept")).toEqual([[], 1n]);
    expect(page("all")).toEqual([[2n], 2n]);
  });

  test("behind a full page upstream counts what the filter keeps, and its next key moves on to the first of it", () => {
    const g = filled();
    g.send(g.chain.block(2), MsgSubmitProposalSchema, proposal());
    const page = (countTotal: boolean) => {
      const request = {
        proposalStatus: ProposalStatus.VOTING_PERIOD,
        pagination: { limit: 1n, countTotal },
      };
      const rows = { filteredPages: "all" } as const;
      const answer = g.ask("Proposals", QueryProposalsRequestSchema, request, rows);
      const { proposals, pagination } = answer as QueryProposalsResponse;
      return [proposals.map(({ id }) => id), pagination?.nextKey.at(-1), pagination?.total];
    };
    expect(page(true)).toEqual([[1n], 3, 2n]);
    expect(page(false)).toEqual([[1n], 2, 0n]);
  });

  test("text that is no address is the asker's fault, or upstream's unknown and internal errors", () => {
    const { ask } = filled();
    const words = "decoding bech32 failed: invalid bech32 string length 3";
    const kind = { badQueryAddress: "unknown", badFilterAddress: "internal" } as const;
    const vote = { proposalId: 1n, voter: "bob" };
    const deposit = { proposalId: 1n, depositor: "bob" };
    const none = { voter: "bob", pagination: { offset: 2n } };
    for (const filter of [{ voter: "bob" }, { depositor: "bob" }]) {
      const proposals = (profile?: typeof kind) => () =>
        ask("Proposals", QueryProposalsRequestSchema, filter, profile);
      expect(status(proposals())).toEqual([STATUS.invalidArgument, words]);
      expect(status(proposals(kind))).toEqual([STATUS.internal, words]);
    }
    expect(status(() => ask("Vote", QueryVoteRequestSchema, vote))).toEqual([3, words]);
    expect(status(() => ask("Vote", QueryVoteRequestSchema, vote, kind))).toEqual([2, words]);
    expect(status(() => ask("Deposit", QueryDepositRequestSchema, deposit))).toEqual([3, words]);
    expect(status(() => ask("Deposit", QueryDepositRequestSchema, deposit, kind))).toEqual([
      2,
      words,
    ]);
    const skipped = { ...kind, filteredPages: "all" } as const;
    expect(ask("Proposals", QueryProposalsRequestSchema, none, skipped)).toMatchObject({
      proposals: [],
    });
  });

  test("Vote, Votes, Deposits, Params", () => {
    const { ask } = filled();
    const voter = account("bob");
    expect(ask("Vote", QueryVoteRequestSchema, { proposalId: 1n, voter })).toMatchObject({
      vote: { voter, options: [{ option: VoteOption.YES }] },
    });
    expect(status(() => ask("Vote", QueryVoteRequestSchema, { proposalId: 2n, voter }))).toEqual([
      STATUS.invalidArgument,
      `voter: ${voter} not found for proposal: 2`,
    ]);
    expect(status(() => ask("Vote", QueryVoteRequestSchema, { proposalId: 2n }))[1]).toBe(
      "empty voter address",
    );
    expect(ask("Votes", QueryVotesRequestSchema, { proposalId: 1n })).toMatchObject({
      votes: [{ voter }],
      pagination: { total: 1n },
    });
    expect(ask("Deposits", QueryDepositsRequestSchema, { proposalId: 2n })).toMatchObject({
      deposits: [{ depositor: voter, amount: [{ amount: "100000" }] }],
    });
    expect(ask("Params", QueryParamsRequestSchema, { paramsType: "tallying" })).toMatchObject({
      params: { quorum: "0.334000000000000000" },
    });
    expect(status(() => ask("Params", QueryParamsRequestSchema, { paramsType: "x" }))[1]).toBe(
      "unknown params type: x",
    );
  });

  test("Deposit, one account's", () => {
    const { ask } = filled();
    const one = (proposalId: bigint, depositor: string) =>
      ask("Deposit", QueryDepositRequestSchema, { proposalId, depositor });
    const bob = account("bob");
    expect(one(2n, bob)).toMatchObject({
      deposit: { depositor: bob, amount: [{ amount: "100000" }] },
    });
    expect(status(() => one(0n, bob))).toEqual([
      STATUS.invalidArgument,
      "proposal id can not be 0",
    ]);
    expect(status(() => one(1n, ""))).toEqual([STATUS.invalidArgument, "empty depositor address"]);
    expect(status(() => one(1n, bob))).toEqual([
      STATUS.notFound,
      `collections: not found: key '("1", "${bob}")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit`,
    ]);
  });

  test("Params of a type stand once more where old clients look, and nowhere else", () => {
    const { ask } = filled();
    const old = (paramsType: string) => {
      const answer = ask("Params", QueryParamsRequestSchema, { paramsType });
      const { votingParams, depositParams, tallyParams } = answer as QueryParamsResponse;
      return { votingParams, depositParams, tallyParams };
    };
    expect(old("")).toEqual({});
    expect(old("voting")).toMatchObject({
      votingParams: { votingPeriod: { seconds: 60n } },
      depositParams: undefined,
      tallyParams: undefined,
    });
    expect(old("deposit")).toMatchObject({
      depositParams: { minDeposit: [{ denom: "stake" }], maxDepositPeriod: {} },
      votingParams: undefined,
    });
    expect(old("tallying")).toMatchObject({
      tallyParams: {
        quorum: "0.334000000000000000",
        threshold: "0.500000000000000000",
        vetoThreshold: "0.334000000000000000",
      },
      depositParams: undefined,
    });
  });

  test("TallyResult is live during the voting and leaves the votes alone", () => {
    const g = filled();
    const count = (proposalId: bigint) =>
      g.ask("TallyResult", QueryTallyResultRequestSchema, { proposalId });
    expect(count(1n)).toMatchObject({ tally: { yesCount: "40", noCount: "0" } });
    expect(count(1n)).toMatchObject({ tally: { yesCount: "40" } });
    expect(count(2n)).toMatchObject({ tally: { yesCount: "0" } });
    g.module.endBlock?.(g.chain.block(13));
    g.staking.delegations.length = 0;
    expect(count(1n)).toMatchObject({ tally: { yesCount: "40" } });
  });
});

describe("genesis and migration", () => {
  test("export and import give the same state, queues included", () => {
    const a = filled();
    const b = govChain();
    b.bank.balances.clear();
    for (const [address, coins] of a.bank.balances) b.bank.balances.set(address, coins);
    b.module.genesis.init(b.chain.block(1), a.module.genesis.export(a.chain.block(2)));
    expect(b.chain.dump("gov")).toEqual(a.chain.dump("gov"));
  });

  test("deposits that the module's account does not hold are a panic", () => {
    const a = filled();
    const b = govChain();
    const state = a.module.genesis.export(a.chain.block(2));
    expect(() => b.module.genesis.init(b.chain.block(1), state)).toThrow(
      "expected module account was  but we got 10100000stake",
    );
  });

  test("an invalid state is refused", () => {
    const { module, chain } = filled();
    const state = module.genesis.export(chain.block(2)) as ReturnType<typeof genesis>;
    const text = (change: Partial<typeof state>): string =>
      thrownBy(() => module.genesis.validate({ ...state, ...change } as typeof state)).message;
    expect(() => module.genesis.validate(state)).not.toThrow();
    expect(text({ startingProposalId: 0n })).toBe("starting proposal id must be greater than 0");
    const none = { ...state, startingProposalId: 0n };
    expect(() => module.genesis.init(chain.block(1), none)).toThrow("starting proposal id");
    expect(text({ proposals: [...state.proposals, ...state.proposals] })).toBe(
      "duplicate proposal id: 1",
    );
    expect(text({ votes: [...state.votes, ...state.votes] })).toContain("duplicate vote: ");
    expect(text({ proposals: state.proposals.slice(1) })).toContain(
      "has non-existent proposal id: 1",
    );
  });

  test("migration 5 → 6 writes every record anew and changes none", () => {
    const { module, chain } = filled();
    const before = chain.dump("gov");
    const hash = chain.commit();
    module.migrations.find((m) => m.from === 5)?.run(chain.block(3));
    expect(chain.dump("gov")).toEqual(before);
    expect(chain.commit()).not.toBe(hash);
  });
});

const genesis = () => create(GenesisStateSchema);
