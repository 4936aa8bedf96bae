/** Places in a scenario for disturbances: before a step, or within one that runs the chain. */
import { formatDuration, parseDuration } from "../../base/duration.ts";
import { createContext } from "../create-context.ts";
import { isMap } from "../fields.ts";
import { readSourceObject } from "../parse.ts";
import type { Problem } from "../problems.ts";
import { isOff } from "../read-step.ts";
import { runStep } from "../runner.ts";
import { type SourceObject, stepsOf } from "../varied.ts";
import type { Family } from "./family.ts";

/** A place in the list of steps. */
export interface StepPosition {
  /** Index of the step. */
  readonly step: number;
  /** Consensus rounds of that step before it; 0 is before the step. */
  readonly rounds: number;
  /** The chain's height there in the file's own case. */
  readonly height: number;
}

/** Maximum rounds of a scenario within which places are found. */
const MOST_ROUNDS = 20_000;

/**
 * The places of a scenario, found by running it. After a failed step, only the starts of the later
 * steps are places.
 */
export function positionsOf(source: SourceObject): readonly StepPosition[] {
  const read = readSourceObject(source);
  if ("problems" in read) throw new Error(read.problems[0]?.message);
  const { scenario } = read;
  const context = createContext(scenario);
  const { sim } = context;
  const places: StepPosition[] = [];
  let runs = true;
  let position = 0;
  stepsOf(source).forEach((step, index) => {
    places.push({ step: index, rounds: 0, height: sim.height });
    const next = isOff(step) ? undefined : scenario.steps[position++];
    if (next === undefined || !runs) return;
    const running = runStep(context, next, index);
    for (let rounds = 1; ; rounds++) {
      const { done, value } = running.next();
      if (done) {
        runs = value.ok;
        // The end of a step is the place before the next one.
        if (Number(places.at(-1)?.rounds) > 0) places.pop();
        return;
      }
      if (places.length === MOST_ROUNDS) runs = false;
      if (!runs) return;
      if (isRun(step) || (isVote(step) && rounds >= VOTED))
        places.push({ step: index, rounds, height: sim.height });
    }
  });
  return places;
}

const isRun = (step: unknown): step is { readonly run: unknown } => isMap(step) && "run" in step;

/** Rounds after which all votes of a step that passes a proposal are in a block. */
const VOTED = 2;

type Vote = Readonly<Record<string, unknown>>;

/** True if a step passes a proposal and waits for the end of its vote. */
const isVote = (step: unknown): step is Vote => {
  if (!isMap(step)) return false;
  const content = step.upgrade ?? step.pass;
  // A plan that is validated first may be refused.
  return isMap(content) && content.validate_info === undefined && isWhole(content.until);
};
const isWhole = (until: unknown): boolean => until === undefined || until === "decided";

/** A part of a step. */
interface Part {
  readonly step: unknown;
  /** Consensus rounds of the step before it. */
  readonly rounds: number;
}

/**
 * Splits a step after some rounds; returns its parts up to there, and the rest; undefined if it is
 * done by then, or cannot be split.
 *
 * @param blockTime a duration as text
 * @param name of the proposal, if the rest waits for its vote
 */
export function cut(
  step: unknown,
  rounds: number,
  blockTime: string,
  name: string,
): readonly [readonly Part[], unknown] | undefined {
  if (isVote(step)) return cutVote(step, rounds, name);
  if (!isRun(step) || rounds === 0) return undefined;
  const { run } = step;
  const parts = (first: unknown, second: unknown) =>
    [[{ step: { ...step, run: first }, rounds: 0 }], { run: second }] as const;
  if (typeof run === "number") {
    return rounds < run ? parts(rounds, run - rounds) : undefined;
  }
  if (!isMap(run)) return undefined;
  if (typeof run.rounds === "number") {
    return rounds < run.rounds ? parts({ rounds }, { rounds: run.rounds - rounds }) : undefined;
  }
  if (typeof run.for === "string") {
    const left = parseDuration(run.for) - BigInt(rounds) * parseDuration(blockTime);
    return left > 0n ? parts({ rounds }, { for: formatDuration(left) }) : undefined;
  }
  return parts({ rounds }, run);
}

function cutVote(
  step: Vote,
  rounds: number,
  name: string,
): readonly [readonly Part[], unknown] | undefined {
  if (rounds < VOTED) return undefined;
  const verb = "upgrade" in step ? "upgrade" : "pass";
  const as = typeof step.as === "string" ? step.as : name;
  const voted = { ...step, [verb]: { ...(step[verb] as object), until: "voted" }, as };
  const wait = { step: { run: { rounds: rounds - VOTED } }, rounds: VOTED };
  const until = { proposal: `$${as}`, is: "decided" };
  return [[{ step: voted, rounds: 0 }, ...(rounds > VOTED ? [wait] : [])], { run: { until } }];
}

/**
 * Problem with the first entry of `disturb` whose heights contain no place of the file's own case.
 */
export function unreachedDisturb({
  disturb,
  source,
}: Pick<Family, "disturb" | "source">): Problem | undefined {
  if (disturb.every(({ from, to }) => from === undefined && to === undefined)) return undefined;
  const heights = positionsOf(source).map(({ height }) => height);
  const last = Math.max(...heights);
  for (const [index, { from = 0, to = Number.POSITIVE_INFINITY }] of disturb.entries()) {
    if (heights.some((height) => height >= from && height <= to)) continue;
    const whole = disturb.length === 1 ? ["disturb"] : ["disturb", index];
    if (from > last) {
      const message = `nothing can happen from height ${from} on: as it is written, the file comes to height ${last} before its last block`;
      return { path: disturb.length === 1 ? whole : [...whole, "from"], message };
    }
    const message = `nothing can happen ${from === 0 ? "up to" : `from height ${from} to`} height ${to}: as it is written, no step begins there, nor is one under way that is cut in two`;
    return { path: whole, message };
  }
  return undefined;
}
