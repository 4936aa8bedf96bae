/**
 * Lists the steps of a file, and edits its text through that list: everything else stays unchanged.
 */

import { type Document, isMap, isScalar, isSeq, type Node, visit } from "yaml";
import { TextError, YamlErrors } from "../base/text-error.ts";
import type { Edit } from "./edit.ts";
import { jsonSteps, withoutOff } from "./edit-json.ts";
import { parseScenario } from "./parse.ts";
import type { PlacedProblem } from "./problems.ts";
import { isOff } from "./read-step.ts";
import type { Scenario } from "./scenario.ts";
import { readSource } from "./source.ts";
import { stepTitle } from "./step-title.ts";
import { VERBS } from "./steps/index.ts";
import { stepText } from "./write-file.ts";
import { readYaml } from "./yaml-text.ts";

/** One step at its position in a text. */
export interface ListedStep {
  /** Index among the enabled steps; -1 if it is disabled. */
  readonly index: number;
  /** Its first line, from 1, including comments above it, and the line after its last. */
  readonly from: number;
  readonly to: number;
  /** The line of the step itself. */
  readonly line: number;
  readonly verb: string;
  /** A few words about its action. */
  readonly title: string;
  readonly note: string;
  /** The step in JSON; empty if it is invalid. */
  readonly json: string;
}

export interface ScenarioText {
  readonly problems: readonly PlacedProblem[];
  /** Includes disabled steps; empty for a text that cannot be parsed. */
  readonly steps: readonly ListedStep[];
  /** Undefined for a text with problems. */
  readonly names: NamesIn | undefined;
}

interface NamesIn {
  readonly nodes: string[];
  readonly accounts: string[];
  readonly binaries: string[];
  readonly plans: string[];
  readonly results: string[];
}

/** Prefix of the lines of a disabled step: a comment to everything else. */
const OFF = "#~ ";

/** The steps of a text with all of its problems. */
export function readText(text: string, file: string): ScenarioText {
  const read = parseScenario(text, file);
  const problems = "problems" in read ? read.problems : [];
  const names = "scenario" in read ? namesIn(read.scenario) : undefined;
  const json = jsonSteps(text);
  if (json !== undefined) {
    return {
      ...{ problems, names },
      steps: json.steps.map(({ start, end, index, value }) => {
        const line = json.lineOf(start);
        return listed({ from: line, line, to: json.lineOf(end) + 1, index, value });
      }),
    };
  }
  const lines = new Lines(text, file);
  return { problems, names, steps: lines.blocks.map((block) => lines.listed(block)) };
}

/** Names for the references of a scenario. */
function namesIn({ spec, steps }: Scenario): NamesIn {
  const nodes = spec.validators.map(({ name }) => name);
  return {
    nodes,
    accounts: [...spec.accounts.map(({ name }) => name), ...nodes],
    binaries: spec.binaries.map(({ name }) => name),
    plans: [...new Set(spec.binaries.flatMap(({ handlers }) => handlers))],
    results: steps.flatMap(({ as }) => as ?? []),
  };
}

/** The text after an edit. Throws an Error that says why it is refused. */
export function edited(text: string, file: string, edit: Edit): string {
  const json = jsonSteps(text);
  if (json !== undefined) {
    const source = readSource(text, file);
    if ("problems" in source) throw new Error(source.problems[0]?.message);
    checkPosition(edit, json.steps.length);
    return json.edited(edit);
  }
  const written = new Lines(text, file);
  if (written.problem !== undefined) throw new Error(written.problem);
  const lines = written.isList ? written : new Lines(written.rewritten(), file);
  return lines.edited(edit);
}

/** Lines of a step, including the comments directly above it. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly index: number;
  readonly value: unknown;
}

/** A text by its lines. */
class Lines {
  readonly #lines: readonly string[];
  /** Offsets of the lines. */
  readonly #starts: readonly number[];
  readonly #document: Document | undefined;
  readonly #indent: string;
  /** Lines that continue a multi-line text: comments and steps in them are not real. */
  readonly #texts: ReadonlySet<number>;
  readonly blocks: readonly Block[];
  /** Reason why the text cannot be parsed. */
  readonly problem: string | undefined;
  /** True if its steps are on separate lines. */
  readonly isList: boolean;

  constructor(text: string, file: string) {
    this.#lines = text.split("\n");
    let start = 0;
    this.#starts = this.#lines.map(({ length }) => {
      start += length + 1;
      return start - length - 1;
    });
    this.#indent = "  ";
    this.#texts = new Set();
    this.blocks = [];
    this.isList = false;
    const source = readSource(text, file);
    if ("problems" in source) {
      this.problem = source.problems[0]?.message;
      return;
    }
    let written: readonly unknown[];
    try {
      const { value, document } = readYaml(text);
      this.#document = document;
      written = stepsOf(value);
    } catch (error) {
      if (!(error instanceof TextError || error instanceof YamlErrors)) throw error;
      this.problem = "this file is too large to be edited as a list";
      return;
    }
    this.#texts = this.#textLines(this.#document);
    const steps = this.#document.get("steps");
    const items = isSeq(steps) ? (steps.items as Node[]) : [];
    this.isList = items.length > 0 ? !(isSeq(steps) && steps.flow) : this.#canBegin();
    const starts = items.map((item) => this.#lineOf(this.#dashOf(text, item)));
    let running = 0;
    const own = written.map((step) => {
      const off = isOff(step);
      if (!off) running += 1;
      return { index: off ? -1 : running - 1, value: withoutOff(step) };
    });
    if (!this.isList) {
      this.blocks = starts.map((line, i) => {
        return { from: line, to: line + 1, line, index: -1, value: undefined, ...own[i] };
      });
      return;
    }
    const [first] = starts;
    if (first !== undefined) this.#indent = /^ */.exec(this.#lines[first] ?? "")?.[0] ?? "";
    const [from, to] = this.#region();
    const values = new Map(
      starts.map((line, i) => [line, { index: -1, value: undefined, ...own[i] }]),
    );
    this.blocks = this.#found(from, to, values);
  }

  /** True if a list can start below the key, or below everything else. */
  #canBegin(): boolean {
    const root = this.#document?.contents;
    if (root === null || root === undefined) return true;
    const key = this.#lines.findIndex(isKey);
    return isMap(root) && !root.flow && (key < 0 ? !root.has("steps") : this.#isEmpty(key));
  }

  #isEmpty = (key: number): boolean => NO_STEPS.test(this.#lines[key] ?? "");

  #textLines(document: Document): ReadonlySet<number> {
    const lines = new Set<number>();
    visit(document, {
      Scalar: (_, { range }) => {
        const [from = 0, to = 0] = range ?? [];
        if (to <= from) return;
        const last = this.#lineOf(to - 1);
        for (let line = this.#lineOf(from) + 1; line <= last; line++) lines.add(line);
      },
    });
    return lines;
  }

  /** The offset of the dash before an item. */
  #dashOf(text: string, item: Node): number {
    if (!this.isList) return item.range?.[0] ?? 0;
    return text.lastIndexOf("-", (item.range?.[0] ?? 0) - 1);
  }

  /** The line of an offset. */
  #lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The lines of the list: those after its key, up to the next key or the end. */
  #region(): readonly [from: number, to: number] {
    const root = this.#document?.contents;
    const pairs = isMap(root) ? root.items : [];
    const keys = pairs.map(({ key }) => this.#lineOf((key as Node).range?.[0] ?? 0));
    const own = pairs.findIndex(({ key }) => isScalar(key) && key.value === "steps");
    if (own < 0) return [this.#lines.length, this.#lines.length];
    const from = (keys[own] ?? 0) + 1;
    const ends = this.#lines.findIndex(
      (line, at) => at >= from && isEnd(line) && !this.#texts.has(at),
    );
    let to = keys[own + 1] ?? (ends < 0 ? this.#lines.length : ends);
    // Lines above the next key, outside the list, belong to that key.
    while (to > from && !this.#texts.has(to - 1) && isBetween(this.#lines[to - 1] ?? "")) to -= 1;
    return [from, to];
  }

  /** Each step starts with the comments directly above it, and ends where the next one starts. */
  #found(
    from: number,
    to: number,
    values: ReadonlyMap<number, { readonly index: number; readonly value: unknown }>,
  ): Block[] {
    const openers: { line: number; from: number; off: boolean }[] = [];
    for (let line = from; line < to; line++) {
      const off = /^\s*#~ - /.test(this.#lines[line] ?? "") && !this.#texts.has(line);
      if (!off && !values.has(line)) continue;
      const isAbove = off ? isOffComment : isComment;
      let begin = line;
      while (begin > from && isAbove(this.#lines[begin - 1] ?? "") && !this.#texts.has(begin - 1)) {
        begin -= 1;
      }
      openers.push({ line, from: begin, off });
    }
    return openers.map(({ line, from: begin, off }, i) => {
      const end = openers[i + 1]?.from ?? to;
      const { index = -1, value = undefined } = values.get(line) ?? {};
      return { from: begin, to: end, line, index, value: off ? this.#offValue(begin, end) : value };
    });
  }

  #offValue(from: number, to: number): unknown {
    const text = this.#lines.slice(from, to).filter(isOffLine).map(switchedOn).join("\n");
    try {
      const { value } = readYaml(text);
      return Array.isArray(value) ? value[0] : undefined;
    } catch {
      return undefined;
    }
  }

  listed({ from, to, line, index, value }: Block): ListedStep {
    return listed({ from: from + 1, to: to + 1, line: line + 1, index, value });
  }

  /** The text with one step below the other. */
  rewritten(): string {
    const steps = this.#document?.get("steps");
    if (this.#document === undefined) return this.#lines.join("\n");
    if (isMap(this.#document.contents)) this.#document.contents.flow = false;
    if (isSeq(steps) && steps.items.length === 0) this.#document.set("steps", []);
    else if (isSeq(steps)) {
      steps.flow = false;
      for (const item of steps.items) if (isMap(item)) item.flow = false;
    }
    return this.#document.toString({ lineWidth: 0 });
  }

  edited(edit: Edit): string {
    const { blocks } = this;
    const { at } = edit;
    checkPosition(edit, blocks.length);
    const texts = blocks.map(({ from, to }) => this.#lines.slice(from, to));
    const own = texts[at] ?? [];
    switch (edit.kind) {
      case "move": {
        const to = Math.min(Math.max(edit.to, 0), blocks.length - 1);
        texts.splice(at, 1);
        texts.splice(to, 0, own);
        break;
      }
      case "remove":
        texts.splice(at, 1);
        break;
      case "cut":
        texts.splice(at);
        break;
      case "duplicate":
        texts.splice(at + 1, 0, this.#copy(at));
        break;
      case "disable":
        if (blocks[at]?.index !== -1)
          texts[at] = own.map((line) => switchedOff(line, this.#indent));
        break;
      case "enable":
        if (blocks[at]?.index === -1) texts[at] = this.#enabled(blocks[at], own);
        break;
      case "insert":
        texts.splice(at, 0, this.#step(edit.json));
        break;
      case "replace": {
        const { line = 0, from = 0, to = 0, index } = blocks[at] ?? {};
        const step = this.#step(edit.json);
        let end = to;
        while (end > line && !this.#texts.has(end - 1) && isBlank(this.#lines[end - 1])) end -= 1;
        texts[at] = [
          ...this.#lines.slice(from, line),
          ...(index === -1 ? step.map((one) => switchedOff(one, this.#indent)) : step),
          ...this.#lines.slice(end, to),
        ];
        break;
      }
    }
    return this.#withSteps(texts.flat());
  }

  /** The lines of a step that was disabled by a comment or by its key. */
  #enabled({ from, line, value }: Block, own: readonly string[]): string[] {
    if (isOffLine(this.#lines[line])) return own.map(switchedOn);
    return [...this.#lines.slice(from, line), ...this.#step(JSON.stringify(value))];
  }

  /** The lines of a step without its result name, which is in use. */
  #copy(at: number): string[] {
    const { from = 0, to = 0, line = 0, index, value = undefined } = this.blocks[at] ?? {};
    const lines = this.#lines.slice(from, to);
    const { as, ...unnamed } = Object(value) as Record<string, unknown>;
    if (as === undefined) return lines;
    const copied = lines.filter((one) => !isName(one, this.#indent));
    if (copied.length < lines.length) return copied;
    // It is on a line with other keys, so the step is reformatted.
    const off = isOffLine(this.#lines[line]);
    const byKey = index === -1 && !off;
    const source = this.#step(JSON.stringify(byKey ? { ...unnamed, off: true } : unnamed));
    return [
      ...this.#lines.slice(from, line),
      ...(off ? source.map((one) => switchedOff(one, this.#indent)) : source),
    ];
  }

  #step(json: string): string[] {
    const read = readSource(json, "step");
    if ("problems" in read) throw new Error(read.problems[0]?.message ?? "not a step");
    return stepText(Object(read.source.value)).map((line) => `${this.#indent}${line}`);
  }

  #withSteps(steps: readonly string[]): string {
    const [first] = this.blocks;
    const last = this.blocks.at(-1);
    if (first !== undefined && last !== undefined) {
      const before = this.#lines.slice(0, first.from);
      const empty = !steps.some((line) => line.trim() !== "" && !/^\s*#/.test(line));
      const key = before.findLastIndex(isKey);
      if (key >= 0) before[key] = keyLine(before[key] ?? "", empty);
      return [...before, ...steps, ...this.#lines.slice(last.to)].join("\n");
    }
    // There are no steps yet.
    const key = this.#lines.findIndex(isKey);
    const before = (key < 0 ? this.#lines : this.#lines.slice(0, key)).join("\n").trimEnd();
    const after = key < 0 ? [] : this.#lines.slice(key + 1);
    return [
      ...(before === "" ? [] : [before]),
      keyLine(this.#lines[key] ?? "steps:", false),
      ...steps,
      ...after,
      ...(after.length > 0 ? [] : [""]),
    ].join("\n");
  }
}

/** A step of a list, lines counted from 1. */
function listed({ value, ...place }: Block): ListedStep {
  const step = Object(value) as Record<string, unknown>;
  const verb = Object.keys(step).find((key) => VERBS.has(key)) ?? "";
  return {
    ...{ ...place, verb },
    title: stepTitle(verb, step[verb]),
    note: typeof step.note === "string" ? step.note : "",
    json: value === undefined ? "" : JSON.stringify(value),
  };
}

/** Throws an Error for an edit of a step that does not exist. */
function checkPosition({ kind, at }: Edit, count: number): void {
  const inserts = kind === "insert" || kind === "cut";
  if (!Number.isSafeInteger(at) || at < 0 || at > count - (inserts ? 0 : 1)) {
    throw new Error(`there is no step at position ${at}`);
  }
}

/** The steps of a file's value. */
function stepsOf(value: unknown): readonly unknown[] {
  const { steps } = Object(value) as { readonly steps?: unknown };
  return Array.isArray(steps) ? steps : [];
}

const isBlank = (line: string | undefined): boolean => line?.trim() === "";
const isKey = (line: string): boolean => /^(["']?)steps\1\s*:/.test(line);
/** The key without steps, and the comment after it. */
const NO_STEPS = /^((["']?)steps\2\s*:)(?:\s*(?:\[\s*\]|null|~))?(\s+#.*)?\s*$/;

/** The line of the key, in its form with or without steps below. */
const keyLine = (line: string, empty: boolean): string =>
  line.replace(NO_STEPS, (_, key: string, _quote: string, comment = "") =>
    empty ? `${key} []${comment}` : `${key}${comment}`,
  );

/** True if a document ends with the line. */
const isEnd = (line: string): boolean => /^(\.\.\.|---)(\s|$)/.test(line);
/** True if a line is empty, or a comment outside of a list. */
const isBetween = (line: string): boolean => isBlank(line) || /^#(?!~ )/.test(line);

const isComment = (line: string): boolean => /^\s*#(?!~ )/.test(line);
const isOffComment = (line: string): boolean => /^\s*#~ #/.test(line);
const isOffLine = (line: string | undefined): boolean => /^\s*#~ /.test(line ?? "");

const switchedOff = (line: string, indent: string): string =>
  line.trim() === ""
    ? line
    : `${indent}${OFF}${line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()}`;

const switchedOn = (line: string): string => line.replace(/^(\s*)#~ /, "$1");

/** True if a line is the result name of its step; a copy cannot have the same name. */
const isName = (line: string, indent: string): boolean =>
  switchedOn(line).startsWith(`${indent}  as: `);
