import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import { CHROMIUM_ARGS, ensureChromium } from "../../tools/chromium.ts";
import { serveFolder } from "../../tools/static-server.mjs";
import { type Bench, type Report, UsageError } from "../bench.ts";
import { servePage } from "../durable/page.ts";
import { type Row, reportOf } from "../durable/report.ts";
import { dragging } from "./dragging.ts";
import { firstScreens } from "./first-screens.ts";
import { type Extent, KINDS, sessions, TOURS, VALIDATORS } from "./sessions.ts";

/** Visits of each kind, usually and for a look. */
const VISITS = { usual: 9, quick: 1 };

interface Asked {
  readonly visits: number;
  readonly extent: Extent;
  /** Addresses of the builds of the page, this one's first. */
  readonly origins: readonly string[];
}

const MEASURES: Readonly<Record<string, (browser: Browser, requested: Asked) => Promise<Row[]>>> = {
  "first-block": (browser, { origins, visits }) => firstScreens(browser, origins, visits),
  ...Object.fromEntries(
    Object.entries(KINDS).map(([name, kind]) => [
      name,
      (browser: Browser, { origins, extent }: Asked) =>
        sessions(browser, origins[0] ?? "", extent, kind),
    ]),
  ),
  dragging: (browser, { origins, extent }) => dragging(browser, origins[0] ?? "", extent),
};

/** The production build in a headless Chromium, as a visitor has it. */
export const pageBench: Bench = {
  summary:
    "the page: its first block, how it answers while every view and dialog is opened, and in the past",
  options: [
    `--only NAME,…       some of ${Object.keys(MEASURES).join(", ")}`,
    `--samples N         visits of each kind, ${VISITS.usual} unless given`,
    `--validators N,…    of each world that is toured, ${VALIDATORS} unless given`,
    `--tours N           of each world with each processor, ${TOURS} unless given`,
    "--against FOLDER    another build of the page, visited in turns with this one",
    "--quick             one visit of each kind, few validators: a look, not a result",
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const { names, visits, extent, against } = read(args);
    const scratch = await mkdtemp(join(tmpdir(), "chainlab-page-"));
    const options = { executablePath: ensureChromium(), args: CHROMIUM_ARGS };
    const served = [await servePage(scratch)];
    if (against !== undefined) served.push(await serveFolder(against, 0));
    const browser = await chromium.launch(options);
    try {
      const origins = served.map(({ origin }) => origin);
      const rows: Row[] = [];
      for (const name of names)
        rows.push(...((await MEASURES[name]?.(browser, { origins, visits, extent })) ?? []));
      return reportOf("page", [...rows, busy()]);
    } finally {
      await browser.close();
      for (const { close } of served) await close();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** Figures of a machine that has other work count only roughly. */
const busy = (): Row => {
  const what = `programs that wanted one of ${availableParallelism()} processors, in the last minute`;
  return { what, value: loadavg()[0] ?? 0, unit: "" };
};

function read(args: readonly string[]) {
  const { only, samples, validators, tours, against, quick = false } = parsed(args);
  const names = only?.split(",") ?? Object.keys(MEASURES);
  const unknown = names.find((name) => !Object.hasOwn(MEASURES, name));
  if (unknown !== undefined)
    throw new UsageError(`--only ${unknown}: expected ${Object.keys(MEASURES).join(", ")}`);
  const visits = wholeNumber("--samples", samples ?? (quick ? VISITS.quick : VISITS.usual));
  const extent: Extent = {
    validators: validators
      ? validators.split(",").map((each) => wholeNumber("--validators", each))
      : VALIDATORS.slice(0, quick ? 1 : undefined),
    tours: wholeNumber("--tours", tours ?? (quick ? 1 : TOURS)),
    slower: !quick,
  };
  return { names, visits, extent, against };
}

function wholeNumber(option: string, text: string | number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new UsageError(`${option}: expected a whole number from 1 on`);
  return value;
}

function parsed(args: readonly string[]) {
  try {
    const options = {
      only: { type: "string" },
      samples: { type: "string" },
      validators: { type: "string" },
      tours: { type: "string" },
      against: { type: "string" },
      quick: { type: "boolean" },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
