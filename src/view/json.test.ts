import { create, toBinary } from "@bufbuild/protobuf";
import { AnySchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8 } from "../base/bytes.ts";
import { GO_ZERO_TIME, toTimestamp } from "../base/time.ts";
import { PageResponseSchema } from "../gen/chain/base/query/v1beta1/pagination_pb.ts";
import { EquivocationSchema } from "../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { QueryAllEvidenceResponseSchema } from "../gen/chain/evidence/v1beta1/query_pb.ts";
import { ProposalSchema, ProposalStatus } from "../gen/chain/gov/v1/gov_pb.ts";
import { ParamsSchema } from "../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { ValidatorSchema } from "../gen/chain/staking/v1beta1/staking_pb.ts";
import { ModeInfoSchema } from "../gen/chain/tx/v1beta1/tx_pb.ts";
import { QueryCurrentPlanResponseSchema } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { MsgSoftwareUpgradeSchema } from "../gen/chain/upgrade/v1beta1/tx_pb.ts";
import { PlanSchema } from "../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { PublicKeySchema } from "../gen/tendermint/crypto/keys_pb.ts";
import {
  anyFromJson,
  anyToJson,
  checkAnyJson,
  JsonError,
  messageFromJson,
  messageToJson,
} from "./json.ts";

const equivocation = {
  "@type": "/chain.evidence.v1beta1.Equivocation",
  height: "11",
  time: "2021-10-20T16:08:38.194017624Z",
  power: "100",
  consensus_address: "chainvalcons1…",
};

function problems(json: unknown): string[] {
  try {
    anyFromJson(json);
  } catch (error) {
    if (error instanceof JsonError) {
      return error.problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
    }
    throw error;
  }
  return [];
}

test("a time has 3 digits behind the point where 1 would do", () => {
  const message = create(EquivocationSchema, {
    height: 1n,
    power: 1n,
    time: create(TimestampSchema, { seconds: 0n, nanos: 100_000_000 }),
  });
  expect(messageToJson(EquivocationSchema, message)).toMatchObject({
    time: "1970-01-01T00:00:00.100Z",
  });
});

test("a type may be named with a host before it, as protobuf's own JSON does", () => {
  const { "@type": type, ...content } = equivocation;
  const hosted = anyFromJson({ "@type": `type.googleapis.com${type}`, ...content });
  expect(hosted).toEqual(anyFromJson(equivocation));
});

describe("messages as JSON", () => {
  test("a list answers as the evidence document shows it: @type first, text integers, null next_key", () => {
    const response = create(QueryAllEvidenceResponseSchema, {
      evidence: [anyFromJson(equivocation)],
      pagination: { total: 1n },
    });
    const json = messageToJson(QueryAllEvidenceResponseSchema, response);
    expect(JSON.stringify(json)).toBe(
      JSON.stringify({ evidence: [equivocation], pagination: { next_key: null, total: "1" } }),
    );
  });

  test("an unset message is null, a key is base64", () => {
    expect(
      messageToJson(QueryCurrentPlanResponseSchema, create(QueryCurrentPlanResponseSchema)),
    ).toEqual({ plan: null });
    const page = create(PageResponseSchema, { nextKey: new Uint8Array([1, 2, 3]) });
    expect(messageToJson(PageResponseSchema, page)).toEqual({ next_key: "AQID", total: "0" });
  });

  test("a plan within an Any has a time also where its bytes have none", () => {
    const proposed = { plan: { name: "v2", height: "20" } };
    const any = anyFromJson({ "@type": "/chain.upgrade.v1beta1.MsgSoftwareUpgrade", ...proposed });
    expect(anyToJson(any)).toMatchObject({ plan: { time: "0001-01-01T00:00:00Z" } });
    const times = messageToJson(ProposalSchema, create(ProposalSchema));
    expect(times).toMatchObject({ voting_start_time: null });
  });

  test("the unset time of a plan is year one", () => {
    const plan = create(PlanSchema, {
      name: "v2",
      height: 20n,
      time: create(TimestampSchema, toTimestamp(GO_ZERO_TIME)),
    });
    expect(messageToJson(PlanSchema, plan)).toEqual({
      name: "v2",
      time: "0001-01-01T00:00:00Z",
      height: "20",
      info: "",
      upgraded_client_state: null,
    });
  });

  test("Dec is shown with 18 decimals, whether it is stored as bytes or as text", () => {
    const params = create(ParamsSchema, {
      signedBlocksWindow: 100n,
      slashFractionDoubleSign: utf8("50000000000000000"),
      downtimeJailDuration: { seconds: 600n },
    });
    expect(messageToJson(ParamsSchema, params)).toEqual({
      signed_blocks_window: "100",
      min_signed_per_window: "0.000000000000000000",
      downtime_jail_duration: "600s",
      slash_fraction_double_sign: "0.050000000000000000",
      slash_fraction_downtime: "0.000000000000000000",
    });
    const validator = create(ValidatorSchema, { delegatorShares: "95000000000000000000000000" });
    expect(messageToJson(ValidatorSchema, validator)).toMatchObject({
      delegator_shares: "95000000.000000000000000000",
      status: "BOND_STATUS_UNSPECIFIED",
      unbonding_ids: [],
    });
  });

  test("enums are written by name and read by name or number", () => {
    for (const status of ["PROPOSAL_STATUS_PASSED", 3]) {
      const proposal = messageFromJson(ProposalSchema, { id: "1", status });
      expect(proposal.status).toBe(ProposalStatus.PASSED);
      expect(messageToJson(ProposalSchema, proposal)).toMatchObject({
        status: "PROPOSAL_STATUS_PASSED",
      });
    }
  });

  test("bytes of a type that is not known are shown as they are", () => {
    const any = create(AnySchema, { typeUrl: "/elsewhere.Thing", value: new Uint8Array([255]) });
    expect(anyToJson(any)).toEqual({ "@type": "/elsewhere.Thing", value: "/w==" });
  });

  test("every equivocation comes back as it went out", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
        fc.bigInt({ min: GO_ZERO_TIME, max: 253_402_300_799_999_999_999n }),
        fc.string({ unit: "grapheme" }),
        (height, time, address) => {
          const message = create(EquivocationSchema, {
            height,
            time: create(TimestampSchema, toTimestamp(time)),
            consensusAddress: address,
          });
          const again = messageFromJson(
            EquivocationSchema,
            messageToJson(EquivocationSchema, message),
          );
          expect(toBinary(EquivocationSchema, again)).toEqual(
            toBinary(EquivocationSchema, message),
          );
        },
      ),
    );
  });
});

describe("JSON into messages", () => {
  test("nested Any are packed too, with type URLs that have no host", () => {
    const any = anyFromJson({
      "@type": "/chain.evidence.v1beta1.MsgSubmitEvidence",
      submitter: "chain1…",
      evidence: equivocation,
    });
    expect(any.typeUrl).toBe("/chain.evidence.v1beta1.MsgSubmitEvidence");
    expect(anyToJson(any)).toMatchObject({ evidence: equivocation });
  });

  test("integers may be text or numbers, Dec is scaled", () => {
    const plan = { plan: { name: "v2", height: 20, time: null } };
    expect(messageFromJson(MsgSoftwareUpgradeSchema, plan).plan?.height).toBe(20n);
    const params = messageFromJson(ParamsSchema, { slash_fraction_double_sign: "0.05" });
    expect(params.slashFractionDoubleSign).toEqual(utf8("50000000000000000"));
  });

  test("an unknown type is answered with the types that exist", () => {
    const [problem] = problems({ "@type": "/chain.bank.v1beta1.MsgSendAll" });
    expect(problem).toMatch(
      /^@type: unknown type "\/chain.bank.v1beta1.MsgSendAll"; the types are /,
    );
    expect(problem).toContain("/chain.bank.v1beta1.MsgSend,");
    expect(problem).toContain("/chain.evidence.v1beta1.Equivocation");
    expect(problem).not.toContain("Query");
    const [theirs] = problems({ "@type": "/cosmos.bank.v1beta1.MsgSendAll" });
    expect(theirs).toContain("/cosmos.bank.v1beta1.MsgSend,");
    expect(theirs).not.toContain("/chain.");
  });

  test("every place that does not fit is named with what was expected there", () => {
    expect(
      problems({
        "@type": "/chain.upgrade.v1beta1.MsgSoftwareUpgrade",
        authority: 7,
        plan: { name: "v2", height: "soon", time: "yesterday", colour: "red" },
      }),
    ).toEqual([
      "authority: expected text, found 7",
      'plan.height: expected a 64-bit integer, found "soon"',
      'plan.time: expected a time such as 2026-01-01T00:00:00Z, in the years 1 to 9999, found "yesterday"',
      'plan.colour: unknown key "colour"; Plan has name, time, height, info, upgraded_client_state',
    ]);
    expect(
      problems({
        "@type": "/chain.gov.v1.MsgVote",
        option: "MAYBE",
        proposal_id: -1,
        voter: ["x"],
      }),
    ).toEqual([
      'option: expected one of VOTE_OPTION_UNSPECIFIED, VOTE_OPTION_YES, VOTE_OPTION_ABSTAIN, VOTE_OPTION_NO, VOTE_OPTION_NO_WITH_VETO, found "MAYBE"',
      "proposal_id: expected a 64-bit integer that is not negative, found -1",
      "voter: expected text, found a list",
    ]);
    expect(problems("MsgSend")).toEqual([': expected a map with "@type", found "MsgSend"']);
    expect(problems({ "@type": "/chain.bank.v1beta1.MsgSend", amount: {} })).toEqual([
      "amount: expected a list, found a map",
    ]);
  });

  test("references stand for values of any kind while a file is checked", () => {
    const json = {
      "@type": "/chain.gov.v1.MsgVote",
      proposal_id: "$p",
      voter: "$" + "{alice}",
      option: "nonsense",
    };
    const found = checkAnyJson(json, (text) => text.startsWith("$"));
    expect(found.map(({ path }) => path)).toEqual([["option"]]);
  });
});

describe("what no sound message holds", () => {
  const broken = { typeUrl: "/chain.evidence.v1beta1.Equivocation", value: Uint8Array.of(8) };

  test("broken bytes of a known type are shown as base64, like those of an unknown one", () => {
    const any = create(AnySchema, broken);
    expect(anyToJson(any)).toEqual({ "@type": broken.typeUrl, value: "CA==" });
  });

  test("a decimal that is none is shown as it is", () => {
    const params = create(ParamsSchema, { minSignedPerWindow: utf8("1 0") });
    expect(messageToJson(ParamsSchema, params)).toMatchObject({ min_signed_per_window: "1 0" });
  });

  test("half of a surrogate pair is no text", () => {
    expect(() => messageFromJson(PlanSchema, { name: "\ud800" })).toThrow("name: expected text");
  });
});

test("of a oneof only the field that is set is written", () => {
  const single = create(ModeInfoSchema, { sum: { case: "single", value: { mode: 1 } } });
  expect(messageToJson(ModeInfoSchema, single)).toEqual({ single: { mode: "SIGN_MODE_DIRECT" } });
  expect(messageToJson(ModeInfoSchema, create(ModeInfoSchema))).toEqual({});
  const empty = create(PublicKeySchema, { sum: { case: "secp256k1", value: new Uint8Array() } });
  expect(messageToJson(PublicKeySchema, empty)).toEqual({ secp256k1: "" });
});
