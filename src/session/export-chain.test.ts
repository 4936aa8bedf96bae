import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../base/property.testing.ts";
import { type WorldStep, worldSteps } from "../engine/simulation/keyframe/worlds.testing.ts";
import type { LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { readTrace } from "../view/lab/export/trace.testing.ts";
import { ChainExporter } from "./export-chain.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { openTab, settle, testHost, until } from "./testing.ts";
import { KeptWorld } from "./travel.testing.ts";

type Request = LabRequest<"exportChain">;

/** A clock with which no part takes any time, or each takes too long. */
const clocks = (haste: boolean) => {
  let time = 0;
  return () => {
    time += haste ? 1000 : 0;
    return time;
  };
};

const exporterOf = (world: KeptWorld, haste: boolean): ChainExporter => {
  const { live, history } = world;
  const session = { player: { live }, loadPart: undefined, queryAt: undefined };
  const host = testHost({ clock: clocks(haste) });
  return new ChainExporter(session, host, () => ({ live, history }));
};

/** A complete file. @param exporter called again for each part */
async function fileOf(exporter: () => ChainExporter, request: Request) {
  let text = "";
  for (let parts = 1, after = ""; ; parts++) {
    const part = await exporter().part({ ...request, after });
    text += part.text;
    after = part.next;
    if (after === "") return { text, parts };
  }
}

/** A world whose fork heals so that its chain gets its first blocks all at once. */
const JUMP: [WorldStep[], boolean][] = [
  [
    [
      { do: "fork" },
      { do: "stop", who: "val-0" },
      {
        do: "command",
        command: { type: "node", node: "val-0", action: { kind: "stage", binary: "v2" } },
      },
      { do: "misbehavior", who: "val-0", kind: 0, ago: 0, power: 0 },
      { do: "submit", who: "val-0", ago: 0, power: 0, outcome: "equivocation" },
      { do: "run", blocks: 1 },
      { do: "run", blocks: 1 },
    ],
    false,
  ],
  [
    [
      { do: "run", blocks: 2 },
      { do: "command", command: { type: "partition", groups: [["val-3"]] } },
      { do: "command", command: { type: "fault", kind: "mute", node: "val-0" } },
      { do: "install", binary: "v2" },
      { do: "run", blocks: 1 },
    ],
    false,
  ],
];

test("a trace of any world has an end for each begin, and slices that nest, however it is parted", async () => {
  const range = fc.tuple(fc.nat(), fc.nat());
  const made = fc.array(fc.tuple(worldSteps, fc.boolean()), { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(made, range, async (steps, [a, b]) => {
      const world = new KeptWorld();
      for (const [some, keyframe] of steps) {
        world.perform(some);
        await world.keep(keyframe);
      }
      const { height } = world.live.sim;
      if (height === 0) return;
      const [from = 1, to = 1] = [1 + (a % height), 1 + (b % height)].sort((x, y) => x - y);
      for (const request of [{ what: "trace" }, { what: "trace", from, to }]) {
        const one = exporterOf(world, false);
        const whole = await fileOf(() => one, request);
        expect(whole.parts).toBe(1);
        readTrace(whole.text);
        const hasty = exporterOf(world, true);
        const parted = await fileOf(() => hasty, request);
        expect(parted.text).toBe(whole.text);
        // An exporter without anything from earlier parts.
        const anew = await fileOf(() => exporterOf(world, true), request);
        expect(anew.text).toBe(whole.text);
      }
    }),
    { numRuns: propertyRuns(30), examples: [[JUMP, [156727105, 1006632955]]] },
  );
});

/** A tab that plays a world of twelve blocks; a validator crashes at block 5. */
async function played() {
  const tab = openTab();
  await tab.worlds.create(FIRST_ORIGIN, "mine");
  const { session } = tab;
  session.control({ case: "pause", value: true });
  const crash = { fault: { node: "val-3", kind: "crash", at: 5 } };
  await until(session, session.runStep(JSON.stringify(crash)));
  session.control({ case: "stepBlocks", value: 12 });
  settle(session);
  const ask = async (request: Request) => {
    const part = session.export?.(request) ?? Promise.reject(new Error("there is none"));
    const [ended] = await until(session, Promise.allSettled([part]));
    if (ended.status === "rejected") throw ended.reason;
    return ended.value;
  };
  return { ...tab, ask };
}

test("a block that is applied only in a round of the next height ends in a trace where that height begins", async () => {
  const world = new KeptWorld();
  const run = { do: "run", blocks: 1 } as const;
  const sidecar = {
    mode: "manual",
    restartDelay: 0n,
    shutdownGrace: 5_000_000_000n,
    shutdownTakes: 0n,
  } as const;
  const guard: WorldStep = {
    do: "command",
    command: { type: "node", node: "val-0", action: { kind: "sidecar", sidecar } },
  };
  world.perform([
    { do: "plan", name: "v2", ahead: 3 },
    { do: "submit", who: "val-0", ago: 0, power: 0, outcome: "equivocation" },
    { do: "command", command: { type: "fault", kind: "mute", node: "val-0" } },
    { do: "stake", who: "val-0", from: "val-0", to: "val-0", how: "delegate", amount: 1n },
    ...[run, run, run, run, run, run],
    { do: "install", binary: "v2" },
    ...[guard, run],
    { do: "unjail", who: "val-0" },
    ...[{ do: "fork" } as const, run],
  ]);
  const exporter = exporterOf(world, false);
  const { text } = await fileOf(() => exporter, { what: "trace" });
  const slices = readTrace(text).filter(({ name }) => name.startsWith("block "));
  const spans = slices.map(({ name, ts, dur }) => [name, ts / 1e6, (ts + dur) / 1e6]);
  expect(spans.slice(-2)).toEqual([
    ["block 4", 19, 24],
    ["block 5", 24, 34],
  ]);
});

test("a twin, and a twin of a twin, are processes of their own in a trace", async () => {
  const twin = (node: string): WorldStep => ({
    do: "command",
    command: { type: "node", node, action: { kind: "twin" } },
  });
  const world = new KeptWorld();
  world.perform([twin("val-0"), twin("val-0-twin"), twin("val-1"), { do: "run", blocks: 2 }]);
  const exporter = exporterOf(world, false);
  const { text } = await fileOf(() => exporter, { what: "trace" });
  const processes = readTrace(text).filter(({ name }) => name === "process_name");
  expect(processes.map(({ args }) => args?.name)).toContain("val-0-twin-twin");
  expect(new Set(processes.map(({ pid }) => pid)).size).toBe(processes.length);
});

test("a trace says when a node's process ends, what its rounds were, and why it halted", async () => {
  const { ask } = await played();
  const { text, file, next } = await ask({ what: "trace", from: 3, to: 8 });
  expect([file, next]).toEqual(["lab-1-3-8.trace.json", ""]);
  const events = readTrace(text);
  const names = new Map(
    events.filter(({ name }) => name === "process_name").map(({ pid, args }) => [args?.name, pid]),
  );
  expect([...names.keys()]).toEqual(["chain lab-1", "val-0", "val-1", "val-2", "val-3"]);
  const of = (name: string) =>
    events.filter(({ pid, ph }) => pid === names.get(name) && ph !== "M");
  // Three blocks are made while it is down: a block takes five seconds, and block 3 starts at
  // second 10.
  const down = of("val-3").filter(({ ph, name }) => ph === "B" && name === "exited");
  expect(down.map(({ ts }) => ts)).toEqual([25_000_000]);
  const [halt] = of("val-3").filter(({ name }) => name === "halt");
  expect(halt).toMatchObject({ ph: "i", ts: 25_000_000, args: { height: 5 } });
  const rounds = (name: string) => of(name).filter((one) => one.name.startsWith("height "));
  expect(rounds("val-3").map(({ name }) => name)).toEqual(
    [3, 4, 5].map((height) => `height ${height}, round 0`),
  );
  // It should propose block 8: the others wait three seconds for that and one for precommits; round
  // 1 commits it.
  const seconds = of("val-0")
    .filter(({ ph, ts }) => ph === "X" && ts >= 30_000_000)
    .map(({ name, ts, dur }) => [name, ts / 1e6, dur / 1e6]);
  expect(seconds).toEqual([
    ["height 7, round 0", 30, 5],
    ["commit", 30, 5],
    ["height 8, round 0", 35, 4],
    ["propose", 35, 3],
    ["precommit nil", 38, 1],
    ["height 8, round 1", 39, 5],
    ["commit", 39, 5],
  ]);
  const blocks = of("chain lab-1").filter(({ name }) => name.startsWith("block "));
  expect(blocks.map(({ ts, dur }) => [ts / 1e6, dur / 1e6])).toEqual([
    ...[10, 15, 20, 25, 30].map((second) => [second, 5]),
    [35, 9],
  ]);
});

test("tables have a row for each block and for each attribute, and a range of them", async () => {
  const { ask } = await played();
  const { text, file } = await ask({ what: "blocks", from: 4, to: 6 });
  expect(file).toBe("lab-1-4-6-blocks.csv");
  const [head, ...rows] = text.trimEnd().split("\r\n");
  const columns = head?.split(",") ?? [];
  const column = (name: string) => rows.map((row) => row.split(",")[columns.indexOf(name)]);
  expect(column("height")).toEqual(["4", "5", "6"]);
  expect(column("interval_seconds")).toEqual(["5", "5", "5"]);
  expect(column("signed_power")).toEqual(["400", "400", "300"]);
  expect(column("absent")).toEqual(["", "", "val-3"]);
  const events = await ask({ what: "events" });
  expect(events.text.split("\r\n")[0]).toBe(
    "height,time,tx,tx_hash,signer,code,event,type,key,value",
  );
});

test("heights that there are not, other files and parts of another world are refused", async () => {
  const { ask, worlds } = await played();
  const refused = async (request: Request, why: string): Promise<void> => {
    await expect(ask(request)).rejects.toThrow(why);
  };
  await refused({ what: "trace", from: 13 }, "there is no block 13");
  await refused({ what: "blocks", from: 5, to: 3 }, "expected the first height, then the last");
  await refused({ what: "song" }, 'one of trace, blocks, events, found "song"');
  await refused({ what: "trace", after: "x" }, "expected the `next` of the part before");
  await refused({ what: "trace", after: "world-0.12.3.1.3.12" }, "another world is played now");
  await worlds.create(FIRST_ORIGIN, "other");
  await refused({ what: "blocks" }, "there is no block");
});
