import { describe, expect, test } from "vitest";
import { MINUTE, SECOND } from "../../../base/time.ts";
import { MsgUnjailSchema } from "../../../gen/chain/slashing/v1beta1/tx_pb.ts";
import type { Context } from "../../framework/context.ts";
import { thrownBy } from "../../framework/testing.ts";
import { cons, POWER, StakingChain } from "./testing.ts";

const started = (): StakingChain => {
  const chain = new StakingChain({
    validators: { a: 10, b: 20 },
    accounts: { a: 10n * POWER, new: 10n * POWER, dan: 10n * POWER },
    staking: { unbondingTime: 60n * MINUTE },
  });
  chain.runTo(3);
  return chain;
};

const jail = (ctx: Context, chain: StakingChain, until: bigint): void => {
  chain.slashing.keeper.jail(ctx, cons("a"));
  chain.slashing.keeper.jailUntil(ctx, cons("a"), until);
};

const refusal = (chain: StakingChain, name: string) =>
  thrownBy(() => chain.next({ txs: (ctx) => chain.unjail(ctx, name) }));

describe("MsgUnjail refuses (rules/slashing 6.1)", () => {
  test("an address that does not read: sdk 7", () => {
    const chain = started();
    const body = () => chain.send(chain.context(), MsgUnjailSchema, { validatorAddr: "x" });
    expect(thrownBy(body)).toMatchObject({
      codespace: "sdk",
      code: 7,
      message:
        "validator input address: decoding bech32 failed: invalid bech32 string length 1: invalid address",
    });
  });

  test("an operator without a validator: staking 3", () => {
    expect(refusal(started(), "unknown")).toMatchObject({
      codespace: "staking",
      code: 3,
      message: "validator does not exist",
    });
  });

  test("a validator without self delegation: staking 19", () => {
    const chain = started();
    chain.next({
      txs: (ctx) => {
        chain.delegate(ctx, "dan", "a", POWER);
        chain.undelegate(ctx, "a", "a", 10n * POWER);
      },
    });
    expect(refusal(chain, "a")).toMatchObject({
      codespace: "staking",
      code: 19,
      message: "no delegation for (address, validator) tuple",
    });
  });

  test("a self delegation below the minimum: slashing 7, with both amounts", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.create(ctx, "new", 5n * POWER, 4n * POWER) });
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "new", "new", 2n * POWER) });
    expect(chain.validator("new").jailed).toBe(true);
    expect(refusal(chain, "new")).toMatchObject({
      codespace: "slashing",
      code: 7,
      message:
        "3000000 less than 4000000: validator's self delegation less than minimum; cannot be unjailed",
    });
  });

  test("a validator that is not jailed: slashing 5", () => {
    expect(refusal(started(), "a")).toMatchObject({
      codespace: "slashing",
      code: 5,
      message: "validator not jailed; cannot be unjailed",
    });
  });

  test("a tombstoned validator: slashing 4, not 9", () => {
    const chain = started();
    chain.next({
      begin: (ctx) => {
        jail(ctx, chain, 0n);
        chain.slashing.keeper.tombstone(ctx, cons("a"));
      },
    });
    expect(refusal(chain, "a")).toMatchObject({
      codespace: "slashing",
      code: 4,
      message: "validator still jailed; cannot be unjailed",
    });
    expect(chain.takeSteps()).toContain("tombstoned: yes, for ever [refused]");
  });

  test("before its time is up: slashing 4; at that very time it is free", () => {
    const chain = started();
    const until = chain.time + 20n * SECOND;
    chain.next({ begin: (ctx) => jail(ctx, chain, until) });
    expect(refusal(chain, "a")).toMatchObject({ codespace: "slashing", code: 4 });
    chain.wait(until - chain.time - 5n * SECOND);
    chain.next({ txs: (ctx) => chain.unjail(ctx, "a") });
    expect(chain.time).toBe(until);
    expect(chain.validator("a")).toMatchObject({ jailed: false, status: "bonded" });
    expect(chain.updates).toEqual([{ pubKey: chain.validator("a").consensusPubkey, power: 10 }]);
  });
});

test("TestUnJailNotBonded: one that was never bonded unjails as soon as its self bond is back", () => {
  const chain = new StakingChain({
    validators: { a: 10, b: 20 },
    accounts: { new: 10n * POWER },
    staking: { maxValidators: 2 },
  });
  chain.next({ txs: (ctx) => chain.create(ctx, "new", 5n * POWER, 5n * POWER) });
  chain.next({ txs: (ctx) => chain.undelegate(ctx, "new", "new", 1n) });
  expect(chain.validator("new")).toMatchObject({ jailed: true, status: "unbonded" });
  expect(chain.slashing.keeper.hasValidatorSigningInfo(chain.context(), cons("new"))).toBe(false);
  chain.next({
    txs: (ctx) => {
      chain.delegate(ctx, "new", "new", 1n);
      chain.unjail(ctx, "new");
    },
  });
  expect(chain.validator("new").jailed).toBe(false);
});

test("unjailing gives no event of slashing or staking", () => {
  const chain = started();
  chain.next({ begin: (ctx) => jail(ctx, chain, 0n) });
  let events: string[] = [];
  chain.next({
    txs: (ctx) => {
      chain.unjail(ctx, "a");
      events = chain.test.takeEvents();
    },
  });
  expect(events).toEqual([]);
});
