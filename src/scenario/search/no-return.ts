/**
 * The point at which a story's failure became unavoidable: counts the futures from each point with
 * the same end.
 */
import { createContext } from "../create-context.ts";
import { isOff } from "../read-step.ts";
import { runStep } from "../runner.ts";
import type { SourceObject } from "../varied.ts";
import type { Variation } from "../vary.ts";
import { type Disturbance, inOrder, type Placed } from "./disturbances.ts";
import {
  type Choice,
  type Choices,
  caseOf,
  choiceOfNumber,
  chosen,
  drawChoices,
  placedCase,
  type StepEdit,
} from "./draw.ts";
import type { Family } from "./family.ts";
import { caseName, choicesOfCase } from "./lineage.ts";
import { propertyKey } from "./report.ts";
import { soundFamily } from "./run-batch.ts";
import { readCase, runCase } from "./run-case.ts";
import type { Ancestors, FamilyFile, Violation } from "./search.ts";
import { sourceStepText, verbOf } from "./source-step-text.ts";

export interface NoReturnRequest {
  readonly family: FamilyFile;
  readonly seed: number;
  /** Number of the case; ignored if the file is one case. */
  readonly number: number;
  /** Ancestors of the case, if it is a mutant. */
  readonly ancestors?: Ancestors;
  /** The violation that counts as the end, if the case has several; the first one by default. */
  readonly end?: Pick<Violation, "kind" | "property">;
  /** Number of futures from each point. */
  readonly futures: number;
  /** Number of the first future, if others run elsewhere; 0 by default. */
  readonly first?: number;
}

/** A point of the story, with its statistics. */
export interface PointOfStory {
  /** The chain's height there. */
  readonly height: number;
  /** The next step of the case, from 0, and the elapsed rounds of that step. */
  readonly step: number;
  readonly rounds: number;
  /** Description of the next command; empty within a step that runs the chain. */
  readonly command: string;
  /** Number of futures with the same end, and of those that could run. */
  readonly ended: number;
  readonly futures: number;
}

export interface NoReturn {
  readonly seed: number;
  /** The case; absent if the file is one case. */
  readonly number?: number;
  /** Ancestors of the case, if it is a mutant. */
  readonly ancestors?: Ancestors;
  readonly violation: Violation;
  /** The case as a scenario file. */
  readonly scenario: string;
  /** From genesis to the violation. */
  readonly points: readonly PointOfStory[];
  /** The point after which the probability of the end rises most; absent if it never rises. */
  readonly cliff?: number;
  /** The first point from which every future has this end; absent if there is none. */
  readonly unavoidable?: number;
}

/** Progress, as numbers of points. */
export interface NoReturnProgress {
  readonly points: number;
  readonly of: number;
}

/**
 * The probability of a violated case's end at each point before it. Futures share everything up to
 * the point; the rest is drawn anew, with the same draws at each point. In a file without
 * variations, each later command may be omitted. Yields after each point; throws an Error if the
 * case is not violated.
 */
export function* noReturn(request: NoReturnRequest): Generator<NoReturnProgress, NoReturn> {
  const { seed, number, ancestors, futures, first = 0 } = request;
  const { family, choices, violation, story, results } = storyOf(request);
  const fresh = Array.from({ length: futures }, (_, future) =>
    // Numbers that no case of a search has.
    drawChoices(family, seed, 2 ** 40 + first + future),
  );
  const points: PointOfStory[] = [];
  for (const { at, ...point } of story) {
    let ended = 0;
    let ran = 0;
    for (const drawn of fresh) {
      const { value } = caseOf(family, spliced(family, choices, drawn, at));
      const key = JSON.stringify(value);
      if (!results.has(key)) results.set(key, endsSo(value, violation));
      const ends = results.get(key);
      if (ends === undefined) continue;
      ran += 1;
      if (ends) ended += 1;
    }
    points.push({ ...point, ended, futures: ran });
    yield { points: points.length, of: story.length };
  }
  const { text } = caseOf(family, choices);
  return {
    seed,
    ...(family.isOwnCase ? {} : { number, ...(ancestors?.length && { ancestors }) }),
    violation,
    scenario: text(),
    ...judged(points),
  };
}

/** A violated case with its points, and the known results of their futures. */
interface Cached {
  /** Parts of the request that determine it. */
  readonly of: readonly unknown[];
  readonly family: Futures;
  readonly choices: Choices;
  readonly violation: Violation;
  readonly story: readonly Story[];
  /**
   * Results by the text of the case, true if it ends in the same way: many points share futures.
   */
  readonly results: Map<string, boolean | undefined>;
}

/** The story of the last request: a worker gets its futures in many parts. */
let latest: Cached | undefined;

function storyOf({ family: file, seed, number, ancestors = [], end }: NoReturnRequest): Cached {
  const sound = soundFamily(file);
  const of = [sound, seed, number, ancestors.join(), end && propertyKey(end)];
  if (latest !== undefined && of.every((one, i) => one === latest?.of[i])) return latest;
  const family = withFutures(sound);
  const choices = family.isOwnCase
    ? nothing(family)
    : choicesOfCase(family, seed, number, ancestors);
  const violation = violationOf(family, choices, end);
  if (violation === undefined) {
    const what = end ? `${end.kind} “${end.property}”` : "every property";
    throw new Error(
      family.isOwnCase
        ? `${what} holds, and every step can be done`
        : `${what} holds in case ${caseName(number, ancestors)} of seed ${seed}`,
    );
  }
  const story = pointsOf(family, choices, violation);
  latest = { of, family, choices, violation, story, results: new Map() };
  return latest;
}

/** Merges the results of several parts of a case's futures. */
export function mergedNoReturn(parts: readonly [NoReturn, ...NoReturn[]]): NoReturn {
  const [{ cliff: _, unavoidable: __, ...first }] = parts;
  const sum = (at: number, what: "ended" | "futures"): number =>
    parts.reduce((total, { points }) => total + (points[at]?.[what] ?? 0), 0);
  const points = first.points.map((point, i) => ({
    ...point,
    ended: sum(i, "ended"),
    futures: sum(i, "futures"),
  }));
  return { ...first, ...judged(points) };
}

/** Points with the conclusions from their probabilities. */
function judged(
  points: readonly PointOfStory[],
): Pick<NoReturn, "points" | "cliff" | "unavoidable"> {
  const cliff = steepest(points);
  const unavoidable = fromWhereAll(points);
  return {
    points,
    ...(cliff === undefined ? {} : { cliff }),
    ...(unavoidable === undefined ? {} : { unavoidable }),
  };
}

/** True if a case is violated in the same way; undefined if it is no valid scenario. */
function endsSo(value: SourceObject, violation: Violation): boolean | undefined {
  const scenario = readCase(value);
  const key = propertyKey(violation);
  const endsBy = (one: Violation) => propertyKey(one) === key;
  const run = scenario && runCase(scenario, { endsBy });
  return run?.violations.some(endsBy);
}

/** A family whose futures differ; `isWritten` marks a file without variations. */
type Futures = Family & { readonly isOwnCase: boolean };

function withFutures(family: Family): Futures {
  if (family.vary.length + family.disturb.length > 0) return { ...family, isOwnCase: false };
  const steps = family.steps.flatMap((step, index) => (isCommand(step) ? index : []));
  const vary = steps.length === 0 ? [] : [{ kind: "left_out" as const, steps, most: steps.length }];
  return { ...family, vary, isOwnCase: true };
}

const isCommand = (step: unknown): boolean =>
  !isOff(step) && !["run", "expect", ""].includes(verbOf(step).verb);

function violationOf(
  family: Futures,
  choices: Choices,
  end: NoReturnRequest["end"],
): Violation | undefined {
  const scenario = readCase(caseOf(family, choices).value);
  const isEnd = (one: Violation) => end === undefined || propertyKey(one) === propertyKey(end);
  return scenario && runCase(scenario, { endsBy: isEnd })?.violations.find(isEnd);
}

const nothing = ({ vary, disturb }: Family): Choices => ({
  vary: vary.map(() => []),
  disturb: disturb.map(() => []),
});

/** A place of a family's file, and the number of past disturbances, in their order. */
interface At {
  readonly step: number;
  readonly rounds: number;
  readonly past: number;
}

type Story = Pick<PointOfStory, "height" | "step" | "rounds" | "command"> & { readonly at: At };

/** The points of a case up to its violation, found by running it. */
function pointsOf(family: Family, choices: Choices, violation: Violation): readonly Story[] {
  const { head, steps } = placedCase(family, choices);
  const scenario = readCase({ ...head, steps: steps.map(({ step }) => step) });
  if (scenario === undefined) throw new Error("the case is no sound scenario");
  const context = createContext(scenario);
  const { sim } = context;
  const order = inOrder(choices.disturb.flat());
  const story: Story[] = [];
  let at: At = { step: 0, rounds: 0, past: 0 };
  let position = 0;
  for (const [step, placed] of steps.entries()) {
    at = positionOf(placed, at, order);
    const command = sourceStepText(placed.step);
    story.push({ height: sim.height, step, rounds: 0, command, at });
    const next = isOff(placed.step) ? undefined : scenario.steps[position++];
    if (next === undefined) continue;
    const running = runStep(context, next, step);
    for (let rounds = 1; !running.next().done; rounds++) {
      // Rounds without a block are not separate points.
      if (isCommand(placed.step) || story.at(-1)?.height === sim.height) continue;
      const within = { ...at, rounds: at.rounds + rounds };
      story.push({ height: sim.height, step, rounds, command: "", at: within });
    }
    // The end of a step is the point before the next one.
    const last = story.at(-1);
    const goesOn = violation.step === undefined || step < violation.step;
    if (goesOn && last && last.rounds > 0 && last.height === sim.height) story.pop();
    if (placed.happens !== undefined) at = { ...at, past: placed.happens + 1 };
    if (violation.step !== undefined && step >= violation.step) break;
  }
  const end = story.findLastIndex(({ height }) => height <= violation.height);
  return story.slice(0, end + 1);
}

/** Position in the file at which a step of a case begins; never before the previous position. */
function positionOf(
  { index, rounds = 0, happens }: Placed,
  before: At,
  order: readonly Disturbance[],
): At {
  const position = happens === undefined ? { step: index, rounds } : order[happens]?.position;
  const past = happens ?? before.past;
  const isBehind =
    position === undefined ||
    position.step < before.step ||
    (position.step === before.step && position.rounds < before.rounds);
  return isBehind ? { ...before, past } : { step: position.step, rounds: position.rounds, past };
}

/** Combines the past choices at a point with newly drawn ones for the rest. */
function spliced(family: Family, old: Choices, fresh: Choices, at: At): Choices {
  const lastStep = at.rounds > 0 ? at.step : at.step - 1;
  const vary = family.vary.map((variation, i): Choice => {
    const [was, is] = [old.vary[i] as Choice, fresh.vary[i] as Choice];
    if ("path" in variation) {
      const [part, step] = variation.path;
      if (part !== "steps" || Number(step) < at.step) return was;
      if (Number(step) > lastStep) return is;
      return isLength(variation) ? longer(family, variation, is as number, at.rounds) : was;
    }
    const isPast = ({ step, by }: StepEdit) => Math.min(step, step + by) <= lastStep;
    const past = (was as readonly StepEdit[]).filter(isPast);
    const coming = (is as readonly StepEdit[]).filter((edit) => !isPast(edit));
    return [...past, ...coming.filter(({ step }) => past.every((one) => one.step !== step))].slice(
      0,
      Math.max(variation.most, past.length),
    );
  });
  const order = inOrder(old.disturb.flat());
  const disturb = family.disturb.map(({ most = 1 }, i) => {
    const isPast = (one: Disturbance) =>
      order.indexOf(one) < at.past || (one.kind === "late_binary" && one.step <= lastStep);
    const past = (old.disturb[i] ?? []).filter(isPast);
    const coming = (fresh.disturb[i] ?? []).filter(
      ({ position, ...one }) =>
        (position.step > at.step || (position.step === at.step && position.rounds >= at.rounds)) &&
        !(one.kind === "late_binary" && one.step <= lastStep),
    );
    return [...past, ...coming].slice(0, Math.max(most, past.length));
  });
  return { vary, disturb };
}

type Range = Extract<Variation, { kind: "range" }>;

/** True if the variation is the length of a run: it stays open until the run is over. */
const isLength = (variation: Variation): variation is Range =>
  variation.kind === "range" &&
  ["run", "run.rounds"].includes(variation.path.slice(2).map(String).join("."));

/** A length that is drawn anew after some rounds, and is not over by then. */
function longer(family: Family, variation: Range, drawn: number, rounds: number): number {
  const least = Math.max(variation.least, rounds + 1);
  if (least > variation.greatest) return choiceOfNumber(family, variation, variation.greatest);
  const number = chosen(family, variation, drawn) as number;
  const length = number >= least ? number : least + (number % (variation.greatest - least + 1));
  return choiceOfNumber(family, variation, length);
}

const chance = ({ ended, futures }: PointOfStory): number => (futures === 0 ? 0 : ended / futures);

/** The point before the greatest rise; the end of the story itself is certain. */
function steepest(points: readonly PointOfStory[]): number | undefined {
  let cliff: number | undefined;
  let most = 0;
  points.forEach((point, i) => {
    const next = points[i + 1];
    const rise = (next === undefined ? 1 : chance(next)) - chance(point);
    if (rise <= most) return;
    most = rise;
    cliff = i;
  });
  return cliff;
}

function fromWhereAll(points: readonly PointOfStory[]): number | undefined {
  const last = points.findLastIndex((point) => point.ended < point.futures);
  return last + 1 < points.length ? last + 1 : undefined;
}
