import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import {
  bytesOfCache,
  readKeyframeKey,
  readPageKey,
  worldPrefix,
} from "../../src/session/history/keys.ts";
import { openHistory } from "../../src/session/open-history.ts";
import { SessionFrames } from "../../src/session/session-frames.ts";
import { openBlocks } from "../../src/view/lab/reading.ts";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { type Headless, openFolder, SAVE_EVERY_MS, turn } from "../durable/headless.ts";
import { type Row, reportOf, said } from "../durable/report.ts";
import { delegationOf } from "../engine/loads.ts";
import { assertBusy, sendOf, TXS_PER_BLOCK, worldSpec } from "../engine/world.ts";

const VALIDATORS = 100;
const COMMANDS = 1_000;

interface Load {
  readonly blocks: number;
  /** Are there 20 delegations in each block, or a thousand commands over the whole world? */
  readonly busy: boolean;
  /** Goals of a seek. */
  readonly medianMs?: number;
  readonly ms95?: number;
}

const LOADS = {
  quiet: { blocks: 1_000_000, busy: false, medianMs: 100, ms95: 250 },
  busy: { blocks: 100_000, busy: true, medianMs: 250 },
  long: { blocks: 20_000_000, busy: false, ms95: 1_000 },
} satisfies Record<string, Load>;

type LoadName = keyof typeof LOADS;

/** Sizes of a usual run, and of a quick look at a twentieth of the blocks. */
const SIZES = {
  usual: { part: 1, seeks: 200, forks: 10 },
  quick: { part: 20, seeks: 40, forks: 3 },
} as const;
/** For so many blocks a validator is mute, which costs a round here and there; every other command is a transaction. */
const MUTE_FOR = 20;
const SEED = 48_271;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Time until a world shows any height of its past, and until a branch is ready. */
export const seekBench: Bench = {
  summary: "seeks to random heights of a long world, to the whole frame, and branches from there",
  options: [
    "--load NAME         quiet (10⁶ blocks, 1000 commands; unless given), busy (10⁵ blocks of 20",
    "                    delegations), long (2·10⁷ blocks, 1000 commands)",
    "--quick             a twentieth of the blocks and few seeks: a look, not a result",
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const { load, size } = parsed(args);
    const goals: Load = LOADS[load];
    const { busy } = goals;
    const { part, seeks, forks } = SIZES[size];
    const blocks = LOADS[load].blocks / part;
    // As the program does that has worlds in Node.
    await hashQuickly();
    const scratch = await mkdtemp(join(tmpdir(), "chainlab-seek-"));
    const world = await openFolder(scratch, worldSpec(VALIDATORS));
    try {
      const commands = busy ? "20 delegations in each" : `${COMMANDS} commands`;
      const what = `of ${blocks.toLocaleString("en")} blocks, ${VALIDATORS} validators, ${commands}`;
      console.error(`a world ${what} …`);
      await (busy ? playBusy(world, blocks) : play(world, blocks));
      const random = randomIn(blocks);
      const rows: Row[] = said([
        ...(await keyframeRows(world)),
        ...seekRows(
          `seek in a world ${what}`,
          await times(seeks, () => seek(world, random())),
          goals,
        ),
        ...seekRows("seek to the next height", await nextSeeks(world, random(), seeks), goals),
        ...(await forkRows(world, forks, random)),
        ...(await pageRows(world, seeks, random)),
      ]);
      return reportOf("seek", rows);
    } finally {
      await world.close();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** Has a world play so many blocks at full speed, with commands spread over them. */
async function play({ session, save }: Headless, blocks: number): Promise<void> {
  const { player } = session;
  session.control({ case: "play", value: true });
  let saveAt = 0;
  let commands = 0;
  while (session.sim.height < blocks) {
    while (commands < COMMANDS && session.sim.height >= (commands * blocks) / COMMANDS) {
      act(session.sim, commands);
      player.live.observer.observe();
      commands += 1;
    }
    await turn(session);
    if (performance.now() < saveAt) continue;
    saveAt = performance.now() + SAVE_EVERY_MS;
    await save();
  }
  session.control({ case: "pause", value: true });
  await save();
}

/** Has a world make so many blocks of 20 delegations, each by another account. */
async function playBusy({ session, save }: Headless, blocks: number): Promise<void> {
  session.control({ case: "pause", value: true });
  let saveAt = 0;
  let next = 0;
  while (session.sim.height < blocks) {
    for (let i = 0; i < TXS_PER_BLOCK; i++) session.sim.apply(delegationOf(next++));
    session.player.live.observer.observe();
    session.control({ case: "stepBlocks", value: 1 });
    const { height } = session.sim;
    while (session.sim.height === height) await turn(session);
    if (performance.now() < saveAt) continue;
    saveAt = performance.now() + SAVE_EVERY_MS;
    await save();
  }
  assertBusy(session.sim);
  await save();
}

function act(sim: Headless["session"]["sim"], command: number): void {
  const node = `val-${command % VALIDATORS}`;
  if (command % 2 === 0) sim.apply(sendOf(command));
  else sim.apply({ type: "fault", kind: "mute", node, for: MUTE_FOR });
}

/** Time until something of a height was available. */
interface Taken {
  readonly ms: number;
  /** Processor time of all threads, which other work on the machine does not add to. */
  readonly usedMs: number;
}

async function timed(work: () => Promise<void>): Promise<Taken> {
  const used = process.cpuUsage();
  const begin = performance.now();
  await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - begin, usedMs: (user + system) / 1000 };
}

/** A page that shows the past asks for frames so often, of whatever is ready. */
const FRAME_EVERY_MS = 30;

/** Time until the complete frame of a height is there. */
function seek(world: Headless, height: number): Promise<Taken> {
  const frames = new SessionFrames(world, "bench");
  return timed(async () => {
    for (let askAt = 0; ; ) {
      if (world.look(height)?.past.shown === height || performance.now() >= askAt) {
        askAt = performance.now() + FRAME_EVERY_MS;
        const { past } = frames.build({ height, samples: true }, {});
        if (past?.shown === height) return;
        if (past?.problem) throw new Error(`height ${height}: ${past.problem}`);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
}

async function nextSeeks(world: Headless, from: number, count: number): Promise<Taken[]> {
  let height = from;
  await seek(world, height);
  return times(count, () => {
    height = (height + 1) % world.session.sim.height;
    return seek(world, Math.max(height, 1));
  });
}

/** A branch from a height that is shown, and the first frame of it. */
async function forkRows(world: Headless, count: number, random: () => number): Promise<Row[]> {
  const { worlds, saving } = world;
  const [startMs] = await worlds.list();
  if (startMs === undefined) throw new Error("the world is not saved");
  const forks = await times(count, async () => {
    await worlds.open(startMs.id);
    while (world.session.player.restoring !== undefined) await turn(world.session);
    await world.session.restored;
    const height = Math.min(random(), world.session.sim.height);
    await seek(world, height);
    const begin = performance.now();
    await worlds.fork(height, "branch", "");
    new SessionFrames(world, "bench").build({}, {});
    const taken = performance.now() - begin;
    await saving.settled();
    return taken;
  });
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return [
    {
      what: "fork at a height that is shown, median",
      value: quantile(forks, 0.5),
      unit: "ms",
      limit: 10,
    },
    {
      what: `in use after ${count} branches, after a garbage collection`,
      value: (heapUsed + external) / 2 ** 20,
      unit: "MB",
    },
    { what: "resident then", value: rss / 2 ** 20, unit: "MB" },
  ];
}

/** Value of pages in storage: a block and a seek with them, then the same without any. */
async function pageRows(world: Headless, count: number, random: () => number): Promise<Row[]> {
  const { worlds, session, storage } = world;
  const startMs = (await worlds.list()).find(({ parent }) => parent === undefined);
  if (startMs === undefined) throw new Error("the world is not saved");
  await worlds.open(startMs.id);
  while (session.player.restoring !== undefined) await turn(session);
  await session.restored;
  await world.save();
  const prefix = worldPrefix(startMs.id);
  const pages = (await storage.keys(prefix)).filter((key) => readPageKey(key.slice(prefix.length)));
  const bytes = pages.reduce((sum, key) => sum + (bytesOfCache(key.slice(prefix.length)) ?? 0), 0);
  const sealed = session.sim.network.ledger.blocks.sealed.slots.at(-1)?.last ?? 0;
  const onPages = () => 1 + (random() % sealed);
  const read = () => times(count, () => readBlock(world, onPages()));
  const what = "an old block with its results";
  const withPages = seekRows(`${what}, from its pages in storage`, await read(), {});
  await storage.write(new Map(), pages);
  return [
    {
      what: `${pages.length} pages in storage, for each of their blocks`,
      value: bytes / sealed,
      unit: "B",
    },
    ...withPages,
    ...seekRows(`${what}, by replay without any page`, await read(), {}),
    ...seekRows("seek without any page", await times(count, () => seek(world, onPages())), {}),
  ];
}

/** Reads a block of which nothing is in memory. */
async function readBlock({ session }: Headless, height: number): Promise<Taken> {
  const { live } = session.player;
  const { sim } = live;
  for (const { sealed } of [sim.network.ledger.blocks, Reflect.get(sim, "history")]) {
    for (let i = 0; i < sealed.slots.length; i++) sealed.release(i);
  }
  return timed(async () => {
    const block = await openHistory(session, live).read(function* () {
      yield* openBlocks(height);
      return sim.block(height);
    });
    if (block?.height !== height) throw new Error(`there is no block ${height}`);
  });
}

async function keyframeRows({ worlds, storage }: Headless): Promise<Row[]> {
  const id = worlds.current ?? "";
  const prefix = worldPrefix(id);
  const found = (await storage.keys(prefix)).flatMap(
    (key) => readKeyframeKey(key.slice(prefix.length)) ?? [],
  );
  const bytes = found.reduce((sum, one) => sum + one.bytes, 0);
  const gaps = found.map(({ rounds }, i) => rounds - (found[i - 1]?.rounds ?? 0));
  const all = gaps.reduce((sum, gap) => sum + gap, 0);
  const replayed = gaps.reduce((sum, gap) => sum + gap ** 2, 0) / (2 * all);
  return [
    { what: `${found.length} keyframes in storage`, value: bytes / 2 ** 20, unit: "MB" },
    { what: "rounds between two of them, at most", value: Math.max(...gaps), unit: "" },
    { what: "rounds from one to a random height, mean", value: replayed, unit: "" },
  ];
}

const limitOf = (limit: number | undefined) => (limit === undefined ? {} : { limit });

function seekRows(
  what: string,
  all: readonly Taken[],
  { medianMs, ms95 }: Pick<Load, "medianMs" | "ms95">,
): Row[] {
  const ms = all.map((one) => one.ms);
  const used = all.map((one) => one.usedMs);
  return [
    { what: `${what}, median`, value: quantile(ms, 0.5), unit: "ms", ...limitOf(medianMs) },
    { what: `${what}, 95 %`, value: quantile(ms, 0.95), unit: "ms", ...limitOf(ms95) },
    { what: "processor time of it, median", value: quantile(used, 0.5), unit: "ms" },
    { what: "processor time of it, 95 %", value: quantile(used, 0.95), unit: "ms" },
  ];
}

async function times<T>(count: number, measure: () => Promise<T>): Promise<T[]> {
  const taken: T[] = [];
  for (let i = 0; i < count; i++) taken.push(await measure());
  return taken;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)] ?? 0;
}

/** The same heights in every run. */
function randomIn(blocks: number): () => number {
  let state = 1;
  return () => {
    state = (state * SEED) % 0x7fffffff;
    return 1 + (state % blocks);
  };
}

function parsed(args: readonly string[]): { load: LoadName; size: keyof typeof SIZES } {
  try {
    const { load = "quiet", quick } = parseArgs({
      args: [...args],
      options: { quick: { type: "boolean" }, load: { type: "string" } },
    }).values;
    if (!(load in LOADS)) throw new Error(`--load: expected ${Object.keys(LOADS).join(", ")}`);
    return { load: load as LoadName, size: quick ? "quick" : "usual" };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
