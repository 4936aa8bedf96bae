import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { CHROMIUM_ARGS, ensureChromium } from "../../tools/chromium.ts";
import { type Bench, type Report, readSamples, sampleOptions } from "../bench.ts";
import { servePage } from "../durable/page.ts";
import { type Row, reportOf } from "../durable/report.ts";
import { CIRCUMSTANCES, type Circumstances, firstBlock } from "./first-block.ts";
import { sessions } from "./sessions.ts";

const USUAL = 9;

/** The production build in a headless Chromium, as a visitor has it. */
export const pageBench: Bench = {
  summary: "the page: its first block, and how it answers while every view and dialog is opened",
  options: sampleOptions("visits", USUAL),

  async run(args: readonly string[]): Promise<Report> {
    const visits = readSamples(args, USUAL);
    const scratch = await mkdtemp(join(tmpdir(), "chainlab-page-"));
    const options = { executablePath: ensureChromium(), args: CHROMIUM_ARGS };
    const served = await servePage(scratch);
    const browser = await chromium.launch(options);
    try {
      const rows: Row[] = [];
      for (const circumstances of CIRCUMSTANCES)
        rows.push(...(await firstScreens(browser, served.origin, circumstances, visits)));
      rows.push(...(await sessions(browser, served.origin, args.includes("--quick"))), busy());
      return reportOf("page", rows);
    } finally {
      await browser.close();
      await served.close();
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

/** Figures of a machine that has other work count only roughly. */
const busy = (): Row => {
  const what = `programs that wanted one of ${availableParallelism()} processors, in the last minute`;
  return { what, value: loadavg()[0] ?? 0, unit: "" };
};

/** The medians of so many visits, and the most that anything moved in one of them. */
async function firstScreens(
  browser: Browser,
  origin: string,
  circumstances: Circumstances,
  visits: number,
): Promise<Row[]> {
  const { name } = circumstances;
  const seen = [];
  for (let visit = 0; visit < visits; visit += 1) {
    console.error(`${name}: visit ${visit + 1} of ${visits}`);
    seen.push(await firstBlock(browser, origin, circumstances));
  }
  const shift = Math.max(...seen.map(({ layoutShift }) => layoutShift));
  return [
    { what: `first block, ${name}`, value: median(seen.map((one) => one.firstBlock)), unit: "ms" },
    { what: `LCP, ${name}`, value: median(seen.map((one) => one.largestPaint)), unit: "ms" },
    { what: `CLS, ${name}, the most`, value: shift, unit: "", limit: 0.01 },
  ];
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
