/** Changes values at random, as damage and ill will do. */
import type { Draw } from "./draw.ts";

const EDGES = [
  0,
  1,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  null,
  true,
  false,
  "",
  "0",
];
const WORDS = [
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "$p"],
  ...["gov}", "x", "time@3}", "val-0.pub_key}"].map((rest) => `\${${rest}`),
  ...["all", "val-0", "stake", "1stake", "-1s", "9999999999h", "1e9", "0x10", "NaN", "null", "~"],
  ...["2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "*a", "&a"],
  ...["\u202Ex", "\uD800", "\u0000", "a".repeat(5000), "9".repeat(400), "🙂", "é"],
];

/** JSON data with one or several values in it replaced, removed, doubled or swapped. */
export function mutateValue(draw: Draw, value: unknown, times = draw.between(1, 4)): unknown {
  let mutated = value;
  for (let i = 0; i < times; i++) mutated = mutateOne(draw, mutated, pathsOf(mutated));
  return mutated;
}

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, v]) => pathsOf(v, [...path, key]))];
}

function mutateOne(draw: Draw, value: unknown, paths: readonly Path[]): unknown {
  const path = draw.pick(paths);
  const source = draw.pick(paths);
  return changed(value, path, (old) => {
    switch (draw.between(0, 6)) {
      case 0:
        return undefined;
      case 1:
        return at(value, source);
      case 2:
        return Array.isArray(old) ? [...old, ...old] : [old];
      case 3:
        if (isMap(old)) return { ...old, [draw.pick(WORDS)]: draw.pick(EDGES) };
        return Array.isArray(old) ? { list: old } : { [`${old}`]: old };
      case 4:
        return draw.pick(EDGES);
      case 5:
        return typeof old === "string" ? mutateText(draw, old, 1) : draw.pick(WORDS);
      default:
        return typeof old === "number" ? old + draw.between(-2, 2) : draw.pick(WORDS);
    }
  });
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const at = (value: unknown, path: Path): unknown =>
  path.reduce((inner, key) => Object(inner)[key], value);

function changed(value: unknown, [key, ...rest]: Path, by: (old: unknown) => unknown): unknown {
  if (key === undefined) return by(value);
  if (Array.isArray(value)) {
    return value.flatMap((inner, i) =>
      `${i}` === key ? given(changed(inner, rest, by)) : [inner],
    );
  }
  const entries = Object.entries(Object(value)).flatMap(([name, inner]) =>
    name === key ? given(changed(inner, rest, by)).map((v) => [name, v]) : [[name, inner]],
  );
  return Object.fromEntries(entries);
}

const given = (value: unknown): unknown[] => (value === undefined ? [] : [value]);

/** A text with characters, lines or words in it removed, doubled, moved or replaced. */
export function mutateText(draw: Draw, text: string, times = draw.between(1, 5)): string {
  let mutated = text;
  for (let i = 0; i < times; i++) {
    const from = draw.between(0, mutated.length);
    const to = Math.min(mutated.length, from + draw.pick([0, 1, 2, 10, 80]));
    const cut = mutated.slice(from, to);
    const by = draw.weighted([
      [3, ""],
      [2, cut + cut],
      [2, draw.pick(WORDS)],
      [2, draw.pick([..."{}[]:,-#&*!|>'\"%@`?\n\t \\/=."])],
      [1, String.fromCharCode(draw.between(0, 0xffff))],
      [1, `\n${" ".repeat(draw.between(0, 8))}`],
    ]);
    mutated = mutated.slice(0, from) + by + mutated.slice(to);
  }
  return mutated;
}

/** Bytes with bits flipped, runs removed, doubled or inserted, or the end cut off. */
export function mutateBytes(draw: Draw, bytes: Uint8Array, times = draw.between(1, 4)): Uint8Array {
  let mutated = bytes;
  for (let i = 0; i < times; i++) {
    const from = draw.between(0, mutated.length);
    const length = draw.pick([1, 1, 2, 8, 64]);
    const to = Math.min(mutated.length, from + length);
    const middle = draw.weighted<() => Uint8Array>([
      [3, () => mutated.slice(from, to).map((byte) => byte ^ (1 << draw.between(0, 7)))],
      [2, () => new Uint8Array()],
      [2, () => draw.bytes(length)],
      [1, () => new Uint8Array(length).fill(0xff)],
      [1, () => Uint8Array.of(...mutated.slice(from, to), ...mutated.slice(from, to))],
    ])();
    mutated = Uint8Array.of(...mutated.slice(0, from), ...middle, ...mutated.slice(to));
    if (draw.chance(0.1)) mutated = mutated.slice(0, draw.between(0, mutated.length));
  }
  return mutated;
}
