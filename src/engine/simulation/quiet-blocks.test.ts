import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { MsgSubmitProposalSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
import { App } from "../app/app.ts";
import { packInit } from "../framework/codec.ts";
import { durationMessage } from "../framework/time-messages.ts";
import { SECOND } from "../primitives/time.ts";
import { Simulation } from "./simulation.ts";
import { account, act, newWorld, type StoryStep, story } from "./story.testing.ts";
import { install, pass, runRounds, runTo, softwareUpgrade, worldSpec } from "./testing.ts";

/** What has its time long after it was done; after each the chain is quiet until then. */
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

/** Has the hooks of every block that changes nothing run all the same; returns how many blocks there were. */
function runningHooks(): () => number {
  const { finalizeBlock } = App.prototype;
  let quiet = 0;
  const spy = vi.spyOn(App.prototype, "finalizeBlock").mockImplementation(function (
    this: App,
    ...asked
  ) {
    const outcome = finalizeBlock.apply(this, asked);
    if (outcome.kind === "applied" && outcome.state === asked[0]) {
      quiet += 1;
      expect(finalizeBlock.apply(alwaysRun(this), asked)).toEqual(outcome);
    }
    return outcome;
  });
  onTestFinished(() => spy.mockRestore());
  return () => quiet;
}

/** The same application, whose modules do not say when nothing is due. */
function alwaysRun({ binary, config }: App): App {
  const app = new App(binary, config);
  for (const module of app.modules) delete module.isDue;
  return app;
}

test("a block of which no module says that anything is due leaves nothing when its hooks run all the same", () => {
  const quiet = runningHooks();
  fc.assert(
    fc.property(story, (steps) => {
      const sim = newWorld();
      for (const doing of steps) act(sim, doing);
    }),
    { numRuns: 15, examples: [[LATER]] },
  );
  expect(quiet()).toBeGreaterThan(50);
}, 120_000);

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
