import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { checkoutsOf } from "./builds.ts";
import { countIn } from "./counted.ts";
import { LOAD_NAMES, type LoadName, loadOf } from "./loads.ts";
import { allocated, type Both, kept, type Pace, type Pair, timed } from "./pairs.ts";
import { PLATFORMS, type Platform } from "./platforms.ts";
import { RUN, timedPrograms } from "./program.ts";
import type { Ratios } from "./ratios.ts";
import { type Measured, reportOf } from "./report.ts";

/** The last commit before the engine's speed was worked on by itself. */
export const BEFORE = "b03cc1a6";
const ASKED = [...LOAD_NAMES, "run"];
/** Of these also what they allocate, and what they keep. */
const ALLOCATING: readonly LoadName[] = [
  "quiet",
  "send",
  "delegate",
  "undelegate",
  "vote",
  "slash",
];
/** A slash is done again and again from the same state, and leaves nothing. */
const KEEPING: readonly LoadName[] = ["quiet", "send", "delegate", "undelegate", "vote"];

/** Many short windows: on a busy host the median then falls on undisturbed ones. */
const THOROUGH: Pace = { warmUpMs: 1000, windowMs: 80, turns: 21, slowTurns: 5 };
const QUICK: Pace = { warmUpMs: 400, windowMs: 40, turns: 9, slowTurns: 3 };
const HEIGHT = { thorough: 100_000, quick: 10_000 };
const RATIO_SAMPLES = 31;

interface Plan {
  readonly before: string;
  readonly platforms: readonly (keyof typeof PLATFORMS)[];
  readonly only: readonly string[];
  readonly quick: boolean;
}

/** Two builds of the engine in turns, in one run: what this checkout costs over what a commit before it did. */
export const engineBench: Bench = {
  summary: "speed and memory of the chain, this checkout against a commit before it, in turns",
  options: [
    `--before COMMIT     what this checkout is held against, ${BEFORE} unless given`,
    `--on NAME           one platform only: ${Object.keys(PLATFORMS).join(" or ")}`,
    `--only NAME,…       only some of ${ASKED.join(", ")}: their times`,
    "--quick             fewer and shorter windows, height 10 000 instead of 100 000",
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const plan = read(args);
    const scratch = await mkdtemp(join(tmpdir(), "chainlab-bench-"));
    try {
      const builds = await checkoutsOf(plan.before, scratch);
      const all = plan.only.length === ASKED.length;
      const measured: Measured[] = [];
      // One after another: they would slow each other down.
      for (const name of plan.platforms) {
        const platform = await PLATFORMS[name](builds);
        try {
          measured.push(await measure(platform, builds, plan, all));
        } finally {
          await platform.end();
        }
      }
      const counts = all ? [await countIn(builds[0].root), await countIn(builds[1].root)] : [];
      const run = plan.only.includes("run") && plan.platforms.includes("node");
      const runs = run ? [await timedPrograms(builds, RUN, paceOf(plan).turns)] : [];
      return reportOf({ before: plan.before, measured, runs, counts });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

const paceOf = ({ quick }: Plan): Pace => (quick ? QUICK : THOROUGH);

async function measure(
  platform: Platform,
  builds: Both,
  plan: Plan,
  all: boolean,
): Promise<Measured> {
  const say = (text: string): void => console.error(`${platform.name}: ${text}`);
  const pairs: Pair[] = [];
  for (const name of LOAD_NAMES.filter((load) => plan.only.includes(load))) {
    say(loadOf(name).title);
    pairs.push(await timed(platform, builds, name, paceOf(plan)));
  }
  if (!all) return { platform: platform.name, pairs, allocations: [], keeping: [] };
  const allocations = [];
  const keeping = [];
  for (const name of ALLOCATING) allocations.push(await allocated(platform, builds, name));
  for (const name of KEEPING) {
    say(`what is kept of ${loadOf(name).title}`);
    keeping.push(await kept(platform, builds, name));
  }
  const height = plan.quick ? HEIGHT.quick : HEIGHT.thorough;
  say(`a chain at height ${height}`);
  const ratios = await ratiosAt(platform, builds, height);
  return { platform: platform.name, pairs, allocations, keeping, ratios };
}

async function ratiosAt(platform: Platform, [, now]: Both, height: number): Promise<Ratios> {
  const side = await platform.open(now);
  const ratios = await side.ratios(height, RATIO_SAMPLES);
  await side.end();
  return ratios;
}

function read(args: readonly string[]): Plan {
  const { before, on, only, quick } = parse(args);
  const platforms = Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[];
  const requested = only?.split(",") ?? ASKED;
  const unknown = requested.find((name) => !ASKED.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown}: expected some of ${ASKED.join(", ")}`);
  if (on !== undefined && !platforms.some((name) => name === on))
    throw new UsageError(`--on ${on}: expected ${platforms.join(" or ")}`);
  return {
    before: before ?? BEFORE,
    platforms: platforms.filter((name) => on === undefined || name === on),
    only: requested,
    quick: quick ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        before: { type: "string" },
        on: { type: "string" },
        only: { type: "string" },
        quick: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
