/** Where the values of a chart over heights lie on screen, and the paths that draw them; coordinates in CSS pixels. */
import { type AtHeight, MARGIN } from "./axis.ts";
import type { Size } from "./use-size.ts";

/** Room for the labels of the axes, left and below. */
const LABELS = 52;
const FOOT = 28;

export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: (height: number) => number;
  readonly y: (value: number) => number;
}

/** The plane between the axes: from the first point to the last, and from one value to another. */
export function plotOf(
  points: readonly AtHeight[],
  [least, most]: readonly [number, number],
  { width, height }: Size,
): Plot {
  const [left, right] = [MARGIN.left + LABELS, Math.max(LABELS + 1, width - MARGIN.right)];
  const [top, bottom] = [MARGIN.top, Math.max(MARGIN.top + 1, height - FOOT)];
  const first = points[0]?.height ?? 0;
  const heights = Math.max(1, (points.at(-1)?.height ?? 0) - first);
  const values = Math.max(Number.MIN_VALUE, most - least);
  return {
    ...{ left, right, top, bottom },
    x: (at) => tenth(left + ((at - first) / heights) * (right - left)),
    y: (value) => tenth(bottom - ((value - least) / values) * (bottom - top)),
  };
}

/** Finer than the screen, and short as text. */
const tenth = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Upper edges of series that lie on one another, the lowest first: a value at each point. */
export function stacked(series: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const edges: number[][] = [];
  for (const values of series) {
    const below = edges.at(-1);
    edges.push(values.map((value, i) => value + (below?.[i] ?? 0)));
  }
  return edges;
}

interface Edge {
  readonly points: readonly AtHeight[];
  /** One for each point. */
  readonly values: readonly number[];
  /** A value holds up to the next point; otherwise points are joined by straight lines. */
  readonly steps: boolean;
}

/** The path along values. */
export const linePath = (plot: Plot, edge: Edge): string => `M${along(plot, edge)}`;

/** The path around what lies between values and those below, which are 0 if not given. */
export function areaPath(plot: Plot, edge: Edge, below: readonly number[] | undefined): string {
  const last = edge.points.length - 1;
  const end = plot.x(edge.points[last]?.height ?? 0);
  const start = plot.x(edge.points[0]?.height ?? 0);
  if (!below) return `M${along(plot, edge)}V${plot.y(0)}H${start}Z`;
  let back = `L${end},${plot.y(below[last] ?? 0)}`;
  for (let i = last; i > 0; i--) {
    const x = plot.x(edge.points[i - 1]?.height ?? 0);
    const y = plot.y(below[i - 1] ?? 0);
    back += edge.steps ? `V${y}H${x}` : `L${x},${y}`;
  }
  return `M${along(plot, edge)}${back}Z`;
}

function along(plot: Plot, { points, values, steps }: Edge): string {
  return points
    .map(({ height }, i) => {
      const [x, y] = [plot.x(height), plot.y(values[i] ?? 0)];
      if (i === 0) return `${x},${y}`;
      return steps ? `H${x}V${y}` : `L${x},${y}`;
    })
    .join("");
}

/** Position of the point that is nearest to a place from the left edge. */
export function nearest(plot: Plot, points: readonly AtHeight[], x: number): number {
  const distance = (i: number): number => Math.abs(plot.x(points[i]?.height ?? 0) - x);
  return points.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
}
