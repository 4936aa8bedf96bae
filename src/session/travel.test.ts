import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { propertyRuns } from "../base/property.testing.ts";
import { worldSteps } from "../engine/simulation/keyframe/worlds.testing.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import type { Host } from "./history/storage.ts";
import { RunningWorld } from "./running-world.ts";
import { SessionFrames } from "./session-frames.ts";
import { openTab, settle, type TestTab, testHost, turnsUntil, until } from "./testing.ts";
import { framesOf, heightsOf, KeptWorld, originOf } from "./travel.testing.ts";

/** A tab that plays a world of some blocks, in the middle of which a validator stops. */
async function played(host?: Host): Promise<TestTab & { readonly frames: SessionFrames }> {
  const tab = openTab(undefined, host);
  await tab.worlds.create(FIRST_ORIGIN, "mine");
  const { session } = tab;
  session.control({ case: "pause", value: true });
  session.control({ case: "stepBlocks", value: 20 });
  settle(session);
  const stop = JSON.stringify({ nodes: { which: ["val-3"], stop: true } });
  await until(session, session.runStep(stop));
  session.control({ case: "stepBlocks", value: 20 });
  settle(session);
  return { ...tab, frames: new SessionFrames(tab, "tab") };
}

/** The frame of a height, once that is ready. */
async function frameAt({ session, frames }: Awaited<ReturnType<typeof played>>, height: number) {
  for (let turns = 0; turns < 10_000; turns++) {
    const frame = frames.build({ height }, {});
    if (frame.past?.shown === height || frame.past?.problem) return frame;
    settle(session);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("it does not come");
}

/**
 * Without remedies, which each frame would try in copies of its world (`remedies.test.ts`),
 * independent of other test files.
 */
const WITHOUT_REMEDIES: typeof RunningWorld.texts = {
  explainStatus: () => ({ remedies: [], because: "" }),
  stepText: ({ kind }) => ({ what: kind, found: "" }),
};

describe("the world at the end of a height", () => {
  const { texts } = RunningWorld;
  beforeAll(() => {
    RunningWorld.texts = WITHOUT_REMEDIES;
  });
  afterAll(() => {
    RunningWorld.texts = texts;
  });

  test("is after any journal what a world is that is played to there, byte for byte of its frame", async () => {
    const steps = fc.array(fc.tuple(worldSteps, fc.boolean()), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (parts, any) => {
        const origin = originOf();
        const world = new KeptWorld(origin);
        for (const [some, keyframe] of parts) {
          world.perform(some);
          await world.keep(keyframe);
        }
        const { sim } = world.live;
        const expected = framesOf(origin, sim.journal, sim.rounds);
        const heights = heightsOf(sim);
        const requested = [
          ...heights,
          ...heights.map(() => heights[any.next().value % heights.length]),
        ];
        for (const height of requested) {
          const same = (await world.frameAt(height ?? 0)) === expected.get(height ?? 0);
          expect(same, `the frame of height ${height}`).toBe(true);
        }
      }),
      { numRuns: propertyRuns(40) },
    );
  });
});

describe("a session", () => {
  test("shows a height while the chain goes on, and says which one it shows", async () => {
    const tab = await played();
    const { session, frames } = tab;
    const first = frames.build({ height: 10 }, {});
    expect(first.past).toMatchObject({ asked: 10, shown: 40, liveHeight: 40 });
    const frame = await frameAt(tab, 10);
    expect(frame.chain?.height).toBe(10);
    expect(frame.past).toEqual({ asked: 10, shown: 10, liveHeight: 40, progress: 1, problem: "" });
    session.control({ case: "stepBlocks", value: 5 });
    settle(session);
    const later = frames.build({ height: 10 }, {});
    expect(later).toEqual({
      ...frame,
      revision: later.revision,
      past: { ...frame.past, liveHeight: 45 },
    });
    expect(frames.build({ height: 10, revision: later.revision }, {}).chain).toBeUndefined();
    const live = frames.build({ revision: later.revision }, {});
    expect([live.chain?.height, live.past]).toEqual([45, undefined]);
    expect(live.world).not.toBe(later.world);
  });

  test("shows the height that is ready until another is, and says why one cannot be", async () => {
    const tab = await played();
    await frameAt(tab, 10);
    const next = tab.frames.build({ height: 5 }, {});
    expect([next.chain?.height, next.past?.asked, next.past?.shown]).toEqual([10, 5, 10]);
    const none = await frameAt(tab, 41);
    expect(none.past?.problem).toContain("there is no height 41");
    expect((await frameAt(tab, 5)).chain?.height).toBe(5);
  });

  test("answers what is asked of the lab at a height as it was there", async () => {
    const { session } = await played();
    const process = async (height?: number) =>
      (await session.query((queries) => queries.labReading("getNode", { node: "val-3" }, height)))
        .process;
    expect(await process()).toBe("stopped");
    // It was stopped before the next block, which belongs to the end of the height.
    expect(await process(20)).toBe("stopped");
    expect(await process(19)).toBe("running");
    expect(await process(40)).toBe("stopped");
    await expect(process(41)).rejects.toThrow("there is no height 41");
  });

  test("stays at the height that is shown, whatever is asked of others", async () => {
    const tab = await played();
    const { session, frames } = tab;
    const shown = await frameAt(tab, 10);
    for (const height of [15, 30, 12, 39]) {
      await session.query((queries) => queries.labReading("getNode", { node: "val-3" }, height));
      expect(frames.build({ height: 10 }, {})).toEqual({ ...shown, revision: shown.revision });
    }
  });

  test("lets go of what it was led through when another world is played", async () => {
    const tab = await played();
    await frameAt(tab, 10);
    await tab.worlds.create(FIRST_ORIGIN, "another");
    tab.session.control({ case: "pause", value: true });
    expect(tab.frames.build({}, {}).past).toBeUndefined();
    expect(tab.frames.build({ height: 10 }, {}).past?.problem).toContain("there is no height 10");
  });

  test("goes to the newest height when what was asked is done, and is patient from then on", async () => {
    let now = 0;
    const tab = await played(testHost({ clock: () => (now += 5) }));
    const { session, frames } = tab;
    session.control({ case: "stepBlocks", value: 400 });
    settle(session);
    const shownAt = (height: number) => frames.build({ height }, {}).past;
    await frameAt(tab, 5);
    const begun = now;
    const requested = session.query((queries) =>
      queries.labReading("getNode", { node: "val-3" }, 420),
    );
    // Queries read the clock.
    await turnsUntil(() => now > begun, "the clock is looked at");
    shownAt(100);
    shownAt(300);
    now += 10_000;
    await requested;
    // It is replaying to 300, and never to 100, when another height is requested.
    await turnsUntil(() => (shownAt(300)?.progress ?? 0) > 0, "it is on its way to 300");
    const shown = new Set<number>();
    await turnsUntil(() => {
      shown.add(shownAt(290)?.shown ?? 0);
      return shown.has(290);
    }, "height 290 is shown");
    expect([...shown]).toContain(300);
    expect([...shown]).not.toContain(100);
  });

  test("says of what it asks of a world that is replaced meanwhile that this is why it is not answered", async () => {
    let now = 0;
    const tab = await played(testHost({ clock: () => (now += 17) }));
    const { session } = tab;
    session.control({ case: "stepBlocks", value: 400 });
    settle(session);
    const requested = session.query((queries) =>
      queries.labReading("getNode", { node: "val-3" }, 300),
    );
    const refused = expect(requested).rejects.toThrow("another world has taken its place");
    await tab.worlds.create(FIRST_ORIGIN, "another");
    await refused;
  });
});
