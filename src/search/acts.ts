/**
 * Acts of the operators in a case: each is a step, or the part of a step for one of the nodes that
 * it names.
 */
import { isMap } from "../scenario/fields.ts";
import type { Path } from "../scenario/problems.ts";
import { isOff } from "../scenario/read-step.ts";
import { stepsOf, valueAt, type Written, withValue } from "../scenario/varied.ts";
import type { Family } from "./family.ts";

/** Under which a step of a case keeps its position in the family's file; no file has it. */
const ORIGIN = Symbol("origin");
/** Paths at which steps list several actors, each with an act of its own. */
const NAMED: readonly Path[] = [
  ["nodes", "which"],
  ["vote", "by"],
];

/** An act of the case that is written, by the position of its step and, where the step names several, the name. */
export interface Act {
  readonly origin: number;
  readonly name?: string;
}

/** The case with the position of each step in the file that it comes from; below 0 of one that does not. */
export const withOrigins = (value: Written, origins: readonly number[]): Written => ({
  ...value,
  steps: stepsOf(value).map((step, i) => (isMap(step) ? { ...step, [ORIGIN]: origins[i] } : step)),
});

const originOf = (step: unknown): number => Number(Object(step)[ORIGIN] ?? -1);
const sameAs =
  ({ origin, name }: Act) =>
  (other: Act): boolean =>
    other.origin === origin && other.name === name;

/** Acts of the case that is written, and which of them are in a case. */
export class Acts {
  /** The case that is written. */
  readonly written: Written;
  readonly all: readonly Act[];
  readonly #nodes: readonly string[];

  constructor({ written, nodes }: Pick<Family, "written" | "nodes">) {
    const { vary: _, disturb: __, ...plain } = written;
    this.written = withOrigins(plain, [...stepsOf(plain).keys()]);
    this.#nodes = nodes;
    this.all = this.of(this.written);
  }

  /** The acts of a case that come from the one that is written. */
  of(value: Written): readonly Act[] {
    return stepsOf(value).flatMap((step) => {
      const origin = originOf(step);
      if (origin < 0 || isOff(step)) return [];
      return this.#namesOf(step)?.names.map((name) => ({ origin, name })) ?? [{ origin }];
    });
  }

  /** Those of the case that is written which a case lacks. */
  missingIn(value: Written): readonly Act[] {
    const there = this.of(value);
    return this.all.filter((act) => !there.some(sameAs(act)));
  }

  /** The case that is written, without some of its acts. */
  without(gone: readonly Act[]): Written {
    const steps = stepsOf(this.written).flatMap((step) => {
      const origin = originOf(step);
      const named = this.#namesOf(step);
      if (named === undefined) return gone.some(sameAs({ origin })) ? [] : [step];
      const { names, path } = named;
      const left = names.filter((name) => !gone.some(sameAs({ origin, name })));
      if (left.length === names.length) return [step];
      return left.length === 0 ? [] : [withValue(step, path, left)];
    });
    return { ...this.written, steps };
  }

  /** A case with an act that it lacks, and the step that this would be alone. */
  withAct(
    value: Written,
    { origin, name }: Act,
  ): { readonly value: Written; readonly step: unknown } {
    const steps = stepsOf(value);
    const written = stepsOf(this.written)[origin];
    const named = this.#namesOf(written);
    if (named === undefined) return { value: added(value, written, origin), step: written };
    const { names, path } = named;
    const alone = withValue(written, path, [name]);
    const at = steps.findIndex((step) => originOf(step) === origin);
    const there = this.#namesOf(steps[at])?.names;
    if (there === undefined) return { value: added(value, alone, origin), step: alone };
    const inOrder = [...names, ...there].filter((one) => one === name || there.includes(one));
    const both = withValue(steps[at], path, [...new Set(inOrder)]);
    return { value: { ...value, steps: steps.with(at, both) }, step: alone };
  }

  #namesOf(step: unknown): { readonly names: readonly string[]; readonly path: Path } | undefined {
    for (const path of NAMED) {
      const written = valueAt(step, path);
      const names = written === "all" ? this.#nodes : written;
      if (Array.isArray(names)) return { names, path };
    }
    return undefined;
  }
}

/** A case with a step of the file where it stands there. */
function added(value: Written, step: unknown, origin: number): Written {
  const steps = stepsOf(value);
  const next = steps.findIndex((one) => originOf(one) > origin);
  return { ...value, steps: steps.toSpliced(next < 0 ? steps.length : next, 0, step) };
}
