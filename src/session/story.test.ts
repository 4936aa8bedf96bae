import { beforeEach, describe, expect, test } from "vitest";
import type { Story as StoryView } from "../gen/lab/v1/lab_plain.ts";
import { MemoryStorage, openTab, settle, type TestTab, until } from "./testing.ts";

const STORY = `
scenario: 1
name: told
title: Told
seed: 7
pace: 4
genesis: { validators: 4 }
steps:
  - run: 5
    note: Four validators make blocks.
  - double_sign: { node: val-2 }
    as: offence
    note: val-2 signs twice.
    show: { select: val-2, highlight: round }
  - expect: { tokens: val-2, is: "100000000" }
  - run: 1
  - run: 1
    note: Block 7 carries the evidence.
    show: { view: evidence, select: { evidence: "\${offence.evidence}" } }
  - expect: { tokens: val-2, is: "95000000" }
  - expect: { store: evidence, key: "00\${offence.evidence}", value: present }
  - run: 3
    note: The others go on.
`;

let tab: TestTab;
const story = (): StoryView => {
  const drawn = tab.session.getFrame({}).story;
  if (drawn === undefined) throw new Error("there is no story");
  return drawn;
};
const height = (): number => tab.session.sim.height;
const speed = (value: number) => tab.session.control({ case: "speed", value });
const beat = (index: number, done = false): Promise<void> =>
  until(
    tab.session,
    Promise.resolve(tab.session.control({ case: "beat", value: { index, done } })),
  ).then(() => settle(tab.session));

/** Loads the story, which waits before its first beat. */
async function load(text = STORY): Promise<void> {
  await tab.session.loadScenario({ text, file: "told.yaml" });
  tab.session.control({ case: "pause", value: true });
  speed(0);
}

beforeEach(() => {
  tab = openTab(new MemoryStorage());
});

describe("a story told by hand", () => {
  beforeEach(() => load());

  test("goes on by one beat, and rests after it", async () => {
    await beat(0);
    expect(height()).toBe(5);
    expect(story()).toMatchObject({ state: "running", beat: 0, autoplay: false, current: 1 });
    expect(story().beats.map(({ state }) => state)).toEqual([
      "ok",
      "pending",
      "pending",
      "pending",
    ]);
    settle(tab.session);
    expect(height()).toBe(5);
    await beat(1);
    expect(height()).toBe(5);
    expect(story().beats[1]).toMatchObject({
      ...{ sentence: "val-2 signs twice.", first: 1, end: 3, state: "ok" },
      ...{ view: "network", highlight: "round", selectionKind: "node", selectionId: "val-2" },
    });
  });

  test("says of its checks what they expect and what they have found", async () => {
    await beat(1);
    expect(story().steps[2]).toMatchObject({
      ...{ state: "ok", expected: "tokens: val-2, is: 100000000", found: "100000000" },
    });
    expect(story().steps[5]).toMatchObject({ state: "pending", found: "" });
  });

  test("passes over what lies before the beat that was chosen", async () => {
    await beat(3);
    expect(height()).toBe(10);
    expect(story()).toMatchObject({ state: "passed", beat: 3 });
  });

  test("goes back to the world as it was, with all that a beat has done or before it was told", async () => {
    await beat(2);
    const hash = tab.session.sim.appHash;
    await beat(3);
    await beat(2, true);
    expect(height()).toBe(7);
    expect(tab.session.sim.appHash).toEqual(hash);
    expect(story()).toMatchObject({ state: "running", beat: 2, current: 7 });
    expect(story().steps[5]).toMatchObject({ state: "ok", found: "95000000" });
    await beat(0, true);
    expect(height()).toBe(5);
    expect(story().beats[1]?.state).toBe("pending");
    await beat(0);
    expect(height()).toBe(5);
    expect(story()).toMatchObject({ state: "running", beat: 0 });
  });

  test("comes to the same end after any ways back and on", async () => {
    await beat(3);
    const hash = tab.session.sim.appHash;
    for (const index of [1, 2, 0, 3, 1]) await beat(index, true);
    await beat(3);
    expect(story().state).toBe("passed");
    expect(tab.session.sim.appHash).toEqual(hash);
  });

  test("finds evidence that was not stored yet when it went back", async () => {
    await beat(1);
    await beat(1);
    expect(story().beats[2]?.selectionId).toBe("");
    await beat(2);
    expect(story()).toMatchObject({ state: "running", beat: 2 });
    expect(story().beats[2]?.selectionId).toMatch(/^[0-9A-F]{64}$/);
  });

  test("keeps what a person did between two beats, and gives up what came later", async () => {
    await beat(0);
    await until(tab.session, tab.session.runStep('{"nodes":{"which":["val-3"],"stop":true}}'));
    await beat(1);
    await until(tab.session, tab.session.runStep('{"nodes":{"which":["val-1"],"stop":true}}'));
    const stopped = () =>
      tab.session
        .getFrame({})
        .nodes.flatMap(({ name, process }) => (process === "stopped" ? name : []));
    expect(stopped()).toEqual(["val-1", "val-3"]);
    await beat(0, true);
    expect(stopped()).toEqual(["val-3"]);
  });

  test("keeps the world as another where going back gives up what a person did, and only there", async () => {
    const worlds = async () => (await tab.worlds.list()).map(({ name, height }) => [name, height]);
    await beat(3);
    await beat(1, true);
    await beat(3);
    expect(await worlds()).toEqual([["Told", 10]]);
    expect(tab.saving.notices).toEqual([]);

    await until(tab.session, tab.session.runStep('{"nodes":{"which":["val-3"],"stop":true}}'));
    await beat(2, true);
    expect(height()).toBe(7);
    expect(tab.saving.notices).toMatchObject([
      { kind: "kept_aside", text: expect.stringContaining("is kept: “Told (copy)”") },
    ]);
    expect(await worlds()).toContainEqual(["Told (copy)", 10]);
    // The actions are included, and going back further drops no more manual ones.
    await beat(0, true);
    expect(await worlds()).toHaveLength(2);
    const { id = "" } = (await tab.worlds.list()).find(({ name }) => name.includes("copy")) ?? {};
    await tab.worlds.open(id);
    await until(tab.session, tab.session.restored);
    expect(height()).toBe(10);
    const { nodes } = tab.session.getFrame({});
    expect(nodes.find(({ name }) => name === "val-3")?.process).toBe("stopped");
  });

  test("is told on block by block when blocks are made by hand, and no block follows its last", async () => {
    tab.session.control({ case: "stepBlocks", value: 2 });
    settle(tab.session);
    expect([height(), story().beat]).toEqual([2, 0]);
    for (let i = 0; i < 4; i++) {
      tab.session.control({ case: "stepBlocks", value: 1 });
      settle(tab.session);
    }
    expect([height(), story().beat]).toEqual([6, 2]);
    tab.session.control({ case: "stepBlocks", value: 50 });
    settle(tab.session);
    expect(story()).toMatchObject({ state: "passed" });
    expect(height()).toBe(10);
  });

  test("is left with what it has done, and blocks are one's own again", async () => {
    await beat(1);
    tab.session.control({ case: "stop", value: true });
    expect(story().state).toBe("none");
    tab.session.control({ case: "stepBlocks", value: 2 });
    settle(tab.session);
    expect(height()).toBe(7);
    const value = { index: 2, done: false };
    const requested = tab.session.control({ case: "beat", value });
    await expect(requested).rejects.toThrow("no story is told");
  });

  test("has no beat beyond its last", async () => {
    const value = { index: 4, done: false };
    const requested = tab.session.control({ case: "beat", value });
    await expect(requested).rejects.toThrow("expected a beat from 0 to 3, found 4");
  });

  test("comes back as it was after a restart, and still knows the way back", async () => {
    await beat(2);
    await tab.save();
    const { current = "" } = tab.worlds;
    tab = openTab(new MemoryStorage(tab.storage.records));
    await tab.worlds.open(current);
    await until(tab.session, tab.session.restored);
    settle(tab.session);
    expect(story()).toMatchObject({ state: "running", beat: 2, autoplay: false });
    expect(height()).toBe(7);
    await beat(1, true);
    expect([height(), story().beat]).toEqual([5, 1]);
    await beat(3);
    expect(story().state).toBe("passed");
  });
});

describe("a story that tells itself", () => {
  test("has a speed of its own, which leaves that of other chains as it is", async () => {
    tab.session.control({ case: "speed", value: 7 });
    await tab.session.loadScenario({ text: STORY, file: "told.yaml" });
    const shown = () => tab.session.getFrame({}).player?.speed;
    expect(shown()).toBe(4);
    speed(0);
    expect(shown()).toBe(0);
    settle(tab.session);
    expect(story().state).toBe("passed");
    expect(shown()).toBe(7);
  });

  test("whose autoplay is switched off tells its beat to the end, and begins no other", async () => {
    await load();
    const autoplay = (value: boolean) => tab.session.control({ case: "autoplay", value });
    autoplay(true);
    let time = 0;
    while (height() < 2) tab.session.player.slice(2, () => time++);
    autoplay(false);
    expect(story()).toMatchObject({ beat: 0, autoplay: false });
    expect(tab.session.getFrame({}).player).toMatchObject({ playing: false, busy: true });
    settle(tab.session);
    expect(height()).toBe(5);
    expect(story()).toMatchObject({ state: "running", beat: 0, current: 1 });
    autoplay(true);
    settle(tab.session);
    expect(story().state).toBe("passed");
  });

  test("rests when it is paused, and goes on when it is played", async () => {
    await load();
    await beat(0);
    expect(tab.session.getFrame({}).player).toMatchObject({ playing: false, busy: false });
    tab.session.control({ case: "play", value: true });
    expect(tab.session.getFrame({}).player).toMatchObject({ playing: true });
    settle(tab.session);
    expect(story().state).toBe("passed");
    expect(tab.session.player.playing).toBe(false);
  });
});

test("a story that was left before its first beat comes back without a notice, and goes on", async () => {
  await tab.session.loadScenario({ text: STORY, file: "told.yaml" });
  await tab.save();
  const back = openTab(new MemoryStorage(tab.storage.records));
  const [world] = await back.worlds.list();
  const opened = back.worlds.open(world?.id ?? "").then(() => back.session.restored);
  await until(back.session, opened);
  expect(back.saving.notices).toEqual([]);
  settle(back.session);
  expect(back.session.sim.height).toBeGreaterThan(0);
});

test("a file of which only some steps run is kept whole, and brought back it runs no further", async () => {
  const load = { text: STORY, file: "told.yaml", steps: 2, paused: true };
  expect(await tab.session.loadScenario(load)).toMatchObject({ ok: true });
  speed(0);
  await beat(0);
  await tab.save();
  const back = openTab(new MemoryStorage(tab.storage.records));
  await back.worlds.open(tab.worlds.current ?? "");
  await until(back.session, back.session.restored);
  for (const one of [tab, back]) {
    tab = one;
    expect(story().steps).toHaveLength(2);
    await beat(1, true);
    expect(story().state).toBe("passed");
    expect(height()).toBe(5);
    expect(one.session.player.live.origin.text).toBe(STORY);
  }
});

describe("a story that says what must hold", () => {
  const HALT = `
scenario: 1
name: halted
genesis: { validators: 4 }
never: [{ name: it stands still, chain: halted }]
eventually: [{ name: it has begun, within: 3, chain: running, height: 2 }]
steps:
  - run: 4
    note: Blocks are made.
  - nodes: { which: [val-0, val-1], stop: true }
    note: Two stop.
  - run: { rounds: 5 }
    note: The others wait.
`;

  test("ends as soon as that does not hold, and says so", async () => {
    await load(HALT);
    await beat(2, true);
    expect(story()).toMatchObject({ state: "failed", current: 1 });
    expect(story().steps[1]?.message).toMatch(/^never it stands still: expected that it is not/);
    expect(story().steps[2]?.state).toBe("pending");
    expect(height()).toBe(4);
  });

  test("still knows, gone back or brought back, what has come true", async () => {
    await load(HALT.replace("[val-0, val-1]", "[val-0]"));
    await beat(1, true);
    await beat(1);
    await tab.save();
    const { current = "" } = tab.worlds;
    tab = openTab(new MemoryStorage(tab.storage.records));
    await tab.worlds.open(current);
    await until(tab.session, tab.session.restored);
    await beat(2, true);
    expect(story()).toMatchObject({ state: "passed" });
  });

  test("fails at its end if what must be true sometimes never was", async () => {
    await load(HALT.replace("never:", "sometimes:").replace("[val-0, val-1]", "[val-0]"));
    await beat(2, true);
    expect(story()).toMatchObject({ state: "failed" });
    expect(story().steps[2]?.message).toContain("it was not true at any time up to height 8");
  });

  test("of which only a part runs does not fail for what may come later", async () => {
    const text = HALT.replace("never:", "sometimes:");
    await tab.session.loadScenario({ text, file: "told.yaml", steps: 1 });
    tab.session.control({ case: "pause", value: true });
    speed(0);
    await beat(0, true);
    expect(story()).toMatchObject({ state: "passed" });
  });
});

describe("a file of which only some steps run", () => {
  const runOn = (steps: number): Promise<void> =>
    until(tab.session, Promise.resolve(tab.session.control({ case: "runOn", value: steps }))).then(
      () => settle(tab.session),
    );
  const states = (): string[] => story().steps.map(({ state }) => state);

  async function runTo(steps: number): Promise<void> {
    const part = { steps, withoutSteps: steps === 0 };
    await tab.session.loadScenario({ text: STORY, file: "told.yaml", paused: true, ...part });
    if (steps > 0) await beat(story().beats.length - 1, true);
  }

  test("goes on from every step to every later one, and to the world of one that ran at once", async () => {
    await runTo(8);
    const whole = tab.session.sim.appHash;
    for (const first of [0, 1, 2, 3, 5, 7]) {
      await runTo(first);
      for (const next of [4, 6].filter((step) => step > first)) {
        await runOn(next);
        expect(states()).toEqual(Array.from({ length: next }, () => "ok"));
        expect(story().state).toBe("passed");
      }
      await runOn(0);
      expect(states()).toEqual(Array.from({ length: 8 }, () => "ok"));
      expect(story()).toMatchObject({ state: "passed", acted: false });
      expect(tab.session.sim.appHash).toEqual(whole);
    }
  });

  test("goes on after it was saved and opened again", async () => {
    await runTo(2);
    await runOn(4);
    await tab.save();
    tab = openTab(new MemoryStorage(tab.storage.records));
    const [world] = await tab.worlds.list();
    await tab.worlds.open(world?.id ?? "");
    await until(tab.session, tab.session.restored);
    expect(states()).toEqual(["ok", "ok", "ok", "ok"]);
    await runOn(0);
    expect(states()).toHaveLength(8);
    expect(story().state).toBe("passed");
  });

  test("does not go on where it is over, or was left", async () => {
    const requested = async (value: number) => tab.session.control({ case: "runOn", value });
    await runTo(8);
    await expect(requested(0)).rejects.toThrow("there is no step to go on with");
    await runTo(3);
    await expect(requested(3)).rejects.toThrow("there is no step to go on with");
    tab.session.control({ case: "stop", value: true });
    await expect(requested(0)).rejects.toThrow("there is no step to go on with");
  });
});
