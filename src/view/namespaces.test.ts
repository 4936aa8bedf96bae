import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { inChain, inCosmos, packAny } from "../engine/framework/codec.ts";
import { EquivocationSchema } from "../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../gen/chain/evidence/v1beta1/tx_pb.ts";
import { QueryProposalsResponseSchema } from "../gen/chain/gov/v1/query_pb.ts";
import { QueryCurrentPlanResponseSchema } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { renameTypes, servedName, typesInCosmos } from "./namespaces.ts";

describe("names under either root", () => {
  test("cosmos names stand for the chain's own", () => {
    expect(servedName("both", "cosmos.gov.v1.Query/Proposals")).toEqual({
      name: "chain.gov.v1.Query/Proposals",
      cosmos: true,
    });
    expect(servedName("both", "chain/gov/v1/proposals")).toEqual({
      name: "chain/gov/v1/proposals",
      cosmos: false,
    });
  });

  test("a namespace leaves the other out, but for what clients always ask under cosmos", () => {
    expect(servedName("chain", "cosmos.gov.v1.Query/Proposals")).toBeUndefined();
    expect(servedName("cosmos", "chain.gov.v1.Query/Proposals")).toBeUndefined();
    for (const name of [
      "cosmos.auth.v1beta1.Query/Account",
      "cosmos.bank.v1beta1.Query/Balance",
      "cosmos.tx.v1beta1.Service/Simulate",
      "cosmos/base/tendermint/v1beta1/node_info",
    ]) {
      expect(servedName("chain", name)).toEqual({ name: inChain(name), cosmos: true });
    }
  });

  test("names of other roots stay", () => {
    expect(servedName("cosmos", "lab.v1.Lab/GetNodes")).toEqual({
      name: "lab.v1.Lab/GetNodes",
      cosmos: false,
    });
    expect(inCosmos("lab.chain.X")).toBe("lab.chain.X");
    expect(inCosmos("/chains.X")).toBe("/chains.X");
  });
});

describe("types inside Any", () => {
  const submit = create(MsgSubmitEvidenceSchema, {
    submitter: "me",
    evidence: packAny(EquivocationSchema, create(EquivocationSchema, { height: 3n })),
  });
  const proposals = create(QueryProposalsResponseSchema, {
    proposals: [{ id: 1n, messages: [packAny(MsgSubmitEvidenceSchema, submit)] }],
  });

  test("are renamed at every depth, in a copy, and back to the same bytes", () => {
    const renamed = renameTypes(QueryProposalsResponseSchema, proposals, inCosmos);
    const [any] = renamed.proposals[0]?.messages ?? [];
    expect(any?.typeUrl).toBe("/cosmos.evidence.v1beta1.MsgSubmitEvidence");
    const inner = fromBinary(MsgSubmitEvidenceSchema, any?.value ?? new Uint8Array());
    expect(inner.evidence?.typeUrl).toBe("/cosmos.evidence.v1beta1.Equivocation");
    expect(proposals.proposals[0]?.messages[0]?.typeUrl).toMatch("/chain.");
    const back = renameTypes(QueryProposalsResponseSchema, renamed, inChain);
    expect(toBinary(QueryProposalsResponseSchema, back)).toEqual(
      toBinary(QueryProposalsResponseSchema, proposals),
    );
  });

  test("broken content stays as it is, and what has no Any is not copied", () => {
    const broken = create(QueryProposalsResponseSchema, {
      proposals: [
        {
          messages: [
            { typeUrl: "/chain.evidence.v1beta1.MsgSubmitEvidence", value: Uint8Array.of(255) },
            { typeUrl: "/chain.nothing.Known", value: Uint8Array.of(1) },
          ],
        },
      ],
    });
    const [first, second] =
      renameTypes(QueryProposalsResponseSchema, broken, inCosmos).proposals[0]?.messages ?? [];
    expect(first).toMatchObject({
      typeUrl: "/cosmos.evidence.v1beta1.MsgSubmitEvidence",
      value: Uint8Array.of(255),
    });
    expect(second?.typeUrl).toBe("/cosmos.nothing.Known");
    const plan = create(QueryCurrentPlanResponseSchema, { plan: { name: "v2" } });
    expect(plan.plan?.name).toBe("v2");
  });

  test("with the texts that the chain makes of them, and no other text", () => {
    const why = (root: string) =>
      `no type for URL /${root}.oracle.v1.MsgFeed, ${root}.gov.v1.Vote in https://chain.a.b.C`;
    const fields = { title: why("chain"), failedReason: why("chain") };
    const failed = create(QueryProposalsResponseSchema, { proposals: [fields] });
    const renamed = renameTypes(QueryProposalsResponseSchema, failed, inCosmos);
    expect(renamed.proposals[0]).toMatchObject({
      title: why("chain"),
      failedReason: why("cosmos"),
    });
    expect(renameTypes(QueryProposalsResponseSchema, renamed, inChain)).toEqual(failed);
    expect(typesInCosmos({ title: why("chain"), failed_reason: why("chain") })).toEqual({
      title: why("chain"),
      failed_reason: why("cosmos"),
    });
  });

  test("in JSON too", () => {
    expect(
      typesInCosmos({ a: [{ "@type": "/chain.x.Y", inner: { "@type": "/chain.x.Z" } }], n: null }),
    ).toEqual({
      a: [{ "@type": "/cosmos.x.Y", inner: { "@type": "/cosmos.x.Z" } }],
      n: null,
    });
  });
});
