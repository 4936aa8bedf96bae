/** The jobs of a search's queue. */
import {
  readBatch,
  readBatchResult,
  readFinding,
  readShrinkRequest,
} from "../../scenario/search/received.ts";
import type { Batch, CaseWorkers, ShrinkRequest } from "../../scenario/search/search.ts";

/** The kinds of jobs, by their name in the queue. */
export type Work =
  | { readonly kind: "batch"; readonly data: Batch }
  | { readonly kind: "shrink"; readonly data: ShrinkRequest };

/**
 * The queue's name: different builds may find different results for a case, so each has a queue of
 * its own.
 * @param build identifies it by its content
 */
export const queueName = (build: string): string => `chainlab-search-${build.slice(0, 16)}`;

/**
 * Maximum number of times a job may lose its worker: enough where workers are killed, but finite.
 */
export const MAX_LOST = 20;
/** Maximum number of attempts of a job that its worker fails. */
export const ATTEMPTS = 3;
/** Seconds for which a result is stored until it is fetched. */
export const RESULT_SECONDS = 600;

/** True if the library could not parse a job; then nothing else of it is available. */
export const isNoJson = (error: unknown): boolean => error instanceof SyntaxError;

/** Parses a job of the queue. Throws an Error that says what is wrong. */
export function readWork(kind: string, data: unknown): Work {
  if (kind === "batch") return { kind, data: readBatch(data) };
  if (kind === "shrink") return { kind, data: readShrinkRequest(data) };
  throw new Error(`expected batch or shrink, found "${kind}"`);
}

export const doWork = async (local: CaseWorkers, { kind, data }: Work) =>
  kind === "batch" ? local.run(data) : local.shrink(data);

/** Describes the cases of a job. */
export function casesOf({ kind, data }: Work): string {
  const first = kind === "batch" ? data.first : data.found.number;
  const last = kind === "batch" ? first + data.count - 1 : first;
  return `case ${first === last ? first : `${first} to ${last}`} of seed ${data.seed}`;
}

/** Parses a worker's result. Throws an Error that says what is wrong. */
export const readOutcome = ({ kind, data }: Work, value: unknown) =>
  kind === "batch" ? readBatchResult(value, data) : readFinding(value, data);
