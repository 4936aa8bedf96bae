import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { fromHex } from "../base/from-hex.ts";
import { propertyRuns } from "../base/property.testing.ts";
import { CommandError } from "../engine/framework/errors.ts";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { verifiedCommit } from "../engine/simulation/decided-blocks.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../engine/simulation/testing.ts";
import { parseScenario } from "../scenario/parse.ts";
import { genesisToJson } from "../view/genesis.ts";
import { storeKeysOf } from "../view/lab/explorer/stores.ts";
import { lazyObserver } from "../view/lab/frame/observed.ts";
import { openBlocks, openGenesis } from "../view/lab/reading.ts";
import { WorldQueries } from "../view/lab/world-queries.ts";
import type { Answer } from "./call.ts";
import { openHistory } from "./open-history.ts";
import { Replay } from "./replay.ts";
import type { Origin } from "./running-world.ts";
import { serveWatcher } from "./serve.ts";
import type { SessionHost } from "./session-host.ts";
import { blocks, MemoryStorage, openTab, type TestTab, testHost, until } from "./testing.ts";
import { entriesIn, originOf } from "./travel.testing.ts";

/** Blocks of a full page. */
const PAGE = 4096;

/** Records that a storage loses in addition to its last writes. */
type Loss = "nothing" | "newest keyframe" | "keyframes" | "pages" | "some pages" | "all caches";

type Act =
  | { readonly do: "run"; readonly blocks: number }
  /** One step of a scenario, which may be refused. */
  | { readonly do: "step"; readonly step: object }
  | { readonly do: "save" }
  /** After a saved step and some blocks, with only some writes of their save done. */
  | {
      readonly do: "kill";
      readonly last: Act;
      readonly blocks: number;
      readonly writes: number;
      readonly loss: Loss;
    }
  | { readonly do: "branch"; readonly back: number }
  /** A branch from the newest block, in which a byte was changed by hand. */
  | { readonly do: "tamper" }
  /** Saved, and opened by another build, which can use no keyframe and no page of this one. */
  | { readonly do: "update" };

/**
 * Seven validators: without the stopped one and the two that are punished, two thirds of the rest
 * still vote.
 */
const BEGUN = originOf(worldSpec({}, 7));

/** A world that continues from the state that another one had after 5,000 blocks. */
function imported(): Origin {
  const before = Simulation.create(BEGUN.scenario.spec);
  runTo(before, 5000, 6000);
  const genesis = { import: genesisToJson(before.exportGenesis()) };
  const text = JSON.stringify({ scenario: 1, name: "on", genesis, steps: [] });
  const read = parseScenario(text, "on.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return originOf(read.scenario.spec);
}
const AWAY = "val-0";
const guilty = fc.constantFrom("val-1", "val-2");
const validator = fc.integer({ min: 0, max: 6 }).map((i) => `val-${i}`);

const stopped = { do: "step", step: { nodes: { which: [AWAY], stop: true } } } as const;
const started = { do: "step", step: { nodes: { which: [AWAY], start: true } } } as const;
const step = (input: fc.Arbitrary<object>): fc.Arbitrary<Act> =>
  input.map((one) => ({ do: "step", step: one }));

/**
 * Five keys sign on both sides, so that there are two chains; once a side stops, its blocks lose.
 */
const TWINS = ["val-3", "val-4", "val-5"];
const twins = { do: "step", step: { nodes: { which: TWINS, twin: true } } } as const;
const split = {
  do: "step",
  step: {
    partition: [
      ["val-0", "val-1", ...TWINS],
      ["val-2", "val-6", ...TWINS.map((name) => `${name}-twin`)],
    ],
  },
} as const;
const cutOff = { do: "step", step: { partition: [["val-6"]] } } as const;
const healed = { do: "step", step: { partition: "heal" } } as const;

/** Changes the power of a validator, two blocks later. */
const delegation = (from: string, to: string, amount: number): object => ({
  tx: {
    from,
    msgs: [
      {
        "@type": "/chain.staking.v1beta1.MsgDelegate",
        delegator_address: `\${${from}}`,
        validator_address: `\${${to}.valoper}`,
        amount: { denom: "stake", amount: `${amount}000000` },
      },
    ],
    wait: false,
  },
});

const steps: fc.Arbitrary<Act> = step(
  fc.oneof(
    guilty.map((node) => ({ double_sign: { node } })),
    fc
      .record({ from: validator, to: validator, amount: fc.integer({ min: 1, max: 90 }) })
      .map(({ from, to, amount }) => delegation(from, to, amount)),
    fc
      .record({
        validators: guilty.map((one) => [one]),
        height: fc.integer({ min: 1, max: 4 * PAGE }),
      })
      .map((rest) => ({ misbehavior: { type: "duplicate_vote", ...rest } })),
  ),
);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("run" as const),
      blocks: fc.integer({ min: 1, max: 3000 }),
    }),
  },
  {
    weight: 8,
    arbitrary: steps,
  },
  { weight: 3, arbitrary: fc.constantFrom<Act>(stopped, started) },
  { weight: 3, arbitrary: fc.constantFrom<Act>(twins, split, cutOff, healed) },
  { weight: 2, arbitrary: fc.constant<Act>({ do: "save" }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("kill" as const),
      last: fc.oneof(steps, fc.constantFrom<Act>(stopped, started)),
      blocks: fc.constantFrom(1, 20, 700),
      writes: fc.integer({ min: 0, max: 3 }),
      loss: fc.constantFrom<Loss>(
        "nothing",
        "newest keyframe",
        "keyframes",
        "pages",
        "pages",
        "some pages",
        "all caches",
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("branch" as const),
      back: fc.integer({ min: 0, max: 6000 }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Act>({ do: "tamper" }, { do: "update" }) },
);

const acts = fc.array(act, { minLength: 8, maxLength: 24 });

/** Removes the lost records. */
function lose({ records }: MemoryStorage, loss: Loss): void {
  const keys = [...records.keys()];
  const named = (part: string): string[] => keys.filter((key) => key.includes(part)).sort();
  const lost: Record<Loss, readonly string[]> = {
    nothing: [],
    "newest keyframe": named("/keyframe/").slice(-1),
    keyframes: named("/keyframe/"),
    pages: named("/page/"),
    "some pages": named("/page/").filter((_, i) => i % 2 === 1),
    "all caches": [...named("/keyframe/"), ...named("/page/"), ...named("/trees/")],
  };
  for (const key of lost[loss]) records.delete(key);
}

interface Played {
  readonly tab: TestTab;
  readonly id: string;
  /** Number of updates before. */
  readonly build: number;
}

const tabOf = (build: number, storage?: MemoryStorage): TestTab =>
  openTab(storage, testHost({ build: `build-${build}` }));

const begun = async (origin: Origin = BEGUN): Promise<Played> => {
  const tab = tabOf(0);
  const id = await tab.worlds.create(origin, "mine");
  tab.session.control({ case: "pause", value: true });
  return { tab, id, build: 0 };
};

async function reopened(storage: MemoryStorage, { id, build }: Omit<Played, "tab">) {
  const tab = tabOf(build, storage);
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  return { tab, id, build };
}

async function perform(played: Played, doing: Act): Promise<Played> {
  const { tab, build } = played;
  switch (doing.do) {
    case "run":
      blocks(tab, doing.blocks);
      await tab.save();
      return played;
    case "step":
      await until(tab.session, tab.session.runStep(JSON.stringify(doing.step)));
      return played;
    case "save":
      await tab.save();
      return played;
    case "kill": {
      await tab.save();
      await perform(played, doing.last);
      await tab.save();
      tab.storage.writesLeft = doing.writes;
      blocks(tab, doing.blocks);
      void tab.save();
      for (let turns = 0; turns < 20; turns++)
        await new Promise((resolve) => setImmediate(resolve));
      const after = new MemoryStorage(tab.storage.records);
      lose(after, doing.loss);
      return reopened(after, played);
    }
    case "update":
      await tab.save();
      return reopened(new MemoryStorage(tab.storage.records), { ...played, build: build + 1 });
    case "branch": {
      const { height, spec } = tab.session.sim;
      const at = Math.max(height - doing.back, Math.min(height, spec.initialHeight));
      return { tab, id: await until(tab.session, tab.worlds.fork(at, "", "")), build };
    }
    case "tamper": {
      const { sim } = tab.session;
      const { keys } = storeKeysOf(sim, { store: "staking", search: "validator" }, sim.height);
      const key = fromHex(keys.find(({ name }) => name === `validator ${AWAY}`)?.key ?? "");
      const value = new TextDecoder("latin1").decode(sim.storeValue("staking", key, sim.height));
      // The first digit of its tokens.
      const place = /[1-9]\d{7,}/.exec(value)?.index ?? 0;
      const byte = value[place] === "8" ? 0x39 : 0x38;
      const tamper = { type: "tamper", store: "staking", key, place, byte } as const;
      try {
        const id = await until(tab.session, tab.worlds.fork(sim.height, "", "", tamper));
        return { tab, id, build };
      } catch (error) {
        // Before the first block, twice at one height, or where no node has the newest state.
        if (error instanceof CommandError) return played;
        throw error;
      }
    }
  }
}

/** All commands of the world that a tab plays. */
async function commandsOf({ session }: TestTab): Promise<readonly JournalEntry[]> {
  const all: JournalEntry[] = [];
  for await (const entry of session.commands?.() ?? []) all.push(entry);
  return all;
}

/** A world with the same genesis and commands that never stopped, and that stores every block. */
async function straight({ session, ...rest }: TestTab): Promise<Simulation> {
  const { sim } = session;
  const whole = Simulation.create(sim.spec);
  const replay = new Replay(
    whole,
    entriesIn(await commandsOf({ session, ...rest })),
    () => sim.rounds,
  );
  while (!replay.done) replay.step();
  return whole;
}

/** Runs every query for one height. */
function answersAt(sim: Simulation, height: number) {
  const block = sim.block(height);
  return {
    block,
    header: sim.header(height),
    commit: verifiedCommit(sim, height),
    found: block && sim.heightOf(block.hash),
    txs: block?.txs.map(({ hash }) => sim.tx(hash)),
    appHash: toHex(sim.state(height).appHash),
    sets: sim.exportGenesis(height).sets,
  };
}

/** Heights at which pages or states end, and some others. */
function heightsOf(sim: Simulation, drawn: readonly number[]): readonly number[] {
  const { height: top } = sim;
  const first = sim.spec.initialHeight;
  const borders = [first, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 1, 3 * PAGE, top - 1, top];
  const heights = [...borders, ...drawn.map((part) => first + Math.floor(part * (top - first)))];
  return [...new Set(heights)].filter((height) => height >= first && height <= top);
}

async function expectSame({ tab }: Played, order: readonly number[]): Promise<void> {
  const whole = await straight(tab);
  const { session } = tab;
  expect(toHex(session.sim.appHash)).toBe(toHex(whole.appHash));
  for (const height of order.filter((one) => one <= whole.height)) {
    const { sim } = session;
    const history = openHistory(session, session.player.live);
    const reading = history.read(function* () {
      yield* openBlocks(height);
      const { hash, txs = [] } = sim.block(height) ?? {};
      if (hash !== undefined) yield { kind: "hash", hash };
      for (const tx of txs) yield* sim.searchTx(tx.hash);
      yield* openGenesis(height);
      return answersAt(sim, height);
    });
    const answers = await until(session, reading);
    expect(answers).toEqual(answersAt(whole, height));
    const [one, other] = await until(
      session,
      Promise.all([watched(tab, height), watched(tab, height)]),
    );
    expect(one).toEqual({ call: 1, response: shownAt(whole, height) });
    expect(other).toEqual(one);
  }
}

/** The answer to a watching tab or an attached page: both ask the session that plays the world. */
const watched = (play: TestTab, height: number): Promise<Answer> =>
  new Promise((resolve) => {
    const place = {
      play,
      watching: undefined,
      reportBug: console.error,
    } as Partial<SessionHost> as SessionHost;
    void serveWatcher(place, { call: 1, method: "lab.getBlock", request: { height } }, resolve);
  });

const shownAt = (sim: Simulation, height: number) =>
  new WorldQueries(sim, lazyObserver(sim)).lab("getBlock", { height });

describe("every block of the past is that of a world which never stopped", () => {
  test("after any kills, losses and branches, in any order of questions", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        acts,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        async (goesOn, doings, drawn, shuffle) => {
          let played = await begun(goesOn ? imported() : BEGUN);
          for (const doing of doings) played = await perform(played, doing);
          const heights = heightsOf(played.tab.session.sim, drawn);
          const order = heights
            .map((height) => ({ height, place: shuffle.next().value }))
            .sort((a, b) => a.place - b.place)
            .map(({ height }) => height);
          await expectSame(played, order);
        },
      ),
      { numRuns: propertyRuns(16) },
    );
  });

  test("when what happened after the newest keyframe reads a page that is lost", async () => {
    let played = await begun();
    const doings: readonly Act[] = [
      stopped,
      { do: "run", blocks: 4600 },
      { do: "step", step: { double_sign: { node: "val-2" } } },
      ...Array.from({ length: 4 }, () => ({ do: "run", blocks: 2000 }) as const),
      {
        do: "step",
        step: { misbehavior: { type: "duplicate_vote", validators: ["val-1"], height: 4500 } },
      },
      { do: "kill", last: started, blocks: 1, writes: 3, loss: "pages" },
    ];
    for (const doing of doings) played = await perform(played, doing);
    await expectSame(played, [3, 10, 100, 1000, 3000, 5000, 8192, 8193]);
  });
});
