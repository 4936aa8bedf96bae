import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { toHex } from "../../../base/bytes.ts";
import { fromHex } from "../../../base/from-hex.ts";
import { DAY, formatRfc3339, SECOND } from "../../../base/time.ts";
import { DVPairsSchema } from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import {
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import { timeKey } from "../../framework/keys.ts";
import { getUnbondingDelegation } from "../../modules/staking/unbonding.ts";
import { getValidator } from "../../modules/staking/validators.ts";
import {
  acc,
  cons,
  op,
  POWER,
  StakingChain,
  type StakingChainOptions,
  stake,
  val,
} from "./testing.ts";

const BONDED = accAddress(moduleAddress("bonded_tokens_pool"));
const NOT_BONDED = accAddress(moduleAddress("not_bonded_tokens_pool"));

const started = (options: Partial<StakingChainOptions> = {}): StakingChain => {
  const chain = new StakingChain({
    validators: { a: 10, b: 8 },
    accounts: { a: 50n * POWER, dan: 50n * POWER, new: 50n * POWER },
    ...options,
  });
  chain.runTo(3);
  return chain;
};

describe("MsgDelegate", () => {
  test("moves tokens into the pool of the validator's status and issues shares", () => {
    const chain = started();
    expect(chain.inTx((ctx) => chain.delegate(ctx, "dan", "a", 5n))).toEqual([
      `coin_spent{spender=${acc("dan")}, amount=5stake}`,
      `coin_received{receiver=${BONDED}, amount=5stake}`,
      `delegate{validator=${val("a")}, delegator=${acc("dan")}, amount=5stake, new_shares=5.000000000000000000}`,
    ]);
    expect(chain.updates).toEqual([]);
    expect(chain.validator("a").tokens).toBe(10n * POWER + 5n);
  });

  test("to a jailed validator is allowed", () => {
    const chain = started();
    chain.next({ begin: (ctx) => chain.staking.keeper.jail(ctx, cons("a")) });
    const [, received] = chain.inTx((ctx) => chain.delegate(ctx, "dan", "a", 5n));
    expect(received).toBe(`coin_received{receiver=${NOT_BONDED}, amount=5stake}`);
  });

  test.each([
    [{ validatorAddress: "x" }, "sdk", 7, /^invalid validator address: .*: invalid address$/],
    [{ delegatorAddress: "" }, "sdk", 7, /^invalid delegator address: .*: invalid address$/],
    [{ amount: stake(0) }, "sdk", 18, /^invalid delegation amount: invalid request$/],
    [{ amount: undefined }, "sdk", 18, /^invalid delegation amount: invalid request$/],
    [{ validatorAddress: val("x") }, "staking", 3, /^validator does not exist$/],
    [
      { amount: { denom: "atom", amount: "1" } },
      "sdk",
      18,
      /^invalid coin denomination: got atom, expected stake: invalid request$/,
    ],
    [
      { amount: stake(51n * POWER) },
      "sdk",
      5,
      /^failed to delegate; 50000000stake is smaller than 51000000stake: insufficient funds$/,
    ],
  ])("%j is refused with %s %i", (change, codespace, code, text) => {
    const chain = started();
    const good = { delegatorAddress: acc("dan"), validatorAddress: val("a"), amount: stake(1) };
    const { amount = undefined, ...rest } = { ...good, ...change };
    const init = amount === undefined ? rest : { ...rest, amount };
    const error = chain.refusal((ctx) => chain.send(ctx, MsgDelegateSchema, init));
    expect(error).toMatchObject({ codespace, code, message: expect.stringMatching(text) });
  });
});

describe("MsgUndelegate", () => {
  test("waits the whole unbonding time and is paid out at its end, not before", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n * POWER) });
    const end = chain.time + 5n * SECOND + 21n * DAY;
    const events = chain.inTx((ctx) => chain.undelegate(ctx, "dan", "a", 4n * POWER));
    expect(events.at(-1)).toBe(
      `unbond{validator=${val("a")}, delegator=${acc("dan")}, amount=4000000stake, completion_time=${formatRfc3339(end)}}`,
    );
    expect(events).toContain(
      `transfer{recipient=${NOT_BONDED}, sender=${BONDED}, amount=4000000stake}`,
    );
    expect(chain.pools()).toEqual({ bonded: 23n * POWER, notBonded: 4n * POWER });
    chain.wait(end - chain.time - 6n * SECOND);
    expect(chain.next()).toEqual([]);
    expect(chain.balance("dan")).toBe(41n * POWER);
    chain.wait(-4n * SECOND);
    expect(chain.next()).toEqual([
      `coin_spent{spender=${NOT_BONDED}, amount=4000000stake}`,
      `coin_received{receiver=${acc("dan")}, amount=4000000stake}`,
      `complete_unbonding{amount=4000000stake, validator=${val("a")}, delegator=${acc("dan")}}`,
    ]);
    expect(chain.time).toBe(end);
    expect(chain.balance("dan")).toBe(45n * POWER);
  });

  test("twice in one block is one entry, paid once; in two blocks two", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    chain.next({
      txs: (ctx) => {
        chain.undelegate(ctx, "dan", "a", 1n);
        chain.undelegate(ctx, "dan", "a", 2n);
      },
    });
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 3n) });
    const ubd = getUnbondingDelegation(chain.context(), op("dan"), op("a"));
    expect(ubd?.entries.map((entry) => entry.initialBalance)).toEqual([3n, 3n]);
    chain.wait(22n * DAY);
    const paid = chain.next().filter((event) => event.startsWith("complete_unbonding"));
    expect(paid).toEqual([
      `complete_unbonding{amount=6stake, validator=${val("a")}, delegator=${acc("dan")}}`,
    ]);
  });

  test("of more than max_entries at once is staking 27", () => {
    const chain = started({ staking: { maxEntries: 2 } });
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 1n) });
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 1n) });
    chain.next();
    expect(chain.refusal((ctx) => chain.undelegate(ctx, "dan", "a", 1n))).toMatchObject({
      code: 27,
      message: "too many unbonding delegation entries for (delegator, validator) tuple",
    });
  });

  test("of more than the delegation holds, or without one, is refused", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 9n) });
    expect(chain.refusal((ctx) => chain.undelegate(ctx, "dan", "a", 10n))).toMatchObject({
      code: 18,
      message: "invalid shares amount: invalid request",
    });
    expect(chain.refusal((ctx) => chain.undelegate(ctx, "dan", "b", 1n))).toMatchObject({
      codespace: "staking",
      code: 19,
    });
    const zero = { delegatorAddress: acc("dan"), validatorAddress: val("a"), amount: stake(0) };
    expect(chain.refusal((ctx) => chain.send(ctx, MsgUndelegateSchema, zero))).toMatchObject({
      message: "invalid shares amount: invalid request",
    });
  });

  test("by the operator below its minimum jails the validator, without any signing info changing", () => {
    const chain = started();
    const before = chain.slashing.keeper.getSigningInfo(chain.context(), cons("a"));
    const events = chain.inTx((ctx) => chain.undelegate(ctx, "a", "a", 10n * POWER));
    expect(events.map((event) => event.split("{")[0])).not.toContain("slash");
    expect(chain.validator("a")).toMatchObject({ jailed: true, status: "unbonding" });
    const after = chain.slashing.keeper.getSigningInfo(chain.context(), cons("a"));
    expect(after).toMatchObject({ jailedUntil: 0n, tombstoned: false });
    expect(after?.startHeight).toBe(before?.startHeight);
  });

  test("of the last share removes an unbonded validator at once, an unbonding one when it matures", () => {
    const chain = started();
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "a", "a", 10n * POWER) });
    chain.runTo(chain.height + 4);
    expect(chain.validator("a").delegatorShares).toBe(0n);
    chain.wait(21n * DAY);
    chain.next();
    expect(getValidator(chain.context(), op("a"))).toBeUndefined();
    expect(chain.balance("a")).toBe(60n * POWER);
  });
});

test("what matures at one moment is one list, as upstream stores it", () => {
  const chain = new StakingChain({
    validators: { a: 10, b: 8 },
    accounts: { dan: 50n * POWER, eve: 50n * POWER },
  });
  chain.next({
    txs: (ctx) => {
      for (const name of ["dan", "eve"]) chain.delegate(ctx, name, "a", 9n);
      for (const name of ["eve", "dan"]) chain.undelegate(ctx, name, "a", 2n);
      chain.redelegate(ctx, "dan", "a", "b", 1n);
    },
  });
  const keys = () => Object.keys(chain.test.dump("staking"));
  const moment = toHex(timeKey(chain.time + 21n * DAY));
  expect(keys().filter((key) => /^4[12]/.test(key))).toEqual([`41${moment}`, `42${moment}`]);
  const bytes = chain.test.dump("staking")[`41${moment}`] ?? "";
  expect(fromBinary(DVPairsSchema, fromHex(bytes)).pairs).toMatchObject([
    { delegatorAddress: acc("eve"), validatorAddress: val("a") },
    { delegatorAddress: acc("dan"), validatorAddress: val("a") },
  ]);
  chain.wait(21n * DAY);
  expect(chain.next().filter((event) => event.startsWith("complete_"))).toEqual([
    `complete_unbonding{amount=2stake, validator=${val("a")}, delegator=${acc("eve")}}`,
    `complete_unbonding{amount=2stake, validator=${val("a")}, delegator=${acc("dan")}}`,
    `complete_redelegation{amount=1stake, delegator=${acc("dan")}, source_validator=${val("a")}, destination_validator=${val("b")}}`,
  ]);
  expect(keys().filter((key) => /^4[12]/.test(key))).toEqual([]);
});
