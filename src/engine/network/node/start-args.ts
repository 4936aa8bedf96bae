import { unreachable } from "../../../base/unreachable.ts";

/**
 * `--unsafe-skip-upgrades` on the command line of a node. The app reads a comma-separated list of
 * heights; Cosmovisor looks for heights in separate arguments (rules/sidecar 3.5).
 */

/** Notations for several heights: `F 10,20`, `F 10 20` or `F=10,20`. */
export const SKIP_FORMS = ["comma", "space", "equals"] as const;
export type SkipForm = (typeof SKIP_FORMS)[number];

/** Heights of the flag in their order, and how they are written. */
export interface SkipFlag {
  readonly heights: readonly number[];
  readonly form: SkipForm;
}

const FLAG = "--unsafe-skip-upgrades";

/** Returns the arguments for some heights; none without heights. */
export function skipArgs(heights: readonly number[], form: SkipForm): readonly string[] {
  if (heights.length === 0) return [];
  switch (form) {
    case "comma":
      return [FLAG, heights.join()];
    case "space":
      return [FLAG, ...heights.map(String)];
    case "equals":
      return [`${FLAG}=${heights.join()}`];
    default:
      return unreachable(form);
  }
}

/** Parses arguments of `skipArgs`. A single height after a space reads as comma. */
export function skipFlagOf(args: readonly string[]): SkipFlag {
  const [first = FLAG, ...rest] = args;
  const form = first !== FLAG ? "equals" : rest.length > 1 ? "space" : "comma";
  const values = form === "equals" ? [first.slice(FLAG.length + 1)] : rest;
  return { heights: values.flatMap((value) => value.split(",")).map(Number), form };
}

/** Heights that the app reads from the flag: of separate arguments only the first. */
export const heightsOfApp = (heights: readonly number[], form: SkipForm): ReadonlySet<number> =>
  new Set(form === "space" ? heights.slice(0, 1) : heights);

/**
 * Heights that Cosmovisor finds in a command line: the numbers after the bare flag, up to the next
 * flag.
 */
export function heightsOfSidecar(args: readonly string[]): ReadonlySet<number> {
  const after = args.indexOf(FLAG) + 1;
  const rest = after === 0 ? [] : args.slice(after);
  const end = rest.findIndex((arg) => arg.startsWith("-"));
  const values = end < 0 ? rest : rest.slice(0, end);
  return new Set(values.filter((value) => /^\d+$/.test(value)).map(Number));
}

interface StartOptions {
  readonly skipFlag: readonly string[];
  readonly haltHeight: number;
  readonly haltTime: number;
}

/** Complete command line after the binary. */
export function startArgs(options: StartOptions): readonly string[] {
  const { skipFlag, haltHeight, haltTime } = options;
  return [
    ...["start", ...skipFlag],
    ...(haltHeight > 0 ? ["--halt-height", `${haltHeight}`] : []),
    ...(haltTime > 0 ? ["--halt-time", `${haltTime}`] : []),
  ];
}
