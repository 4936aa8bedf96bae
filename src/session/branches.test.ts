import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../base/property.testing.ts";
import { answers } from "../engine/simulation/keyframe/answers.testing.ts";
import { difference } from "../engine/simulation/keyframe/difference.testing.ts";
import {
  perform,
  type WorldStep,
  worldSteps,
} from "../engine/simulation/keyframe/worlds.testing.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { Replay } from "./replay.ts";
import {
  blocks,
  entryOf,
  openTab,
  playedFor,
  reopened,
  type TestTab,
  turnsUntil,
  until,
} from "./testing.ts";
import { entriesIn, originOf } from "./travel.testing.ts";

const stop = ({ session }: TestTab, node: string) =>
  until(session, session.runStep(JSON.stringify({ nodes: { which: [node], stop: true } })));

/** A tab that plays a saved world of 40 blocks; a validator stops after block 20. */
async function played(): Promise<TestTab & { readonly id: string }> {
  const tab = await playedFor(20);
  await stop(tab, "val-3");
  blocks(tab, 20);
  await tab.save();
  return tab;
}

/** Half a surrogate pair, which such a file contains here, cannot be stored as text. */
const isKept = (step: WorldStep): boolean =>
  !(
    step.do === "command" &&
    step.command.type === "node" &&
    step.command.action.kind === "write_file"
  );

/** A world with the same genesis, replayed from a journal as far as another one. */
function replayed({ session: { sim, player } }: TestTab): Simulation {
  const fresh = Simulation.create(sim.spec);
  const journal = [...(player.live.historySource.journal?.(0) ?? [])];
  const replay = new Replay(fresh, entriesIn(journal), () => sim.rounds);
  while (!replay.done) replay.step();
  return fresh;
}

describe("a branch", () => {
  test("is played from the height where it begins, paused, and saved beside the world that it came from", async () => {
    const tab = await played();
    const branch = await tab.worlds.fork(15, "", "what if it had not stopped?");
    expect([tab.session.sim.height, tab.session.player.playing]).toEqual([15, false]);
    expect([tab.worlds.current, tab.worlds.name]).toEqual([branch, "mine (from 15)"]);
    expect(tab.session.sim.node("val-3")?.process).toBe("running");
    await tab.saving.settled();
    expect(tab.saving.state).toBe("saved");
    expect(await entryOf(tab, branch)).toMatchObject({
      name: "mine (from 15)",
      note: "what if it had not stopped?",
      parent: { world: tab.id, height: 15 },
      height: 15,
    });
    expect(await entryOf(tab, tab.id)).toMatchObject({ name: "mine", height: 40 });
    blocks(tab, 5);
    await stop(tab, "val-1");
    await tab.saving.settled();
    const back = await reopened(tab, branch);
    expect(difference(back.session.sim, tab.session.sim)).toBeUndefined();
    const whole = await reopened(tab, tab.id);
    expect([whole.session.sim.height, whole.session.sim.node("val-3")?.process]).toEqual([
      40,
      "stopped",
    ]);
  });

  test("of a branch is one too, and stays when the worlds that it came from are erased", async () => {
    const tab = await played();
    const first = await tab.worlds.fork(30, "first", "");
    blocks(tab, 10);
    await stop(tab, "val-1");
    const second = await tab.worlds.fork(35, "second", "");
    blocks(tab, 3);
    await tab.saving.settled();
    expect((await entryOf(tab, second))?.parent).toEqual({ world: first, height: 35 });
    await tab.worlds.erase(tab.id);
    await tab.worlds.erase(first);
    const back = await reopened(tab, second);
    expect(difference(back.session.sim, tab.session.sim)).toBeUndefined();
    expect(difference(replayed(tab), tab.session.sim)).toBeUndefined();
    expect(await entryOf(back, second)).toMatchObject({ parent: { world: first, height: 35 } });
  });

  test("of a world that cannot be saved is played, and saved with it when that works", async () => {
    const tab = await played();
    tab.storage.failure = new Error("the disk is gone");
    blocks(tab, 5);
    const branch = await tab.worlds.fork(0, "branch", "");
    blocks(tab, 2);
    await tab.saving.settled();
    expect([tab.saving.state, tab.session.sim.height]).toEqual(["unsaved", 47]);
    tab.storage.failure = undefined;
    await tab.save();
    expect(tab.saving.state).toBe("saved");
    const back = await reopened(tab, branch);
    expect(difference(back.session.sim, tab.session.sim)).toBeUndefined();
    expect((await reopened(tab, tab.id)).session.sim.height).toBe(45);
  });

  test("gets the keyframes and pages of the world that it came from, up to where it begins", async () => {
    const tab = await played();
    for (let i = 0; i < 4; i++) {
      blocks(tab, 5000);
      await tab.save();
    }
    const branch = await tab.worlds.fork(12_000, "branch", "");
    await tab.saving.settled();
    const own = () => [...tab.storage.records.keys()].filter((key) => key.includes(branch));
    const isFirst = (key: string) => key.includes("page/blocks/000000000000");
    await until(
      tab.session,
      turnsUntil(() => own().some(isFirst), "the first page is there"),
    );
    const rounds = own().flatMap((key) => /keyframe\/(\d+)/.exec(key)?.[1] ?? []);
    expect(rounds.length).toBeGreaterThan(0);
    expect(rounds.every((round) => Number(round) <= tab.session.sim.rounds)).toBe(true);
    expect((await reopened(tab, branch)).session.sim.height).toBe(12_000);
  });

  test("has its note changed, whether it is played or not", async () => {
    const tab = await played();
    const branch = await tab.worlds.fork(15, "branch", "one");
    await tab.worlds.annotate(branch, "two");
    expect((await entryOf(tab, branch))?.note).toBe("two");
    await tab.worlds.annotate(tab.id, "mine");
    expect(await entryOf(tab, tab.id)).toMatchObject({ note: "mine", name: "mine", height: 40 });
  });

  test("continues, after any journal, as a world does that is played from the beginning", async () => {
    const parts = fc.record({ before: worldSteps, after: worldSteps, at: fc.nat() });
    await fc.assert(
      fc.asyncProperty(parts, async ({ before, after, at }) => {
        const tab = openTab();
        await tab.worlds.create(originOf(), "mine");
        tab.session.control({ case: "pause", value: true });
        const doAll = (steps: readonly WorldStep[]): void => {
          for (const doing of steps.filter(isKept)) perform(tab.session.sim, doing);
        };
        doAll(before);
        const { sim } = tab.session;
        await tab.worlds.fork(sim.height === 0 ? 0 : 1 + (at % sim.height), "branch", "");
        doAll(after);
        await tab.saving.settled();
        await tab.save();
        const expected = answers(tab.session.sim);
        expect(answers(replayed(tab))).toEqual(expected);
        const back = await reopened(tab, tab.worlds.current ?? "");
        expect(answers(back.session.sim)).toEqual(expected);
      }),
      { numRuns: propertyRuns(30) },
    );
  });
});
