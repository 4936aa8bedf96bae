import type { Checkout } from "./builds.ts";
import { median, quantile } from "./clock.ts";
import { type LoadName, loadOf } from "./loads.ts";
import type { OpenSide, Platform } from "./platforms.ts";

/** One load timed in two builds, whose windows took turns. */
export interface Pair {
  readonly title: string;
  /** Milliseconds of a round, before and now: of processor time where that is told. */
  readonly milliseconds: readonly [before: number, now: number];
  /** Current cost relative to the previous one: the median over the turns, and its quartiles. */
  readonly ratio: number;
  readonly quartiles: readonly [number, number];
}

/** Bytes that a load retains for each round. */
export interface Kept {
  readonly load: LoadName;
  /** While its recent states are still kept, and beyond them. */
  readonly recent: Sides;
  readonly forEver: Sides;
}
export type Sides = readonly [before: number | undefined, now: number | undefined];

export interface Allocated {
  readonly load: LoadName;
  readonly bytes: Sides;
}

export interface Pace {
  readonly warmUpMs: number;
  readonly windowMs: number;
  readonly turns: number;
  readonly slowTurns: number;
}

export type Both = readonly [before: Checkout, now: Checkout];

/** A window of one build, a window of the other: what else the host does falls on both. Each is first in turn. */
export async function timed(
  platform: Platform,
  builds: Both,
  load: LoadName,
  { warmUpMs, windowMs, turns, slowTurns }: Pace,
): Promise<Pair> {
  const { title, slow } = loadOf(load);
  const sides = await opened(platform, builds);
  for (const side of sides) await side.open(load, slow ? 0 : warmUpMs);
  if (slow) for (const side of sides) await side.rounds(1);
  const window = (side: OpenSide): Promise<number> => side.window(slow ? 0 : windowMs);
  const costs: [number, number][] = [];
  for (let turn = 0; turn < (slow ? slowTurns : turns); turn++) {
    const late = turn % 2 === 0 ? undefined : await window(sides[1]);
    const before = await window(sides[0]);
    costs.push([before, late ?? (await window(sides[1]))]);
  }
  for (const side of sides) await side.close();
  await ended(sides);
  return pairOf(title, costs);
}

export function pairOf(title: string, costs: readonly (readonly [number, number])[]): Pair {
  const ratios = costs.map(([before, now]) => now / before);
  return {
    title,
    milliseconds: [median(costs.map(([before]) => before)), median(costs.map(([, now]) => now))],
    ratio: median(ratios),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

/**
 * Heights at which every account has acted and a chain still has all of its states, and at which it lets go as many as it
 * makes.
 */
const RECENT = { from: 120, to: 220 };
const BEYOND = { from: 1200, to: 2200 };

export async function kept(platform: Platform, builds: Both, load: LoadName): Promise<Kept> {
  const sides = await opened(platform, builds);
  const rates = await Promise.all(sides.map((side) => keptBy(side, load)));
  await ended(sides);
  const both = (at: 0 | 1): Sides => [rates[0]?.[at], rates[1]?.[at]];
  return { load, recent: both(0), forEver: both(1) };
}

async function keptBy(side: OpenSide, load: LoadName) {
  await side.open(load, 0);
  let height = 0;
  const usedAt = async (wanted: number): Promise<number | undefined> => {
    await side.rounds(wanted - height);
    height = wanted;
    return side.used();
  };
  const rate = async ({ from, to }: typeof RECENT): Promise<number | undefined> => {
    const before = await usedAt(from);
    const after = await usedAt(to);
    return before === undefined || after === undefined ? undefined : (after - before) / (to - from);
  };
  return [await rate(RECENT), await rate(BEYOND)] as const;
}

/** As many as fit into a heap in which nothing is collected. */
const ALLOCATING_ROUNDS = { busy: 50, quiet: 2000, slow: 2 };

export async function allocated(
  platform: Platform,
  [before, now]: Both,
  load: LoadName,
): Promise<Allocated> {
  const { slow, transactions } = loadOf(load);
  const usual = transactions > 0 ? "busy" : "quiet";
  const rounds = ALLOCATING_ROUNDS[slow ? "slow" : usual];
  const bytes = (build: Checkout) => platform.allocated(build, load, rounds);
  return { load, bytes: [await bytes(before), await bytes(now)] };
}

async function opened(platform: Platform, [before, now]: Both): Promise<[OpenSide, OpenSide]> {
  return [await platform.open(before), await platform.open(now)];
}

async function ended(sides: readonly OpenSide[]): Promise<void> {
  for (const side of sides) await side.end();
}
