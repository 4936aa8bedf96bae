import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { u64be } from "../../../base/bytes.ts";
import {
  DepositSchema,
  ParamsSchema,
  ProposalSchema,
  VoteSchema,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
import { protoCodec } from "../../framework/codec.ts";
import { GENESIS_TIME, testAddress } from "../../framework/testing.ts";
import { describe } from "./describe.ts";
import { depositCodec, proposalCodec, voteCodec } from "./keeper.ts";
import {
  ACTIVE_QUEUE,
  depositKey,
  INACTIVE_QUEUE,
  NEXT_PROPOSAL_ID,
  PARAMS,
  proposalKey,
  queueKey,
  voteKey,
  votingPeriodKey,
} from "./keys.ts";

const ANN = testAddress("ann");
const TIME = "2026-01-01T00:00:00.000000000";
const NONE = new Uint8Array();
const json = ({ value }: { readonly value: string }): unknown => JSON.parse(value);

test("a proposal, its deposits and its votes", () => {
  const proposal = describe(
    proposalKey(7n),
    proposalCodec.encode(create(ProposalSchema, { id: 7n, title: "up" })),
  );
  expect([proposal.kind, ...proposal.of]).toEqual(["proposal", "7"]);
  expect(json(proposal)).toMatchObject({ id: "7", title: "up" });
  const deposit = describe(
    depositKey(7n, ANN),
    depositCodec.encode(create(DepositSchema, { proposalId: 7n, depositor: "a" })),
  );
  expect([deposit.kind, ...deposit.of]).toEqual(["deposit", "7", accAddress(ANN)]);
  expect(json(deposit)).toMatchObject({ proposalId: "7", depositor: "a" });
  const vote = describe(
    voteKey(7n, ANN),
    voteCodec.encode(create(VoteSchema, { proposalId: 7n, voter: "b" })),
  );
  expect([vote.kind, ...vote.of]).toEqual(["vote", "7", accAddress(ANN)]);
  expect(json(vote)).toMatchObject({ proposalId: "7", voter: "b" });
});

test("both queues, by time and proposal", () => {
  for (const [queue, kind] of [
    [ACTIVE_QUEUE, "end of voting"],
    [INACTIVE_QUEUE, "end of deposit period"],
  ] as const) {
    expect(describe(queueKey(queue, GENESIS_TIME, 7n), u64be(7))).toEqual({
      kind,
      of: [TIME, "7"],
      value: "7",
    });
  }
});

test("the next id, the mark of voting and the params", () => {
  expect(describe(NEXT_PROPOSAL_ID, u64be(8))).toEqual({
    kind: "next proposal id",
    of: [],
    value: "8",
  });
  expect(describe(votingPeriodKey(7n), NONE)).toEqual({
    kind: "in voting period",
    of: ["7"],
    value: "",
  });
  const params = describe(
    PARAMS,
    protoCodec(ParamsSchema).encode(create(ParamsSchema, { quorum: "0.3" })),
  );
  expect(params.kind).toBe("params");
  expect(json(params)).toMatchObject({ quorum: "0.3" });
});
