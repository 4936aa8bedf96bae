import { expect, test, vi } from "vitest";
import { valAddress } from "../../../base/bech32.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { packPubkey } from "../../../engine/modules/staking/codec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../../../engine/simulation/testing.ts";
import { MsgCreateValidatorSchema } from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import { lazyObserver } from "./observed.ts";
import { TrackedValidators } from "./validators.ts";

function watched() {
  const sim = Simulation.create(worldSpec());
  const follow = lazyObserver(sim);
  follow();
  return { sim, frame: () => follow().frames.build({ samples: true }) };
}

const sum = (powers: readonly number[]): number => powers.reduce((a, b) => a + b, 0);

test("a second node with a key is another node and no other validator", () => {
  const { sim, frame } = watched();
  runTo(sim, 2);
  sim.apply({ type: "node", node: "val-3", action: { kind: "twin" } });
  runTo(sim, 3);
  const { nodes, validators, samples } = frame();
  expect(nodes.map(({ name, validator }) => [name, validator])).toEqual([
    ["val-0", "val-0"],
    ["val-1", "val-1"],
    ["val-2", "val-2"],
    ["val-3", "val-3"],
    ["val-3-twin", "val-3"],
  ]);
  expect(validators.map(({ name, power }) => [name, power])).toEqual([
    ["val-0", 100],
    ["val-1", 100],
    ["val-2", 100],
    ["val-3", 100],
  ]);
  expect(samples.map(({ powers }) => sum(powers))).toEqual(samples.map(() => 400));
});

test("one that is seen first with its twin goes by its own name", () => {
  const sim = Simulation.create(worldSpec());
  sim.apply({ type: "node", node: "val-0", action: { kind: "twin" } });
  runTo(sim, 6);
  const { frames, observer } = lazyObserver(sim)();
  const { validators } = frames.build({});
  expect(validators.map(({ name }) => name)).toEqual(["val-0", "val-1", "val-2", "val-3"]);
  expect(observer.validators.nameOf(validators[0]?.consensusAddress ?? "")).toBe("val-0");
  expect(observer.validators.nameOf("chainvalcons1x")).toBe("chainvalcons1x");
});

test("a validator whose key is on no node joins the list under its operator's name and keeps its place", () => {
  const { sim, frame } = watched();
  runTo(sim, 2);
  sim.apply({
    type: "tx",
    signer: "alice",
    messages: [
      packInit(MsgCreateValidatorSchema, {
        description: { moniker: "far" },
        commission: { rate: "0", maxRate: "0", maxChangeRate: "0" },
        minSelfDelegation: "1",
        validatorAddress: valAddress(sim.account("alice") ?? new Uint8Array()),
        pubkey: packPubkey(sim.consensusKey("far")),
        value: { denom: "stake", amount: "50000000" },
      }),
    ],
  });
  runTo(sim, 3);
  expect(frame().validators).toHaveLength(4);
  runTo(sim, 7);
  const { validators, nodes, samples } = frame();
  expect(nodes).toHaveLength(4);
  expect(validators[4]).toMatchObject({
    name: "alice",
    power: 50,
    bond: "bonded",
    jailed: false,
    tombstoned: false,
    tokens: "50000000",
    burned: "0",
    signed: false,
    proposer: false,
  });
  expect(samples.at(-1)?.powers).toEqual([100, 100, 100, 100, 50]);
});

test("the set is read only when it has changed", () => {
  const sim = Simulation.create(worldSpec());
  const read = vi.spyOn(sim, "validators");
  const known = new TrackedValidators(sim);
  const observeTo = (height: number): void => {
    while (sim.height < height) {
      sim.advance();
      known.observe();
    }
  };
  observeTo(10);
  expect(read).toHaveBeenCalledTimes(1);
  const { powers } = known;
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 9 });
  observeTo(20);
  expect(read).toHaveBeenCalledTimes(2);
  expect([sum(powers), sum(known.powers)]).toEqual([400, 300]);
});

test("one that leaves is in the set of one more block, and signs it", () => {
  const { sim, frame } = watched();
  runTo(sim, 9);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 9 });
  const seen = [10, 11, 12].map((height) => {
    runTo(sim, height);
    const { tombstoned, power, nextPower, signed, absent } = frame().validators[3] ?? {};
    return { tombstoned, power, nextPower, signed, absent };
  });
  expect(seen).toEqual([
    { tombstoned: true, power: 100, nextPower: 0, signed: true, absent: false },
    { tombstoned: true, power: 0, nextPower: 0, signed: true, absent: false },
    { tombstoned: true, power: 0, nextPower: 0, signed: false, absent: false },
  ]);
});

test("one whose precommit is missing is absent from the commit of its set", () => {
  const { sim, frame } = watched();
  runTo(sim, 2);
  sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  runTo(sim, 3);
  expect(frame().validators.map(({ signed, absent }) => [signed, absent])).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [false, true],
  ]);
});
