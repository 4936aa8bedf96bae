import { type Duration, SECOND } from "../../base/time.ts";

/**
 * CometBFT's default timeouts, in nanoseconds; each grows by `delta` per round, commit does not
 * (rules/consensus 1.2).
 */
export interface Timeouts {
  readonly propose: Duration;
  readonly prevote: Duration;
  readonly precommit: Duration;
  readonly delta: Duration;
  readonly commit: Duration;
}

const DEFAULT_TIMEOUTS: Timeouts = {
  propose: 3n * SECOND,
  prevote: SECOND,
  precommit: SECOND,
  delta: SECOND / 2n,
  commit: SECOND,
};

export type RoundStep = "propose" | "prevote" | "precommit";

export function stepTimeout(step: RoundStep, round: number, timeouts = DEFAULT_TIMEOUTS): Duration {
  return timeouts[step] + timeouts.delta * BigInt(round);
}

/**
 * Reason why a round ended without a block: no proposal in time; more than two thirds refused the
 * proposal; neither side had two thirds; or too few voted.
 */
export type RoundFailure = "no-proposal" | "proposal-refused" | "prevotes-split" | "too-few-votes";

/**
 * Steps whose timeouts elapse in a failed round (rules/consensus 5.3). Messages within a round take
 * no time, so a step that ends by its votes costs nothing: without a proposal all prevote nil after
 * `propose`, see more than two thirds for nil, precommit nil at once, and only the `precommit`
 * timeout elapses. With too few votes CometBFT would stay in the round until more arrive; here
 * further rounds follow, each with the maximum duration of a round.
 */
const WAITED_FOR: Readonly<Record<RoundFailure, readonly RoundStep[]>> = {
  "no-proposal": ["propose", "precommit"],
  "proposal-refused": ["precommit"],
  "prevotes-split": ["prevote", "precommit"],
  "too-few-votes": ["propose", "prevote", "precommit"],
};

/**
 * Returns the steps whose timeouts elapse in a round without a block, in order, with the durations
 * in nanoseconds.
 */
export const stepsWaitedFor = (
  failure: RoundFailure,
  round: number,
  timeouts = DEFAULT_TIMEOUTS,
): readonly (readonly [step: RoundStep, duration: Duration])[] =>
  WAITED_FOR[failure].map((step) => [step, stepTimeout(step, round, timeouts)]);

/** Returns the duration of a round without a block, in nanoseconds. */
export const roundDuration = (
  failure: RoundFailure,
  round: number,
  timeouts = DEFAULT_TIMEOUTS,
): Duration =>
  stepsWaitedFor(failure, round, timeouts).reduce((sum, [, duration]) => sum + duration, 0n);
