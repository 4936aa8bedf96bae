/** The steps of a file as a list, and edits of that list as edits of the text: all else in it stays as it is. */
import { type Document, isMap, isScalar, isSeq, type Node } from "yaml";
import { parseScenario } from "./parse.ts";
import type { PlacedProblem } from "./problems.ts";
import { readSource } from "./source.ts";
import { stepTitle } from "./step-title.ts";
import { VERBS } from "./steps/index.ts";
import { TextError } from "./text-error.ts";
import { stepText } from "./write-file.ts";
import { readYaml, YamlErrors } from "./yaml-text.ts";

/** One step as it stands in a text. */
export interface ListedStep {
  /** Position among the steps that run; -1 of one that is switched off. */
  readonly index: number;
  /** Its first line, from 1, and the one after its last, comments above it included. */
  readonly from: number;
  readonly to: number;
  /** The line of the step itself. */
  readonly line: number;
  readonly verb: string;
  /** What it does, in a few words. */
  readonly title: string;
  readonly note: string;
  /** The step in JSON; empty if it is none. */
  readonly json: string;
}

export interface ScenarioText {
  readonly problems: readonly PlacedProblem[];
  /** Those that are switched off included; empty for a text that cannot be read. */
  readonly steps: readonly ListedStep[];
}

/** What is done to the list; positions are those of the list, with steps that are switched off. */
export type Edit =
  | { readonly kind: "move"; readonly at: number; readonly to: number }
  | { readonly kind: "remove" | "duplicate" | "disable" | "enable"; readonly at: number }
  /** Puts a step in JSON, or YAML, before a position, or in the place of one. */
  | { readonly kind: "insert" | "replace"; readonly at: number; readonly json: string }
  /** Keeps only what is above a position, so that a run ends there. */
  | { readonly kind: "cut"; readonly at: number };

/** What the line of a step begins with that is switched off: a comment to everything else. */
const OFF = "#~ ";

/** The steps of a text with all that is wrong with it. */
export function readText(text: string, file: string): ScenarioText {
  const read = parseScenario(text, file);
  const problems = "problems" in read ? read.problems : [];
  const lines = new Lines(text, file);
  return { problems, steps: lines.blocks.map((block) => lines.listed(block)) };
}

/** The text after an edit. Throws an Error that says why there is none. */
export function edited(text: string, file: string, edit: Edit): string {
  const written = new Lines(text, file);
  if (written.problem !== undefined) throw new Error(written.problem);
  const lines = written.isList ? written : new Lines(written.rewritten(), file);
  return lines.edited(edit);
}

/** Lines of a step: those of comments right above it belong to it. */
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
  readonly #document: Document | undefined;
  readonly #indent: string;
  readonly blocks: readonly Block[];
  /** Why the text cannot be read. */
  readonly problem: string | undefined;
  /** Whether its steps stand below each other. */
  readonly isList: boolean;

  constructor(text: string, file: string) {
    this.#lines = text.split("\n");
    this.#indent = "  ";
    this.blocks = [];
    this.isList = false;
    const source = readSource(text, file);
    if ("problems" in source) {
      this.problem = source.problems[0]?.message;
      return;
    }
    try {
      this.#document = readYaml(text).document;
    } catch (error) {
      if (!(error instanceof TextError || error instanceof YamlErrors)) throw error;
      this.problem = "this file is too large to be edited as a list";
      return;
    }
    const steps = this.#document.get("steps");
    const items = isSeq(steps) ? (steps.items as Node[]) : [];
    this.isList = items.length > 0 ? !(isSeq(steps) && steps.flow) : isSeq(steps) || steps == null;
    const starts = items.map((item) => this.#lineOf(this.#dashOf(text, item)));
    if (!this.isList) {
      this.blocks = starts.map((line, index) => {
        const value: unknown = items[index]?.toJSON();
        return { from: line, to: line + 1, line, index, value };
      });
      return;
    }
    const [first] = starts;
    if (first !== undefined) this.#indent = /^ */.exec(this.#lines[first] ?? "")?.[0] ?? "";
    const [from, to] = this.#region();
    const values = new Map(
      starts.map((line, index) => [line, { index, value: items[index]?.toJSON() as unknown }]),
    );
    this.blocks = this.#found(from, to, values);
  }

  /** The offset of the mark before an item. */
  #dashOf(text: string, item: Node): number {
    if (!this.isList) return item.range?.[0] ?? 0;
    return text.lastIndexOf("-", (item.range?.[0] ?? 0) - 1);
  }

  #lineOf(offset: number): number {
    let line = 0;
    for (let at = 0; line < this.#lines.length; line++) {
      at += (this.#lines[line]?.length ?? 0) + 1;
      if (offset < at) break;
    }
    return line;
  }

  /** The lines of the list: those behind its key, up to the next key or the end. */
  #region(): readonly [from: number, to: number] {
    const root = this.#document?.contents;
    const pairs = isMap(root) ? root.items : [];
    const keys = pairs.map(({ key }) => this.#lineOf((key as Node).range?.[0] ?? 0));
    const own = pairs.findIndex(({ key }) => isScalar(key) && key.value === "steps");
    if (own < 0) return [this.#lines.length, this.#lines.length];
    const from = (keys[own] ?? 0) + 1;
    let to = keys[own + 1] ?? this.#lines.length;
    while (to > from && (this.#lines[to - 1] ?? "").trim() === "") to -= 1;
    return [from, to];
  }

  /** Each step begins with the comments right above it, and ends where the next one begins. */
  #found(
    from: number,
    to: number,
    values: ReadonlyMap<number, { readonly index: number; readonly value: unknown }>,
  ): Block[] {
    const openers: { line: number; from: number; off: boolean }[] = [];
    for (let line = from; line < to; line++) {
      const off = /^\s*#~ - /.test(this.#lines[line] ?? "");
      if (!off && !values.has(line)) continue;
      const isAbove = off ? isOffComment : isComment;
      let begin = line;
      while (begin > from && isAbove(this.#lines[begin - 1] ?? "")) begin -= 1;
      openers.push({ line, from: begin, off });
    }
    return openers.map(({ line, from: begin, off }, i) => {
      const end = openers[i + 1]?.from ?? to;
      const { index = -1, value = undefined } = values.get(line) ?? {};
      return { from: begin, to: end, line, index, value: off ? this.#offValue(begin, end) : value };
    });
  }

  #offValue(from: number, to: number): unknown {
    const text = this.#lines.slice(from, to).filter(isOff).map(switchedOn).join("\n");
    try {
      const { value } = readYaml(text);
      return Array.isArray(value) ? value[0] : undefined;
    } catch {
      return undefined;
    }
  }

  listed({ from, to, line, index, value }: Block): ListedStep {
    const step = Object(value) as Record<string, unknown>;
    const verb = Object.keys(step).find((key) => VERBS.has(key)) ?? "";
    return {
      ...{ from: from + 1, to: to + 1, line: line + 1, index, verb },
      title: stepTitle(verb, step[verb]),
      note: typeof step.note === "string" ? step.note : "",
      json: value === undefined ? "" : JSON.stringify(value),
    };
  }

  /** The text with its steps below each other. */
  rewritten(): string {
    const steps = this.#document?.get("steps");
    if (this.#document === undefined) return this.#lines.join("\n");
    if (isMap(this.#document.contents)) this.#document.contents.flow = false;
    if (isSeq(steps)) {
      steps.flow = false;
      for (const item of steps.items) if (isMap(item)) item.flow = false;
    }
    return this.#document.toString({ lineWidth: 0 });
  }

  edited(edit: Edit): string {
    const { blocks } = this;
    const { at } = edit;
    const inserts = edit.kind === "insert" || edit.kind === "cut";
    if (!Number.isSafeInteger(at) || at < 0 || at > blocks.length - (inserts ? 0 : 1)) {
      throw new Error(`there is no step at position ${at}`);
    }
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
        texts.splice(
          at + 1,
          0,
          own.filter((line) => !isName(line, this.#indent)),
        );
        break;
      case "disable":
        if (blocks[at]?.index !== -1)
          texts[at] = own.map((line) => switchedOff(line, this.#indent));
        break;
      case "enable":
        if (blocks[at]?.index === -1) texts[at] = own.map(switchedOn);
        break;
      case "insert":
        texts.splice(at, 0, this.#step(edit.json));
        break;
      case "replace": {
        const { line = 0, from = 0 } = blocks[at] ?? {};
        texts[at] = [...this.#lines.slice(from, line), ...this.#step(edit.json)];
        break;
      }
    }
    return this.#withSteps(texts.flat());
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
      const key = before.findLastIndex((line) => /^steps\s*:/.test(line));
      if (empty && key >= 0) before[key] = "steps: []";
      else if (/^steps\s*:\s*\[\s*\]/.test(before[key] ?? "")) before[key] = "steps:";
      return [...before, ...steps, ...this.#lines.slice(last.to)].join("\n");
    }
    // There are none yet.
    const key = this.#lines.findIndex((line) => /^steps\s*:/.test(line));
    const before = (key < 0 ? this.#lines : this.#lines.slice(0, key)).join("\n").trimEnd();
    const after = key < 0 ? [] : this.#lines.slice(key + 1);
    return [
      ...(before === "" ? [] : [before]),
      "steps:",
      ...steps,
      ...after,
      ...(after.length > 0 ? [] : [""]),
    ].join("\n");
  }
}

const isComment = (line: string): boolean => /^\s*#(?!~ )/.test(line);
const isOffComment = (line: string): boolean => /^\s*#~ #/.test(line);
const isOff = (line: string | undefined): boolean => /^\s*#~ /.test(line ?? "");

const switchedOff = (line: string, indent: string): string =>
  line.trim() === ""
    ? line
    : `${indent}${OFF}${line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()}`;

const switchedOn = (line: string): string => line.replace(/^(\s*)#~ /, "$1");

/** Whether a line names the result of its step, which a copy cannot. */
const isName = (line: string, indent: string): boolean =>
  switchedOn(line).startsWith(`${indent}  as: `);
