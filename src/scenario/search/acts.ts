/** Acts of the operators in a case: each is a step, or the part of a step for one of its nodes. */
import { isMap } from "../fields.ts";
import type { Path } from "../problems.ts";
import { isOff } from "../read-step.ts";
import { type SourceObject, stepsOf, valueAt, withValue } from "../varied.ts";
import type { Family } from "./family.ts";

/** Key of a step's position in the family's file; never written to a file. */
const ORIGIN = Symbol("origin");
/** Paths at which steps list several actors, each with its own act. */
const NAMED: readonly Path[] = [
  ["nodes", "which"],
  ["vote", "by"],
];

/**
 * An act of the file's own case: the position of its step and, if the step has several actors, the
 * name.
 */
export interface Act {
  readonly origin: number;
  readonly name?: string;
}

/** The case with the original position of each step; below 0 for an added step. */
export const withOrigins = (value: SourceObject, origins: readonly number[]): SourceObject => ({
  ...value,
  steps: stepsOf(value).map((step, i) => (isMap(step) ? { ...step, [ORIGIN]: origins[i] } : step)),
});

const originOf = (step: unknown): number => Number(Object(step)[ORIGIN] ?? -1);
const sameAs =
  ({ origin, name }: Act) =>
  (other: Act): boolean =>
    other.origin === origin && other.name === name;

/** Acts of the file's own case, and those that another case contains. */
export class Acts {
  /** The file's own case. */
  readonly source: SourceObject;
  readonly all: readonly Act[];
  readonly #nodes: readonly string[];

  constructor({ source, nodes }: Pick<Family, "source" | "nodes">) {
    const { vary: _, disturb: __, ...plain } = source;
    this.source = withOrigins(plain, [...stepsOf(plain).keys()]);
    this.#nodes = nodes;
    this.all = this.of(this.source);
  }

  /** The acts of a case that come from the file's own. */
  of(value: SourceObject): readonly Act[] {
    return stepsOf(value).flatMap((step) => {
      const origin = originOf(step);
      if (origin < 0 || isOff(step)) return [];
      return this.#namesOf(step)?.names.map((name) => ({ origin, name })) ?? [{ origin }];
    });
  }

  /** Acts of the file's own case that a case lacks. */
  missingIn(value: SourceObject): readonly Act[] {
    const there = this.of(value);
    return this.all.filter((act) => !there.some(sameAs(act)));
  }

  /** The file's own case, without some of its acts. */
  without(gone: readonly Act[]): SourceObject {
    const steps = stepsOf(this.source).flatMap((step) => {
      const origin = originOf(step);
      const named = this.#namesOf(step);
      if (named === undefined) return gone.some(sameAs({ origin })) ? [] : [step];
      const { names, path } = named;
      const left = names.filter((name) => !gone.some(sameAs({ origin, name })));
      if (left.length === names.length) return [step];
      return left.length === 0 ? [] : [withValue(step, path, left)];
    });
    return { ...this.source, steps };
  }

  /** A case with one missing act added, and the step of that act alone. */
  withAct(
    value: SourceObject,
    { origin, name }: Act,
  ): { readonly value: SourceObject; readonly step: unknown } {
    const steps = stepsOf(value);
    const source = stepsOf(this.source)[origin];
    const named = this.#namesOf(source);
    if (named === undefined) return { value: added(value, source, origin), step: source };
    const { names, path } = named;
    const alone = withValue(source, path, [name]);
    const at = steps.findIndex((step) => originOf(step) === origin);
    const there = this.#namesOf(steps[at])?.names;
    if (there === undefined) return { value: added(value, alone, origin), step: alone };
    const inOrder = [...names, ...there].filter((one) => one === name || there.includes(one));
    const both = withValue(steps[at], path, [...new Set(inOrder)]);
    return { value: { ...value, steps: steps.with(at, both) }, step: alone };
  }

  #namesOf(step: unknown): { readonly names: readonly string[]; readonly path: Path } | undefined {
    for (const path of NAMED) {
      const source = valueAt(step, path);
      const names = source === "all" ? this.#nodes : source;
      if (Array.isArray(names)) return { names, path };
    }
    return undefined;
  }
}

/** A case with a step of the file inserted at its original position. */
function added(value: SourceObject, step: unknown, origin: number): SourceObject {
  const steps = stepsOf(value);
  const next = steps.findIndex((one) => originOf(one) > origin);
  return { ...value, steps: steps.toSpliced(next < 0 ? steps.length : next, 0, step) };
}
