/**
 * Reads what other machines send of a search: batches and what became of them. Where it comes from anybody may write,
 * so only what has exactly this shape, and fits what was asked, is used.
 */
import * as v from "valibot";
import { INPUT } from "../input/limits.ts";
import type {
  Batch,
  BatchResult,
  FamilyFile,
  Finding,
  ShrinkRequest,
  ViolatedCase,
  Violation,
} from "./search.ts";

/** Cases of one batch at most: it is to take seconds, so that little is done again when its worker is lost. */
const MAX_BATCH = 10_000;
const MAX_SEED = 4_294_967_295;
const MAX_LOG = 100_000;

const name = v.pipe(v.string(), v.maxLength(INPUT.key));
const words = v.pipe(v.string(), v.maxLength(INPUT.text));
const file = v.pipe(v.string(), v.maxLength(INPUT.fileBytes));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const seed = v.pipe(count, v.maxValue(MAX_SEED));

/** A map by names of its own; valibot's leaves `constructor` and `prototype` out without a word. */
const record = <const S extends v.GenericSchema>(value: S) =>
  v.pipe(
    v.custom<object>((input) => typeof input === "object" && input !== null, "Expected a map"),
    v.transform((map) => Object.entries(map)),
    v.array(v.tuple([name, value])),
    v.maxLength(INPUT.mapKeys),
    v.transform((entries): Record<string, v.InferOutput<S>> => Object.fromEntries(entries)),
  );

const family: v.GenericSchema<unknown, FamilyFile> = v.strictObject({
  file: name,
  text: file,
  imports: record(file),
});

const batch: v.GenericSchema<unknown, Batch> = v.strictObject({
  family,
  seed,
  first: count,
  count: v.pipe(count, v.minValue(1), v.maxValue(MAX_BATCH)),
  untilFirst: v.boolean(),
});

const violation: v.GenericSchema<unknown, Violation> = v.strictObject({
  property: name,
  kind: v.picklist(["always", "never", "eventually", "sometimes", "invariant", "step"]),
  height: count,
  step: v.exactOptional(count),
  message: words,
});

const violatedCase: v.GenericSchema<unknown, ViolatedCase> = v.strictObject({
  number: count,
  violation,
});

const batchResult: v.GenericSchema<unknown, BatchResult> = v.strictObject({
  first: count,
  count,
  violated: v.array(violatedCase),
  unfinished: count,
  unsound: count,
  reached: v.pipe(v.array(name), v.maxLength(INPUT.mapKeys)),
  outcomes: record(count),
});

const shrinkRequest: v.GenericSchema<unknown, ShrinkRequest> = v.strictObject({
  family,
  seed,
  found: violatedCase,
});

const finding: v.GenericSchema<unknown, Finding> = v.strictObject({
  seed,
  number: count,
  violation,
  stepsBefore: count,
  steps: v.pipe(
    v.array(
      v.strictObject({
        verb: name,
        words,
        height: count,
        without: v.picklist(["holds", "violated", "not reached"]),
      }),
    ),
    v.maxLength(INPUT.steps),
  ),
  scenario: file,
  log: v.pipe(v.array(v.strictObject({ words, kept: v.boolean() })), v.maxLength(MAX_LOG)),
  counterfactual: v.exactOptional(v.strictObject({ words, scenario: file })),
});

/** Reads a batch. Throws an Error that says what does not fit, and where. */
export const readBatch = (value: unknown): Batch => read(batch, value);

/** Reads a case that is to be shrunk. Throws an Error that says what does not fit, and where. */
export const readShrinkRequest = (value: unknown): ShrinkRequest => read(shrinkRequest, value);

/** Reads what became of a batch. Throws an Error that says what does not fit, and where. */
export function readBatchResult(
  value: unknown,
  { first, count: cases, untilFirst }: Pick<Batch, "first" | "count" | "untilFirst">,
): BatchResult {
  const result = read(batchResult, value);
  const { violated, count: drawn } = result;
  const expected = (place: string, what: string, found: number): never => {
    throw new Error(`${place}: expected ${what}, found ${found}`);
  };
  if (result.first !== first) expected("first", String(first), result.first);
  const endsEarly = untilFirst && violated.length > 0;
  if (drawn > cases || (drawn < cases && !endsEarly)) expected("count", String(cases), drawn);
  let least = first;
  for (const [index, { number }] of violated.entries()) {
    const isInside = number >= least && number < first + drawn;
    if (!isInside) {
      expected(`violated[${index}].number`, `one from ${least} to ${first + drawn - 1}`, number);
    }
    least = number + 1;
  }
  const { unfinished, unsound, outcomes } = result;
  for (const [place, times] of Object.entries({ unfinished, unsound, ...outcomes })) {
    if (times > drawn) expected(place, `at most the ${drawn} cases`, times);
  }
  return result;
}

/** Reads what a case was shrunk to. Throws an Error that says what does not fit, and where. */
export function readFinding(
  value: unknown,
  { seed: of, found }: Pick<ShrinkRequest, "seed" | "found">,
): Finding {
  const shrunk = read(finding, value);
  if (shrunk.seed !== of || shrunk.number !== found.number) {
    throw new Error(
      `expected case ${found.number} of seed ${of}, found case ${shrunk.number} of seed ${shrunk.seed}`,
    );
  }
  const { property } = found.violation;
  if (shrunk.violation.property !== property) {
    throw new Error(`violation.property: expected ${property}, found ${shrunk.violation.property}`);
  }
  return shrunk;
}

function read<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const [{ message, path }] = issues;
  const keys = (path ?? []).map(({ key }) => key);
  const place = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  throw new Error(`${place.join("").replace(/^\./, "") || "all of it"}: ${message}`);
}
