/**
 * Edits the steps of a JSON text character by character: the text stays JSON, and everything else
 * unchanged.
 */
import type { Edit } from "./edit.ts";
import { isMap } from "./fields.ts";
import { offsetsInJson } from "./json-places.ts";
import { isOff } from "./read-step.ts";
import { readSource } from "./source.ts";

/** A step at its position in the text. */
export interface JsonStep {
  readonly start: number;
  /** The offset after it. */
  readonly end: number;
  /** Index among the enabled steps; -1 if it is disabled. */
  readonly index: number;
  /** Without the key that disables it. */
  readonly value: unknown;
}

/** The text around the steps. */
interface Layout {
  /** Offsets of the replaced range. */
  readonly from: number;
  readonly to: number;
  readonly opening: string;
  readonly closing: string;
  /** Whitespace before each step, and before the closing bracket. */
  readonly whitespace: string;
  readonly tail: string;
}

/** The steps of a text; undefined if it is not a JSON object. */
export function jsonSteps(text: string): JsonSteps | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? new JsonSteps(text, value) : undefined;
  } catch {
    return undefined;
  }
}

export class JsonSteps {
  readonly #text: string;
  readonly steps: readonly JsonStep[];
  readonly #layout: Layout;

  constructor(text: string, file: Readonly<Record<string, unknown>>) {
    this.#text = text;
    const source = Array.isArray(file.steps) ? (file.steps as unknown[]) : [];
    const starts = offsetsInJson(
      text,
      source.map((_, i) => ["steps", i]),
    );
    let index = 0;
    this.steps = starts.map((start, i) => {
      const off = isOff(source[i]);
      if (!off) index += 1;
      return {
        ...{ start, end: endOfValue(text, start) },
        ...{ index: off ? -1 : index - 1, value: withoutOff(source[i]) },
      };
    });
    this.#layout = this.#laidOut(file);
  }

  #laidOut(file: Readonly<Record<string, unknown>>): Layout {
    const text = this.#text;
    const [first] = this.steps;
    const last = this.steps.at(-1);
    if (first !== undefined && last !== undefined) {
      const lead = spaceBefore(text, first.start);
      const tail = /^\s*/.exec(text.slice(last.end))?.[0] ?? "";
      const from = first.start - lead.length;
      return {
        ...{ from, to: last.end + tail.length, whitespace: lead, tail },
        opening: "",
        closing: "",
      };
    }
    const root = text.indexOf("{");
    const isLong = text.trim().includes("\n");
    const indent = /^\s*\n([ \t]+)/.exec(text.slice(root + 1))?.[1] ?? "  ";
    const lead = isLong ? `\n${indent}${indent}` : "";
    const tail = isLong ? `\n${indent}` : "";
    if (Object.hasOwn(file, "steps")) {
      const [key = 0] = offsetsInJson(text, [["steps"]]);
      const behind = endOfValue(text, key);
      const from = behind + (/^\s*:\s*/.exec(text.slice(behind))?.[0].length ?? 0);
      return {
        ...{ from, to: endOfValue(text, from), whitespace: lead, tail },
        opening: "[",
        closing: "]",
      };
    }
    const end = text.lastIndexOf("}");
    const from = end - spaceBefore(text, end).length;
    const comma = Object.keys(file).length > 0 ? "," : "";
    const opening = `${comma}${tail}"steps": [`;
    return { ...{ from, to: from, whitespace: lead, tail }, opening, closing: "]" };
  }

  /** The lines of an offset, from 1. */
  lineOf(offset: number): number {
    return this.#text.slice(0, offset).split("\n").length;
  }

  edited(edit: Edit): string {
    const { at } = edit;
    const texts = this.steps.map(({ start, end }) => this.#text.slice(start, end));
    const own = texts[at] ?? "";
    const { index = 0, value = undefined } = this.steps[at] ?? {};
    switch (edit.kind) {
      case "move":
        texts.splice(at, 1);
        texts.splice(Math.min(Math.max(edit.to, 0), texts.length), 0, own);
        break;
      case "remove":
        texts.splice(at, 1);
        break;
      case "cut":
        texts.splice(at);
        break;
      case "duplicate": {
        const { as, ...unnamed } = Object(value) as Record<string, unknown>;
        const copy = index < 0 ? { ...unnamed, off: true } : unnamed;
        texts.splice(at + 1, 0, as === undefined ? own : this.#format(copy));
        break;
      }
      case "disable":
        if (!isMap(value)) throw new Error("only a step that is a map can be switched off");
        if (index >= 0) texts[at] = this.#format({ ...value, off: true });
        break;
      case "enable":
        if (index < 0) texts[at] = this.#format(value);
        break;
      case "insert":
        texts.splice(at, 0, this.#format(read(edit.json)));
        break;
      case "replace": {
        const step = read(edit.json);
        texts[at] = this.#format(index < 0 ? { ...step, off: true } : step);
        break;
      }
    }
    const { from, to, opening, closing, whitespace, tail } = this.#layout;
    const steps =
      texts.length === 0 ? "" : `${whitespace}${texts.join(`,${whitespace || " "}`)}${tail}`;
    return `${this.#text.slice(0, from)}${opening}${steps}${closing}${this.#text.slice(to)}`;
  }

  /** A step in the style of the others: on one line, or with each of its keys on its own line. */
  #format(step: unknown): string {
    const { whitespace } = this.#layout;
    const [first] = this.steps;
    const isLong =
      whitespace.includes("\n") &&
      (first === undefined || this.#text.slice(first.start, first.end).includes("\n"));
    if (!isLong) return JSON.stringify(step);
    const indent = whitespace.slice(whitespace.lastIndexOf("\n") + 1);
    const unit = indent.startsWith("\t") ? "\t" : Math.max(1, Math.floor(indent.length / 2));
    return JSON.stringify(step, null, unit).replaceAll("\n", `\n${indent}`);
  }
}

/** Parses the step of an edit. Throws an Error that says why it is invalid. */
function read(json: string): object {
  const source = readSource(json, "step");
  if ("problems" in source) throw new Error(source.problems[0]?.message ?? "not a step");
  return Object(source.source.value) as object;
}

/** A step without the key that disables it. */
export function withoutOff(step: unknown): unknown {
  if (!isMap(step) || !isOff(step)) return step;
  const { off: _, ...rest } = step;
  return rest;
}

const spaceBefore = (text: string, offset: number): string =>
  /\s*$/.exec(text.slice(0, offset))?.[0] ?? "";

const MARK = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;
const SCALAR = /[^,\]}\s]*/y;

/** The offset after the value that starts at an offset. */
function endOfValue(text: string, start: number): number {
  MARK.lastIndex = SCALAR.lastIndex = start;
  let depth = 0;
  if (!/["[{]/.test(text[start] ?? "")) {
    SCALAR.exec(text);
    return SCALAR.lastIndex;
  }
  for (let found = MARK.exec(text); found !== null; found = MARK.exec(text)) {
    const [mark] = found;
    if (mark === "[" || mark === "{") depth += 1;
    else if (mark === "]" || mark === "}") depth -= 1;
    if (depth === 0) return MARK.lastIndex;
  }
  return text.length;
}
