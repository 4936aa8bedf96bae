/**
 * Queries that read more than a world has in memory. A reading yields what it reads next, and goes on when that was
 * opened: by a session while its chain runs on, or at once where nothing else is to be done meanwhile.
 */
import type { StatusError } from "../../engine/framework/errors.ts";
import { drain } from "../../engine/primitives/drain.ts";
import type { HistoryRange, HistoryRanges } from "../../engine/simulation/history-range.ts";
import type { SessionQuery } from "./session-queries.ts";

/** A query of lab.v1.Lab that this world does not answer, and how it is refused where nothing else does. */
export type Elsewhere = { readonly request: object; readonly refusal: StatusError } & (
  | { readonly kind: "session"; readonly method: SessionQuery }
  | { readonly kind: "world"; readonly method: string; readonly height: number }
);

/** An answer under way; `next` takes the answer of what is elsewhere. */
export type Reading<T> = Generator<HistoryRange | Elsewhere, T, unknown>;

export const isReading = <T>(answer: T | Reading<T>): answer is Reading<T> =>
  Object.prototype.toString.call(answer) === "[object Generator]";

/** An answer, whether or not it reads more. */
export function* answerOf<T>(answer: T | Reading<T>): Reading<T> {
  return isReading(answer) ? yield* answer : answer;
}

/** The ranges that a reading reads of one world, in which nothing is answered elsewhere. */
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

/** The answer with what is in memory, or is made again at once. */
export function atOnce<T>(reading: Reading<T>): T {
  return drain(rangesOf(reading));
}

/** Opens blocks with all that belongs to them. */
export function* openBlocks(from: number, to = from): HistoryRanges {
  yield { kind: "blocks", from, to };
  yield { kind: "results", from, to };
}

/** Opens the state after a height, and what it is read with. */
export function* openState(height: number): HistoryRanges {
  yield { kind: "blocks", from: height, to: height };
  yield { kind: "state", height };
}

/** Opens the same with the validator sets. */
export function* openGenesis(height: number): HistoryRanges {
  yield* openState(height);
  yield { kind: "sets", height };
}
