import { describe, expect, test } from "vitest";
import type { SavedSession } from "./saved.ts";
import { Session } from "./session.ts";

/** Lets a session work until it has nothing to do at once. */
function settle(session: Session): void {
  let time = 0;
  const now = (): number => {
    time += 1;
    return time;
  };
  while (session.player.slice(10, now) === 0);
}

/** Has a session begin a step, which it does when what reads steps is loaded. */
async function beginStep(session: Session, text: string): Promise<void> {
  await session.preview(text);
  void session.runStep(text);
  await new Promise((resolve) => setImmediate(resolve));
  session.player.slice(2, clock());
}

/** A session that stands still at its first block. */
function paused(): Session {
  const session = new Session();
  session.control({ case: "pause", value: true });
  return session;
}

async function restored(saved: SavedSession): Promise<Session> {
  const session = new Session();
  await session.restore(saved);
  settle(session);
  return session;
}

const savedOf = (session: Session): SavedSession => session.saved() as SavedSession;
const STORY = "{ scenario: 1, name: told, title: Told, steps: [{ run: 1 }, { run: 2 }] }";

describe("what a session saves", () => {
  test("of a new world is its beginning and how it is played, and nothing that there is none of", () => {
    const session = new Session();
    expect(session.saved()).toStrictEqual({
      spec: session.sim.spec,
      journal: [],
      rounds: 0,
      playing: true,
      speed: 1,
      held: false,
      results: [],
      steps: [],
    });
  });

  test("of a step that is held is where it began, and the step; restored, it waits to be played on", async () => {
    const session = new Session();
    session.control({ case: "speed", value: 0 });
    session.control({ case: "stepBlocks", value: 2 });
    workTo(session, 2);
    await beginStep(session, '{"run":5}');
    workTo(session, 4);
    session.control({ case: "pause", value: true });
    const saved = savedOf(session);
    expect(saved).toMatchObject({ held: true, playing: false, steps: ['{"run":5}'] });
    expect(saved.began?.journal).toBe(0);
    const back = await restored(saved);
    const { height } = back.sim;
    expect(height).toBe(saved.began?.rounds);
    expect(back.getFrame({}).player).toMatchObject({ busy: false, playing: false, speed: 0 });
    back.control({ case: "play", value: true });
    back.player.slice(2, clock());
    expect(back.getFrame({}).player?.busy).toBe(true);
  });

  test("of a story's world is the story; one whose file is no longer sound is forgotten, and the world stays", async () => {
    const session = paused();
    await session.loadScenario({ text: STORY, file: "told.yaml", withoutSteps: true });
    session.control({ case: "pause", value: true });
    session.control({ case: "stepBlocks", value: 3 });
    settle(session);
    const saved = savedOf(session);
    const story = { text: STORY, file: "told.yaml", state: "none", current: 0, message: "" };
    expect(saved.story).toStrictEqual(story);
    const back = await restored(saved);
    expect(back.getFrame({}).story).toMatchObject({ title: "Told", file: "told.yaml" });
    expect(back.saved()).toStrictEqual(saved);
    const spoilt = await restored({ ...saved, story: { ...saved.story, text: "what?" } as never });
    expect(spoilt.getFrame({}).story).toMatchObject({ title: "", file: "", steps: [] });
    expect(spoilt.sim.height).toBe(3);
    expect(spoilt.saved()?.story).toBeUndefined();
  });

  test("of steps that cannot be read any more is left out, and what they have named stays", async () => {
    const saved = { ...savedOf(paused()), playing: false };
    const back = await restored({ ...saved, steps: ["{}"], results: [{ name: "p", value: "7" }] });
    expect(back.getFrame({}).player?.busy).toBe(false);
    expect(back.saved()?.results).toEqual([{ name: "p", value: "7" }]);
    expect(back.saved()?.steps).toEqual([]);
  });
});

describe("what is asked of a session", () => {
  test.each([
    [{ case: "speed", value: 0 }],
    [{ case: "speed", value: 10_000 }],
    [{ case: "stepBlocks", value: 1 }],
    [{ case: "stepBlocks", value: 100_000 }],
  ] as const)("may be just as much as this, and wakes its driver: %j", (action) => {
    const session = paused();
    let woken = 0;
    session.player.onWake = () => {
      woken += 1;
    };
    const { revision } = session.player;
    session.control(action);
    expect(woken).toBe(1);
    expect(session.player.revision).toBeGreaterThan(revision);
  });

  test.each([
    [{ case: "speed", value: 10_001 }],
    [{ case: "stepBlocks", value: 100_001 }],
    [{ case: "stepBlocks", value: 0.5 }],
  ] as const)("may not be more or less: %j", (action) => {
    expect(() => paused().control(action)).toThrow(/^expected .* from \d+ to \d+, found/);
  });

  test("part of a block is none", () => {
    const session = paused();
    session.control({ case: "stepBlocks", value: 2.9 });
    settle(session);
    expect(session.sim.height).toBe(2);
  });

  test("as a preview is of one step; of several, or of what is none, there is none", async () => {
    const session = paused();
    const step = '{"nodes":{"which":["val-0"],"stop":true}}';
    const sentence = "The process of val-0 ends.";
    const nothing = { sentence: "", time: "", power: "", path: "", message: "" };
    expect(await session.preview(step)).toEqual({ ...nothing, sentence });
    expect(await session.preview(`[${step}]`)).toEqual({ ...nothing, sentence });
    expect(await session.preview(`[${step},${step}]`)).toEqual(nothing);
    expect(await session.preview("[]")).toEqual({
      ...nothing,
      message: "expected at least one step",
    });
  });

  test("as a step while another is held is refused, with the height it is at", async () => {
    const session = new Session();
    await beginStep(session, '{"run":5}');
    session.control({ case: "pause", value: true });
    expect(await session.runStep('{"run":1}')).toEqual({
      index: 0,
      verb: "",
      ok: false,
      height: session.sim.height,
      path: "",
      message: "another step is held in its middle: play on or stop it",
    });
  });

  test("as a frame that is known already carries its names alone", () => {
    const session = paused();
    const { revision, world } = session.getFrame({});
    expect(session.getFrame({ revision })).toStrictEqual({
      revision,
      world,
      chain: undefined,
      player: undefined,
      validators: [],
      nodes: [],
      chainStatus: undefined,
      plan: undefined,
      binaries: [],
      moduleVersions: [],
      proposals: [],
      blocks: [],
      activity: [],
      story: undefined,
      evidence: [],
      samples: [],
      forks: [],
      faults: undefined,
      accounts: [],
      applied: [],
    });
  });
});

/** A clock that shows one millisecond more whenever it is read. */
function clock(): () => number {
  let time = 0;
  return () => {
    time += 1;
    return time;
  };
}

/** Lets a session work up to a height. */
function workTo(session: Session, height: number): void {
  const now = clock();
  for (let turns = 0; session.sim.height < height; turns++) {
    if (turns > 10_000) throw new Error(`height ${height} does not come`);
    session.player.slice(2, now);
  }
}
