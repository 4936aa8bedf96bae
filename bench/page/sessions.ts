import type { Browser } from "@playwright/test";
import { type Row, said } from "../durable/report.ts";
import { type SessionResult, sessionsOf } from "./session.ts";

export const VALIDATORS = [4, 100, 1000];
const SLOWDOWNS = [1, 4];
/** Tours with each slowdown, usually. */
export const TOURS = 3;

/** What must not be exceeded; what has no limit is only said. */
interface Limits {
  readonly task?: number;
  readonly inp: number;
}

function limitsOf(validators: number, slowdown: number): Limits {
  if (validators > 100) return { inp: 200 };
  const quick = slowdown === 1;
  const inp = quick ? 50 : 100;
  return validators < 100 ? { inp } : { inp, task: quick ? 50 : 150 };
}

/** What is measured of it: with how many validators, by how many tours, and on a slower processor too or not. */
export interface Extent {
  readonly validators: readonly number[];
  readonly tours: number;
  readonly slower: boolean;
}

/** How the page answers while its chain runs at full speed and every view and dialog is opened in turn. */
export async function sessions(browser: Browser, origin: string, extent: Extent): Promise<Row[]> {
  const rows: Row[] = [];
  const slowdowns = extent.slower ? SLOWDOWNS : SLOWDOWNS.slice(0, 1);
  for (const validators of extent.validators) {
    console.error(`${validators} validators: every view and dialog`);
    for (const result of await sessionsOf(browser, origin, validators, slowdowns, extent.tours))
      rows.push(...said(rowsOf(validators, result)));
  }
  return rows;
}

function rowsOf(validators: number, result: SessionResult): Row[] {
  const { slowdown, inp, interactions, frameGap, heapSlope, heapBlocks } = result;
  const limits = limitsOf(validators, slowdown);
  const longest = result.longest.toSorted((a, b) => a.ms - b.ms);
  const most = longest.at(-1);
  const usual = longest[Math.floor(longest.length / 2)];
  const where = `${validators} validators${slowdown > 1 ? `, CPU ${slowdown} times slower` : ""}`;
  const row = (what: string, value: number, unit = "ms", limit?: number): Row => {
    return { what: `${where}: ${what}`, value, unit, ...(limit && { limit }) };
  };
  return [
    {
      ...row(`longest task of ${longest.length} tours`, most?.ms ?? 0, "ms", limits.task),
      note: `after the opening of ${most?.after}`,
    },
    row("longest task of the tour in the middle", usual?.ms ?? 0),
    { ...row("INP", inp, "ms", limits.inp), note: `${interactions} interactions` },
    row("time between frames, 95 % are shorter", frameGap),
    {
      ...row("heap of the page for 100 000 blocks", heapSlope, "MB"),
      note: `seen over ${heapBlocks.toLocaleString("en")}`,
    },
  ];
}
