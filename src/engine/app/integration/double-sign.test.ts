import { describe, expect, test } from "vitest";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { decFromString, ONE } from "../../../base/dec.ts";
import { DAY, SECOND } from "../../../base/time.ts";
import type { Context } from "../../framework/context.ts";
import type { Profile } from "../../framework/profile.ts";
import { thrownBy } from "../../framework/testing.ts";
import { getValidator } from "../../modules/staking/validators.ts";
import { cons, consText, op, POWER, StakingChain, type StakingChainOptions } from "./testing.ts";

const HALF = ONE / 2n;
const BONDED = accAddress(moduleAddress("bonded_tokens_pool"));
const NOT_BONDED = accAddress(moduleAddress("not_bonded_tokens_pool"));

const OPTIONS: StakingChainOptions = {
  validators: { a: 10, b: 10, c: 10 },
  accounts: { dan: 100n * POWER, eve: 100n * POWER },
};

/** A chain at height 10, where dan and eve have 6 and 4 million staked with a since height 2. */
function started(options: Partial<StakingChainOptions> = {}): StakingChain {
  const chain = new StakingChain({ ...OPTIONS, ...options });
  chain.next();
  chain.next({
    txs: (ctx) => {
      chain.delegate(ctx, "dan", "a", 6n * POWER);
      chain.delegate(ctx, "eve", "a", 4n * POWER);
    },
  });
  chain.runTo(10);
  return chain;
}

const doubleSign = (chain: StakingChain, height: number, power: number, fraction = HALF) => {
  let burned = 0n;
  const events = chain.next({
    begin: (ctx) => {
      burned = chain.staking.keeper.slash(ctx, cons("a"), height, power, fraction);
    },
  });
  return { burned, events };
};

describe("through slashing (rules/slashing 2.1, 2.2, 2.3)", () => {
  const punish = (chain: StakingChain, ctx: Context, name: string): void => {
    const { keeper } = chain.slashing;
    const fraction = keeper.slashFractionDoubleSign(ctx);
    const { height } = chain;
    keeper.slashWithInfractionReason(ctx, cons(name), fraction, 20, height - 2, "double_sign");
    keeper.jail(ctx, cons(name));
    keeper.jailUntil(ctx, cons(name), 253_402_300_799n * SECOND);
    keeper.tombstone(ctx, cons(name));
  };

  test("a double sign gives coin_spent, burn, slash, slash{jailed}, and the set drops it two blocks later", () => {
    const chain = started();
    const events = chain.next({ begin: (ctx) => punish(chain, ctx, "a") });
    expect(events.slice(0, 4)).toEqual([
      `coin_spent{spender=${BONDED}, amount=1000000stake}`,
      `burn{burner=${BONDED}, amount=1000000stake}`,
      `slash{address=${consText("a")}, power=20, reason=double_sign, burned_coins=1000000}`,
      `slash{jailed=${consText("a")}}`,
    ]);
    const left = chain.pools();
    expect(left).toEqual({ bonded: 20n * POWER, notBonded: 19n * POWER });
    expect(events.slice(4)).toEqual([
      `coin_spent{spender=${BONDED}, amount=19000000stake}`,
      `coin_received{receiver=${NOT_BONDED}, amount=19000000stake}`,
      `transfer{recipient=${NOT_BONDED}, sender=${BONDED}, amount=19000000stake}`,
      `message{sender=${BONDED}}`,
    ]);
    const { height } = chain;
    expect(chain.updates).toEqual([{ pubKey: chain.validator("a").consensusPubkey, power: 0 }]);
    expect([height + 1, height + 2].map((h) => chain.sets.get(h)?.length)).toEqual([3, 2]);
  });

  test("a tombstoned validator stays in jail for good, but its delegators can leave", () => {
    const chain = started();
    chain.next({ begin: (ctx) => punish(chain, ctx, "a") });
    chain.wait(30n * DAY);
    chain.next();
    expect(chain.validator("a").status).toBe("unbonded");
    const error = thrownBy(() => chain.next({ txs: (ctx) => chain.unjail(ctx, "a") }));
    expect(error).toMatchObject({
      codespace: "slashing",
      code: 4,
      message: "validator still jailed; cannot be unjailed",
    });
    chain.next({ txs: (ctx) => chain.undelegate(ctx, "dan", "a", 5_700_000n) });
    expect(chain.validator("a").tokens).toBe(13_300_000n);
  });

  /**
   * A chain where a is tombstoned, unbonds all its stake and is removed, and is then created again
   * with the same key.
   */
  function madeAnew(profile: Partial<Profile>): StakingChain {
    const chain = started({ profile });
    chain.next({ begin: (ctx) => punish(chain, ctx, "a") });
    chain.runTo(15);
    chain.wait(30n * DAY);
    chain.next();
    chain.next({
      txs: (ctx) => {
        chain.undelegate(ctx, "a", "a", 9_500_000n);
        chain.undelegate(ctx, "dan", "a", 5_700_000n);
        chain.undelegate(ctx, "eve", "a", 3_800_000n);
      },
    });
    // It was unbonded, so its record was removed with its last share.
    expect(getValidator(chain.context(), op("a"))).toBeUndefined();
    expect(chain.slashing.keeper.getPubkey(chain.context(), cons("a"))).toBeUndefined();
    chain.wait(30n * DAY);
    chain.next();
    chain.next({ txs: (ctx) => chain.create(ctx, "a", 9n * POWER) });
    expect(chain.slashing.keeper.isTombstoned(chain.context(), cons("a"))).toBe(true);
    expect(chain.slashing.keeper.getPubkey(chain.context(), cons("a"))).toEqual(
      chain.validator("a").consensusPubkey,
    );
    return chain;
  }

  test("a key stays tombstoned when its validator is removed and made anew: jailed from the start", () => {
    const chain = madeAnew({ tombstonedKey: "jailed" });
    expect(chain.validator("a")).toMatchObject({ jailed: true, status: "unbonded" });
    expect(chain.validator("a").tokens).toBe(9n * POWER);
    expect(chain.takeSteps()).toContain(
      "tombstoned: its key is, for ever: jailed from the start [refused]",
    );
    expect(chain.updates).toEqual([]);
    const error = thrownBy(() => chain.next({ txs: (ctx) => chain.unjail(ctx, "a") }));
    expect(error).toMatchObject({ codespace: "slashing", code: 4 });
  });

  test("as upstream has it, the validator made anew is bonded and its key is never punished again", () => {
    const chain = madeAnew({ tombstonedKey: "bonded" });
    expect(chain.validator("a")).toMatchObject({ jailed: false, status: "bonded" });
    expect(chain.updates).toEqual([{ pubKey: chain.validator("a").consensusPubkey, power: 9 }]);
  });

  test.each([
    [
      "jailUntil",
      8,
      "cannot jail validator that does not have any signing information: no validator signing info found",
    ],
    [
      "tombstone",
      8,
      "cannot tombstone validator that does not have any signing information: no validator signing info found",
    ],
  ] as const)("%s without signing info is slashing %i", (method, code, message) => {
    const chain = started();
    const { keeper } = chain.slashing;
    const error = thrownBy(() => keeper[method](chain.context(), cons("unknown"), 0n));
    expect(error).toMatchObject({ codespace: "slashing", code, message });
  });

  test("a second tombstone is slashing 9", () => {
    const chain = started();
    chain.next({ begin: (ctx) => punish(chain, ctx, "a") });
    const error = thrownBy(() => chain.slashing.keeper.tombstone(chain.context(), cons("a")));
    expect(error).toMatchObject({
      code: 9,
      message:
        "cannot tombstone validator that is already tombstoned: validator already tombstoned",
    });
  });

  test("jailing a jailed validator is staking 7 there and nothing but an event here", () => {
    const chain = started();
    chain.next({ begin: (ctx) => chain.slashing.keeper.jail(ctx, cons("a")) });
    const error = thrownBy(() => chain.staking.keeper.jail(chain.context(), cons("a")));
    expect(error).toMatchObject({ codespace: "staking", code: 7 });
    expect(error.message).toMatch(
      /^cannot jail already jailed validator, validator: .*: validator for this address is currently jailed$/,
    );
    chain.slashing.keeper.jail(chain.context(), cons("a"));
    expect(chain.test.takeEvents()).toEqual([`slash{jailed=${consText("a")}}`]);
    expect(() => chain.staking.keeper.jail(chain.context(), cons("unknown"))).toThrow(
      `validator with consensus-Address ${consText("unknown")} not found`,
    );
  });

  test("a full slash leaves shares that are worth nothing: delegating is refused, undelegating returns zero", () => {
    const chain = started();
    doubleSign(chain, 9, 20, ONE);
    expect(chain.validator("a")).toMatchObject({ tokens: 0n, status: "unbonding" });
    const error = thrownBy(() => chain.next({ txs: (ctx) => chain.delegate(ctx, "dan", "a", 1n) }));
    expect(error).toMatchObject({
      codespace: "staking",
      code: 34,
      message: "cannot delegate to validators with invalid (zero) ex-rate",
    });
    const { keeper } = chain.staking;
    const { amount } = keeper.undelegate(
      chain.context(),
      op("dan"),
      op("a"),
      decFromString("6000000"),
    );
    expect(amount).toBe(0n);
  });
});
