import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../engine/primitives/property.testing.ts";
import {
  perform,
  type WorldStep,
  worldSteps,
} from "../engine/simulation/keyframe/worlds.testing.ts";
import type { LabAnswer } from "../gen/lab/v1/lab_plain.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { KeptFrames } from "./kept-frames.ts";
import { beginningOf } from "./other-branch.ts";
import { openTab, settle, type TestTab, testHost, turnsUntil, until } from "./testing.ts";

async function began(): Promise<TestTab & { readonly id: string }> {
  // Each look at the clock finds it a little later, so that all work is done in slices.
  let now = 0;
  const tab = openTab(undefined, testHost({ clock: () => (now += 5) }));
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  tab.session.control({ case: "speed", value: 0 });
  return { ...tab, id };
}

async function step({ session }: TestTab, written: object): Promise<void> {
  const { message } = await until(session, session.runStep(JSON.stringify(written)));
  expect(message).toBe("");
}

const otherwise = ({ session }: TestTab, name: string, value: string, height = 0) =>
  session.otherwise?.({ height, name: "", note: "", other: { name, value } }) as Promise<
    LabAnswer<"forkWorld">
  >;

async function opened({ worlds, session }: TestTab, id: string) {
  await worlds.open(id);
  await until(session, session.restored);
  return session.sim;
}

const entryOf = async ({ worlds }: TestTab, id: string) =>
  (await worlds.list()).find((entry) => entry.id === id);

const isJailed = ({ session: { player } }: TestTab, name: string): boolean | undefined =>
  player.live.frames.validators().find((one) => one.name === name)?.jailed;

/** Resolves when the commands are given again. */
const isBegun = ({ session: { player } }: TestTab): Promise<void> =>
  turnsUntil(() => player.recalling !== undefined, "the commands are given again");

test("a branch that is being made is given up when that is asked for, and nothing of it is left", async () => {
  const tab = await began();
  await step(tab, { run: 600 });
  await step(tab, { nodes: { which: ["val-3"], stop: true } });
  const before = await tab.worlds.list();
  const branch = otherwise(tab, "block_time", "7s");
  const refused = expect(branch).rejects.toThrow("the branch was given up: there is none");
  await isBegun(tab);
  tab.session.control({ case: "stopBranch", value: true });
  await refused;
  expect((await tab.worlds.list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(tab.session.player.recalling).toBeUndefined();
  // So is one that has not begun yet.
  const next = expect(otherwise(tab, "block_time", "7s")).rejects.toThrow(
    "the branch was given up",
  );
  tab.session.control({ case: "stopBranch", value: true });
  await next;
  expect(await tab.worlds.list()).toHaveLength(before.length);
  // It says nothing of the next one.
  expect(await otherwise(tab, "block_time", "7s")).toMatchObject({ height: 600, commands: 1 });
});

test("two branches that are being made at once are both given up", async () => {
  const tab = await began();
  await step(tab, { run: 600 });
  const before = await tab.worlds.list();
  const refused = ["7s", "8s"].map((value) =>
    expect(otherwise(tab, "block_time", value)).rejects.toThrow("the branch was given up"),
  );
  await isBegun(tab);
  tab.session.control({ case: "stopBranch", value: true });
  await Promise.all(refused);
  expect(await tab.worlds.list()).toHaveLength(before.length);
});

test("a branch is given up once the one who asked for it has gone", async () => {
  const tab = await began();
  await step(tab, { run: 600 });
  const before = await tab.worlds.list();
  let gone = false;
  const request = { height: 0, name: "", note: "", other: { name: "block_time", value: "7s" } };
  const refused = expect(tab.session.otherwise?.(request, () => gone)).rejects.toThrow(
    "the branch was given up",
  );
  await isBegun(tab);
  gone = true;
  await refused;
  expect(await tab.worlds.list()).toHaveLength(before.length);
});

test("the same commands are given up to a height in a world of its own, which says what is other in it", async () => {
  const tab = await began();
  await step(tab, { run: 5 });
  await step(tab, { misbehavior: { type: "duplicate_vote", validators: ["val-3"], height: 2 } });
  await step(tab, { run: { to: 30 } });
  expect(isJailed(tab, "val-3")).toBe(true);
  const { appHash } = tab.session.sim;
  const branch = await otherwise(tab, "max_evidence_age", "5s", 20);
  expect(branch).toMatchObject({ height: 20, commands: 1, refused: [], refusals: 0 });
  expect(await entryOf(tab, branch.world)).toMatchObject({
    name: `${tab.worlds.name}, max evidence age 5s`,
    note: "The same commands with max_evidence_age 5s instead of 48h.",
    parent: { world: tab.id, height: 0 },
    height: 20,
  });
  // The world that is played is as it was, and stays on screen.
  expect([tab.worlds.current, tab.session.sim.height]).toEqual([tab.id, 30]);
  expect(tab.session.sim.appHash).toEqual(appHash);
  await opened(tab, branch.world);
  expect([tab.session.sim.height, isJailed(tab, "val-3")]).toEqual([20, false]);
});

test("a height that is shown stays on screen while a branch up to it is made", async () => {
  const tab = await began();
  await step(tab, { run: 30 });
  const frames = new KeptFrames(tab, "tab");
  const shown = () => frames.build({ height: 20 }, {}).past?.shown;
  await turnsUntil(() => shown() === 20, "height 20 is shown");
  let over = false;
  const branch = otherwise(tab, "max_evidence_age", "5s", 20).finally(() => {
    over = true;
  });
  const seen = new Set<number | undefined>();
  await turnsUntil(() => {
    if (!over) seen.add(shown());
    return over;
  }, "the branch is made");
  expect([...seen, shown()]).toEqual([20, 20]);
  expect(await branch).toMatchObject({ height: 20, commands: 0 });
});

test("of the other profile and another binary all nodes begin with it", async () => {
  const tab = await began();
  await step(tab, { run: 10 });
  const { world } = await otherwise(tab, "profile", "sdk-0.53");
  const { world: second } = await otherwise(tab, "binary", "v2");
  const sim = await opened(tab, world);
  expect([sim.height, sim.spec.profile]).toEqual([10, "sdk-0.53"]);
  const other = await opened(tab, second);
  expect(other.height).toBe(10);
  expect(new Set(other.nodes().map(({ binary }) => binary))).toEqual(new Set(["v2"]));
});

test("a transaction that fails in the branch is named with its reason", async () => {
  const tab = await began();
  await step(tab, { propose: { from: "val-0", title: "Hello", messages: [], metadata: "x" } });
  await step(tab, { run: 5 });
  await step(tab, { vote: { proposal: 1, option: "yes" } });
  await step(tab, { run: 5 });
  const branch = await otherwise(tab, "gov.voting_period", "10s");
  expect(branch.refusals).toBe(4);
  expect(branch.refused[0]).toMatchObject({ command: "tx val-0: MsgVote" });
  expect(branch.refused[0]?.why).toContain("inactive proposal");
  const { note = "" } = (await entryOf(tab, branch.world)) ?? {};
  expect(note).toContain("Otherwise than before ended: tx val-0: MsgVote");
});

test("a command that makes no sense in the branch is named, and the others are given", async () => {
  const tab = await began();
  await step(tab, { upgrade: { name: "v2", at: 30 } });
  await step(tab, { run: { until: "halted" } });
  await step(tab, { nodes: { which: ["val-3"], roll_back: 20 } });
  await step(tab, { nodes: { which: ["val-2"], stop: true } });
  expect(tab.session.sim.height).toBe(29);
  // A binary with the handler of a plan that is not due halts.
  const branch = await otherwise(tab, "binary", "v2");
  expect(branch).toMatchObject({ height: 13, commands: 7, refusals: 1 });
  expect(branch.refused).toEqual([
    {
      height: 13,
      command: "nodes val-3: roll back 20",
      why: "val-3 cannot go back 20 from height 13",
    },
  ]);
  const { note } = (await entryOf(tab, branch.world)) ?? {};
  expect(note).toContain("It came to block 13 of 29. Otherwise than before ended: nodes val-3");
  const sim = await opened(tab, branch.world);
  expect(sim.node("val-2")?.process).toBe("stopped");
});

test("a chain that was halted is so in the branch for as many rounds, and its commands come after them", async () => {
  const tab = await began();
  await step(tab, { upgrade: { name: "v2", at: 30 } });
  await step(tab, { run: { until: "halted" } });
  await step(tab, { run: { rounds: 6 } });
  await step(tab, { nodes: { which: "all", binary: "v2" } });
  await step(tab, { run: 5 });
  const { height, rounds, appHash } = tab.session.sim;
  expect(rounds).toBeGreaterThan(height);
  const branch = await otherwise(tab, "gov.safety_delta", "7s");
  expect(branch).toMatchObject({ height, refusals: 0 });
  const sim = await opened(tab, branch.world);
  expect([sim.height, sim.rounds, sim.appHash]).toEqual([height, rounds, appHash]);
});

test("a refused value says what was expected, and nothing has happened", async () => {
  const tab = await began();
  await step(tab, { run: 5 });
  await tab.save();
  const list = () => tab.worlds.list();
  const before = await list();
  const why = (name: string, value: string) => expect(otherwise(tab, name, value)).rejects;
  await why("profile", "mainnet").toThrow(/^profile: expected one of documented, sdk-0\.53/);
  await why("gov.voting_period", "soon").toThrow(/^gov\.voting_period: expected a duration/);
  await why("slashing.slash_fraction_downtime", "2").toThrow(
    /^slashing\.slash_fraction_downtime: expected/,
  );
  await why("binary", "v9").toThrow('binary: there is no binary "v9": expected one of v1');
  await why("profile", "documented").toThrow(
    "profile: expected another value, found documented, which it is in this world",
  );
  await why("chain_id", "other-1").toThrow('there is no value "chain_id"');
  await why("validators", "3").toThrow('there is no value "validators"');
  expect(await list()).toEqual(before);
});

test("every value that is offered is one that can be set", async () => {
  const tab = await began();
  const { values } = beginningOf(tab.session.player.live);
  const names = values.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["binary", "profile", "max_evidence_age"]));
  expect(names).toEqual(expect.arrayContaining(["staking.unbonding_time", "gov.voting_period"]));
  for (const { name, value } of values) {
    await expect(otherwise(tab, name, value)).rejects.toThrow(
      `${name}: expected another value, found ${value}`,
    );
  }
});

test("whatever was done comes out the same where the other value changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(worldSteps, async (steps: readonly WorldStep[]) => {
      const tab = await began();
      for (const one of steps) perform(tab.session.sim, one);
      settle(tab.session);
      await tab.save();
      const { height, appHash } = tab.session.sim;
      const branch = await otherwise(tab, "gov.safety_delta", "7s");
      const sim = await opened(tab, branch.world);
      expect(branch.refused).toEqual([]);
      expect([sim.height, sim.appHash]).toEqual([height, appHash]);
    }),
    { numRuns: propertyRuns(20) },
  );
});

test("a branch that begins otherwise is given up by a stop: there is none, and the world goes on", async () => {
  const tab = await began();
  const { session } = tab;
  await step(tab, { run: 400 });
  const before = await tab.worlds.list();
  const branch = otherwise(tab, "commits", "full");
  const refused = expect(branch).rejects.toThrow("the branch was given up: there is none");
  await isBegun(tab);
  session.control({ case: "stop", value: true });
  await refused;
  expect(session.player.recalling).toBeUndefined();
  expect((await tab.worlds.list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  await step(tab, { run: 1 });
  expect(session.sim.height).toBe(401);
});
