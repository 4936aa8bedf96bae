/**
 * Small families: all cases are enumerated, so that each is run once instead of being drawn
 * repeatedly.
 */
import type { Variation } from "../vary.ts";
import type { Family } from "./family.ts";

/** Maximum number of different cases that is counted. */
const COUNTED = 1_000_000;

/** Number of different cases of a family; undefined if it is large, or its steps vary. */
export function differentCases({
  vary,
  disturb,
}: Pick<Family, "vary" | "disturb">): number | undefined {
  if (disturb.length > 0) return undefined;
  let all = 1;
  for (const variation of vary) {
    const count = valuesOf(variation);
    if (count === undefined || all * count > COUNTED) return undefined;
    all *= count;
  }
  return all;
}

/**
 * Choice for each variation in a case, by its number: the first `different` numbers yield all
 * different cases.
 * @param begin index of the first one among all of them
 */
export function choicesAt(
  { vary }: Pick<Family, "vary">,
  different: number,
  begin: number,
  number: number,
): readonly (number | readonly number[])[] {
  // Golden section steps: consecutive cases are far apart.
  let step = Math.max(1, Math.round(different * 0.618_033_988_75));
  while (greatestDivisor(step, different) > 1) step += 1;
  let left = (begin + step * (number % different)) % different;
  return vary.map((variation) => {
    const count = valuesOf(variation) ?? 1;
    const choice = choiceAt(variation, left % count);
    left = Math.floor(left / count);
    return choice;
  });
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

function valuesOf(variation: Variation): number | undefined {
  switch (variation.kind) {
    case "one_of":
      return variation.values.length;
    case "range":
      return variation.greatest - variation.least + 1;
    case "subset": {
      const { values, least, most } = variation;
      let subsets = 0;
      for (let size = least; size <= most; size++) subsets += subsetsOf(values.length, size);
      return subsets;
    }
    case "permutation":
      return factorial(variation.values.length);
    default:
      return undefined;
  }
}

/** Number of subsets of a size. */
function subsetsOf(elements: number, size: number): number {
  let subsets = 1;
  for (let one = 0; one < size; one++) subsets = (subsets * (elements - one)) / (one + 1);
  return subsets;
}

const factorial = (elements: number): number =>
  elements < 2 ? 1 : elements * factorial(elements - 1);

function choiceAt(variation: Variation, position: number): number | readonly number[] {
  switch (variation.kind) {
    case "subset":
      return subsetAt(variation.values.length, variation.least, position);
    case "permutation":
      return permutationAt([...variation.values.keys()], position);
    default:
      return position;
  }
}

/** The elements of a subset in order: small subsets come first. */
function subsetAt(elements: number, least: number, position: number): readonly number[] {
  let left = position;
  let size = least;
  for (; left >= subsetsOf(elements, size); size++) left -= subsetsOf(elements, size);
  const chosen: number[] = [];
  for (let element = 0; chosen.length < size; element++) {
    // Number of subsets with this element as the next one.
    const having = subsetsOf(elements - element - 1, size - chosen.length - 1);
    if (left < having) chosen.push(element);
    else left -= having;
  }
  return chosen;
}

function permutationAt(elements: readonly number[], position: number): readonly number[] {
  if (elements.length === 0) return [];
  const each = factorial(elements.length - 1);
  const at = Math.floor(position / each);
  return [elements[at] as number, ...permutationAt(elements.toSpliced(at, 1), position % each)];
}
