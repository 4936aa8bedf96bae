import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { SECOND } from "../../../base/time.ts";
import { ScriptedEvidenceSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import {
  type MsgSubmitEvidenceResponse,
  MsgSubmitEvidenceSchema,
} from "../../../gen/chain/evidence/v1beta1/tx_pb.ts";
import type { Context } from "../../framework/context.ts";
import { Panic } from "../../framework/errors.ts";
import type { ServiceRouter } from "../../framework/router.ts";
import { plainRecord, refusalOf, thrownBy, timeAt } from "../../framework/testing.ts";
import { Equivocation } from "./equivocation.ts";
import { ScriptedEvidence } from "./scripted.ts";
import { EVIDENCE_TEXTS } from "./step-texts.ts";
import { evidenceChain, OFFENDER, SUBMITTER } from "./testing.ts";

const scripted = (init: MessageInitShape<typeof ScriptedEvidenceSchema> = {}): ScriptedEvidence =>
  new ScriptedEvidence(create(ScriptedEvidenceSchema, { height: 3n, outcome: "accept", ...init }));

const submit = (
  router: ServiceRouter,
  ctx: Context,
  evidence: Any | undefined,
  submitter = SUBMITTER,
): MsgSubmitEvidenceResponse =>
  router
    .message("/chain.evidence.v1beta1.MsgSubmitEvidence")
    ?.invoke(
      ctx,
      create(MsgSubmitEvidenceSchema, { submitter, ...(evidence && { evidence }) }),
    ) as MsgSubmitEvidenceResponse;

describe("MsgSubmitEvidence (rules/evidence 4.1, 4.2, 4.3)", () => {
  test("stores accepted evidence, answers its hash and emits the documented events", () => {
    const { chain, router, keeper } = evidenceChain();
    const evidence = scripted();
    const response = submit(router, chain.block(5), evidence.pack());
    const hash = toHexUpper(evidence.hash());
    expect(response.hash).toEqual(evidence.hash());
    expect(keeper.getAllEvidence(chain.block(5))[0]?.string()).toBe(evidence.string());
    expect(chain.takeEvents()).toEqual([
      `submit_evidence{evidence_hash=${hash}}`,
      `message{module=evidence, sender=${SUBMITTER}, action=submit_evidence}`,
    ]);
    expect(Object.keys(chain.dump("evidence"))).toEqual([`00${hash.toLowerCase()}`]);
    expect(chain.takeSteps(EVIDENCE_TEXTS)).toEqual([
      "basic validation: scripted [ok]",
      "duplicate check: not found [ok]",
      "route scripted: found [ok]",
      "handler: accepted [ok]",
      `event: submit_evidence ${hash} [ok]`,
      `persistence: stored under ${hash} [ok]`,
    ]);
  });

  test("with action = type URL the message event is the transaction's", () => {
    const { chain, router } = evidenceChain();
    submit(router, chain.block(5, { profile: { messageAction: "type-url" } }), scripted().pack());
    expect(chain.takeEvents()).toHaveLength(1);
  });

  test("ErrEvidenceExists carries the hash in upper case, and comes before the route", () => {
    const { chain, router, keeper } = evidenceChain([]);
    const evidence = scripted();
    keeper.setEvidence(chain.block(4), evidence);
    expect(refusalOf(() => submit(router, chain.block(5), evidence.pack()))).toBe(
      `evidence/5 ${toHexUpper(evidence.hash())}: evidence already exists`,
    );
  });

  test("ErrNoEvidenceHandlerExists carries the route, and comes before the Handler", () => {
    const { chain, router } = evidenceChain(["equivocation"]);
    const rejected = scripted({ outcome: "reject", text: "no" });
    expect(refusalOf(() => submit(router, chain.block(5), rejected.pack()))).toBe(
      "evidence/2 scripted: unregistered handler for evidence type",
    );
    expect(chain.takeEvents()).toEqual([]);
    expect(chain.dump("evidence")).toEqual({});
  });

  test("a route of one's own makes scripted evidence a type of its own", () => {
    const { chain, router, keeper } = evidenceChain(["equivocation", "oracle"]);
    const evidence = scripted({ route: "oracle" });
    submit(router, chain.block(5), evidence.pack());
    expect(keeper.getAllEvidence(chain.block(5))[0]?.type()).toBe("oracle");
    const rejected = scripted({ route: "oracle", outcome: "reject", text: "prices agree" });
    expect(refusalOf(() => submit(router, chain.block(5), rejected.pack()))).toBe(
      "evidence/3 prices agree: invalid evidence",
    );
    expect(
      refusalOf(() => submit(router, chain.block(5), scripted({ route: "other" }).pack())),
    ).toBe("evidence/2 other: unregistered handler for evidence type");
  });

  test.each(["equivocation", "counterfactual"])(
    "but not the route %s, whose Handler reads another type",
    (route) => {
      const { chain, router } = evidenceChain();
      expect(refusalOf(() => submit(router, chain.block(5), scripted({ route }).pack()))).toBe(
        `evidence/3 failed basic validation: invalid scripted evidence route: ${route} is another type's: invalid evidence`,
      );
    },
  );

  test("ErrInvalidEvidence carries the Handler's message", () => {
    const { chain, router } = evidenceChain();
    const rejected = scripted({ outcome: "reject", text: "it was not me" });
    expect(refusalOf(() => submit(router, chain.block(5), rejected.pack()))).toBe(
      "evidence/3 it was not me: invalid evidence",
    );
    expect(chain.takeEvents()).toEqual([]);
    expect(chain.dump("evidence")).toEqual({});
  });

  test("a Handler that panics is not an answer", () => {
    const { chain, router } = evidenceChain();
    const error = thrownBy(() =>
      submit(router, chain.block(5), scripted({ outcome: "panic", text: "boom" }).pack()),
    );
    expect(error).toBeInstanceOf(Panic);
    expect(error.message).toBe("boom");
  });

  test("without a Router: no Handler by the documents, a nil dereference upstream", () => {
    const { chain, router } = evidenceChain([]);
    expect(refusalOf(() => submit(router, chain.block(5), scripted().pack()))).toBe(
      "evidence/2 scripted: unregistered handler for evidence type",
    );
    const ctx = chain.block(5, { profile: { noRouter: "panic" } });
    const error = thrownBy(() => submit(router, ctx, scripted().pack()));
    expect(error).toBeInstanceOf(Panic);
    expect(error.message).toBe("runtime error: invalid memory address or nil pointer dereference");
  });

  test.each([
    [
      "no submitter",
      "",
      "sdk/7 invalid submitter address: empty address string is not allowed: invalid address",
    ],
    [
      "no address",
      "alice",
      "sdk/7 invalid submitter address: decoding bech32 failed: invalid bech32 string length 5: invalid address",
    ],
  ])("the submitter is looked at first: %s", (_what, submitter, text) => {
    const { chain, router } = evidenceChain();
    expect(refusalOf(() => submit(router, chain.block(5), undefined, submitter))).toBe(text);
  });

  test.each([
    ["absent", undefined],
    ["of an unknown type", create(AnySchema, { typeUrl: "/chain.bank.v1beta1.MsgSend" })],
    ["of broken bytes", { ...scripted().pack(), value: Uint8Array.of(0x08) }],
  ])("evidence that is %s is missing", (_what, any) => {
    const { chain, router } = evidenceChain();
    expect(refusalOf(() => submit(router, chain.block(5), any))).toBe(
      "evidence/3 missing evidence: invalid evidence",
    );
  });

  test("basic validation comes before the duplicate check", () => {
    const { chain, router, keeper } = evidenceChain();
    const evidence = Equivocation.of(0, timeAt(1), 1, "x");
    keeper.setEvidence(chain.block(4), evidence);
    expect(refusalOf(() => submit(router, chain.block(5), evidence.pack()))).toBe(
      "evidence/3 failed basic validation: invalid equivocation height: 0: invalid evidence",
    );
  });
});

describe("submitted Equivocation is checked against the chain's own record", () => {
  const record = {
    ...plainRecord(20),
    validatorAt: (height: number) =>
      height === 8 ? { pubKey: new Uint8Array(32), power: 100 } : undefined,
  };
  const address = consAddress(OFFENDER);
  const MAX = 2n ** 63n - 1n;
  const equivocation = (change: object) =>
    new Equivocation({ ...Equivocation.of(8, timeAt(8), 100, address).message, ...change });

  test("true facts: slash, jail, tombstone, stored", () => {
    const { chain, router, validators } = evidenceChain();
    submit(router, chain.block(20, { record }), Equivocation.of(8, timeAt(8), 100, address).pack());
    expect(validators.calls.map((call) => call.split(" ")[0])).toEqual([
      "slash",
      "jail",
      "jailUntil",
      "tombstone",
    ]);
    expect(Object.keys(chain.dump("evidence"))).toHaveLength(1);
  });

  test.each([
    ["no such block", Equivocation.of(21, timeAt(21), 100, address), "don't have header #21"],
    [
      "another time",
      Equivocation.of(8, timeAt(9), 100, address),
      "evidence has a different time to the block it is associated with (2026-01-01 00:00:40 +0000 UTC != 2026-01-01 00:00:35 +0000 UTC)",
    ],
    [
      "not in the set",
      Equivocation.of(9, timeAt(9), 100, address),
      `address ${toHexUpper(OFFENDER)} was not a validator at height 9`,
    ],
    [
      "another power",
      Equivocation.of(8, timeAt(8), 99, address),
      "validator power from evidence and our validator set does not match (99 != 100)",
    ],
    [
      "a height that no double holds",
      equivocation({ height: MAX }),
      "don't have header #9223372036854775807",
    ],
    [
      "a power that no double holds",
      equivocation({ power: MAX }),
      "validator power from evidence and our validator set does not match (9223372036854775807 != 100)",
    ],
  ])("%s", (_what, evidence, text) => {
    const { chain, router, validators } = evidenceChain();
    expect(refusalOf(() => submit(router, chain.block(20, { record }), evidence.pack()))).toBe(
      `evidence/3 ${text}: invalid evidence`,
    );
    expect(validators.calls).toEqual([]);
  });

  test("too old", () => {
    const { chain, router } = evidenceChain();
    const ctx = chain.block(20, { record, maxEvidenceAge: { duration: 59n * SECOND, blocks: 1 } });
    const evidence = Equivocation.of(8, timeAt(8), 100, address);
    expect(refusalOf(() => submit(router, ctx, evidence.pack()))).toBe(
      "evidence/3 evidence from height 8 (created at: 2026-01-01T00:00:35Z) is too old; evidence can not be older than 2026-01-01 00:00:36 +0000 UTC: invalid evidence",
    );
  });

  test("a tombstoned validator is refused, not punished twice", () => {
    const { chain, router, validators } = evidenceChain();
    validators.tombstoned.add(address);
    const evidence = Equivocation.of(8, timeAt(8), 100, address);
    expect(refusalOf(() => submit(router, chain.block(20, { record }), evidence.pack()))).toBe(
      `evidence/3 validator ${address} already tombstoned: invalid evidence`,
    );
    expect(chain.dump("evidence")).toEqual({});
  });
});
