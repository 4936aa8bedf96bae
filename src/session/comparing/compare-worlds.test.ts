import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { toHexUpper } from "../../base/bytes.ts";
import { COMPARED } from "../../base/limits.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import {
  perform,
  type WorldStep,
  worldSteps,
} from "../../engine/simulation/keyframe/worlds.testing.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { type Caller, QUERIES_ONLY } from "../caller.ts";
import { FIRST_ORIGIN } from "../first-world.ts";
import { headRecord, OUTLINE_KEYS, readOutline } from "../history/head.ts";
import { HEADS, worldPrefix } from "../history/keys.ts";
import type { Host } from "../history/storage.ts";
import type { Head } from "../saved.ts";
import { openTab, settle, type TestTab, testHost, until } from "../testing.ts";
import { originOf } from "../travel.testing.ts";
import { compareWorlds, findDifference, firstDifference } from "./compare-worlds.ts";
import type { Compares } from "./compares.ts";
import type { OpenedWorld } from "./opened-world.ts";

/** A tab with a world in which some steps were run. */
async function worldAfter(steps: readonly WorldStep[]): Promise<TestTab> {
  const tab = openTab();
  await tab.worlds.create(originOf(), "drawn");
  tab.session.control({ case: "pause", value: true });
  for (const step of steps) perform(tab.session.sim, step);
  tab.session.player.live.observer.observe();
  return tab;
}

const opened = ({ session }: TestTab): OpenedWorld => ({
  ...{ session, world: "", name: "", note: "", parent: undefined, failure: "" },
});

/** Hash of block and state, by height from the first on. */
const hashesOf = (sim: Simulation): string[] =>
  Array.from({ length: sim.height - sim.initialHeight + 1 }, (_, i) => {
    const block = sim.block(sim.initialHeight + i);
    return block === undefined ? "" : `${toHexUpper(block.hash)} ${toHexUpper(block.appHash)}`;
  });

describe("a world held against another", () => {
  test("of which it is a replay has nothing different", async () => {
    await fc.assert(
      fc.asyncProperty(worldSteps, async (steps) => {
        const [a, b] = [await worldAfter(steps), await worldAfter(steps)];
        const sides = [opened(a), opened(b)] as const;
        const compared = await compareWorlds(
          { opened: sides[0], height: 0 },
          { opened: sides[1], height: 0 },
          0,
          STEERS,
        );
        expect(compared.first).toBeUndefined();
        expect(compared.genesis).toEqual([]);
        expect(compared.things).toEqual([]);
        expect(compared.state?.total).toBe(0);
        expect(compared.blocks?.fields.filter((field) => field.a !== field.b)).toEqual([]);
        const found = await findDifference(...sides, { from: 0, backwards: false }, () =>
          testHost().delay(0),
        );
        expect(found).toMatchObject({ height: 0, over: true });
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  test("parts from it where a walk through both finds the first difference", async () => {
    await fc.assert(
      fc.asyncProperty(worldSteps, worldSteps, worldSteps, async (common, one, other) => {
        const a = await worldAfter([...common, ...one]);
        const b = await worldAfter([...common, ...other]);
        const [inA, inB] = [hashesOf(a.session.sim), hashesOf(b.session.sim)];
        const at = inA.findIndex((hashes, i) => hashes !== inB[i]);
        const { initialHeight } = a.session.sim;
        const first = await firstDifference(opened(a), opened(b), []);
        const shorter = Math.min(inA.length, inB.length);
        if (at >= 0 && at < shorter) {
          expect(first).toMatchObject({ height: initialHeight + at });
          expect(first?.commonHeight).toBe(initialHeight + at - 1);
          expect(first?.sentence).not.toBe("");
        } else if (inA.length === inB.length) expect(first).toBeUndefined();
        else expect(first?.kind).toBe("length");
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});

function blocks({ session }: TestTab, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

const step = ({ session }: TestTab, source: object) =>
  until(session, session.runStep(JSON.stringify(source)));

/**
 * A tab with a world of 30 blocks in which val-3 double-signs, and a branch from height 4 without
 * that.
 */
async function branched(
  host: Partial<Host> = {},
): Promise<TestTab & { readonly first: string; readonly branch: string }> {
  const tab = openTab(undefined, testHost(host));
  const first = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  blocks(tab, 5);
  await step(tab, { double_sign: { node: "val-3" } });
  blocks(tab, 25);
  const branch = await until(tab.session, tab.worlds.fork(4, "honest", "what if not?"));
  blocks(tab, 16);
  await tab.saving.settled();
  return { ...tab, first, branch };
}

/** Returns the answer that the tab's client would receive. */
async function compare(
  tab: TestTab,
  request: { world?: string; scenario?: { text: string; file: string }; height?: number },
  height = 0,
  link = "",
  caller: Caller = STEERS,
) {
  return (await comparingOf(tab)).compare({ ...requested(request, height), link }, caller);
}

const requested = (
  request: { world?: string; scenario?: { text: string; file: string }; height?: number },
  height = 0,
) => ({ a: { world: "", height }, b: { world: "", height: 0, ...request }, limit: 0 });

async function comparingOf({ session }: TestTab): Promise<Compares> {
  const comparing = await session.comparing?.();
  if (comparing === undefined) throw new Error("nothing is kept");
  return comparing;
}

const STEERS: Caller = { mayControl: true };
const GIVEN_UP = "the question was given up";

describe("a branch", () => {
  test("is held against the world that it came from, with what both are and where they part", async () => {
    const tab = await branched();
    const compared = await compare(tab, { world: tab.first, height: 20 }, 20);
    expect(compared.a).toMatchObject({
      world: tab.branch,
      name: "honest",
      note: "what if not?",
      parent: { world: tab.first, height: 4 },
      newestHeight: 20,
      height: 20,
    });
    expect(compared.b).toMatchObject({ world: tab.first, name: "mine", newestHeight: 30 });
    expect(compared.genesis).toEqual([]);
    const { first } = compared;
    expect(first).toMatchObject({ height: 7, kind: "block", commonHeight: 6 });
    expect(first?.sentence).toMatch(
      /^A carries no such evidence, B carries evidence: duplicate vote of val-3 at height 6/,
    );
    expect(compared.things).toContainEqual({
      kind: "validator",
      name: "val-3",
      onlyA: false,
      onlyB: false,
      fields: expect.arrayContaining([
        { name: "tombstoned", a: "false", b: "true" },
        { name: "tokens", a: "100000000", b: "95000000" },
      ]),
    });
    const { state } = compared;
    expect(state?.differences).toContainEqual(
      expect.objectContaining({ store: "staking", name: "validator val-3" }),
    );
  });

  test("has its blocks compared one by one", async () => {
    const tab = await branched();
    const { blocks: compared } = await compare(tab, { world: tab.first, height: 7 }, 7);
    expect(compared?.fields).toContainEqual({
      name: "evidence",
      a: "",
      b: expect.stringContaining("duplicate vote of val-3 at height 6"),
    });
    expect(compared?.events).toContainEqual(expect.objectContaining({ type: "slash", a: 0, b: 1 }));
    const sides = requested({ world: tab.first });
    const found = await (await comparingOf(tab)).find(
      { ...sides, from: 0, backwards: false },
      STEERS,
    );
    expect(found).toMatchObject({ height: 7, over: false });
  });

  test("is the same as its world up to where it began", async () => {
    const tab = await branched();
    const compared = await compare(tab, { world: tab.first, height: 4 }, 4);
    expect(compared.state?.total).toBe(0);
    expect(compared.things).toEqual([]);
  });
});

describe("two heights of one world", () => {
  test("are compared without looking where they part", async () => {
    const tab = await branched();
    await tab.worlds.open(tab.first);
    await until(tab.session, tab.session.restored);
    const compared = await compare(tab, { height: 30 }, 5);
    expect([compared.a?.height, compared.b?.height]).toEqual([5, 30]);
    expect(compared.first).toBeUndefined();
    expect(compared.state?.total).toBeGreaterThan(0);
  });
});

describe("a scenario", () => {
  const scenario = (genesis: string) => ({
    text: `scenario: 1\nname: own\ntitle: Own\ngenesis: ${genesis}\nsteps:\n  - run: 8\n`,
    file: "own.yaml",
  });

  test("is run and held against the world on screen, with what it begins with otherwise", async () => {
    const tab = await branched();
    const compared = await compare(tab, { scenario: scenario("{ block_time: 7s }") });
    expect(compared.b).toMatchObject({ world: "", name: "Own", newestHeight: 8, failure: "" });
    expect(compared.genesis).toContainEqual({ name: "genesis.block_time", a: "5s", b: "7s" });
    expect(compared.first).toMatchObject({ kind: "genesis", height: 1 });
    expect(compared.first?.sentence).toContain("genesis.block_time is 5s in A and 7s in B");
  });

  test("that is not sound is refused with the line of its error", async () => {
    const tab = await branched();
    const refused = compare(tab, { scenario: scenario("{ block_time: soon }") });
    await expect(refused).rejects.toThrow(/^b: own\.yaml:4: expected a duration/);
  });
});

describe("linked heights", () => {
  const scenario = (blockTime: string, pause: number) => ({
    file: "own.yaml",
    text: `scenario: 1
name: own
genesis: { block_time: ${blockTime} }
steps:
  - run: 4
  - nodes: { which: [val-3], stop: true }
  - run: ${pause}
  - nodes: { which: [val-3], start: true }
  - run: 10
`,
  });

  /**
   * A tab with a world of 21 blocks, 5 s each; val-3 stops after block 4 and starts after block 11.
   */
  async function told(): Promise<TestTab> {
    const tab = openTab();
    const { text, file } = scenario("5s", 7);
    await tab.session.loadScenario({ text, file, paused: false });
    tab.session.control({ case: "speed", value: 0 });
    settle(tab.session);
    expect(tab.session.sim.height).toBe(21);
    return tab;
  }

  const heights = async (
    tab: TestTab,
    other: ReturnType<typeof scenario>,
    link: string,
    requested: readonly number[],
  ): Promise<(number | undefined)[]> => {
    const found: (number | undefined)[] = [];
    for (const height of requested) {
      const { a, b } = await compare(tab, { scenario: other }, height, link);
      expect(a?.height).toBe(height);
      found.push(b?.height);
    }
    return found;
  };

  test("by time are of the last block that is not later", async () => {
    const tab = await told();
    // Blocks take 10 s: the other world reaches half the height; its first block has the genesis
    // time, as in A.
    expect(await heights(tab, scenario("10s", 7), "time", [1, 2, 3, 4, 5, 21])).toEqual([
      1, 1, 2, 2, 3, 11,
    ]);
  });

  test("by command are as far behind the same command, and before the next one", async () => {
    const tab = await told();
    const other = scenario("5s", 3);
    // The second command follows block 11 here, and block 7 there.
    expect(await heights(tab, other, "command", [1, 3, 4, 5, 6, 9, 11, 12, 21])).toEqual([
      1, 3, 4, 5, 6, 6, 7, 8, 17,
    ]);
    const { a, b } = await compare(tab, { scenario: other }, 12, "command");
    expect([a?.commands, b?.commands]).toEqual([2, 2]);
  });

  test("by a command that the other one has not are behind the last that it has", async () => {
    const tab = await told();
    const short = { ...scenario("5s", 3) };
    short.text = short.text.replace(/ {2}- nodes: \{ which: \[val-3\], start: true \}\n/, "");
    expect(await heights(tab, short, "command", [5, 11, 12])).toEqual([5, 11, 12]);
  });

  test("by command are behind the same one, also where the other one lacks some before it", async () => {
    const mute = "  - fault: { node: val-1, kind: mute, for: 2 }\n";
    const signsTwice = (blocks: number, before: string) => ({
      file: "own.yaml",
      text: `scenario: 1
name: own
steps:
  - run: 4
${before}  - run: ${blocks}
  - double_sign: { node: val-3 }
  - run: 10
`,
    });
    const tab = openTab();
    await tab.session.loadScenario({ ...signsTwice(7, mute), paused: false });
    tab.session.control({ case: "speed", value: 0 });
    settle(tab.session);
    expect(tab.session.sim.height).toBe(21);
    // val-1 is mute after block 4 in A alone; val-3 double-signs after block 11 in A, after block 7
    // in B.
    expect(await heights(tab, signsTwice(3, ""), "command", [3, 6, 10, 11, 12, 14])).toEqual([
      3, 6, 6, 7, 8, 10,
    ]);
  });

  test("of chains without a block are where these stand, whatever their first block is", async () => {
    for (const [first, stands] of [
      [1, 0],
      [100, 99],
    ]) {
      const file = "own.yaml";
      const text = `scenario: 1\nname: own\ngenesis: { initial_height: ${first} }\nsteps: []\n`;
      const tab = openTab();
      await tab.session.loadScenario({ text, file, paused: true });
      for (const link of ["", "time", "command"]) {
        const { a, b } = await compare(tab, { scenario: { text, file } }, 0, link);
        expect([link, a?.height, b?.height]).toEqual([link, stands, stands]);
      }
    }
  });

  test("by command of a long world are found for one who steers alone", async () => {
    const tab = openTab();
    const text = "scenario: 1\nname: own\nsteps: [{ run: 20001 }]\n";
    await tab.session.loadScenario({ text, file: "own.yaml", paused: false });
    tab.session.control({ case: "speed", value: 0 });
    settle(tab.session);
    const asks = (link: string) => compare(tab, { height: 3 }, 12, link, { mayControl: false });
    await expect(asks("command")).rejects.toThrow(
      "link: expected worlds of at most 20000 rounds, found 20001: one who steers",
    );
    expect((await asks("time")).b?.height).toBe(12);
    const steering = compare(tab, { height: 3 }, 12, "command");
    expect((await until(tab.session, steering)).b?.height).toBe(12);
  });

  test("by height are the newest of a world that ends before; a height that is asked for is refused there", async () => {
    const tab = await told();
    const { height } = tab.session.sim;
    const other = { scenario: scenario("5s", 3), height: height + 40 };
    const { a, b } = await until(tab.session, compare(tab, other, height + 40, "height"));
    expect([a?.height, b?.height]).toEqual([height, b?.newestHeight]);
    await expect(compare(tab, other, height + 40)).rejects.toThrow(
      `a: there is no height ${height + 40}: the chain is at height ${height}`,
    );
    await expect(compare(tab, other, height)).rejects.toThrow(
      `own.yaml: there is no height ${height + 40}: `,
    );
  });

  test("by something else are refused", async () => {
    const tab = await told();
    await expect(compare(tab, { scenario: scenario("5s", 3) }, 3, "hash")).rejects.toThrow(
      'link: expected height, time, command or nothing, found "hash"',
    );
  });
});

test("each of two worlds explains what is in it", async () => {
  const tab = await branched();
  const comparing = await tab.session.comparing?.();
  const because = async (world: string): Promise<string | undefined> =>
    (
      await comparing?.explain(
        { side: { world, height: 16 }, kind: "validator", id: "val-3" },
        STEERS,
      )
    )?.because;
  expect(await because(tab.first)).toContain("tombstoned");
  expect(await because("")).not.toContain("tombstoned");
  await expect(because("gone")).rejects.toThrow("side: there is no world gone");
});

test("a world is named by its name too, unless several have it", async () => {
  const tab = await branched();
  expect((await compare(tab, { world: "mine" })).b?.world).toBe(tab.first);
  expect((await compare(tab, { world: "honest" })).b?.world).toBe(tab.branch);
  const copy = await tab.worlds.duplicate(tab.first);
  await tab.worlds.rename(copy, "mine");
  await expect(compare(tab, { world: "mine" })).rejects.toThrow(
    /^b: several worlds are called mine: expected an id, such as id-\d+ or id-\d+$/,
  );
});

test("a world that does not come back as it was saved says so", async () => {
  const tab = await branched();
  expect((await compare(tab, { world: tab.first })).b?.failure).toBe("");
  const { storage } = tab;
  const prefix = worldPrefix(tab.first);
  const { newest } = readOutline(await storage.read(OUTLINE_KEYS.map((key) => prefix + key)));
  const head = headRecord({ ...(newest as Head), appHash: new Uint8Array(32), seq: 100 });
  for (const key of HEADS) storage.records.set(prefix + key, head);
  expect((await compare(tab, { world: tab.first })).b?.failure).toContain(
    "another app hash there than was saved",
  );
});

test("a world that is not there is named in the refusal", async () => {
  const tab = await branched();
  await expect(compare(tab, { world: "gone" })).rejects.toThrow("b: there is no world gone");
});

test("a height below the first is refused", async () => {
  const tab = openTab();
  const spec = { ...originOf().scenario.spec, initialHeight: 10 };
  await tab.worlds.create(originOf(spec), "late");
  blocks(tab, 3);
  await expect(compare(tab, { height: 4 })).rejects.toThrow("there is no height 4");
});

describe("one who only queries", () => {
  const SCENARIO = { text: "scenario: 1\nname: own\nsteps: [{ run: 2 }]\n", file: "own.yaml" };
  const query = (
    { session }: TestTab,
    method: "compareWorlds" | "findDifference",
    request: object,
  ) => session.query((queries) => queries.labReading(method, request));

  test("is answered as one who steers, also at the height that is asked about", async () => {
    const tab = await branched();
    const answer = await query(tab, "compareWorlds", requested({ world: tab.first }, 7));
    expect(answer).toEqual(await compare(tab, { world: tab.first }, 7));
    const at = await tab.session.query((queries) =>
      queries.labReading("compareWorlds", { b: { world: tab.first, height: 9 } }, 7),
    );
    expect([at.a?.height, at.b?.height]).toEqual([7, 9]);
    const found = await query(tab, "findDifference", { b: { world: tab.first, height: 0 } });
    expect(found).toMatchObject({ height: 7 });
  });

  test("has no scenario run", async () => {
    const tab = await branched();
    const refused = query(tab, "compareWorlds", requested({ scenario: SCENARIO }));
    await expect(refused).rejects.toThrow(
      "b: expected a world and a height: a scenario is compared by one who steers the chain",
    );
  });

  test("has no world opened that takes long to open", async () => {
    const tab = await branched();
    const other = openTab(tab.storage);
    await other.worlds.open(tab.branch);
    await until(other.session, other.session.restored);
    const keyframes = [...tab.storage.records.keys()].filter((key) => key.includes("keyframe/"));
    for (const key of keyframes) if (key.includes(tab.first)) tab.storage.records.delete(key);
    // It is at a round that only a long replay could reach.
    const outline = OUTLINE_KEYS.map((key) => worldPrefix(tab.first) + key);
    const { newest } = readOutline(await tab.storage.read(outline));
    const head = headRecord({ ...(newest as Head), rounds: COMPARED.worldRounds + 31 });
    for (const key of HEADS) tab.storage.records.set(worldPrefix(tab.first) + key, head);
    const refused = query(other, "compareWorlds", requested({ world: tab.first }));
    await expect(refused).rejects.toThrow(
      /^b: expected a world for which at most 50000 rounds are played again to open it, found 5\d{4}: one who steers/,
    );
  });

  test("has no more keys listed than an answer may hold", async () => {
    const tab = await branched();
    const request = { ...requested({ height: 3 }, 2), limit: COMPARED.listed + 1 };
    await expect(query(tab, "compareWorlds", request)).rejects.toThrow(
      `limit: expected at most ${COMPARED.listed}, found ${COMPARED.listed + 1}`,
    );
  });

  test("waits for a turn, of which there are only so many", async () => {
    const tab = await branched();
    const comparing = await comparingOf(tab);
    const all = Array.from({ length: COMPARED.waiting + 1 }, () =>
      comparing.compare(requested({ height: 3 }, 2), QUERIES_ONLY).then(
        () => "answered",
        ({ message }: Error) => message,
      ),
    );
    expect(await Promise.all(all)).toEqual([
      ...Array(COMPARED.waiting).fill("answered"),
      `${COMPARED.waiting} comparisons wait for their turn: ask again later`,
    ]);
    await expect(
      comparing.compare(requested({ height: 3 }, 2), QUERIES_ONLY),
    ).resolves.toBeDefined();
  });
});

describe("a question that is given up", () => {
  /** A caller that disconnects after this many checks. */
  const goesAfter = (times: number): Caller => {
    let left = times;
    return { mayControl: true, gone: () => left-- <= 0 };
  };

  test("stops a scenario that is run for it, and the next one has its turn", async () => {
    let time = 0;
    const tab = await branched({ clock: () => (time += 1) });
    const long = { text: "scenario: 1\nname: long\nsteps: [{ run: 100000 }]\n", file: "long.yaml" };
    const refused = compare(tab, { scenario: long }, 0, "", goesAfter(5));
    const next = compare(tab, { height: 3 }, 2);
    await expect(refused).rejects.toThrow("the question was given up");
    expect((await next).b?.height).toBe(3);
  });

  test.each(["time", "command"])(
    "stops while the height of the same %s is searched",
    async (link) => {
      const tab = await branched();
      await tab.worlds.open(tab.first);
      await until(tab.session, tab.session.restored);
      // Two heights of one world have no first difference, so any further query comes from the
      // search.
      const timesAsked = async (linked: string): Promise<number> => {
        const gone = vi.fn(() => false);
        await compare(tab, { height: 3 }, 12, linked, { mayControl: true, gone });
        return gone.mock.calls.length;
      };
      expect(await timesAsked(link)).toBeGreaterThan((await timesAsked("")) + 2);
    },
  );

  test("is one that was asked before comparing was stopped, with its world closed; the next one is answered", async () => {
    const tab = await branched();
    const comparing = await comparingOf(tab);
    const text = "scenario: 1\nname: long\nsteps: [{ run: 100000 }]\n";
    const scenario = { text, file: "long.yaml" };
    const outcomes = Promise.allSettled([
      comparing.compare(requested({ scenario }), STEERS),
      comparing.compare(requested({ height: 3 }, 2), STEERS),
    ]);
    await comparing.stop();
    const input = { status: "rejected", reason: new StatusError(STATUS.cancelled, GIVEN_UP) };
    expect(await outcomes).toEqual([input, input]);
    expect((await compare(tab, { height: 3 }, 2)).b?.height).toBe(3);
  });

  test("is not one of those who only query, when comparing is stopped", async () => {
    const tab = await branched();
    const comparing = await comparingOf(tab);
    const asks = comparing.compare(requested({ height: 3 }, 2), QUERIES_ONLY);
    await comparing.stop();
    expect((await asks).b?.height).toBe(3);
  });

  test("has no world led to the height that it is about", async () => {
    const { session } = await branched();
    const there = async ({ sim }: { sim: Simulation }) => sim.height;
    await expect(session.queryAt?.(5, there)).resolves.toBe(5);
    const refused = session.queryAt?.(9, there, goesAfter(0).gone);
    await expect(refused).rejects.toThrow(GIVEN_UP);
  });

  test("stops before it has looked where two worlds part", async () => {
    const tab = await branched();
    await compare(tab, { world: tab.first });
    const refused = compare(tab, { world: tab.first }, 0, "", goesAfter(3));
    await expect(refused).rejects.toThrow("the question was given up");
  });
});
