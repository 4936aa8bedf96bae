/**
 * The cases of a coverage-guided search: some are drawn, the others are mutations of earlier ones
 * with new coverage. The kind depends only on the seed, the case's number and the corpus.
 */
import * as fc from "fast-check";
import { Rng } from "../../base/rng.ts";
import type { Disturbance } from "./disturbances.ts";
import { disturbanceOf } from "./disturbances.ts";
import {
  type Choice,
  type Choices,
  caseSeed,
  choiceOf,
  drawChoices,
  positionsOfFamily,
} from "./draw.ts";
import type { Family } from "./family.ts";
import type { Ancestors } from "./search.ts";

/** Maximum ancestors of a case. */
export const MOST_ANCESTORS = 1_000;
/** One in this many cases is drawn anew, so that every part of a family stays reachable. */
const DRAWN = 4;
/** Maximum mutations of one case. */
const MOST_MUTATIONS = 4;

/** Numbers of a case's ancestors; empty for a drawn case. */
export function ancestorsOf(
  seed: number,
  number: number,
  corpus: readonly Ancestors[] = [],
): Ancestors {
  if (corpus.length === 0) return [];
  const rng = rngOf(seed, number).fork("parent");
  if (rng.int(DRAWN) === 0) return [];
  // The greater of two draws: the newest coverage is nearest to the missing one.
  const at = Math.max(rng.int(corpus.length), rng.int(corpus.length));
  return corpus[at] ?? [];
}

/** The choices of a case, drawn or mutated. */
export function choicesOfCase(
  family: Family,
  seed: number,
  number: number,
  ancestors: Ancestors = [],
): Choices {
  const parent = ancestors.at(-1);
  if (parent === undefined) return drawChoices(family, seed, number);
  return mutated(family, choicesOfParent(family, seed, parent, ancestors), seed, number);
}

/** Cached choices of ancestors, by seed and name: each is needed often. */
const KNOWN = new WeakMap<Family, Map<string, Choices>>();
const MOST_KNOWN = 2_000;

function choicesOfParent(
  family: Family,
  seed: number,
  number: number,
  ancestors: Ancestors,
): Choices {
  const known = KNOWN.get(family) ?? new Map<string, Choices>();
  KNOWN.set(family, known);
  const key = `${seed} ${ancestors.join("/")}`;
  const choices = known.get(key) ?? choicesOfCase(family, seed, number, ancestors.slice(0, -1));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, choices);
  return choices;
}

/** Name of a case: its number, preceded by those of its ancestors. */
export const caseName = (number: number, ancestors: Ancestors = []): string =>
  [...ancestors, number].join("/");

const rngOf = (seed: number, number: number): Rng => Rng.seeded(`${seed}/${number}`);

/** Draws some choices anew: mostly one, each further one in half as many cases. */
function mutated(family: Family, choices: Choices, seed: number, number: number): Choices {
  const rng = rngOf(seed, number).fork("mutation");
  let changed = choices;
  for (let times = 1; times <= MOST_MUTATIONS; times++) {
    const mutations = mutationsOf(family, changed);
    if (mutations.length === 0) return changed;
    const mutate = mutations[rng.int(mutations.length)] as Mutation;
    const draw = <T>(arbitrary: fc.Arbitrary<T>): T => {
      const [drawn] = fc.sample(arbitrary, { numRuns: 1, seed: caseSeed(rng.nextU32(), number) });
      return drawn as T;
    };
    changed = mutate(draw, rng);
    if (rng.int(2) === 0) break;
  }
  return changed;
}

type Mutation = (draw: <T>(arbitrary: fc.Arbitrary<T>) => T, rng: Rng) => Choices;

/**
 * All mutations of choices: a value is drawn anew, or a disturbance is added, changed, moved or
 * removed.
 */
function mutationsOf(family: Family, choices: Choices): readonly Mutation[] {
  const values = family.vary.map((variation, i): Mutation => {
    const value = choiceOf(family, variation);
    return (draw) => ({ ...choices, vary: choices.vary.with(i, draw(value) as Choice) });
  });
  const happenings = family.disturb.flatMap((entry, i): Mutation[] => {
    const one = disturbanceOf(family, positionsOfFamily(family), entry);
    const now = choices.disturb[i] ?? [];
    if (one === undefined) return [];
    const become = (list: readonly Disturbance[]): Choices => ({
      ...choices,
      disturb: choices.disturb.with(i, list),
    });
    const add: Mutation = (draw) => become([...now, draw(one)]);
    const remove: Mutation = (_, rng) => become(now.toSpliced(rng.int(now.length), 1));
    const replace: Mutation = (draw, rng) => become(now.with(rng.int(now.length), draw(one)));
    const move: Mutation = (draw, rng) => {
      const at = rng.int(now.length);
      const { position } = draw(one);
      return become(now.with(at, { ...(now[at] as Disturbance), position }));
    };
    return [
      ...(now.length < (entry.most ?? 1) ? [add, add] : []),
      ...(now.length > 0 ? [remove, replace, move] : []),
    ];
  });
  return [...values, ...happenings];
}
