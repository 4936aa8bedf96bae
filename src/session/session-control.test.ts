import { describe, expect, test } from "vitest";
import { Session } from "./session.ts";
import { settle, turnsUntil } from "./testing.ts";

/** Makes a session start a step, which it does once the step parser is loaded. */
async function beginStep(session: Session, text: string): Promise<void> {
  await session.preview(text);
  void session.runStep(text);
  await turnsUntil(() => session.player.live.tasks.busy, "the step is queued");
  session.player.slice(2, clock());
}

/** A session that is paused at its first block. */
function paused(): Session {
  const session = new Session();
  session.control({ case: "pause", value: true });
  return session;
}

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
      command: 0,
      found: "",
      index: 0,
      verb: "",
      ok: false,
      height: session.sim.height,
      path: "",
      value: "",
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
      endedPlans: [],
      evidenceDecided: 0,
      evidenceWaiting: 0,
      tampered: [],
      evidence: [],
      samples: [],
      forks: [],
      metForks: [],
      faults: undefined,
      accounts: [],
      applied: [],
    });
  });
});

/** A clock that advances one millisecond at each reading. */
function clock(): () => number {
  let time = 0;
  return () => {
    time += 1;
    return time;
  };
}

describe("while a form is open", () => {
  /** Lets a playing session work for two seconds of its clock. */
  const wait = (session: Session): void => {
    const now = clock();
    for (const end = 2000; now() < end; ) session.player.slice(10, now);
  };

  test("no block comes by itself, and the chain goes on once it is closed", () => {
    const session = new Session();
    session.control({ case: "speed", value: 100 });
    wait(session);
    const { height } = session.sim;
    expect(height).toBeGreaterThan(0);
    session.control({ case: "formOpen", value: true });
    wait(session);
    expect(session.sim.height).toBe(height);
    expect(session.getFrame({}).player).toMatchObject({ playing: true, formOpen: true, rate: 0 });
    session.control({ case: "formOpen", value: false });
    wait(session);
    expect(session.sim.height).toBeGreaterThan(height);
  });

  test("a step that is under way waits too, and a block that is asked for comes", async () => {
    const session = paused();
    await beginStep(session, '{"run":{"to":50}}');
    session.control({ case: "formOpen", value: true });
    const { height } = session.sim;
    wait(session);
    expect(session.sim.height).toBe(height);
    session.control({ case: "stepBlocks", value: 1 });
    session.player.slice(10, clock());
    expect(session.sim.height).toBe(height + 1);
  });
});

describe("a step that is to pause the chain", () => {
  test("comes as fast as possible to its height, and pauses a chain that played, or is played on its way", async () => {
    const session = new Session();
    session.control({ case: "speed", value: 1 });
    const step = '{"run":{"to":500}}';
    await session.preview(step);
    const ended = session.runStep(step, { pause: true, fullSpeed: true });
    await turnsUntil(() => session.player.live.tasks.busy, "the step is queued");
    const now = clock();
    session.player.slice(2, now);
    session.control({ case: "play", value: true });
    while (session.player.slice(10, now) === 0) expect(now()).toBeLessThan(100_000);
    expect(await ended).toMatchObject({ ok: true, height: 500, found: "" });
    expect(session.sim.height).toBe(500);
    expect(session.getFrame({}).player).toMatchObject({ playing: false, busy: false, speed: 1 });
  });
});
