import type { Browser } from "@playwright/test";
import { type Row, said } from "../durable/report.ts";
import { CIRCUMSTANCES, type Circumstances, type FirstScreen, firstBlock } from "./first-block.ts";

const CLS = 0.01;

/**
 * The first block in each of the circumstances: medians of so many visits, and the most that anything moved in one.
 * Another build of the page is visited in turns with this one, and then it is the ratios that count: what else the
 * machine does falls on both.
 *
 * @param origins where this build is served, and the other one if there is one
 */
export async function firstScreens(
  browser: Browser,
  origins: readonly string[],
  visits: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const circumstances of CIRCUMSTANCES) {
    const seen = await visited(browser, origins, circumstances, visits);
    rows.push(...said(rowsOf(circumstances, seen)));
  }
  return rows;
}

/** Returns the first screens of each build, visit by visit. */
async function visited(
  browser: Browser,
  origins: readonly string[],
  circumstances: Circumstances,
  visits: number,
): Promise<readonly FirstScreen[][]> {
  const seen = origins.map((): FirstScreen[] => []);
  for (let visit = 0; visit < visits; visit += 1) {
    console.error(`${circumstances.name}: visit ${visit + 1} of ${visits}`);
    for (const [i, origin] of origins.entries())
      seen[i]?.push(await firstBlock(browser, origin, circumstances));
  }
  return seen;
}

function rowsOf(
  { name, share }: Circumstances,
  [ours = [], others]: readonly FirstScreen[][],
): Row[] {
  const middle = (what: "firstBlock" | "largestPaint") => median(ours.map((one) => one[what]));
  const ratio = (what: "firstBlock" | "largestPaint") =>
    median(ours.map((one, i) => one[what] / (others?.[i]?.[what] ?? 0)));
  const shift = Math.max(...ours.map(({ layoutShift }) => layoutShift));
  return [
    { what: `first block, ${name}`, value: middle("firstBlock"), unit: "ms" },
    { what: `LCP, ${name}`, value: middle("largestPaint"), unit: "ms" },
    { what: `CLS, ${name}, the most`, value: shift, unit: "", limit: CLS },
    ...(others
      ? [
          {
            what: `first block, ${name} ÷ the other build's`,
            value: ratio("firstBlock"),
            unit: "",
            limit: share,
          },
          {
            what: `LCP, ${name} ÷ the other build's`,
            value: ratio("largestPaint"),
            unit: "",
            limit: 1,
          },
        ]
      : []),
  ];
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
