/** Converts CSS gradients to SVG. */

export interface Gradient {
  readonly repeats: boolean;
  readonly from: Point;
  readonly to: Point;
  /** From 0 at `from` to 1 at `to`. */
  readonly stops: readonly { readonly at: number; readonly color: string }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const SIDES: Readonly<Record<string, number>> = {
  "to top": 0,
  "to right": 90,
  "to bottom": 180,
  "to left": 270,
};
const DOWN = 180;

/**
 * A computed `linear-gradient(…)` or `repeating-linear-gradient(…)` over a box of that size;
 * undefined for others.
 */
export function gradientOf(computed: string, width: number, height: number): Gradient | undefined {
  const [, repeating, inner] = /^(repeating-)?linear-gradient\((.*)\)$/.exec(computed) ?? [];
  if (inner === undefined) return undefined;
  const parts = partsOf(inner);
  const [first = ""] = parts;
  const named = SIDES[first];
  const [, degrees] = /^(-?[\d.]+)deg$/.exec(first) ?? [];
  const hasAngle = named !== undefined || degrees !== undefined;
  const turn = ((named ?? Number(degrees ?? DOWN)) * Math.PI) / 180;
  const [dx, dy] = [Math.sin(turn), -Math.cos(turn)];
  const length = Math.abs(width * dx) + Math.abs(height * dy);
  const stops = (hasAngle ? parts.slice(1) : parts).flatMap((part) => stopsOf(part, length));
  // A repeating one is as long as its stops, any other as the box.
  const [begin, end] = repeating
    ? [stops[0]?.at ?? Number.NaN, stops.at(-1)?.at ?? Number.NaN]
    : [stops.some(({ at }) => Number.isNaN(at)) ? Number.NaN : 0, length];
  if (Number.isNaN(begin + end) || end <= begin) return undefined;
  const point = (at: number): Point => ({
    x: width / 2 + dx * (at - length / 2),
    y: height / 2 + dy * (at - length / 2),
  });
  return {
    repeats: repeating !== undefined,
    from: point(begin),
    to: point(end),
    stops: stops.map(({ at, color }) => ({ at: (at - begin) / (end - begin), color })),
  };
}

/** A colour with its positions along the line, in pixels; one stop for each. */
function stopsOf(part: string, length: number): { at: number; color: string }[] {
  const [, color = part, places = ""] = /^(.*?\)|\S+)((?:\s+-?[\d.]+(?:px|%))*)$/.exec(part) ?? [];
  const all = places.trim() === "" ? ["?"] : places.trim().split(/\s+/);
  return all.map((place) => {
    const number = Number.parseFloat(place);
    return { at: place.endsWith("%") ? (number / 100) * length : number, color };
  });
}

/** Splits a text at commas outside of brackets. */
function partsOf(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
