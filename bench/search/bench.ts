import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { hashQuickly } from "../../src/node/quick-hashes.ts";
import { SearchPool } from "../../src/node/search-pool.ts";
import { runCampaign } from "../../src/scenario/search/campaign.ts";
import { explore } from "../../src/scenario/search/explore.ts";
import { runBatch } from "../../src/scenario/search/run-batch.ts";
import type { FamilyFile } from "../../src/scenario/search/search.ts";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { type Row, reportOf, said } from "../durable/report.ts";
import { median } from "../engine/clock.ts";

const ROOT = new URL("../../", import.meta.url);
const PROGRAM = new URL("dist-node/main.js", ROOT);
const FAMILIES = fileURLToPath(new URL("public/families/", ROOT));

/** Cases of one window, and how many windows are measured. */
const SIZES = {
  usual: { cases: 100, windows: 31 },
  quick: { cases: 20, windows: 5 },
} as const;
/**
 * Parts of linear that more cores have to reach, percent that properties may cost, seconds and steps of a trap, and
 * cases of a guided search.
 */
const TARGETS = { linear: 0.75, properties: 20, seconds: 10, steps: 8, guided: 1_500 };

/** Answered by the REST interface whenever the chain's state has changed. */
const BY_PATH = `
always: [{ get: /lab/v1/chain_status, json: { total_power: "400" } }]
`;

const PROPERTIES = `
always:
  - { app_hash: agreed }
never:
  - { events: { type: slash } }
  - { tokens: val-1, is: "95000000" }
eventually:
  - { within: 60, chain: running, height: 40 }
sometimes:
  - { node: val-1, is: stopped }
`;

/** 4 validators, 50 blocks, and something that differs. */
const familyOf = (properties: string): FamilyFile => ({
  file: "fifty-blocks.yaml",
  imports: {},
  text: `scenario: 1
name: fifty-blocks
genesis: { validators: 4 }
${properties}
steps:
  - run: 20
  - nodes: { which: [val-1], stop: true }
  - run: 10
  - nodes: { which: [val-1], start: true }
  - run: { to: 50 }
vary:
  - { at: "steps[0].run", range: [10, 25] }
  - { at: genesis.block_time, one_of: [2s, 5s] }
`,
});

/** Rate of cases on one core and on all, and time to find the traps of the bundled families. */
export const searchBench: Bench = {
  summary:
    "cases of a family with 4 validators and 50 blocks, on one core and on all; traps found and shrunk",
  options: [
    "--quick             few and small windows: a look, not a result",
    "--jobs N            threads of all cores, as many as this process may use unless given",
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const { quick, jobs } = options(args);
    const size = SIZES[quick ? "quick" : "usual"];
    build();
    await hashQuickly();
    const rows: Row[] = [
      ...said(propertyRows(size)),
      ...said(await coreRows(size, jobs)),
      ...said([exploreRow(size)]),
      ...(await trapRows(Math.min(2, jobs))),
      ...said(await guidedRows(quick, jobs)),
    ];
    return reportOf("search", rows);
  },
};

function options(args: readonly string[]): { readonly quick: boolean; readonly jobs: number } {
  let values: { quick?: boolean | undefined; jobs?: string | undefined };
  try {
    const known = { quick: { type: "boolean" }, jobs: { type: "string" } } as const;
    ({ values } = parseArgs({ args: [...args], options: known }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const jobs = Number(values.jobs ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1) throw new UsageError("--jobs: expected a whole number");
  return { quick: values.quick ?? false, jobs };
}

/** Has the threads run this checkout. */
function build(): void {
  console.error("the command is built, unless it is there …");
  const program = fileURLToPath(new URL("bin/chainlab.mjs", ROOT));
  const { status } = spawnSync(process.execPath, [program, "version"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("the command cannot be built");
}

interface Size {
  readonly cases: number;
  readonly windows: number;
}

function propertyRows(size: Size): Row[] {
  console.error("cases with properties and without, in turns …");
  const unit = "%";
  return [
    {
      what: "what five properties cost",
      value: costOf(PROPERTIES, size),
      unit,
      limit: TARGETS.properties,
    },
    { what: "what a property by a path costs", value: costOf(BY_PATH, size), unit },
  ];
}

/** Percent of a case that properties cost, in turns with the same cases without any. */
function costOf(properties: string, { cases, windows }: Size): number {
  const [requested, bare] = [familyOf(properties), familyOf("")];
  const time = (family: FamilyFile, first: number): number => {
    const before = performance.now();
    const { violated } = runBatch({ family, seed: 1, first, count: cases, untilFirst: false });
    if (violated.length > 0) throw new Error("a case of the benchmark is violated");
    return performance.now() - before;
  };
  const ratios = Array.from({ length: windows + 2 }, (_, i) => {
    const first = i * cases;
    if (i % 2 === 0) return time(requested, first) / time(bare, first);
    const without = time(bare, first);
    return time(requested, first) / without;
  });
  return (median(ratios.slice(2)) - 1) * 100;
}

/** Cases per second of one thread on one core and of all threads on all, in turns. */
async function coreRows({ cases, windows }: Size, jobs: number): Promise<Row[]> {
  console.error(`cases on 1 thread and on ${jobs}, in turns …`);
  const family = familyOf(PROPERTIES);
  const one = new SearchPool(PROGRAM, 1);
  const all = new SearchPool(PROGRAM, jobs);
  const rate = async (pool: SearchPool, first: number): Promise<number> => {
    const before = performance.now();
    // Each thread has several batches, as in a search.
    const lanes = Array.from({ length: pool.size }, async (_, lane) => {
      for (let i = 0; i < 2; i++) {
        const at = first + (2 * lane + i) * cases;
        await pool.run({ family, seed: 1, first: at, count: cases, untilFirst: false });
      }
    });
    await Promise.all(lanes);
    return (2 * pool.size * cases * 1_000) / (performance.now() - before);
  };
  const rates: { readonly one: number; readonly all: number }[] = [];
  const cores = ownCores();
  try {
    for (let i = 0; i < windows + 2; i++) {
      const first = i * cases * 2 * jobs;
      keepTo(cores.slice(0, 1));
      const ofOne = await rate(one, first);
      keepTo(cores);
      rates.push({ one: ofOne, all: await rate(all, first) });
    }
  } finally {
    keepTo(cores);
    await Promise.all([one.close(), all.close()]);
  }
  // The first windows are those in which the threads load and compile what they run.
  const warm = rates.slice(2);
  const linear = median(warm.map((both) => both.all / both.one / jobs));
  return [
    {
      what: "cases a second on one thread",
      value: median(warm.map((both) => both.one)),
      unit: "",
      ...(cores.length === 0 && { note: "not kept to one core, as there is no taskset here" }),
    },
    {
      what: `cases a second on ${jobs} threads`,
      value: median(warm.map((both) => both.all)),
      unit: "",
    },
    {
      what: `what ${jobs} threads lack of ${jobs} times one`,
      value: (1 - linear) * 100,
      unit: "%",
      limit: (1 - TARGETS.linear) * 100,
    },
  ];
}

/** Numbers of the cores that this process may use; none where the system cannot say. */
function ownCores(): readonly number[] {
  const { stdout } = spawnSync("taskset", ["-c", "-p", String(process.pid)], { encoding: "utf8" });
  const list = /: ([\d,-]+)$/.exec(stdout?.trim() ?? "")?.[1];
  const ranges = list?.split(",").map((range) => range.split("-").map(Number)) ?? [];
  return ranges.flatMap(([first = 0, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );
}

/**
 * Keeps the process to these cores, with all its threads: V8 collects garbage on threads of its own, so that a search on
 * one thread is one core's work only where there is one.
 */
function keepTo(cores: readonly number[]): void {
  if (cores.length === 0) return;
  const list = cores.join(",");
  const { status } = spawnSync("taskset", ["-a", "-c", "-p", list, String(process.pid)]);
  if (status !== 0) throw new Error(`the process cannot be kept to the cores ${list}`);
}

/** States per second of every way in which a chain of 4 validators can go on. */
function exploreRow({ cases }: Size): Row {
  console.error("every way of a small chain …");
  const text = `scenario: 1
name: small
genesis: { validators: 4 }
${PROPERTIES}
disturb: { kinds: [stop, lose_signer_state], most: 4 }
steps:
  - run: 5
`;
  const small = { file: "small.yaml", text, imports: {} };
  const read = explore(small, { steps: 100, states: cases * 20 });
  if ("problems" in read) throw new Error("the file of the benchmark is not sound");
  const before = performance.now();
  for (;;) {
    const { done, value } = read.running.next();
    if (!done) continue;
    const seconds = (performance.now() - before) / 1_000;
    const { states, transitions, complete } = value;
    return {
      what: "states explored a second",
      value: states / seconds,
      unit: "",
      note: `${states} states by ${transitions} transitions, all within ${complete} steps`,
    };
  }
}

/** Returns the time to find and shrink each bundled family's trap, and its number of steps. */
async function trapRows(jobs: number): Promise<Row[]> {
  console.error(`the traps of the bundled families, on ${jobs} threads …`);
  const names = readdirSync(FAMILIES).filter((name) => name.endsWith(".yaml"));
  const rows: Row[] = [];
  for (const name of names) {
    const family = { file: name, text: readFileSync(`${FAMILIES}${name}`, "utf8"), imports: {} };
    const pool = new SearchPool(PROGRAM, jobs);
    const before = performance.now();
    try {
      const clock = (): number => performance.now();
      const how = { seed: 1, runs: 10_000, all: false, clock };
      const { families } = await runCampaign(pool, [family], how);
      const seconds = (performance.now() - before) / 1_000;
      const [{ cases, findings }] = families as readonly [(typeof families)[number]];
      const [found] = findings;
      if (found === undefined) throw new Error(`nothing was found in ${name}`);
      rows.push(
        ...said([
          {
            what: `${name}: found and shrunk`,
            value: seconds,
            unit: "s",
            limit: TARGETS.seconds,
            note: `case ${found.number} of ${cases}, ${found.violation.property}`,
          },
          {
            what: `${name}: steps`,
            value: found.steps.length,
            unit: "",
            limit: TARGETS.steps,
            note: `of ${found.stepsBefore}`,
          },
        ]),
      );
    } finally {
      await pool.close();
    }
  }
  return rows;
}

/** A single operator who has to vote in time, and to install the new binary once the chain has halted. */
const TWO_ACTS: FamilyFile = {
  file: "two-acts.yaml",
  imports: {},
  text: `scenario: 1
name: two-acts
genesis: { validators: 1, block_time: 2s, gov: { voting_period: 8s } }
binaries:
  v2: { modules: { bank: 5 }, handlers: [v2] }
never: [{ name: v2 runs, node: val-0, log: 'applying upgrade "v2"' }]
steps:
  - propose:
      from: val-0
      title: v2
      messages:
        - "@type": /chain.upgrade.v1beta1.MsgSoftwareUpgrade
          authority: "\${gov}"
          plan: { name: v2, height: "9" }
  - run: { rounds: 20 }
disturb: { from: 1, most: 4, kinds: [vote, wrong_binary, crash, stop, restart, slow, mute, stake] }
`,
};

/**
 * Returns the number of cases until a failure that needs two acts in order is found, guided and
 * drawn: the same on every machine.
 */
async function guidedRows(quick: boolean, jobs: number): Promise<Row[]> {
  console.error("what needs two acts in their order, guided and drawn …");
  const seeds = quick ? [1] : [1, 2, 3, 4, 5];
  const runs = 3_000;
  const row = async (what: string, guided: boolean): Promise<Row> => {
    const cases: number[] = [];
    const pool = new SearchPool(PROGRAM, jobs);
    try {
      for (const seed of seeds) {
        const how = { seed, runs, all: false, guided, clock: () => performance.now() };
        const { families } = await runCampaign(pool, [TWO_ACTS], how);
        const [found] = families[0]?.findings ?? [];
        cases.push(found === undefined ? runs : found.number + 1);
      }
    } finally {
      await pool.close();
    }
    const missed = cases.filter((count) => count === runs).length;
    return {
      ...{ what, value: median(cases), unit: "" },
      note: `of seeds ${seeds.join(", ")}; in ${runs} cases not found by ${missed}`,
      ...(guided && { limit: TARGETS.guided }),
    };
  };
  return [
    await row("cases until two acts in order are found, guided", true),
    await row("cases until two acts in order are found, drawn", false),
  ];
}
