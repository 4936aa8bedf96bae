import { describe, expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { SECOND } from "../../../base/time.ts";
import { Panic } from "../../framework/errors.ts";
import {
  refusalOf,
  type TestBlock,
  testAddress,
  thrownBy,
  timeAt,
} from "../../framework/testing.ts";
import { Equivocation } from "./equivocation.ts";
import { type Ignored, punish } from "./infraction.ts";
import type { ValidatorState } from "./needs.ts";
import { evidenceChain, OFFENDER } from "./testing.ts";

const NAME = consAddress(OFFENDER);
const AGE = 60n * SECOND; // of height 8 in block 20
const FIELDS = {
  validator: NAME,
  infraction_height: "8",
  infraction_time: "2026-01-01T00:00:35Z",
};

type Setup = ReturnType<typeof evidenceChain>;

/** Punishes an equivocation of height 8 in block 20. */
function punished(
  { chain, validators }: Setup,
  { address = OFFENDER, height = 8, ...options }: TestBlock & { address?: Uint8Array } = {},
): Ignored | undefined {
  const needs = { staking: validators, slashing: validators, verifyVote: () => true };
  const evidence = Equivocation.of(height, timeAt(8), 100, consAddress(address));
  return punish(chain.block(20, options), needs, evidence, timeAt(8));
}

/** Returns the steps in the trace: kind, outcome and facts of each. */
const steps = ({ chain }: Setup) =>
  chain.trace.steps.map(({ kind, outcome, data }) => [kind, outcome, data]);

const withState = (state: Partial<ValidatorState>): Setup => {
  const setup = evidenceChain();
  setup.validators.add(OFFENDER, state);
  return setup;
};

const AGE_FACTS = { age: AGE, maxAge: 172_800n * SECOND };
const VALIDATOR = [
  "validator",
  "ok",
  { address: OFFENDER, operator: OFFENDER, status: "bonded" },
] as const;
const PUBLIC_KEY = ["public_key", "ok", { address: OFFENDER, found: "yes" }] as const;

describe("an infraction is punished", () => {
  test("once every question is answered, each of which is a step with its facts", () => {
    const setup = evidenceChain();
    expect(punished(setup)).toBeUndefined();
    expect(steps(setup)).toEqual([
      VALIDATOR,
      PUBLIC_KEY,
      ["age", "ok", AGE_FACTS],
      ["signing_info", "ok", { found: true }],
      ["tombstoned", "ok", { tombstoned: false }],
      ["stake", "info", { height: 7 }],
    ]);
  });

  test("by slash, jail, jail until the end of time and tombstone, with one line in the log before", () => {
    const setup = evidenceChain();
    punished(setup);
    expect(setup.validators.calls).toEqual([
      `slash ${NAME} 50000000000000000 100 7 double_sign`,
      `jail ${NAME}`,
      `jailUntil ${NAME} 253402300799000000000`,
      `tombstone ${NAME}`,
    ]);
    expect(setup.chain.trace.logs).toEqual([
      { level: "info", module: "x/evidence", text: "confirmed equivocation", fields: FIELDS },
    ]);
  });

  test("by the stake of the height before it, genesis included", () => {
    const setup = evidenceChain();
    punished(setup, { height: 1 });
    expect(setup.validators.calls[0]).toBe(`slash ${NAME} 50000000000000000 100 0 double_sign`);
  });

  test("without a second jailing where the validator is jailed, which is a step", () => {
    const setup = withState({ jailed: true });
    expect(punished(setup)).toBeUndefined();
    expect(setup.validators.calls.map((call) => call.split(" ")[0])).toEqual([
      "slash",
      "jailUntil",
      "tombstone",
    ]);
    expect(steps(setup).at(-1)).toEqual(["already_jailed", "info", {}]);
  });

  test("while the validator unbonds", () => {
    const setup = withState({ status: "unbonding" });
    expect(punished(setup)).toBeUndefined();
    expect(setup.validators.calls).toHaveLength(4);
  });

  test("without a look at the public key where staking does not manage the validator", () => {
    const setup = withState({ operator: new Uint8Array() });
    setup.validators.withoutPubkey.add(NAME);
    expect(punished(setup)).toBeUndefined();
    expect(steps(setup)[1]).toEqual([
      "public_key",
      "info",
      { address: OFFENDER, found: "not_asked" },
    ]);
  });
});

describe("an infraction is ignored", () => {
  /** Asserts that the validator and the log are unchanged. */
  const untouched = ({ validators, chain }: Setup): void => {
    expect(validators.calls).toEqual([]);
    expect(chain.trace.logs).toEqual([]);
  };

  test("of a validator that staking does not know, without a line for the log", () => {
    const setup = evidenceChain();
    const address = testAddress("stranger");
    expect(punished(setup, { address })).toEqual({ cause: { kind: "unknown_validator", address } });
    expect(steps(setup)).toEqual([["unknown_validator", "ignored", { address }]]);
    untouched(setup);
  });

  test("of an unbonded validator, without a line for the log", () => {
    const setup = withState({ status: "unbonded" });
    expect(punished(setup)).toEqual({ cause: { kind: "unbonded", address: OFFENDER } });
    expect(steps(setup)).toEqual([
      ["validator", "ignored", { address: OFFENDER, operator: OFFENDER, status: "unbonded" }],
    ]);
    untouched(setup);
  });

  test("without a public key, with an error for the log", () => {
    const setup = evidenceChain();
    setup.validators.withoutPubkey.add(NAME);
    expect(punished(setup)).toEqual({
      cause: { kind: "no_public_key", address: OFFENDER },
      log: {
        level: "error",
        text: `ignore evidence; expected public key for validator ${NAME} not found`,
      },
    });
    expect(steps(setup)).toEqual([
      VALIDATOR,
      ["public_key", "ignored", { address: OFFENDER, found: "no" }],
    ]);
    untouched(setup);
  });

  test("when it is too old, with both limits for the log", () => {
    const setup = evidenceChain();
    const maxEvidenceAge = { duration: AGE - 1n, blocks: 11 };
    const evidenceAge = "time-and-blocks";
    expect(punished(setup, { maxEvidenceAge, profile: { evidenceAge } })).toEqual({
      cause: {
        kind: "too_old",
        height: 8,
        time: timeAt(8),
        oldest: timeAt(8) + 1n,
        minHeight: 9,
      },
      log: {
        level: "info",
        text: "ignored equivocation; evidence too old",
        fields: { ...FIELDS, max_age_num_blocks: "11", max_age_duration: String(AGE - 1n) },
      },
    });
    expect(steps(setup)).toEqual([
      VALIDATOR,
      PUBLIC_KEY,
      ["age", "ignored", { age: AGE, maxAge: AGE - 1n, blocks: { age: 12, max: 11 } }],
    ]);
    untouched(setup);
  });

  test("when the validator is tombstoned, with the infraction for the log", () => {
    const setup = evidenceChain();
    setup.validators.tombstoned.add(NAME);
    expect(punished(setup)).toEqual({
      cause: { kind: "tombstoned", address: OFFENDER },
      log: {
        level: "info",
        text: "ignored equivocation; validator already tombstoned",
        fields: FIELDS,
      },
    });
    expect(steps(setup).slice(3)).toEqual([
      ["signing_info", "ok", { found: true }],
      ["tombstoned", "ignored", { tombstoned: true }],
    ]);
    untouched(setup);
  });
});

describe("an infraction fails the block", () => {
  test("without signing info: a panic", () => {
    const setup = evidenceChain();
    setup.validators.withoutSigningInfo.add(NAME);
    const error = thrownBy(() => punished(setup));
    expect(error).toBeInstanceOf(Panic);
    expect(error.message).toBe(`expected signing info for validator ${NAME} but not found`);
    expect(steps(setup).at(-1)).toEqual(["signing_info", "halt", { found: false }]);
  });

  test("of an unknown validator, where the profile says so", () => {
    const setup = evidenceChain();
    const address = testAddress("stranger");
    const failing = () => punished(setup, { address, profile: { unknownValidator: "error" } });
    expect(refusalOf(failing)).toBe("staking/3 validator does not exist");
    expect(steps(setup)).toEqual([["unknown_validator", "halt", { address }]]);
  });
});
