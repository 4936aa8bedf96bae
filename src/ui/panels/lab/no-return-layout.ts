/** Layout of the chart of the point of no return. */
import type { NoReturn } from "../../store/types.ts";

export interface DrawnPoint {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** The next command there; empty if the chain just continues. */
  readonly command: string;
  /** From 0 to 1. */
  readonly share: number;
  /** Text anchor of its label: labels at an edge extend inward. */
  readonly side: "start" | "middle" | "end";
}

export interface NoReturnLayout {
  /** The last one is the end itself. */
  readonly points: readonly DrawnPoint[];
  /** The step line, and the same closed as an area. */
  readonly line: string;
  readonly area: string;
  /** Indexes of the points with a visible label. */
  readonly named: ReadonlySet<number>;
}

export const LEFT = 46;
export const TOP = 14;
const RIGHT = 18;
/** Height of two lines of text below the axis. */
export const BOTTOM = 42;
/** Width of a point's label in pixels. */
const WORDS = 124;

/**
 * A share stays constant until the next point, where it jumps: an action takes effect at its point.
 */
export function noReturnLayout(
  { points, cliff, height: end }: Pick<NoReturn, "points" | "cliff" | "height">,
  width: number,
  height: number,
): NoReturnLayout {
  const wide = Math.max(1, width - LEFT - RIGHT);
  const high = Math.max(1, height - TOP - BOTTOM);
  const all = [...points, { height: end, command: "the end", ended: 1, futures: 1 }];
  const step = wide / Math.max(1, all.length - 1);
  const drawn = all.map(({ ended, futures, height: at, command }, i) => {
    const share = futures === 0 ? 0 : ended / futures;
    const x = LEFT + i * step;
    const side = x - WORDS / 2 < 0 ? "start" : x + WORDS / 2 > width ? "end" : "middle";
    return { x, y: TOP + (1 - share) * high, height: at, command, share, side } as const;
  });
  const [first, ...others] = drawn as [DrawnPoint, ...DrawnPoint[]];
  const line = `M${first.x} ${first.y}${others.map(({ x, y }) => `H${x}V${y}`).join("")}`;
  return {
    points: drawn,
    line,
    area: `${line}V${TOP + high}H${first.x}Z`,
    named: namedOf(drawn, cliff),
  };
}

/** Returns the left edge of a point's label. */
const wordsFrom = ({ x, side }: DrawnPoint): number =>
  side === "start" ? x : side === "end" ? x - WORDS : x - WORDS / 2;

/**
 * The cliff, then the end, then other commands from the left, as long as their labels do not
 * overlap.
 */
function namedOf(points: readonly DrawnPoint[], cliff: number): ReadonlySet<number> {
  const named: number[] = [];
  for (const i of [cliff, points.length - 1, ...points.keys()]) {
    const point = points[i];
    if (point === undefined || named.includes(i)) continue;
    if (point.command === "" && i !== cliff) continue;
    const apart = named.every(
      (other) => Math.abs(wordsFrom(points[other] as DrawnPoint) - wordsFrom(point)) >= WORDS,
    );
    if (apart) named.push(i);
  }
  return new Set(named);
}
