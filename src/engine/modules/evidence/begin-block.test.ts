import { describe, expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { SECOND } from "../../../base/time.ts";
import type { Misbehavior } from "../../framework/context.ts";
import { type ChainError, Panic } from "../../framework/errors.ts";
import { type TestBlock, testAddress, thrownBy, timeAt } from "../../framework/testing.ts";
import { EVIDENCE_TEXTS } from "./step-texts.ts";
import { duplicateVote, evidenceChain, OFFENDER } from "./testing.ts";

const NAME = consAddress(OFFENDER);

function begin(
  setup: ReturnType<typeof evidenceChain>,
  misbehavior: readonly Misbehavior[] = [duplicateVote()],
  options: TestBlock = {},
) {
  setup.module.beginBlock?.(setup.chain.block(20, { misbehavior, ...options }));
}

const stored = ({ chain }: ReturnType<typeof evidenceChain>): number =>
  Object.keys(chain.dump("evidence")).length;

const outcome = ({ chain }: ReturnType<typeof evidenceChain>): string | undefined =>
  chain.takeSteps(EVIDENCE_TEXTS).find((step) => step.startsWith("outcome"));

describe("block-begin evidence (rules/evidence 5.2)", () => {
  test.each([1, 2])("kind %i: slash, jail, jail until, tombstone, store; no event", (type) => {
    const s = evidenceChain();
    begin(s, [duplicateVote({ type })]);
    expect(s.validators.calls).toEqual([
      `slash ${NAME} 50000000000000000 100 7 double_sign`,
      `jail ${NAME}`,
      `jailUntil ${NAME} 253402300799000000000`,
      `tombstone ${NAME}`,
    ]);
    expect(stored(s)).toBe(1);
    expect(s.chain.takeEvents()).toEqual([]);
    expect(s.chain.takeLogs()).toEqual(["info: confirmed equivocation"]);
    expect(outcome(s)).toMatch(/at height 8: punished \[ok\]$/);
  });

  test("a validator jailed already is not jailed again", () => {
    const s = evidenceChain();
    s.validators.add(OFFENDER, { jailed: true });
    begin(s);
    expect(s.validators.calls.some((call) => call.startsWith("jail "))).toBe(false);
    expect(s.validators.calls).toHaveLength(3);
  });

  test("row 1, unknown validator: ignored with a reason, or the block fails", () => {
    const s = evidenceChain();
    const unknown = [duplicateVote({ address: testAddress("unknown") })];
    begin(s, unknown);
    expect(stored(s)).toBe(0);
    expect(outcome(s)).toMatch(/ignored, validator chainvalcons1\w+ does not exist \[ignored\]$/);
    const error = thrownBy(() =>
      begin(s, unknown, { profile: { unknownValidator: "error" } }),
    ) as ChainError;
    expect([error.codespace, error.code, error.message]).toEqual([
      "staking",
      3,
      "validator does not exist",
    ]);
  });

  test("row 2, unbonded: ignored without a log line", () => {
    const s = evidenceChain();
    s.validators.add(OFFENDER, { status: "unbonded" });
    begin(s);
    expect(s.chain.takeLogs()).toEqual([]);
    expect(stored(s)).toBe(0);
    expect(outcome(s)).toMatch(/ignored, validator \w+ is unbonded \[ignored\]$/);
  });

  test("unbonding is punished", () => {
    const s = evidenceChain();
    s.validators.add(OFFENDER, { status: "unbonding" });
    begin(s);
    expect(stored(s)).toBe(1);
  });

  test("row 3, no public key: an error line; without an operator the key is not checked", () => {
    const s = evidenceChain();
    s.validators.withoutPubkey.add(NAME);
    begin(s);
    expect(s.chain.takeLogs()).toEqual([
      `error: ignore evidence; expected public key for validator ${NAME} not found`,
    ]);
    expect(stored(s)).toBe(0);
    s.validators.add(OFFENDER, { operator: new Uint8Array() });
    begin(s);
    expect(stored(s)).toBe(1);
  });

  const AGE = 60n * SECOND; // of height 8 at height 20
  test.each([
    ["time", AGE, 1, 1],
    ["time", AGE - 1n, 1_000, 0],
    ["time-and-blocks", AGE, 11, 1],
    ["time-and-blocks", AGE - 1n, 12, 1],
    ["time-and-blocks", AGE - 1n, 11, 0],
  ] as const)(
    "row 4, age by %s with limits %i ns and %i blocks: %i stored",
    (evidenceAge, duration, blocks, count) => {
      const s = evidenceChain();
      begin(s, undefined, { profile: { evidenceAge }, maxEvidenceAge: { duration, blocks } });
      expect(stored(s)).toBe(count);
      expect(s.chain.takeLogs()).toEqual([
        count === 1
          ? "info: confirmed equivocation"
          : "info: ignored equivocation; evidence too old",
      ]);
    },
  );

  test("the age counts from the block at the height, or from the time carried", () => {
    const late = [duplicateVote({ time: timeAt(8) - 1_000n * SECOND })];
    const limit = { maxEvidenceAge: { duration: AGE, blocks: 1 } };
    const documented = evidenceChain();
    begin(documented, late, limit);
    expect(stored(documented)).toBe(1);
    const carried = evidenceChain();
    begin(carried, late, { ...limit, profile: { evidenceTime: "carried" } });
    expect(stored(carried)).toBe(0);
  });

  test("evidence of a height without a block is ignored; carried time needs no block", () => {
    const s = evidenceChain();
    begin(s, [duplicateVote({ height: 0, time: 0n })]);
    expect(stored(s)).toBe(0);
    expect(outcome(s)).toMatch(/ignored, there is no block 0 to take its time from/);
    begin(s, [duplicateVote({ height: 0, time: 0n })], {
      profile: {
        evidenceTime: "carried",
        evidenceAge: "time-and-blocks",
        misbehaviorCheck: "none",
      },
    });
    expect(stored(s)).toBe(1);
    expect(s.chain.takeSteps(EVIDENCE_TEXTS)).toContain("stake: as of genesis [info]");
  });

  test.each([
    ["power 0", { power: 0 }, "invalid equivocation validator power: 0"],
    ["no time", { time: 0n }, "invalid equivocation time: 1970-01-01 00:00:00 +0000 UTC"],
  ])(
    "with %s no valid evidence can be made: passed over, or handled and stored unchecked",
    (_what, change, reason) => {
      const documented = evidenceChain();
      begin(documented, [duplicateVote(change)]);
      expect(documented.validators.calls).toEqual([]);
      expect(stored(documented)).toBe(0);
      expect(outcome(documented)).toContain(`: ignored, ${reason} [ignored]`);

      const upstream = evidenceChain();
      begin(upstream, [duplicateVote(change)], { profile: { misbehaviorCheck: "none" } });
      expect(stored(upstream)).toBe(1);
      const state = upstream.module.genesis.export(upstream.chain.block(21));
      expect(thrownBy(() => upstream.module.genesis.validate(state)).message).toBe(reason);
    },
  );

  test("notes every branch it takes, and leaves the steps of a slash to slashing", () => {
    const s = evidenceChain();
    begin(s);
    expect(s.chain.takeSteps(EVIDENCE_TEXTS).map((step) => step.replace(/: .*/, ""))).toEqual([
      "misbehavior",
      "block at the infraction",
      "validator",
      "public key",
      "age",
      "signing info",
      "tombstoned",
      "stake",
      "persistence",
      "outcome",
    ]);
  });

  test("row 5, no signing info: a panic", () => {
    const s = evidenceChain();
    s.validators.withoutSigningInfo.add(NAME);
    const error = thrownBy(() => begin(s));
    expect(error).toBeInstanceOf(Panic);
    expect(error.message).toBe(`expected signing info for validator ${NAME} but not found`);
  });

  test("row 6, two for one validator in one block: one punishment, one stored", () => {
    const s = evidenceChain();
    begin(s, [duplicateVote(), duplicateVote({ height: 9, time: timeAt(9) })]);
    expect(s.validators.calls.filter((call) => call.startsWith("slash"))).toHaveLength(1);
    expect(stored(s)).toBe(1);
    expect(s.chain.takeLogs()).toEqual([
      "info: confirmed equivocation",
      "info: ignored equivocation; validator already tombstoned",
    ]);
  });

  test("several validators in one block are handled in order", () => {
    const s = evidenceChain();
    const other = testAddress("val-3");
    s.validators.add(other);
    begin(s, [duplicateVote({ address: other }), duplicateVote()]);
    const slashed = s.validators.calls.filter((call) => call.startsWith("slash"));
    expect(slashed.map((call) => call.split(" ")[1])).toEqual([consAddress(other), NAME]);
    expect(stored(s)).toBe(2);
  });

  test.each([
    [0, "0"],
    [31, "1f"],
  ])("unknown kind %i: an error line with %s in hex, and on with the next", (type, hex) => {
    const s = evidenceChain();
    begin(s, [duplicateVote({ type }), duplicateVote()]);
    expect(s.chain.takeLogs()).toEqual([
      `error: ignored unknown evidence type: ${hex}`,
      "info: confirmed equivocation",
    ]);
    expect(stored(s)).toBe(1);
  });
});
