import type { Any } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { propertyRuns } from "../../base/property.testing.ts";
import { SECOND } from "../../base/time.ts";
import { VoteOption } from "../../gen/chain/gov/v1/gov_pb.ts";
import {
  MsgCancelProposalSchema,
  MsgDepositSchema,
  MsgSubmitProposalSchema,
  MsgUpdateParamsSchema as MsgUpdateGovParamsSchema,
  MsgVoteSchema,
} from "../../gen/chain/gov/v1/tx_pb.ts";
import { MsgUpdateParamsSchema as MsgUpdateSlashingParamsSchema } from "../../gen/chain/slashing/v1beta1/tx_pb.ts";
import { MsgUpdateParamsSchema as MsgUpdateStakingParamsSchema } from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import { App } from "../app/app.ts";
import { packInit } from "../framework/codec.ts";
import { durationMessage } from "../framework/time-messages.ts";
import { Simulation } from "./simulation.ts";
import { account, act, newWorld, type StoryStep, step, story } from "./story.testing.ts";
import {
  authority,
  cancelUpgrade,
  install,
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  worldSpec,
} from "./testing.ts";

/** Actions with a delayed effect; until then the chain is quiet. */
const DONE: StoryStep[] = [
  stake("delegate", 10_000_000n),
  stake("redelegate", 1_000_000n),
  stake("undelegate", 1_000_000n),
  { do: "stop", who: "val-1" },
  { do: "start", who: "val-1" },
  // The validator leaves the set.
  stake("undelegate", 100_000_000n),
];
const LATER = DONE.flatMap((doing): StoryStep[] => [
  doing,
  { do: "run", blocks: doing.do === "stop" ? 2 : 14 },
]);

function stake(how: "delegate" | "redelegate" | "undelegate", amount: bigint): StoryStep {
  const to = how === "delegate" ? "val-0" : "val-1";
  return { do: "stake", who: "val-0", from: "val-0", to, how, amount };
}

/** Runs the hooks of quiet blocks, too; returns a counter of those blocks. */
function runningHooks(): () => number {
  const { finalizeBlock } = App.prototype;
  let quiet = 0;
  const spy = vi.spyOn(App.prototype, "finalizeBlock").mockImplementation(function (
    this: App,
    ...requested
  ) {
    const outcome = finalizeBlock.apply(this, requested);
    if (outcome.kind === "applied" && outcome.state === requested[0]) {
      quiet += 1;
      expect(finalizeBlock.apply(alwaysRun(this), requested)).toEqual(outcome);
    }
    return outcome;
  });
  onTestFinished(() => spy.mockRestore());
  return () => quiet;
}

/** Same application, with modules that do not report quiet blocks. */
function alwaysRun({ binary, config }: App): App {
  const app = new App(binary, config);
  for (const module of app.modules) delete module.isDue;
  return app;
}

test("a block of which no module says that anything is due leaves nothing when its hooks run all the same", () => {
  const quiet = runningHooks();
  const runs = propertyRuns(15);
  fc.assert(
    fc.property(story, (steps) => {
      const sim = newWorld();
      for (const doing of steps) act(sim, doing);
    }),
    { numRuns: runs, examples: [[LATER]] },
  );
  expect(quiet()).toBeGreaterThan(3 * runs);
});

const FULL = 10_000_000n;
/** Governance actions; deposits, votes and cancellations apply to the newest proposal. */
type Governing =
  | {
      readonly do: "propose";
      about: keyof typeof ABOUT;
      expedited: boolean;
      deposit: bigint;
      votes: number;
    }
  | { readonly do: "deposit" }
  | { readonly do: "cancel" }
  | { readonly do: "vote"; option: VoteOption }
  | { readonly do: "install" };

/** Messages of proposals that pass: each changes the time at which something is due. */
const ABOUT = {
  nothing: () => [],
  "a plan": (sim) => [softwareUpgrade(sim, "v2", sim.height + 6)],
  "no plan": (sim) => [cancelUpgrade(sim)],
  "a smaller set": (sim) => {
    const params = { ...sim.spec.staking, maxValidators: 3, unbondingTime: seconds(10) };
    return [packInit(MsgUpdateStakingParamsSchema, { authority: authority(sim), params })];
  },
  "a shorter window": (sim) => {
    const params = { ...sim.spec.slashing, signedBlocksWindow: 3n };
    return [packInit(MsgUpdateSlashingParamsSchema, { authority: authority(sim), params })];
  },
  "shorter periods": (sim) => {
    const params = { ...sim.spec.gov, votingPeriod: seconds(10), maxDepositPeriod: seconds(10) };
    const expedited = { ...params, expeditedVotingPeriod: seconds(5) };
    return [packInit(MsgUpdateGovParamsSchema, { authority: authority(sim), params: expedited })];
  },
} as const satisfies Record<string, (sim: Simulation) => Any[]>;

const seconds = (count: number) => durationMessage(BigInt(count) * SECOND);

const governing: fc.Arbitrary<Governing> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("propose" as const),
      about: fc.constantFrom(...(Object.keys(ABOUT) as (keyof typeof ABOUT)[])),
      expedited: fc.boolean(),
      deposit: fc.constantFrom(FULL / 10n, FULL, 5n * FULL, 5n * FULL),
      votes: fc.constantFrom(0, 1, 5, 5),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Governing>({ do: "deposit" }, { do: "cancel" }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("vote" as const),
      option: fc.constantFrom(VoteOption.YES, VoteOption.YES, VoteOption.NO),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Governing>({ do: "install" }) },
);
const governed = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: governing },
    { weight: 1, arbitrary: step },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("run" as const),
        blocks: fc.integer({ min: 1, max: 8 }),
      }),
    },
  ),
  { minLength: 10, maxLength: 30 },
);

const isGoverning = (doing: Governing | StoryStep): doing is Governing =>
  ["propose", "deposit", "cancel", "vote", "install"].includes(doing.do);

/** Periods of a few blocks of 5 s, so that they end while others still run. */
const governedWorld = (): Simulation => {
  const periods = {
    votingPeriod: seconds(20),
    expeditedVotingPeriod: seconds(10),
    maxDepositPeriod: seconds(30),
  };
  const staking = { unbondingTime: seconds(40), maxValidators: 4 };
  return Simulation.create(worldSpec({ gov: periods, staking }, 5));
};

function govern(sim: Simulation, doing: Governing, proposals: { count: bigint }): void {
  const send = (signer: string, message: Any): void => {
    sim.apply({ type: "tx", signer, messages: [message] });
  };
  const vote = (name: string, option: VoteOption): void => {
    const input = { proposalId: proposals.count, voter: account(name), option };
    send(name, packInit(MsgVoteSchema, input));
  };
  const proposalId = proposals.count;
  const amount = [{ denom: "stake", amount: FULL.toString() }];
  if (doing.do === "install") {
    for (const { name } of sim.spec.validators) act(sim, { do: "stop", who: name });
    install(sim, "v2", ...sim.spec.validators.map(({ name }) => name));
  } else if (doing.do === "vote") {
    for (const { name } of sim.spec.validators) vote(name, doing.option);
  } else if (doing.do === "deposit") {
    send("val-0", packInit(MsgDepositSchema, { proposalId, depositor: account("val-0"), amount }));
  } else if (doing.do === "cancel") {
    send("alice", packInit(MsgCancelProposalSchema, { proposalId, proposer: account("alice") }));
  } else {
    proposals.count += 1n;
    const { about, expedited, deposit } = doing;
    const proposal = {
      messages: ABOUT[about](sim),
      initialDeposit: [{ denom: "stake", amount: deposit.toString() }],
      proposer: account("alice"),
      title: about,
      summary: about,
      expedited,
    };
    send("alice", packInit(MsgSubmitProposalSchema, proposal));
    for (const { name } of sim.spec.validators.slice(0, doing.votes)) vote(name, VoteOption.YES);
  }
}

test("nor does it where governance changes what is due, and a plan comes, goes or halts the chain", () => {
  const quiet = runningHooks();
  const runs = propertyRuns(15);
  fc.assert(
    fc.property(governed, (steps) => {
      const sim = governedWorld();
      const proposals = { count: 0n };
      for (const doing of steps) {
        if (isGoverning(doing)) govern(sim, doing, proposals);
        else act(sim, doing);
      }
      runRounds(sim, 12);
    }),
    { numRuns: runs },
  );
  expect(quiet()).toBeGreaterThan(3 * runs);
});

test("the ends of deposits and votes, a plan and the start of a process are due in their blocks", () => {
  const quiet = runningHooks();
  const gov = {
    votingPeriod: durationMessage(20n * SECOND),
    maxDepositPeriod: durationMessage(30n * SECOND),
  };
  const sim = Simulation.create(worldSpec({ gov }));
  pass(sim, softwareUpgrade(sim, "v2", 25));
  runTo(sim, 24);
  runRounds(sim, 2);
  for (const { name } of sim.spec.validators) install(sim, "v2", name);
  runTo(sim, 30);
  for (const kind of ["stop", "start"] as const) {
    sim.apply({ type: "node", node: "val-3", action: { kind } });
  }
  runTo(sim, 32);
  const proposal = {
    proposer: account("alice"),
    initialDeposit: [{ denom: "stake", amount: "1000000" }],
    metadata: "without its deposit",
    title: "t",
    summary: "s",
  };
  const messages = [packInit(MsgSubmitProposalSchema, proposal)];
  sim.apply({ type: "tx", signer: "alice", messages });
  runTo(sim, 40);
  const events = Array.from({ length: 40 }, (_, i) => sim.block(i + 1)?.events ?? []).flat();
  expect(events.map(({ type }) => type)).toContain("inactive_proposal");
  expect(quiet()).toBeGreaterThan(10);
});
