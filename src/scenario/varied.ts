/** Parses and checks the paths in a file's `vary`. */

import { emptyMap } from "../base/text-error.ts";
import { describe } from "../view/json-reader.ts";
import { isMap } from "./fields.ts";
import { firstFew, type Names } from "./names.ts";
import { formatPath, type Path, type Problem, readPath } from "./problems.ts";
import { PROPERTY_LISTS } from "./properties/property.ts";
import { type Disturb, DRAWN, type SourceVariation, type Variation } from "./vary.ts";

/** A file as data. */
export type SourceObject = Readonly<Record<string, unknown>>;

/** Variations and disturbances of a file. */
export interface Drawn {
  readonly vary: readonly Variation[];
  readonly disturb: readonly Disturb[];
}

export const stepsOf = ({ steps }: SourceObject): readonly unknown[] =>
  Array.isArray(steps) ? steps : [];

/** The file without its variations: one case. */
export function withoutVariations({ vary: _, disturb: __, ...rest }: SourceObject): SourceObject {
  return rest;
}

/** The same data with another value at a path; missing maps on the path are created. */
export function withValue(data: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(data)) {
    return data.map((item, index) => (index === key ? withValue(item, rest, value) : item));
  }
  const copy = Object.assign(emptyMap(), data);
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}

/** The value at a path; undefined if there is none. */
export const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inside, key) =>
      typeof inside === "object" && inside !== null && Object.hasOwn(inside, key)
        ? (inside as SourceObject)[key]
        : undefined,
    data,
  );

/**
 * Parses the list of a file's variations. Problems are reported; an entry with a problem is
 * undefined.
 */
export function readVariations(
  source: SourceObject,
  variations: readonly SourceVariation[],
  report: (problem: Problem) => void,
): readonly (Variation | undefined)[] {
  const steps = stepsOf(source);
  const named = new Map(
    steps.flatMap((step, index) =>
      isMap(step) && typeof step.as === "string" ? [[step.as, index] as const] : [],
    ),
  );
  const properties = JSON.stringify(PROPERTY_LISTS.map((list) => source[list]));
  const isReferenced = (step: unknown): boolean =>
    isMap(step) &&
    typeof step.as === "string" &&
    [`"$${step.as}"`, `"$${step.as}.`, `\${${step.as}}`, `\${${step.as}.`].some((reference) =>
      properties.includes(reference),
    );
  const taken: Path[] = [];
  return variations.map((variation, i): Variation | undefined => {
    const refuse = (message: string, ...path: Path) => {
      report({ path: ["vary", i, ...path], message });
      return undefined;
    };
    if ("steps" in variation) {
      const positions = variation.steps.map((step) =>
        typeof step === "number" ? step : named.get(step),
      );
      const missing = positions.findIndex((at) => at === undefined || at >= steps.length);
      if (missing >= 0)
        return refuse(noStep(variation.steps[missing], steps, named), "steps", missing);
      const again = positions.findIndex((at, i) => positions.indexOf(at) < i);
      if (again >= 0) {
        return refuse(`${describe(variation.steps[again])} is there already`, "steps", again);
      }
      const { may: kind, most = 1 } = variation;
      if (most > positions.length) {
        return refuse(`expected at most ${positions.length}, so many steps there are`, "most");
      }
      const used =
        kind === "left_out" ? positions.findIndex((at) => isReferenced(steps[at ?? -1])) : -1;
      if (used >= 0) {
        return refuse("a property refers to its result, so it cannot be left out", "steps", used);
      }
      return { kind, steps: positions as number[], most };
    }
    const path = pathOf(variation.at, named);
    if (typeof path === "string") return refuse(path, "at");
    const dead = deadEnd(source, path);
    if (dead !== undefined) return refuse(dead, "at");
    if (taken.some((other) => isWithin(path, other) || isWithin(other, path))) {
      return refuse(`${formatPath(path)} is varied already, as a whole or in part`, "at");
    }
    taken.push(path);
    return domainOf(path, variation, refuse);
  });
}

function domainOf(
  path: Path,
  variation: Exclude<SourceVariation, { steps: unknown }>,
  refuse: (message: string, ...path: Path) => undefined,
): Variation | undefined {
  if ("range" in variation) {
    const [least = 0, greatest = 0] = variation.range;
    return { kind: "range", path, least, greatest };
  }
  const [kind, values] =
    "one_of" in variation
      ? (["one_of", variation.one_of] as const)
      : "subset" in variation
        ? (["subset", variation.subset] as const)
        : (["permutation", variation.permutation] as const);
  const texts = values.map((value) => JSON.stringify(value));
  const again = texts.findIndex((text, at) => texts.indexOf(text) < at);
  if (again >= 0) return refuse(`${describe(values[again])} is there already`, kind, again);
  if (kind === "one_of") return { kind, path, values };
  if (!("subset" in variation)) {
    return { kind, path, values, least: values.length, most: values.length };
  }
  const { least = 1, most = values.length } = variation;
  if (most > values.length) {
    return refuse(`expected at most ${values.length}, so many values there are`, "most");
  }
  if (least > most) return refuse(`expected at most ${most}, found ${least}`, "least");
  return { kind, path, values, least, most };
}

/** Parses a path; returns a sentence if it is invalid, or names no part that can vary. */
function pathOf(text: string, named: ReadonlyMap<string, number>): Path | string {
  const path = readPath(text);
  if (path === undefined) return `expected a path such as steps[3].run, found ${describe(text)}`;
  const [first, second] = path;
  if (first === "seed" && path.length === 1) return path;
  const isPart = first === "genesis" || first === "binaries" || first === "steps";
  if (!isPart || path.length < 2) {
    return `expected the path of a value in genesis, binaries or steps, or seed, found ${describe(text)}`;
  }
  if (first !== "steps" || typeof second === "number") return path;
  const step = named.get(second ?? "");
  if (step !== undefined) return [first, step, ...path.slice(2)];
  const names = named.size === 0 ? "" : `: there are ${firstFew(named.keys())}`;
  return `there is no step with the name "${second}"${names}`;
}

/** Reason why a path is invalid; undefined if there is a value, or could be one. */
function deadEnd(source: SourceObject, path: Path): string | undefined {
  let inside: unknown = source;
  for (const [depth, key] of path.entries()) {
    const place = formatPath(path.slice(0, depth));
    if (Array.isArray(inside)) {
      if (typeof key !== "number" || key >= inside.length) {
        return `there is no ${formatPath(path.slice(0, depth + 1))}: ${place} has ${inside.length} elements, from 0`;
      }
      inside = inside[key];
    } else if (isMap(inside)) {
      if (typeof key === "number") return `${place} is a map, which has no element ${key}`;
      if (!Object.hasOwn(inside, key)) {
        // Missing keys have their defaults here; a step has only the parts in the file.
        const isOpen = path[0] !== "steps" || depth === path.length - 1;
        return isOpen ? undefined : `there is no ${formatPath(path.slice(0, depth + 1))}`;
      }
      inside = inside[key];
    } else return `${place} is ${describe(inside)}, which has no parts`;
  }
  return undefined;
}

const isWithin = (path: Path, outer: Path): boolean => outer.every((key, i) => path[i] === key);

function noStep(
  step: number | string | undefined,
  steps: readonly unknown[],
  named: ReadonlyMap<string, number>,
): string {
  if (typeof step === "number") {
    return steps.length === 0
      ? `there is no step ${step}: the file has none`
      : `there is no step ${step}: they are counted from 0 to ${steps.length - 1}`;
  }
  const names = named.size === 0 ? "none has one" : `there are ${firstFew(named.keys())}`;
  return `there is no step with the name "${step}": ${names}`;
}

/**
 * Checks that every possible value is valid at its path, by parsing the file with each.
 *
 * @param read the first problem of a file, undefined if there is none
 */
export function checkValues(
  source: SourceObject,
  variations: readonly (Variation | undefined)[],
  read: (source: SourceObject) => Problem | undefined,
  report: (problem: Problem) => void,
): void {
  const probes = variations.flatMap((variation, i) =>
    variation ? probesOf(variation).map((probe) => ({ ...probe, i, variation })) : [],
  );
  const size = probes.length * (stepsOf(source).length + 1);
  if (size > DRAWN.steps) {
    report({
      path: ["vary"],
      message: `expected fewer values or fewer steps: ${probes.length} values times ${stepsOf(source).length} steps are more than ${DRAWN.steps}`,
    });
    return;
  }
  const plain = withoutVariations(source);
  for (const { i, variation, place, value } of probes) {
    if (!("path" in variation)) continue;
    const problem = read(withValue(plain, variation.path, value) as SourceObject);
    if (problem === undefined) continue;
    const at = formatPath(variation.path);
    const where = formatPath(problem.path);
    const found = JSON.stringify(value) ?? "nothing";
    report({
      path: ["vary", i, ...place],
      message: `${found} cannot be ${at}: ${where === at ? "" : `${where}: `}${problem.message}`,
    });
  }
}

/** Representative values of a variation. */
function probesOf(
  variation: Variation,
): readonly { readonly place: Path; readonly value: unknown }[] {
  switch (variation.kind) {
    case "one_of":
      return variation.values.map((value, i) => ({ place: ["one_of", i], value }));
    case "range":
      return [variation.least, variation.greatest].map((value, i) => ({
        place: ["range", i],
        value,
      }));
    case "subset":
    case "permutation": {
      const { kind, values, least } = variation;
      const few = least === 0 ? [{ place: ["least"], value: [] }] : [];
      return [{ place: [kind], value: values }, ...few];
    }
    default:
      return [];
  }
}

/** Checks that the names in `disturb` exist. */
export function checkDisturb(
  source: SourceObject,
  disturb: readonly Disturb[],
  { nodes, binaries }: Pick<Names, "nodes" | "binaries">,
  report: (problem: Problem) => void,
): void {
  const single = !Array.isArray(source.disturb);
  disturb.forEach(({ kinds, nodes: named = [], from = 0, to }, i) => {
    const refuse = (message: string, ...path: Path) =>
      report({ path: ["disturb", ...(single ? [] : [i]), ...path], message });
    named.forEach((node, at) => {
      if (nodes.has(node)) return;
      refuse(`there is no node "${node}": expected ${firstFew(nodes)}`, "nodes", at);
    });
    if (to !== undefined && from > to) refuse(`expected ${from} or more, found ${to}`, "to");
    kinds.forEach((kind, at) => {
      if (kind === "vote" && !canPropose(source)) {
        refuse("there is nothing to vote on: no step makes a proposal", "kinds", at);
      }
      if (kind === "partition" && nodes.size < 2) {
        refuse("a network of one node has nothing to be partitioned into", "kinds", at);
      }
      if (kind === "wrong_binary" && binaries.size < 2) {
        refuse("no binary can be the wrong one: the file has v1 alone", "kinds", at);
      }
      if (kind === "late_binary" && !stepsOf(source).some(brings)) {
        refuse("no binary can be late: no step `nodes` has binary or stage", "kinds", at);
      } else if (kind === "late_binary" && named.length > 0 && !mayBringTo(source, named)) {
        refuse(
          "no binary can be late: no step `nodes` with binary or stage names one of them",
          "nodes",
        );
      }
    });
  });
}

/** True if there can be a proposal: from a step, in a transaction, or from an exported genesis. */
const canPropose = (source: SourceObject): boolean =>
  (isMap(source.genesis) && "import" in source.genesis) ||
  stepsOf(source).some(
    (step) => isMap(step) && ["propose", "upgrade", "tx"].some((verb) => verb in step),
  );

/** True if a step installs a binary on nodes. */
export const brings = (step: unknown): boolean =>
  isMap(step) && isMap(step.nodes) && ("binary" in step.nodes || "stage" in step.nodes);

/**
 * True if a step installs a binary on one of these nodes, or could in a case, if the file varies.
 */
const mayBringTo = (source: SourceObject, named: readonly string[]): boolean =>
  source.vary !== undefined ||
  stepsOf(source).some((step) => {
    if (!brings(step)) return false;
    const which = valueAt(step, ["nodes", "which"]);
    return !Array.isArray(which) || which.some((node) => named.includes(node));
  });
