/**
 * Queries that read more than a world has in memory. A reading yields the history that it needs
 * next, and continues when that was opened: by a session while its chain runs, or at once.
 */

import { drain } from "../../base/drain.ts";
import type { StatusError } from "../../engine/framework/errors.ts";
import type { HistoryRange, HistoryRanges } from "../../engine/simulation/history-range.ts";
import type { SessionQuery } from "./session-queries.ts";

/** A query of lab.v1.Lab that this world cannot answer, and its refusal if nothing else can. */
export type Elsewhere = { readonly request: object; readonly refusal: StatusError } & (
  | { readonly kind: "session"; readonly method: SessionQuery }
  | { readonly kind: "world"; readonly method: string; readonly height: number }
);

/** A pending answer; `next` receives the answer to an `Elsewhere`. */
export type Reading<T> = Generator<HistoryRange | Elsewhere, T, unknown>;

export const isReading = <T>(answer: T | Reading<T>): answer is Reading<T> =>
  Object.prototype.toString.call(answer) === "[object Generator]";

/** Returns an answer, or the result of its reading. */
export function* answerOf<T>(answer: T | Reading<T>): Reading<T> {
  return isReading(answer) ? yield* answer : answer;
}

/** The ranges that a reading of one world yields; it contains no `Elsewhere`. */
export function* rangesOf<T>(reading: Reading<T>): HistoryRanges<T> {
  let step = reading.next();
  while (!step.done) {
    if ("refusal" in step.value) step = reading.throw(step.value.refusal);
    else {
      yield step.value;
      step = reading.next();
    }
  }
  return step.value;
}

/** Answers from memory; missing history is replayed at once. */
export function atOnce<T>(reading: Reading<T>): T {
  return drain(rangesOf(reading));
}

/** Opens blocks with their results and states. */
export function* openBlocks(from: number, to = from): HistoryRanges {
  yield { kind: "blocks", from, to };
  yield { kind: "results", from, to };
}

/** Opens the state after a height, and the data needed to read it. */
export function* openState(height: number): HistoryRanges {
  yield { kind: "blocks", from: height, to: height };
  yield { kind: "state", height };
}

/** Opens the same with the validator sets. */
export function* openGenesis(height: number): HistoryRanges {
  yield* openState(height);
  yield { kind: "sets", height };
}
