/** Layout of proposals on an axis of heights. */
import type { ProposalCourse } from "../../store/types.ts";

export interface Axis {
  readonly first: number;
  readonly last: number;
}

/** Maximum length of the axis, relative to its certain part, to show a deposit period's end. */
const MOST_AHEAD = 2;
const TICKS = 5;

/**
 * From the first of these proposals to the end of the open votes. The end of a deposit period far
 * ahead is omitted: it would leave no space for anything else.
 *
 * @param height the newest, which is on the axis while a proposal is open
 */
export function axisOf(courses: readonly ProposalCourse[], height: number): Axis {
  const periods = courses.flatMap((course) => course.periods);
  const open = courses.some(({ ended }) => ended === 0);
  const sure = periods.filter(({ kind, over }) => over || kind !== "deposit");
  const first = Math.min(...periods.map(({ from }) => from));
  const known = Math.max(first + 1, open ? height : 0, ...sure.map(({ to }) => to));
  const near = first + (known - first) * MOST_AHEAD;
  const last = Math.max(known, ...periods.map(({ to }) => to).filter((to) => to <= near));
  return { first, last };
}

/** The position of a height in percent of the axis; heights outside are at its ends. */
export function xOf({ first, last }: Axis, height: number): number {
  const place = ((height - first) / (last - first)) * 100;
  return Math.max(0, Math.min(100, place));
}

/** Round heights on the axis, about as many as its labels fit. */
export function ticksOf({ first, last }: Axis): readonly number[] {
  const rough = (last - first) / TICKS;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough) ?? power;
  const begin = Math.ceil(first / step) * step;
  const ticks = Math.floor((last - begin) / step) + 1;
  return Array.from({ length: Math.max(0, ticks) }, (_, i) => begin + i * step);
}
