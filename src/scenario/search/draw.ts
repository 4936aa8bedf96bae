/**
 * Draws cases of a family. fast-check generates and shrinks the choices as data; a case follows
 * from them.
 */
import * as fc from "fast-check";
import { isMap } from "../fields.ts";
import type { SourceStep } from "../format-command.ts";
import { type SourceObject, stepsOf, valueAt, withValue } from "../varied.ts";
import type { StepVariation, ValueVariation, Variation } from "../vary.ts";
import { fileText } from "../write-file.ts";
import { type Disturbance, disturbancesOf, disturbed, type Placed } from "./disturbances.ts";
import { choicesAt, differentCases } from "./enumerate.ts";
import type { Family } from "./family.ts";
import { positionsOf, type StepPosition } from "./places.ts";

/** Differences of a case from the family's file. Plain data. */
export interface Choices {
  /** One for each entry of `vary`, in its order. */
  readonly vary: readonly Choice[];
  /** The same for `disturb`: the disturbances. */
  readonly disturb: readonly (readonly Disturbance[])[];
}

/**
 * For `one_of` and `range` the number of the value, ordered by distance from the file's own; for
 * `subset` and `permutation` the numbers of the elements; otherwise edits of steps.
 */
export type Choice = number | readonly number[] | readonly StepEdit[];

export interface StepEdit {
  /** Index in the list of steps. */
  readonly step: number;
  /** Number of positions by which it is moved. */
  readonly by: number;
}

/** An ordinary scenario with the drawn values and steps. */
export interface Case {
  readonly value: SourceObject;
  /**
   * The same as a file, in YAML if that is not too long. Throws an Error if it exceeds the size
   * limit of a file.
   */
  text(): string;
}

const ARBITRARIES = new WeakMap<Family, fc.Arbitrary<Choices>>();

/** All choices of a family; shrinking leads toward the file's own case. */
export function choicesOf(family: Family): fc.Arbitrary<Choices> {
  const known = ARBITRARIES.get(family);
  if (known) return known;
  const vary = fc.tuple(...family.vary.map((variation) => choiceOf(family, variation)));
  const places = positionsOfFamily(family);
  const disturb = fc.tuple(...family.disturb.map((one) => disturbancesOf(family, places, one)));
  const made = fc.record({ vary, disturb });
  ARBITRARIES.set(family, made);
  return made;
}

const PLACES = new WeakMap<Family, readonly StepPosition[]>();

/** Places for disturbances in a family's steps. */
export function positionsOfFamily(family: Family): readonly StepPosition[] {
  const known = PLACES.get(family);
  if (known) return known;
  const places = family.disturb.length === 0 ? [] : positionsOf(family.source);
  PLACES.set(family, places);
  return places;
}

/** Draws the choice of one entry of `vary`. */
export function choiceOf({ steps: all }: Family, variation: Variation): fc.Arbitrary<Choice> {
  switch (variation.kind) {
    case "one_of":
      return fc.nat(variation.values.length - 1);
    case "range":
      return fc.nat(variation.greatest - variation.least);
    case "subset": {
      const { values, least, most } = variation;
      return fc.subarray([...values.keys()], { minLength: least, maxLength: most });
    }
    case "permutation":
      return fc.shuffledSubarray([...variation.values.keys()], {
        minLength: variation.values.length,
      });
    default: {
      const { kind, steps, most } = variation;
      const far = all.length - 1;
      const by = kind === "moved" && far > 0 ? fc.integer({ min: -far, max: far }) : fc.constant(0);
      const edit = fc.record({ step: fc.constantFrom(...steps), by });
      return fc.uniqueArray(edit, { maxLength: most, selector: ({ step }) => step });
    }
  }
}

/**
 * The choices of a case by its number. Deterministic, so that a case can run on any machine. If the
 * number of different cases is known, each is drawn once before any repetition.
 */
export function drawChoices(family: Family, seed: number, number: number): Choices {
  const different = differentCases(family);
  if (different !== undefined) {
    const begin = (caseSeed(seed, 0) >>> 0) % different;
    return { vary: choicesAt(family, different, begin, number), disturb: [] };
  }
  const [choices] = fc.sample(choicesOf(family), { numRuns: 1, seed: caseSeed(seed, number) });
  return choices as Choices;
}

/** Seed of a case of a search: a signed 32-bit integer. */
export function caseSeed(seed: number, number: number): number {
  // The finalizer of MurmurHash3: neighbouring numbers and seeds yield unrelated values.
  let mixed = Math.imul(seed | 0, 0x9e3779b1) ^ Math.floor(number / 0x1_0000_0000) ^ (number | 0);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** The case by its number. */
export const drawCase = (family: Family, seed: number, number: number): Case =>
  caseOf(family, drawChoices(family, seed, number));

/** Builds the case from choices. */
export function caseOf(family: Family, choices: Choices): Case {
  const { head, steps } = placedCase(family, choices);
  const value = { ...head, steps: steps.map(({ step }) => step) };
  return { value, text: () => textOf(value) };
}

/** The same, with the origin of each step in the file. */
export function placedCase(
  family: Family,
  { vary, disturb }: Choices,
): { readonly head: SourceObject; readonly steps: readonly Placed[] } {
  let source: unknown = family.source;
  family.vary.forEach((variation, i) => {
    if (!("path" in variation)) return;
    const value = chosen(family, variation, vary[i] as number | readonly number[]);
    source = withValue(source, variation.path, value);
  });
  let steps: Placed[] = stepsOf(source as SourceObject).map((step, index) => ({ step, index }));
  family.vary.forEach((variation, i) => {
    if ("path" in variation) return;
    for (const edit of vary[i] as readonly StepEdit[]) {
      steps = changed(family, steps, variation.kind, edit);
    }
  });
  const happens = disturb.flat();
  if (happens.length > 0) steps = disturbed(family, steps, happens);
  const { steps: _, ...head } = source as SourceObject;
  return { head, steps };
}

/** A scenario as a file. Throws an Error if it exceeds the size limit of a file. */
export function textOf({ steps, ...head }: SourceObject): string {
  const items = stepsOf({ steps }).map((step) => ({ step: step as SourceStep }));
  return fileText(head, items).text;
}

export function chosen(
  { source }: Family,
  variation: ValueVariation,
  choice: number | readonly number[],
): unknown {
  if (typeof choice !== "number") {
    const values = "values" in variation ? variation.values : [];
    return choice.map((element) => values[element]);
  }
  const now = valueAt(source, variation.path);
  if (variation.kind === "range") return nearest(now, variation.least, variation.greatest, choice);
  const { values } = variation as Extract<ValueVariation, { kind: "one_of" }>;
  const text = JSON.stringify(now);
  const first = values.findIndex((value) => JSON.stringify(value) === text);
  return values[first < 0 || choice > first ? choice : choice === 0 ? first : choice - 1];
}

/** The integer in a range with a given number of others nearer to the file's own value. */
function nearest(now: unknown, least: number, greatest: number, choice: number): number {
  const { from, both } = middle(now, least, greatest);
  if (choice > 2 * both) return from - least > both ? from - (choice - both) : from + choice - both;
  const distance = Math.ceil(choice / 2);
  return choice % 2 === 1 ? from - distance : from + distance;
}

/** The choice of a range by its number. */
export function choiceOfNumber(
  { source }: Family,
  { path, least, greatest }: Extract<ValueVariation, { kind: "range" }>,
  number: number,
): number {
  const { from, both } = middle(valueAt(source, path), least, greatest);
  const distance = Math.abs(number - from);
  if (distance > both) return both + distance;
  return 2 * distance - (number < from ? 1 : 0);
}

/** The number in a range that distances are measured from, and how many lie on both sides of it. */
function middle(now: unknown, least: number, greatest: number) {
  const source = Number(now);
  const from = Number.isInteger(source) ? Math.min(Math.max(source, least), greatest) : least;
  return { from, both: Math.min(from - least, greatest - from) };
}

function changed(
  { needs }: Family,
  steps: readonly Placed[],
  kind: StepVariation["kind"],
  { step, by }: StepEdit,
): Placed[] {
  const at = steps.findIndex(({ index }) => index === step);
  const found = steps[at];
  if (found === undefined) return [...steps];
  const needsStep = (other: number, needed: number): boolean =>
    needs[other]?.includes(needed) ?? false;
  switch (kind) {
    case "left_out": {
      const gone = new Set([step]);
      // Steps that refer to another one stay after it.
      needs.forEach((needed, other) => {
        if (needed.some((one) => gone.has(one))) gone.add(other);
      });
      return steps.filter(({ index }) => !gone.has(index));
    }
    case "repeated":
      return steps.toSpliced(at + 1, 0, { ...found, step: unnamed(found.step) });
    case "moved": {
      const others = steps.toSpliced(at, 1);
      const first = others.findLastIndex(({ index }) => needsStep(step, index)) + 1;
      const user = others.findIndex(({ index }) => needsStep(index, step));
      const last = user < 0 ? others.length : user;
      return others.toSpliced(Math.min(Math.max(at + by, first), last), 0, found);
    }
  }
}

/** A repeated step has neither the name nor the display of the original's result. */
function unnamed(step: unknown): unknown {
  if (!isMap(step)) return step;
  const { as: _, show: __, ...rest } = step;
  return rest;
}
