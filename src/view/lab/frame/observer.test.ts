import { sha256 as portable } from "@noble/hashes/sha2.js";
import { describe, expect, test } from "vitest";
import { accAddress, consAddress, valAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { setSha256 } from "../../../base/sha256.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { Equivocation } from "../../../engine/modules/evidence/equivocation.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { acceptLightClientAttacks } from "../../../engine/simulation/light-client-attacks.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  cancelUpgrade,
  install,
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import { ScriptedEvidenceSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { MsgUndelegateSchema } from "../../../gen/chain/staking/v1beta1/tx_pb.ts";
import { TEXTS } from "../texts.ts";
import { MARK } from "./marks.ts";
import { Observer } from "./observer.ts";

acceptLightClientAttacks();

const ACCOUNT = accAddress(accountOf("val-3"));

function undelegate(sim: Simulation, amount: bigint): void {
  const message = packInit(MsgUndelegateSchema, {
    delegatorAddress: ACCOUNT,
    validatorAddress: valAddress(accountOf("val-3")),
    amount: { denom: "stake", amount: `${amount}` },
  });
  sim.apply({ type: "tx", signer: "val-3", messages: [message] });
}

const scripted = (height: bigint, outcome: string) =>
  packInit(MsgSubmitEvidenceSchema, {
    submitter: ACCOUNT,
    evidence: packInit(ScriptedEvidenceSchema, { height, outcome, text: "no" }),
  });

/** Number of hashes that a function computes. */
function hashesOf(work: () => void): number {
  let hashes = 0;
  const counting = (input: Uint8Array): Uint8Array => {
    hashes += 1;
    return portable(input);
  };
  setSha256({
    bytes: counting,
    into: (input, length, target, at) => target.set(counting(input.subarray(0, length)), at),
    text: (input) => String.fromCharCode(...counting(input)),
  });
  work();
  return hashes;
}

test("a chain that is observed hashes no more than one that is not", () => {
  const [watched, alone] = [Simulation.create(worldSpec()), Simulation.create(worldSpec())];
  const observer = new Observer(watched, TEXTS);
  const work = (sim: Simulation): void => {
    undelegate(sim, 1n);
    runRounds(sim, 3);
  };
  const hashes = hashesOf(() => work(alone));
  const observed = hashesOf(() => {
    work(watched);
    observer.observe();
  });
  expect(observed).toBe(hashes);
  expect(observer.cellsAfter(0)).toHaveLength(watched.height);
});

const stepsOf = (observer: Observer) =>
  observer.activityAfter(0).filter(({ kind }) => kind === "step");

test("what slashing takes of unbonding tokens is part of what the validator has burned", () => {
  const sim = Simulation.create(worldSpec());
  const observer = new Observer(sim, TEXTS);
  runTo(sim, 3);
  undelegate(sim, 20_000_000n);
  runTo(sim, 5);
  for (const validator of ["val-3", "val-2"]) {
    sim.apply({ type: "misbehavior", kind: 1, validator, height: 2 });
  }
  runTo(sim, 7);
  observer.observe();
  const val3 = consAddress(sim.node("val-3")?.consensusAddress ?? new Uint8Array());
  expect(observer.burns.of(val3)).toBe(5_000_000n);
  expect(observer.burns.total).toBe(10_000_000n);
});

test("pieces of evidence are counted, those of transactions and those against no validator too", () => {
  const sim = Simulation.create(worldSpec({ evidenceRoutes: ["scripted"] }, 7));
  const observer = new Observer(sim, TEXTS);
  const counted = (height: number) => {
    runTo(sim, height);
    observer.observe();
    return [observer.evidenceDecided, ...observer.evidenceIn];
  };
  expect(counted(3)).toEqual([0]);
  const messages = [scripted(1n, "accept"), scripted(2n, "accept")];
  sim.apply({ type: "tx", signer: "val-3", messages });
  expect(counted(4)).toEqual([2, 4]);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-2", height: 2 });
  sim.apply({ type: "tx", signer: "val-3", messages: [scripted(3n, "reject")] });
  expect(counted(6)).toEqual([4, 4, 5]);
  const by = ["val-0", "val-1", "val-3", "val-4", "val-5"];
  sim.apply({ type: "light_client_attack", kind: "amnesia", by });
  expect(counted(7)).toEqual([5, 4, 5, 7]);
});

test("a plan that is cancelled leaves its name, its height, and the block that took it back", () => {
  const sim = Simulation.create(worldSpec());
  const observer = new Observer(sim, TEXTS);
  pass(sim, softwareUpgrade(sim, "v2", 80));
  pass(sim, cancelUpgrade(sim));
  observer.observe();
  const counted = observer.cellsAfter(0).findLast(({ marks }) => marks & MARK.proposal);
  expect(observer.endedPlans).toEqual([{ name: "v2", height: 80, block: counted?.height }]);
});

test("a plan that was applied was not taken back", () => {
  const sim = Simulation.create(worldSpec());
  const observer = new Observer(sim, TEXTS);
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runRounds(sim, 30);
  install(sim, "v2", ...sim.nodes().map(({ name }) => name));
  runTo(sim, 25);
  observer.observe();
  expect(observer.endedPlans).toEqual([]);
});

test("marks of long ago are known when the cells beside them are not, a node's halt among them", () => {
  const sim = Simulation.create(worldSpec());
  const observer = new Observer(sim, TEXTS);
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runRounds(sim, 30);
  observer.observe();
  install(sim, "v2", ...sim.nodes().map(({ name }) => name));
  runTo(sim, 25);
  const later = new Observer(sim, TEXTS, observer.state());
  runTo(sim, 500);
  later.observe();
  expect(later.cellsAfter(0)[0]?.height).toBe(101);
  const upgraded = later.marked().find(({ height }) => height === 20);
  expect(upgraded?.marks).toBe(MARK.upgrade | MARK.halt);
  expect(later.marked().filter(({ marks }) => marks & MARK.plan)).toHaveLength(1);
});

test("a plan that a failed proposal took back marks no block; one that stays marks its own", () => {
  const sim = Simulation.create(worldSpec());
  const observer = new Observer(sim, TEXTS);
  const plan = softwareUpgrade(sim, "v2", 60);
  const planMarks = (): number[] => {
    observer.observe();
    return observer.cellsAfter(0).flatMap(({ height, marks }) => (marks & MARK.plan ? height : []));
  };
  const scheduled = () => stepsOf(observer).filter(({ what }) => what === "schedule").length;
  runTo(sim, 3);
  pass(sim, plan, softwareUpgrade(sim, "v2", 2));
  expect(planMarks()).toEqual([]);
  expect(scheduled()).toBe(1);
  pass(sim, plan);
  expect(planMarks()).toEqual([31]);
  expect(scheduled()).toBe(2);
});

test("the block that stored evidence is known, also after a migration wrote it anew", () => {
  const spec = worldSpec();
  const v2 = { ...spec.binaries[1], modules: { ...spec.binaries[1]?.modules, evidence: 2 } };
  const sim = Simulation.create({
    ...spec,
    binaries: [spec.binaries[0], v2] as typeof spec.binaries,
  });
  const observer = new Observer(sim, TEXTS);
  runTo(sim, 3);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
  runTo(sim, 4);
  observer.observe();
  const address = consAddress(sim.node("val-3")?.consensusAddress ?? new Uint8Array());
  const evidence = Equivocation.of(2, sim.timeAt(2) ?? 0n, 100, address);
  const hash = toHexUpper(evidence.hash());
  expect(observer.storedIn(hash)).toBe(4);
  expect(observer.storedIn("00")).toBe(0);
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runRounds(sim, 30);
  install(sim, "v2", "val-0", "val-1", "val-2");
  runRounds(sim, 10);
  expect(sim.height).toBeGreaterThan(20);
  observer.observe();
  expect(observer.storedIn(hash)).toBe(4);
  expect(stepsOf(observer).some(({ what }) => what === "migrate evidence")).toBe(true);
});

describe("an observer made from what another has recorded", () => {
  test("records and answers from then on as that one does", () => {
    const sim = Simulation.create(worldSpec());
    const straight = new Observer(sim, TEXTS);
    const play = (observers: readonly Observer[], to: number): void => {
      while (sim.height < to) {
        sim.advance();
        for (const observer of observers) observer.observe();
      }
    };
    play([straight], 3);
    undelegate(sim, 20_000_000n);
    sim.apply({ type: "misbehavior", kind: 1, validator: "val-3", height: 2 });
    play([straight], 150);
    straight.addNote("what a person is told");
    const restored = new Observer(sim, TEXTS, structuredClone(straight.state()));
    expect(restored.state()).toEqual(straight.state());
    undelegate(sim, 30_000_000n);
    play([straight, restored], 300);
    expect(restored.state()).toEqual(straight.state());
    expect(restored.activityAfter(0)).toEqual(straight.activityAfter(0));
    expect(restored.cellsAfter(0)).toEqual(straight.cellsAfter(0));
    expect(restored.samples()).toEqual(straight.samples());
    expect(restored.burns.total).toBeGreaterThan(0n);
  });
});
