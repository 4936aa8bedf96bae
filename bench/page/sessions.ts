import type { Browser } from "@playwright/test";
import { type Row, said } from "../durable/report.ts";
import { type SessionResult, sessionsOf } from "./session.ts";
import { type Tour, tour } from "./tour.ts";
import { searches, travels } from "./travels.ts";

export const VALIDATORS = [4, 100, 1000];
const SLOWDOWNS = [1, 4];
/** Tours with each slowdown, usually. */
export const TOURS = 3;

/** Upper limits, in ms; a result without one is only reported. */
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

/** Numbers of validators, tours for each, and whether a slower processor is measured too. */
export interface Extent {
  readonly validators: readonly number[];
  readonly tours: number;
  readonly slower: boolean;
}

/** A tour, its name in the rows, and whether the heap is measured too. */
interface Kind {
  readonly tour: Tour;
  readonly name: string;
  readonly looksAtHeap?: boolean;
}

/** Tours of the page while its chain runs at full speed, by option name. */
export const KINDS = {
  sessions: { tour, name: "every view and dialog", looksAtHeap: true },
  travelling: { tour: travels, name: "travelling, in every view" },
  palette: { tour: searches, name: "the palette" },
} as const satisfies Readonly<Record<string, Kind>>;

/** Tours worlds of each size, and prints the rows of each as they are there. */
export async function sessions(
  browser: Browser,
  origin: string,
  extent: Extent,
  kind: Kind,
): Promise<Row[]> {
  const rows: Row[] = [];
  const slowdowns = extent.slower ? SLOWDOWNS : SLOWDOWNS.slice(0, 1);
  const { tour, name, looksAtHeap = false } = kind;
  for (const validators of extent.validators) {
    console.error(`${validators} validators: ${name}`);
    const { tours } = extent;
    const all = await sessionsOf(browser, origin, validators, slowdowns, tours, tour, looksAtHeap);
    for (const result of all) rows.push(...said(rowsOf(validators, result, kind)));
  }
  return rows;
}

function rowsOf(validators: number, result: SessionResult, { name, looksAtHeap }: Kind): Row[] {
  const { slowdown, inp, interactions, slowest, frameGap, heap } = result;
  const limits = limitsOf(validators, slowdown);
  const longest = result.longest.toSorted((a, b) => a.ms - b.ms);
  const most = longest.at(-1);
  const usual = longest[Math.floor(longest.length / 2)];
  const what = looksAtHeap ? "" : `, ${name}`;
  const where = `${validators} validators${what}${slowdown > 1 ? `, CPU ${slowdown} times slower` : ""}`;
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
    ...slowest.map(({ name, ms, parts, after }) => ({
      ...row("one of the slowest interactions", ms),
      note: `${name} after the opening of ${after}: ${parts.map((part) => part.toFixed(0)).join(" + ")} ms to wait, to work and to paint`,
    })),
    row("time between frames, 95 % are shorter", frameGap),
    ...(heap === undefined
      ? []
      : [
          {
            ...row("heap of the page for 100 000 blocks", heap.slope, "MB"),
            note: `seen over ${heap.blocks.toLocaleString("en")}`,
          },
        ]),
  ];
}
