import { expect, test } from "vitest";
import { accAddress, valAddress } from "../../../base/bech32.ts";
import { SECOND } from "../../../base/time.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { durationMessage } from "../../../engine/framework/time-messages.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import { MsgUndelegateSchema } from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

function world(...input: Parameters<typeof worldSpec>) {
  const sim = Simulation.create(worldSpec(...input));
  const queries = new WorldQueries(sim, lazyObserver(sim));
  const states = (validator: string) => queries.lab("getValidatorStates", { validator }).states;
  return { sim, states };
}

test("a validator that is bonded has nothing to explain, and one that is not there is not found", () => {
  const { sim, states } = world();
  runTo(sim, 2);
  expect(states("val-1")).toEqual([]);
  expect(() => states("val-9")).toThrow("there is no validator val-9");
});

test("a tombstone has its evidence, and the unbonding that follows its end", () => {
  const { sim, states } = world();
  runTo(sim, 5);
  sim.apply({ type: "double_sign", node: "val-2" });
  runTo(sim, 8);
  expect(states("val-2")).toMatchObject([
    {
      ...{ state: "tombstoned", cause: "duplicate vote", block: 7, height: 6, burned: "5000000" },
      ...{ evidence: expect.stringMatching(/^[0-9A-F]{64}$/), until: "" },
    },
    {
      ...{ state: "unbonding", cause: "jailed", block: 7, over: false },
      ...{ until: "2026-01-22T00:00:30Z", untilHeight: 362_887 },
    },
  ]);
});

test("jailed for downtime is until a time, about a block, and over when that has come", () => {
  const slashing = {
    signedBlocksWindow: 10n,
    minSignedPerWindow: new TextEncoder().encode("500000000000000000"),
    downtimeJailDuration: durationMessage(60n * SECOND),
  };
  const { sim, states } = world({ slashing });
  runTo(sim, 20);
  sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  runTo(sim, 27);
  const jailed = {
    ...{ state: "jailed", cause: "downtime", block: 27, missed: 6, window: 10, allowed: 5 },
    ...{ burned: "1000000", until: "2026-01-01T00:03:18Z", untilHeight: 39 },
  };
  expect(states("val-3")[0]).toMatchObject({ ...jailed, over: false });
  expect(states("val-3")[1]).toMatchObject({ state: "unbonding", cause: "jailed", block: 27 });
  runTo(sim, 39);
  expect(states("val-3")[0]).toMatchObject({ ...jailed, over: true });
});

test("jailed for its own delegation has no time that ends it, and unbonding ends in unbonded", () => {
  const { sim, states } = world({ staking: { unbondingTime: durationMessage(20n * SECOND) } });
  runTo(sim, 3);
  const message = packInit(MsgUndelegateSchema, {
    delegatorAddress: accAddress(accountOf("val-3")),
    validatorAddress: valAddress(accountOf("val-3")),
    amount: { denom: "stake", amount: "100000000" },
  });
  sim.apply({ type: "tx", signer: "val-3", messages: [message] });
  runTo(sim, 5);
  expect(states("val-3")).toMatchObject([
    { state: "jailed", cause: "self_delegation", block: 4, until: "" },
    { state: "unbonding", cause: "jailed" },
  ]);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-2", height: 2 });
  runTo(sim, 12);
  expect(states("val-3")).toMatchObject([{ state: "removed" }]);
  expect(states("val-2")).toMatchObject([
    { state: "tombstoned" },
    { state: "unbonded", cause: "over", over: true },
  ]);
});
