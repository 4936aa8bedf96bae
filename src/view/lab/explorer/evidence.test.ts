import type { Any } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { accAddress, valAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { durationMessage } from "../../../engine/framework/time-messages.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { acceptLightClientAttacks } from "../../../engine/simulation/light-client-attacks.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import { CounterfactualSigningSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../../gen/chain/evidence/v1beta1/tx_pb.ts";
import {
  MsgBeginRedelegateSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import type { EvidenceLine, EvidencePiece } from "../../../gen/lab/v1/lab_plain.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

acceptLightClientAttacks();

function world(...input: Parameters<typeof worldSpec>) {
  const sim = Simulation.create(worldSpec(...input));
  const queries = new WorldQueries(sim, lazyObserver(sim));
  const lines = (): readonly EvidenceLine[] => queries.lab("getEvidence", {}).lines;
  const newest = (): EvidencePiece =>
    queries.lab("getEvidencePiece", { id: lines()[0]?.id ?? "none" });
  const block = (height: number) => toHexUpper(sim.block(height)?.hash ?? new Uint8Array());
  return { sim, queries, lines, newest, block };
}

const operator = (name: string): string => valAddress(accountOf(name));
const stake = (amount: number) => ({ denom: "stake", amount: `${amount}` });
const submit = (evidence: Any): Any =>
  packInit(MsgSubmitEvidenceSchema, { submitter: accAddress(accountOf("val-0")), evidence });

describe("a double sign", () => {
  test("waits for the next block at the height of the votes, which then carries it and punishes", () => {
    const { sim, lines, newest, block } = world();
    runTo(sim, 5);
    sim.apply({ type: "double_sign", node: "val-2" });
    runTo(sim, 6);
    expect(lines()).toMatchObject([
      { block: 0, kind: "duplicate vote", validators: ["val-2"], height: 6, outcome: "waiting" },
    ]);
    expect(newest()).toMatchObject({
      votes: [{ onChain: true }, { onChain: false }],
      notice: { height: 6, nodes: ["val-0", "val-1", "val-3"], more: 0 },
      checks: [],
    });
    runTo(sim, 7);
    expect(lines()).toMatchObject([
      {
        ...{ block: 7, source: "consensus", validators: ["val-2"], height: 6 },
        ...{ outcome: "punished", burned: "5000000" },
      },
    ]);
    const piece = newest();
    expect(piece.votes).toMatchObject([
      { type: "precommit", height: 6, round: 0, blockHash: block(6), onChain: true },
      { type: "precommit", height: 6, round: 0, onChain: false },
    ]);
    expect(piece.votes[1]?.blockHash).toMatch(/^[0-9A-F]{64}$/);
    expect(piece).toMatchObject({
      notice: { height: 6 },
      time: "2026-01-01T00:00:25Z",
      blockTime: "2026-01-01T00:00:30Z",
      power: "100",
    });
    expect(piece.checks.map(({ what }) => what)).toContain("tombstoned");
    expect(piece.line?.hash).toMatch(/^[0-9A-F]{64}$/);
  });

  test("of which no honest node has both votes is only signed", () => {
    const { sim, lines } = world();
    runTo(sim, 3);
    sim.apply({ type: "partition", groups: [["val-0", "val-1", "val-3"], ["val-2"]] });
    for (const node of ["val-0", "val-1", "val-3"]) sim.apply({ type: "double_sign", node });
    runTo(sim, 4);
    expect(lines().map(({ outcome, validators }) => [outcome, ...validators])).toEqual([
      ["signed", "val-3"],
      ["signed", "val-1"],
      ["signed", "val-0"],
    ]);
  });
});

describe("the slash for it", () => {
  test("is 5 % of the stake at the infraction, and its parts add up to what was burned", () => {
    const { sim, newest } = world();
    const delegate = (schema: Any) =>
      sim.apply({ type: "tx", signer: "alice", messages: [schema] });
    const delegatorAddress = accAddress(accountOf("alice"));
    runTo(sim, 2);
    delegate(
      packInit(MsgDelegateSchema, {
        ...{ delegatorAddress, validatorAddress: operator("val-2"), amount: stake(40_000_000) },
      }),
    );
    runTo(sim, 6);
    delegate(
      packInit(MsgBeginRedelegateSchema, {
        ...{ delegatorAddress, validatorSrcAddress: operator("val-2") },
        ...{ validatorDstAddress: operator("val-1"), amount: stake(15_000_000) },
      }),
    );
    delegate(
      packInit(MsgUndelegateSchema, {
        ...{ delegatorAddress, validatorAddress: operator("val-2"), amount: stake(25_000_000) },
      }),
    );
    runTo(sim, 7);
    sim.apply({ type: "misbehavior", kind: 1, validator: "val-2", height: 6 });
    runTo(sim, 8);
    const { slash, votes, line } = newest();
    expect(line?.source).toBe("app");
    expect(votes).toEqual([]);
    expect(slash).toEqual({
      ...{ power: 140, stake: "140000000", fraction: "0.05", amount: "7000000", since: 5 },
      parts: [
        {
          ...{ kind: "unbonding", delegator: delegatorAddress, to: "", height: 7, entries: 1 },
          ...{ stake: "25000000", owed: "1250000", burned: "1250000" },
        },
        {
          ...{ kind: "redelegation", delegator: delegatorAddress, to: operator("val-1") },
          ...{ height: 7, entries: 1, stake: "15000000", owed: "750000", burned: "750000" },
        },
        {
          ...{ kind: "validator", delegator: "", to: "", height: 0, entries: 1 },
          ...{ stake: "100000000", owed: "5000000", burned: "5000000" },
        },
      ],
      burned: "7000000",
    });
  });
});

describe("an attack on a light client", () => {
  test("shows both blocks, who signed the false one, and from which height on they differ", () => {
    const { sim, lines, newest, block } = world({}, 7);
    runTo(sim, 7);
    const by = ["val-0", "val-1", "val-2"];
    sim.apply({ type: "light_client_attack", kind: "lunatic", by, height: 7 });
    runTo(sim, 8);
    expect(lines().map(({ kind, validators, outcome }) => [kind, ...validators, outcome])).toEqual(
      expect.arrayContaining(by.map((name) => ["lunatic", name, "punished"])),
    );
    const { attack, notice, votes } = newest();
    expect(attack).toMatchObject({ height: 7, ownHash: block(7), commonHeight: 6, round: 0 });
    expect(new Set(attack?.signers)).toEqual(new Set(by));
    expect(notice?.nodes).toEqual(["val-3", "val-4", "val-5", "val-6"]);
    expect(votes).toEqual([]);
  });

  test("of which the votes do not show who did it is in the list, without a name", () => {
    const { sim, lines } = world({}, 7);
    runTo(sim, 5);
    const by = ["val-0", "val-1", "val-2", "val-3", "val-4"];
    sim.apply({ type: "light_client_attack", kind: "amnesia", by });
    runTo(sim, 6);
    expect(lines()).toMatchObject([
      { block: 6, kind: "amnesia", validators: [], outcome: "unattributable", burned: "0" },
    ]);
  });
});

describe("what is not punished", () => {
  test("is there with the reason: a second piece against one validator, and an unknown type", () => {
    const { sim, lines } = world();
    runTo(sim, 5);
    for (const kind of [1, 1, 9]) {
      sim.apply({ type: "misbehavior", kind, validator: "val-3", height: 4 });
    }
    runTo(sim, 6);
    expect(lines()).toMatchObject([
      { kind: "type 9", outcome: "ignored", why: "ignored unknown evidence type: 9" },
      { outcome: "ignored", why: expect.stringContaining("already tombstoned") },
      { outcome: "punished" },
    ]);
  });

  test("is refused with its transaction, whose two votes are shown all the same", () => {
    const { sim, newest } = world({ evidenceRoutes: ["equivocation", "counterfactual"] });
    runTo(sim, 6);
    const [own] = sim.votesOf("val-2", 4);
    const evidence = packInit(CounterfactualSigningSchema, {
      ...{ consensusAddress: "val-2", power: 100n, voteA: own, voteB: own },
    });
    sim.apply({ type: "tx", signer: "val-0", messages: [submit(evidence)] });
    runTo(sim, 7);
    const { line, votes } = newest();
    expect(line).toMatchObject({ source: "tx", kind: "counterfactual", outcome: "refused" });
    expect(line?.why).toContain("not a counterfactual vote");
    expect(votes).toMatchObject([{ onChain: true }, { onChain: true }]);
  });

  test("is what nodes halt over, in their own words", () => {
    const { sim, lines } = world({
      profile: "sdk-0.53",
      staking: { unbondingTime: durationMessage(20_000_000_000n) },
    });
    runTo(sim, 3);
    const delegatorAddress = accAddress(accountOf("val-3"));
    const leave = { delegatorAddress, validatorAddress: operator("val-3") };
    sim.apply({
      type: "tx",
      signer: "val-3",
      messages: [packInit(MsgUndelegateSchema, { ...leave, amount: stake(100_000_000) })],
    });
    runTo(sim, 9);
    sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
    sim.advance();
    expect(lines()).toMatchObject([
      { block: 10, outcome: "halted", why: expect.stringContaining("validator does not exist") },
    ]);
  });
});

test("a piece that is not there is not found", () => {
  const { queries } = world();
  expect(() => queries.lab("getEvidencePiece", { id: "b7-1" })).toThrow(
    "there is no piece of evidence b7-1",
  );
});
