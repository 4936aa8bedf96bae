import { describe, expect, test } from "vitest";
import { Session } from "./session.ts";

/** A clock that advances a little at each reading, and jumps when there is nothing to do. */
function driver(session: Session) {
  let time = 0;
  const now = (): number => {
    time += 0.01;
    return time;
  };
  const turn = (limit: number): boolean => {
    const wait = session.player.slice(10, now);
    if (time + wait > limit) return false;
    time += wait;
    return true;
  };
  return {
    now,
    /** Advances the clock by some milliseconds. */
    run(ms: number): void {
      const end = time + ms;
      while (turn(end)) if (time >= end) return;
      time = end;
    },
    /** Drives until a promise is settled; throws if the work ends before that. */
    async until<T>(promise: Promise<T>): Promise<T> {
      let settled = false;
      const done = promise.finally(() => {
        settled = true;
      });
      for (let turns = 0; !settled; turns++) {
        if (turns > 100_000) throw new Error("it does not come");
        turn(Number.MAX_SAFE_INTEGER);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return done;
    },
  };
}

const start = (): Session => new Session();
const speed = (session: Session, value: number) => session.control({ case: "speed", value });
const pause = (session: Session) => session.control({ case: "pause", value: true });
const play = (session: Session) => session.control({ case: "play", value: true });

const STORY = `
scenario: 1
name: a-story
title: A story
seed: 3
genesis: { validators: 4 }
binaries: { v2: { handlers: [v2] } }
steps:
  - run: 3
    note: first
  - propose: { from: val-0, title: Nothing, messages: [{ "@type": /chain.upgrade.v1beta1.MsgCancelUpgrade, authority: "\${gov}" }], deposit: 10000000stake }
    as: p
  - vote: { proposal: $p, option: yes, by: all }
  - run: 20
  - expect: { chain: running }
`;

describe("playing", () => {
  test("begins by itself with four validators at one block a second", () => {
    const session = start();
    driver(session).run(10_000);
    expect(session.sim.height).toBeGreaterThanOrEqual(9);
    expect(session.sim.height).toBeLessThanOrEqual(11);
    expect(session.getFrame({})).toMatchObject({
      player: { playing: true, speed: 1, busy: false, restoring: 0 },
      chainStatus: { state: "running" },
      chain: { chainId: "lab-1" },
    });
    expect(session.getFrame({}).nodes).toHaveLength(4);
  });

  test.each([2, 5, 20, 100])("keeps a speed of %d blocks a second", (value) => {
    const session = start();
    speed(session, value);
    driver(session).run(10_000);
    expect(session.sim.height).toBeGreaterThan(value * 10 * 0.95);
    expect(session.sim.height).toBeLessThan(value * 10 * 1.05 + 2);
    expect(session.getFrame({}).player?.rate).toBeGreaterThan(value * 0.8);
  });

  test("at full speed works its time slice through and gives it back", () => {
    const session = start();
    speed(session, 0);
    let time = 0;
    const now = (): number => {
      time += 0.1;
      return time;
    };
    expect(session.player.slice(10, now)).toBe(0);
    expect(time).toBeLessThan(11);
    expect(session.sim.height).toBeGreaterThan(50);
  });

  test("a pause asks for nothing more until there is another call", () => {
    const session = start();
    const drive = driver(session);
    drive.run(3000);
    pause(session);
    const { height } = session.sim;
    expect(session.player.slice(10, drive.now)).toBe(Number.POSITIVE_INFINITY);
    drive.run(5000);
    expect(session.sim.height).toBe(height);
    session.control({ case: "stepBlocks", value: 10 });
    drive.run(100);
    expect(session.sim.height).toBe(height + 10);
    expect(session.getFrame({}).player?.playing).toBe(false);
    play(session);
    drive.run(2000);
    expect(session.sim.height).toBeGreaterThan(height + 10);
  });

  test("a chain that stands still is not tried at full speed", async () => {
    const session = start();
    const drive = driver(session);
    await drive.until(session.runStep('{"nodes":{"which":["val-0","val-1"],"stop":true}}'));
    speed(session, 0);
    drive.run(10);
    const { rounds } = session.sim;
    drive.run(10_000);
    expect(session.sim.rounds - rounds).toBeLessThanOrEqual(24);
    expect(session.sim.rounds - rounds).toBeGreaterThan(10);
  });

  test.each([
    [{ case: "speed", value: -1 }, "expected a speed from 0 to 10000, found -1"],
    [{ case: "speed", value: Number.NaN }, "expected a speed from 0 to 10000, found NaN"],
    [{ case: "stepBlocks", value: 0 }, "expected a number of blocks from 1 to 100000, found 0"],
    [undefined, "nothing to do was asked for"],
  ] as const)("%j is refused and changes nothing", (action, message) => {
    const session = start();
    const before = session.player.revision;
    expect(() => session.control(action)).toThrow(message);
    expect(session.player.revision).toBe(before);
  });
});

describe("a frame", () => {
  test("that has nothing new carries nothing", () => {
    const session = start();
    pause(session);
    const { revision, world } = session.getFrame({});
    expect(session.getFrame({ revision })).toMatchObject({ revision, world, chain: undefined });
    session.control({ case: "speed", value: 5 });
    expect(session.getFrame({ revision }).chain).toBeDefined();
  });

  test("brings only blocks and happenings that the asker does not have, and at most 400 of them", () => {
    const session = start();
    speed(session, 0);
    session.control({ case: "stepBlocks", value: 1000 });
    driver(session).run(20);
    const height = session.sim.height;
    const { blocks } = session.getFrame({});
    expect(blocks).toHaveLength(400);
    expect(blocks.at(-1)?.height).toBe(height);
    const after = session.getFrame({ blocksAfter: height - 3 }).blocks.map((cell) => cell.height);
    expect(after).toEqual([height - 2, height - 1, height]);
    expect(session.getFrame({ blocksAfter: height }).blocks).toEqual([]);
  });

  test("has few samples, from the first block to the last, and only if asked for", () => {
    const session = start();
    pause(session);
    session.control({ case: "stepBlocks", value: 2000 });
    driver(session).run(1000);
    expect(session.getFrame({}).samples).toEqual([]);
    const { samples } = session.getFrame({ samples: true });
    expect(samples.length).toBeLessThanOrEqual(121);
    expect(samples.length).toBeGreaterThan(30);
    expect(samples[0]?.height).toBe(1);
    expect(samples.at(-1)).toMatchObject({
      height: 2000,
      powers: [100, 100, 100, 100],
      burned: "0",
      intervalSeconds: 5,
    });
  });

  test("shows what a double sign did: burned, tombstoned, evidence, marks and steps", async () => {
    const session = start();
    const drive = driver(session);
    drive.run(5000);
    await drive.until(session.runStep('{"double_sign":{"node":"val-2"}}'));
    drive.run(4000);
    const frame = session.getFrame({});
    expect(frame.chain?.burned).toBe("5000000");
    expect(frame.validators[2]).toMatchObject({
      name: "val-2",
      burned: "5000000",
      tombstoned: true,
      jailed: true,
      tokens: "95000000",
      power: 0,
    });
    const [evidence] = frame.evidence;
    expect(evidence).toMatchObject({ validator: "val-2", power: "100", burned: "5000000" });
    const marked = frame.blocks.filter(({ marks }) => marks & 1);
    expect(marked).toEqual([expect.objectContaining({ height: evidence?.block, marks: 1 | 2 })]);
    expect(frame.activity.filter(({ kind }) => kind === "step").length).toBeGreaterThan(3);
    const block = (await session.query((queries) => queries)).lab("getBlock", {
      height: evidence?.block ?? 0,
    });
    expect(block.events.map(({ type }) => type)).toContain("slash");
  });
});

describe("steps", () => {
  test("that are wrong are refused with their place, and nothing happens", async () => {
    const session = start();
    pause(session);
    const refused = await session.runStep('{"nodes":{"which":["val-9"],"stop":true}}');
    expect(refused).toMatchObject({ ok: false, path: "nodes.which[0]" });
    expect(refused.message).toContain('there is no node "val-9"');
    expect(await session.runStep("[1")).toMatchObject({ ok: false });
    expect(await session.runStep("[]")).toMatchObject({ ok: false });
    const half =
      '[{"nodes":{"which":["val-0"],"stop":true}},{"nodes":{"which":"none","stop":true}}]';
    expect(await session.runStep(half)).toMatchObject({ ok: false, path: "[1].nodes.which" });
    expect(session.sim.journal).toEqual([]);
  });

  test("given while paused make the blocks they need, and it stays paused", async () => {
    const session = start();
    const drive = driver(session);
    pause(session);
    expect(await drive.until(session.runStep('{"run":5}'))).toMatchObject({ ok: true, height: 5 });
    drive.run(5000);
    expect(session.sim.height).toBe(5);
  });

  test.each([1, 2, 10])(
    "have their votes in the next block, while %d at a time are made by hand",
    async (blocks) => {
      const session = start();
      const drive = driver(session);
      pause(session);
      const step = { upgrade: { name: "v2", at: 60, until: "voted" } };
      const voted = session.runStep(JSON.stringify(step));
      session.control({ case: "stepBlocks", value: blocks });
      expect(await drive.until(voted)).toMatchObject({ ok: true, value: "1" });
      const yes = () => session.getFrame({}).proposals[0];
      expect(yes()).toMatchObject({ status: "voting", yes: "400000000" });
      session.control({ case: "stepBlocks", value: 20 });
      drive.run(5000);
      expect(yes()).toMatchObject({ status: "passed", yes: "400000000" });
    },
  );

  test("of a story leave time to read their notes, but not at a speed at which they cannot be read", async () => {
    const said = "A note of some length, which takes a person a while to read.";
    const brief = STORY.replace("  - expect", "    note: second\n  - expect");
    const annotated = brief.replace("note: first", `note: ${said}`);
    const lasts = async (text: string, blocksPerSecond: number): Promise<number> => {
      const session = start();
      const drive = driver(session);
      await session.loadScenario({ text, file: "a-story.yaml" });
      speed(session, blocksPerSecond);
      for (let ms = 0; session.getFrame({}).story?.state !== "passed"; ms += 100) {
        if (ms > 120_000) throw new Error("the story does not end");
        drive.run(100);
      }
      return drive.now();
    };
    expect((await lasts(annotated, 1)) - (await lasts(brief, 1))).toBeGreaterThan(1000);
    expect(await lasts(annotated, 0)).toBeLessThan(1000);
  });

  test("run at the player's speed and one at a time", async () => {
    const session = start();
    const drive = driver(session);
    pause(session);
    const order: string[] = [];
    const first = session.runStep('{"run":10}').then(() => order.push("first"));
    const second = session.runStep('{"run":5}').then(() => order.push("second"));
    const before = drive.now();
    await drive.until(Promise.all([first, second]));
    expect(order).toEqual(["first", "second"]);
    expect(session.sim.height).toBe(15);
    expect(drive.now() - before).toBeGreaterThan(12_000);
  });

  test("wait while the player is paused, refuse company, and can be stopped", async () => {
    const session = start();
    const drive = driver(session);
    const step = session.runStep('{"run":50}');
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    drive.run(3000);
    pause(session);
    const { height } = session.sim;
    drive.run(5000);
    expect(session.sim.height).toBe(height);
    expect(session.getFrame({}).player).toMatchObject({ busy: false, playing: false });
    expect(await session.runStep('{"run":1}')).toMatchObject({ ok: false });
    session.control({ case: "stop", value: true });
    expect(await step).toMatchObject({ ok: false, message: "stopped" });
    expect(session.getFrame({}).player?.busy).toBe(false);
  });

  test("that wait for blocks of a halted chain fail soon, with the reason", async () => {
    const session = start();
    const drive = driver(session);
    await drive.until(session.runStep('{"nodes":{"which":["val-0","val-1"],"stop":true}}'));
    const before = drive.now();
    const result = await drive.until(session.runStep('{"run":1}'));
    expect(result).toMatchObject({ ok: false });
    expect(result.message).toContain("val-0, val-1: stopped by its operator");
    expect(drive.now() - before).toBeLessThan(10_000);
  });

  test("are previewed without being run", async () => {
    const session = start();
    const drive = driver(session);
    drive.run(8000);
    pause(session);
    const { revision } = session.player;
    const sane = '{"misbehavior":{"type":"duplicate_vote","validators":["val-2"],"height":3}}';
    expect(await session.preview(sane)).toMatchObject({
      time: "2026-01-01T00:00:10Z",
      power: "100",
      message: "",
    });
    expect((await session.preview(sane)).sentence).toMatch(/val-2 voted twice at height 3.*5 %/);
    const future = '{"misbehavior":{"type":"duplicate_vote","validators":["val-2"],"height":99}}';
    expect((await session.preview(future)).message).toContain("there is no block 99");
    const unknown = '{"double_sign":{"node":"val-7"}}';
    expect(await session.preview(unknown)).toMatchObject({ path: "double_sign.node" });
    expect((await session.preview('{"upgrade":{"name":"v2","at":40}}')).sentence).toMatch(
      /At height 40 every node whose binary has no "v2" handler will stop\. Binary v2 has one/,
    );
    expect(session.player.revision).toBe(revision);
  });
});

describe("a scenario", () => {
  test("takes the world's place and tells its story step by step", async () => {
    const session = start();
    const drive = driver(session);
    const first = session.world;
    expect(await session.loadScenario({ text: STORY, file: "a-story.yaml" })).toEqual({
      ok: true,
      problems: [],
    });
    expect(session.world).not.toBe(first);
    drive.run(1500);
    const { story } = session.getFrame({});
    expect(story).toMatchObject({
      name: "a-story",
      title: "A story",
      file: "a-story.yaml",
      state: "running",
      current: 0,
    });
    expect(story?.steps[0]).toMatchObject({ verb: "run", note: "first", state: "running" });
    drive.run(60_000);
    const after = session.getFrame({}).story;
    expect(after?.steps.map(({ message }) => message).join("")).toBe("");
    expect(after?.state).toBe("passed");
    expect(new Set(after?.steps.map(({ state }) => state))).toEqual(new Set(["ok"]));
  });

  test("with problems is refused with their lines, and the world stays", async () => {
    const session = start();
    driver(session).run(3000);
    const { height } = session.sim;
    const broken = STORY.replace("run: 3", "run: -3").replace("by: all", "by: [val-9]");
    const { ok, problems } = await session.loadScenario({ text: broken, file: "broken.yaml" });
    expect(ok).toBe(false);
    expect(problems.map(({ line }) => line)).toEqual([9, 13]);
    expect(session.sim.height).toBe(height);
  });

  test("whose genesis no chain can begin with is refused at its line, and the world stays", async () => {
    const session = start();
    driver(session).run(3000);
    const { world } = session;
    const text = STORY.replace(
      /^genesis:.*$/m,
      "genesis: { validators: [{ name: a, stake: '8000000000000000000000' }] }",
    ).replace(/^steps:[\s\S]*/m, "steps: []\n");
    const { ok, problems } = await session.loadScenario({ text, file: "rich.yaml" });
    const line = text.split("\n").findIndex((one) => one.startsWith("genesis:")) + 1;
    expect({ ok, problems }).toMatchObject({ ok: false, problems: [{ path: "genesis", line }] });
    expect(problems[0]?.message).toContain("supply of stake must be below");
    expect(session.world).toBe(world);
  });

  test("whose step fails stops there and says why", async () => {
    const session = start();
    const text = STORY.replace("chain: running", "chain: halted");
    await session.loadScenario({ text, file: "" });
    driver(session).run(60_000);
    const { story } = session.getFrame({});
    expect(story?.state).toBe("failed");
    expect(story?.steps.at(-1)).toMatchObject({ state: "failed" });
    expect(story?.steps.at(-1)?.message).not.toBe("");
  });

  test("can be loaded without running its steps", async () => {
    const session = start();
    pause(session);
    await session.loadScenario({ text: STORY, file: "", withoutSteps: true });
    driver(session).run(5000);
    expect(session.sim.height).toBe(0);
    expect(session.getFrame({}).story).toMatchObject({ state: "none", name: "a-story" });
  });

  test("gives way to the first world when one starts over", async () => {
    const session = start();
    await session.loadScenario({ text: STORY, file: "" });
    driver(session).run(2000);
    session.control({ case: "startOver", value: true });
    expect(session.getFrame({})).toMatchObject({ chain: { height: 0 }, story: undefined });
  });
});
