import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGS, ensureChromium } from "../../tools/chromium.ts";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { BEFORE } from "../engine/bench.ts";
import { checkoutsOf } from "../engine/builds.ts";
import type { Both, Pair } from "../engine/pairs.ts";
import { RUN, timedPrograms } from "../engine/program.ts";
import { timesTable } from "../engine/report.ts";
import { timedWorkers, workerBytes } from "./worker.ts";

const TURNS = { usual: 15, quick: 5 };

/** Startup times of the page's worker and of commands. */
export const startBench: Bench = {
  summary:
    "from the start to the first block of the page's worker, and commands, against a commit before, in turns",
  options: [
    `--before COMMIT     what this checkout is held against, ${BEFORE} unless given`,
    "--quick             fewer turns",
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const { before = BEFORE, quick } = parse(args);
    const turns = quick ? TURNS.quick : TURNS.usual;
    const scratch = await mkdtemp(join(tmpdir(), "chainlab-bench-"));
    try {
      const builds = await checkoutsOf(before, scratch);
      const workers = await inBrowser(builds, turns);
      const programs = [
        await timedPrograms(builds, ["--help"], turns),
        await timedPrograms(builds, RUN, turns),
      ];
      const bytes = [await workerBytes(builds[0]), await workerBytes(builds[1])] as const;
      return reportOf(before, [...workers, ...programs], bytes);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

async function inBrowser(builds: Both, turns: number): Promise<readonly Pair[]> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  try {
    return await timedWorkers(browser, builds, turns);
  } finally {
    await browser.close();
  }
}

function reportOf(
  before: string,
  pairs: readonly Pair[],
  bytes: readonly [number, number],
): Report {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? "an unknown processor"}`;
  const [was, now] = bytes.map((size) => size.toLocaleString("en"));
  return {
    json: { bench: "start", processor, before, pairs, workerBytes: bytes },
    table: [
      `${processor}; this checkout against ${before}, in turns`,
      timesTable(pairs),
      `bytes of script with which the worker starts: ${was} → ${now}`,
    ].join("\n"),
  };
}

function parse(args: readonly string[]) {
  try {
    const options = { before: { type: "string" }, quick: { type: "boolean" } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
