import type { Any } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { HOUR, SECOND } from "../../../base/time.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { durationMessage } from "../../../engine/framework/time-messages.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  cancelUpgrade,
  runRounds,
  runTo,
  softwareUpgrade,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import { VoteOption } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import type { CancelAdvice } from "../../../gen/lab/v1/lab_plain.ts";
import { BlockTimes } from "../frame/block-times.ts";
import { FrameBuilder } from "../frame/frame.ts";
import { Observer } from "../frame/observer.ts";
import { TEXTS } from "../texts.ts";

/** Blocks of 5 s; voting of 60 s (12 blocks), expedited of 30 s (6 blocks). */
function world(maxDepositPeriod = 60n * SECOND): Simulation {
  const gov = { maxDepositPeriod: durationMessage(maxDepositPeriod) };
  return Simulation.create(worldSpec({ gov }));
}

/** Queues a proposal and yes votes of all validators, for the same block. */
function propose(
  sim: Simulation,
  id: bigint,
  message: Any,
  expedited = false,
  amount?: string,
): void {
  const proposer = accAddress(accountOf("val-0"));
  const deposit = amount ?? (expedited ? "50000000" : "10000000");
  const send = (signer: string, any: Any): void =>
    void sim.apply({ type: "tx", signer, messages: [any] });
  send(
    "val-0",
    packInit(MsgSubmitProposalSchema, {
      messages: [message],
      initialDeposit: [{ denom: "stake", amount: deposit }],
      proposer,
      title: "a proposal",
      summary: "a proposal",
      expedited,
    }),
  );
  for (const { name } of sim.spec.validators) {
    const voter = accAddress(accountOf(name));
    send(name, packInit(MsgVoteSchema, { proposalId: id, voter, option: VoteOption.YES }));
  }
}

function adviceOn(sim: Simulation, id: number): CancelAdvice | undefined {
  const frame = new FrameBuilder(sim, new Observer(sim, TEXTS), TEXTS).build({});
  return frame.proposals.find((proposal) => proposal.id === id)?.advice;
}

/** A chain at height 4; the proposal is submitted in block 4, and its voting ends in block 16. */
function planned(height: number): Simulation {
  const sim = world();
  runTo(sim, 3);
  propose(sim, 1n, softwareUpgrade(sim, "v2", height));
  runTo(sim, 4);
  return sim;
}

/** True if a cancellation whose voting starts in block `start` is in time. */
function cancels(height: number, start: number, expedited = false): boolean {
  const sim = planned(height);
  runTo(sim, start - 1);
  propose(sim, 2n, cancelUpgrade(sim), expedited);
  runRounds(sim, height + 20 - start);
  return sim.height > height;
}

describe("2 * (VotingPeriod + DepositPeriod) + SafetyDelta (rules/upgrade 3.4)", () => {
  test("is measured from the start of the proposal, in blocks", () => {
    // 2 * (60 s + 60 s) + 60 s are 60 blocks after block 4.
    expect(adviceOn(planned(64), 1)).toMatchObject({ advisedHeight: 64, enough: true });
    expect(adviceOn(planned(63), 1)).toMatchObject({ advisedHeight: 64, enough: false });
  });

  test("a time between two blocks is kept by the later one", () => {
    const sim = world(61n * SECOND);
    propose(sim, 1n, softwareUpgrade(sim, "v2", 100));
    runTo(sim, 1);
    expect(adviceOn(sim, 1)?.advisedHeight).toBe(62);
  });

  test("with the usual deposit period it is days", () => {
    const sim = world(48n * HOUR);
    propose(sim, 1n, softwareUpgrade(sim, "v2", 100));
    runTo(sim, 1);
    expect(adviceOn(sim, 1)).toMatchObject({ advisedHeight: 1 + 96 * 720 + 36, enough: false });
  });
});

describe("the last block in which a cancellation can begin", () => {
  test.each([40, 30, 29, 28, 20, 17])("is right for a plan at height %i", (height) => {
    const advice = adviceOn(planned(height), 1);
    const last = advice?.lastHeight ?? 0;
    // The voting of 12 blocks must end in the block before the plan's.
    expect(last).toBe(height - 13);
    if (last > 4) expect(cancels(height, last)).toBe(true);
    if (last >= 4) expect(cancels(height, last + 1)).toBe(false);
  });

  test("an expedited one can begin later", () => {
    const advice = adviceOn(planned(30), 1);
    expect(advice).toMatchObject({ lastHeight: 17, lastExpeditedHeight: 23 });
    expect(cancels(30, 23, true)).toBe(true);
    expect(cancels(30, 24, true)).toBe(false);
  });

  test("a plan for the block that schedules it fires one block later, which leaves one block more", () => {
    expect(adviceOn(planned(16), 1)).toMatchObject({ lastHeight: 4, lastExpeditedHeight: 10 });
    expect(cancels(16, 10, true)).toBe(true);
    expect(cancels(16, 11, true)).toBe(false);
  });

  test("one that ends before the plan is there cancels nothing", () => {
    // An expedited vote from block 8 ends in block 14, two before the plan is scheduled.
    expect(cancels(30, 8, true)).toBe(false);
  });

  test("may be the block of the plan's own proposal: of two votes that end together the first counts first", () => {
    const sim = world();
    runTo(sim, 3);
    propose(sim, 1n, softwareUpgrade(sim, "v2", 17));
    propose(sim, 2n, cancelUpgrade(sim));
    runTo(sim, 4);
    expect(adviceOn(sim, 1)?.lastHeight).toBe(4);
    runTo(sim, 20);
  });

  test("there is none for a height that is past when the voting ends", () => {
    expect(adviceOn(planned(15), 1)).toMatchObject({
      lastHeight: 0,
      lastTime: "",
      lastExpeditedHeight: 0,
      possible: false,
    });
  });

  test("is said in time, too, and passes", () => {
    const sim = planned(30);
    expect(adviceOn(sim, 1)?.lastTime).toBe("2026-01-01T00:01:20Z");
    runTo(sim, 22);
    expect(adviceOn(sim, 1)).toMatchObject({ lastHeight: 17, possible: true });
    runTo(sim, 23);
    expect(adviceOn(sim, 1)).toMatchObject({ lastHeight: 17, possible: false });
  });

  test("counts from the next block while deposits are collected", () => {
    const sim = world();
    runTo(sim, 3);
    propose(sim, 1n, softwareUpgrade(sim, "v2", 30), false, "5000000");
    runTo(sim, 4);
    expect(adviceOn(sim, 1)).toMatchObject({ lastHeight: 17, possible: true });
    // Voting that starts in block 5 ends in block 17: too late for a plan at 16.
    const late = world();
    runTo(late, 3);
    propose(late, 1n, softwareUpgrade(late, "v2", 16), false, "5000000");
    runTo(late, 4);
    expect(adviceOn(late, 1)).toMatchObject({ lastHeight: 0, possible: false });
  });
});

describe("advice is given", () => {
  test("until the plan is applied, replaced or cancelled", () => {
    const sim = planned(40);
    runTo(sim, 16);
    expect(adviceOn(sim, 1)).toBeDefined();
    propose(sim, 2n, softwareUpgrade(sim, "v3", 60));
    runTo(sim, 29);
    expect(adviceOn(sim, 1)).toBeUndefined();
    expect(adviceOn(sim, 2)).toBeDefined();
    propose(sim, 3n, cancelUpgrade(sim));
    runTo(sim, 42);
    expect(adviceOn(sim, 2)).toBeUndefined();
    expect(adviceOn(sim, 3)).toBeUndefined();
  });

  test("not on a plan that was refused", () => {
    const sim = planned(10);
    runTo(sim, 16);
    expect(adviceOn(sim, 1)).toBeUndefined();
  });
});

describe("times of blocks", () => {
  test("firstAt and lastAt agree with a walk over all blocks, past and to come", () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 12 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: -5, max: 300 }), fc.nat(30), (past, time, late) => {
        const times: bigint[] = [];
        for (const gap of past) times.push((times.at(-1) ?? 0n) + BigInt(gap));
        const nextTime = (times.at(-1) ?? 0n) + 5n;
        const chain = new BlockTimes({
          spec: { blockTime: 5n },
          initialHeight: 1,
          decidedHeight: times.length,
          clock: nextTime + BigInt(late),
          nextTime,
          timeAt: (height) => times[height - 1],
        });
        const all = Array.from({ length: 100 }, (_, i) => i + 1);
        expect(chain.firstAt(BigInt(time))).toBe(all.find((h) => chain.at(h) >= BigInt(time)));
        expect(chain.lastAt(BigInt(time))).toBe(
          all.findLast((h) => chain.at(h) <= BigInt(time)) ?? 0,
        );
      }),
    );
  });

  test("are exact for a chain that runs", () => {
    const sim = world();
    runTo(sim, 7);
    const times = new BlockTimes(sim);
    const expected = [8, 9, 20].map((height) => times.at(height));
    runTo(sim, 20);
    expect([8, 9, 20].map((height) => sim.timeAt(height))).toEqual(expected);
  });
});
