/** Finds the shortest story of a violated case within a limit of runs. */
import fc from "fast-check";
import { shortened } from "../../base/shortened.ts";
import { type SourceObject, stepsOf } from "../varied.ts";
import { Acts, withOrigins } from "./acts.ts";
import { nearestThatHolds } from "./counterfactual.ts";
import { type Choices, choicesOf, placedCase, textOf } from "./draw.ts";
import type { Family } from "./family.ts";
import { caseName, choicesOfCase } from "./lineage.ts";
import { ofCase, soundFamily } from "./run-batch.ts";
import type { CaseRun } from "./run-case.ts";
import type { Finding, NeededStep, ShrinkRequest, Violation } from "./search.ts";
import { bare, simplify, withoutStep } from "./simplify.ts";
import { sourceStepText, verbOf } from "./source-step-text.ts";
import { Trial } from "./trial.ts";

/** Shrinks a violated case to a finding. Throws an Error if the drawn case is not violated. */
export const shrink = (request: ShrinkRequest): Finding =>
  ofCase({ ...request, number: request.found.number }, () => shrunk(request));

function shrunk({ family: file, seed, ancestors, found }: ShrinkRequest): Finding {
  const family = soundFamily(file);
  const { number } = found;
  const trial = new Trial(found.violation);
  const drawn = simplestDraw(family, choicesOfCase(family, seed, number, ancestors), trial);
  const acts = new Acts(family);
  const small = simplify(drawn.value, trial, acts);
  const verdict = trial.verdict(small);
  if (verdict.is !== "violated") throw new Error("the smallest case is not violated");
  const { violation, run } = verdict;
  const steps = neededSteps(small, violation, run.heights, trial);
  const before = stepsOf(bare(drawn.first)).length;
  const holds = (value: SourceObject) => {
    const tried = trial.verdict(value);
    return tried.is === "holds" && isWhole(tried.run);
  };
  const away = acts.missingIn(drawn.value).map((act) => acts.withAct(small, act));
  const { vary } = family;
  const nearest = nearestThatHolds({ value: small, steps, violation, vary, away }, holds);
  const name = nameOf(family, violation);
  const origin = `case ${caseName(number, ancestors)} of seed ${seed}`;
  return {
    seed,
    number,
    ...(ancestors && { ancestors }),
    violation,
    stepsBefore: before,
    steps,
    scenario: formatCase(small, {
      name,
      title: `${violation.kind} “${violation.property}”: broken after ${counted(steps.length)}`,
      about: `Found as ${origin}: ${violation.message.replace(/[\s:.;]+$/, "")}. It passes once that is no longer so.`,
    }),
    log: trial.log,
    ...(nearest && {
      counterfactual: {
        words: `Had ${nearest.words}, it would have held.`,
        scenario: formatCase(nearest.value, {
          name: `${name}-holds`.slice(0, MOST_NAME),
          title: `Had ${nearest.words}`,
          about: `The nearest case to ${origin} that holds.`,
        }),
      },
    }),
  };
}

/** A drawn case, and the simplest draw that is violated too. */
function simplestDraw(
  family: Family,
  drawn: Choices,
  trial: Trial,
): { readonly first: SourceObject; readonly value: SourceObject } {
  const tried: SourceObject[] = [];
  let least: SourceObject | undefined;
  // One run of fast-check, which shrinks these choices.
  fc.check(
    fc.property(choicesOf(family), (choices) => {
      const { head, steps } = placedCase(family, choices);
      const origins = steps.map(({ index }) => index);
      const value = withOrigins({ ...head, steps: steps.map(({ step }) => step) }, origins);
      tried.push(value);
      const words = least === undefined ? "the case as it was drawn" : simpler(least, value);
      const violates = trial.stillViolates(value, words);
      if (violates) least = value;
      return !violates;
    }),
    { examples: [[drawn]], numRuns: 1, endOnFailure: false, verbose: 0 },
  );
  const [first] = tried;
  if (first === undefined || least === undefined) {
    throw new Error("it is not violated when it is drawn again");
  }
  return { first, value: least };
}

function simpler(before: SourceObject, after: SourceObject): string {
  const [from, to] = [stepsOf(before).length, stepsOf(after).length];
  return from === to
    ? `a simpler draw of ${counted(to)}`
    : `a draw of ${counted(to)} instead of ${from}`;
}

/** Each step of a shrunk case, with the result without it. */
function neededSteps(
  value: SourceObject,
  violation: Violation,
  heights: readonly number[],
  trial: Trial,
): readonly NeededStep[] {
  return stepsOf(value).map((step, index) => ({
    verb: verbOf(step).verb,
    words: sourceStepText(step),
    height: heights[index] ?? violation.height,
    without: withoutIt(withoutStep(value, index), trial),
  }));
}

function withoutIt(value: SourceObject, trial: Trial): NeededStep["without"] {
  const verdict = trial.verdict(value);
  if (verdict.is === "unsound") return "not reached";
  if (verdict.is === "violated") return "violated";
  return isWhole(verdict.run) ? "holds" : "not reached";
}

/** True if all steps of a case passed, and nothing else was violated in it. */
const isWhole = ({ unfinished, violations }: CaseRun): boolean =>
  unfinished === undefined && violations.length === 0;

interface CaseTitle {
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

/** A case as the text of a scenario file. */
function formatCase(
  { scenario, name: _, seed = 1, ...rest }: SourceObject,
  title: CaseTitle,
): string {
  return textOf({ scenario, ...title, seed, ...rest });
}

const MOST_NAME = 100;

function nameOf({ source: family }: Family, { property, kind }: Violation): string {
  const slug = `${kind}-${property}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const name = `${family.name}`;
  return shortened(name.endsWith(slug) ? name : `${name}-${slug}`, MOST_NAME).replace(
    /[^a-z0-9]+$/,
    "",
  );
}

const counted = (steps: number): string => `${steps} step${steps === 1 ? "" : "s"}`;
