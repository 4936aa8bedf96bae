/** Problems of a scenario file, with their positions. */
import type * as v from "valibot";
import { INPUT } from "../base/limits.ts";
import { isReference } from "../base/reference-syntax.ts";
import { describe } from "../view/json-reader.ts";

/** Line and column in a file, from 1; no column if the line is enough. */
export interface TextPosition {
  readonly line: number;
  readonly column?: number;
}

export interface PlacedProblem extends TextPosition {
  readonly file: string;
  /** E.g. `steps[3].run.to`; empty for the file as a whole. */
  readonly path: string;
  /** The expected value, for the error message. */
  readonly message: string;
}

export type Path = readonly (string | number)[];

/** A problem whose position in the file is not yet known. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** Message for a form: without references, and with "nothing" for an empty field. */
  readonly inForm?: string;
}

/** The first problems of a file; of the rest only the count is stored. */
export class Problems {
  readonly listed: Problem[] = [];
  #others = 0;

  readonly report = (problem: Problem): void => {
    if (this.listed.length < INPUT.problems) this.listed.push(problem);
    else this.#others += 1;
  };

  /** Ordered by line, with the number of further problems at the end. */
  placed(
    placesOf: (paths: readonly Path[]) => readonly Omit<PlacedProblem, "message">[],
  ): readonly PlacedProblem[] {
    const places = placesOf(this.listed.map(({ path }) => path));
    const problems = places
      .map((place, i) => ({ ...place, message: shortened(this.listed[i]?.message ?? "") }))
      .sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0));
    const [last] = problems.slice(-1);
    if (!last || this.#others === 0) return problems;
    const others = `and ${this.#others} more problem${this.#others === 1 ? "" : "s"}`;
    return [...problems, { file: last.file, path: "", line: last.line, message: others }];
  }
}

/** Maximum characters of a message and of a path; both may quote the file. */
const MAX_MESSAGE = 2_000;
const MAX_PATH = 300;

const shortened = (text: string, most = MAX_MESSAGE): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** `steps[3].run.to`. */
export function formatPath(path: Path): string {
  const text = path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    return before === "" ? key : `${before}.${key}`;
  }, "");
  return shortened(text, MAX_PATH);
}

/** Parses a path such as `run.to` or `supply[0].amount`; undefined if it is invalid. */
export function readPath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  const part = /\.?([^.[\]]+)|\[([0-9]{1,5})\]/y;
  while (part.lastIndex < text.length) {
    const [, key, index] = part.exec(text) ?? [];
    if (key === undefined && index === undefined) return undefined;
    path.push(key ?? Number(index));
  }
  return path;
}

/** A schema's issues as problems below `path`, without duplicates. */
export function problemsOf(issues: readonly v.BaseIssue<unknown>[], path: Path): Problem[] {
  const problems = new Map<string, Problem>();
  for (const issue of issues) {
    const problem = problemOf(issue, path);
    const key = `${problem.path.join("\n")}\n\n${problem.message}`;
    if (!problems.has(key)) problems.set(key, problem);
  }
  return [...problems.values()];
}

function problemOf(issue: v.BaseIssue<unknown>, base: Path): Problem {
  const items = issue.path ?? [];
  // A list passes as a map until its keys are checked.
  const list = items.findIndex((item) => item.type === "object" && Array.isArray(item.input));
  if (list >= 0) {
    const path = [...base, ...keysOf(items.slice(0, list))];
    return { path, message: "expected a map, found a list" };
  }
  const path = [...base, ...keysOf(items)];
  const last = path.at(-1);
  if (issue.type === "strict_object" && items.at(-1)?.origin === "key") {
    return issue.expected === "never"
      ? { path, message: `unknown key "${last}", expected ${issue.message}` }
      : { path: path.slice(0, -1), message: `missing key "${last}", expected ${issue.message}` };
  }
  if (issue.type === "loose_object" && issue.input === undefined) {
    return { path: path.slice(0, -1), message: `missing key "${last}", expected ${issue.message}` };
  }
  if (issue.type === "min_length") {
    return { path, message: `expected ${issue.message}, found an empty list` };
  }
  // A check of a complete message needs no additional text.
  if (issue.type === "raw_check") return { path, message: issue.message };
  const expected = `expected ${issue.message}`;
  const found = describe(issue.input);
  const orReference = issue.requirement === isReference ? ", or a reference such as $p" : "";
  return {
    path,
    message: `${expected}${orReference}, found ${found}`,
    inForm: `${expected}, found ${issue.input === "" ? "nothing" : found}`,
  };
}

const keysOf = (items: readonly v.IssuePathItem[]): Path =>
  items.map(({ key }) => (typeof key === "number" ? key : String(key)));
