import { expect, test } from "vitest";
import { EMPTY } from "../../../base/bytes.ts";
import { fromHex } from "../../../base/from-hex.ts";
import { StakingTest } from "./testing.ts";
import { allUnbondingDelegations, setUnbondingDelegation } from "./unbonding.ts";

/** Root after the record of one unbonding delegation was rewritten in a later block. */
function rootAfter(then: (chain: StakingTest) => void): string {
  const chain = new StakingTest({ validators: { a: 10 } });
  chain.next((ctx) => chain.delegate(ctx, "d", "a", 20n));
  chain.next((ctx) => chain.undelegate(ctx, "d", "a", 5n));
  chain.test.commit();
  const ctx = chain.ctx();
  for (const ubd of [...allUnbondingDelegations(ctx)]) setUnbondingDelegation(ctx, ubd);
  then(chain);
  return chain.test.commit();
}

test("an unbonding delegation is written with its index each time, also where that stands already", () => {
  const indexAgain = (chain: StakingTest) => {
    const keys = Object.keys(chain.test.dump("staking")).filter((key) => key.startsWith("33"));
    expect(keys).toHaveLength(1);
    for (const key of keys) chain.ctx().store("staking").set(fromHex(key), EMPTY);
  };
  expect(rootAfter(() => {})).toBe(rootAfter(indexAgain));
});
