/**
 * Parses data of a search from other machines: batches and their results. The source is writable by
 * anyone, so only data of exactly this shape that matches the request is used.
 */
import * as v from "valibot";
import { INPUT } from "../../base/limits.ts";
import { formatPath, problemsOf } from "../problems.ts";
import { caseName } from "./lineage.ts";
import {
  ancestorsSchema,
  count,
  findingSchema,
  name,
  outcomesSchema,
  propertyKey,
  record,
  seed,
  strict,
  unfinishedSchema,
  violationSchema,
} from "./report.ts";
import type { Batch, BatchResult, FamilyFile, Finding, ShrinkRequest } from "./search.ts";

/**
 * Maximum cases of one batch: it should take seconds, so that little is repeated if its worker is
 * lost.
 */
const MAX_BATCH = 10_000;

const file = v.pipe(v.string("text"), v.maxLength(INPUT.fileBytes, "the text of a file"));

const family: v.GenericSchema<unknown, FamilyFile> = strict({
  file: name,
  text: file,
  imports: record(file),
});

const cases = `a number of cases from 1 to ${MAX_BATCH}`;
const batch: v.GenericSchema<unknown, Batch> = strict({
  family,
  seed,
  first: count,
  count: v.pipe(count, v.minValue(1, cases), v.maxValue(MAX_BATCH, cases)),
  untilFirst: v.boolean("true or false"),
  corpus: v.exactOptional(v.array(ancestorsSchema, "a list of cases with their ancestors")),
});

const violatedCase = strict({ number: count, violation: violationSchema });

const batchResult: v.GenericSchema<unknown, BatchResult> = strict({
  first: count,
  count,
  violated: v.array(violatedCase, "a list of cases"),
  unfinished: count,
  firstUnfinished: v.exactOptional(unfinishedSchema),
  unsound: count,
  asked: v.array(name, "a list of names"),
  reached: v.array(name, "a list of names"),
  outcomes: outcomesSchema,
  features: v.exactOptional(record(count)),
});

const shrinkRequest: v.GenericSchema<unknown, ShrinkRequest> = strict({
  family,
  seed,
  ancestors: v.exactOptional(ancestorsSchema),
  found: violatedCase,
});

/** Parses a batch. Throws an Error that locates the problem. */
export const readBatch = (value: unknown): Batch => read(batch, value);

/** Parses a case to be shrunk. Throws an Error that locates the problem. */
export const readShrinkRequest = (value: unknown): ShrinkRequest => read(shrinkRequest, value);

/** Parses the result of a batch. Throws an Error that locates the problem. */
export function readBatchResult(
  value: unknown,
  {
    first,
    count: cases,
    untilFirst,
    corpus,
  }: Pick<Batch, "first" | "count" | "untilFirst" | "corpus">,
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
  for (const [index, { number, violation }] of violated.entries()) {
    const isInside = number >= least && number < first + drawn;
    if (!isInside) {
      expected(`violated[${index}].number`, `one from ${least} to ${first + drawn - 1}`, number);
    }
    const others = violated.slice(0, index).filter((one) => one.number === number);
    if (others.some((one) => propertyKey(one.violation) === propertyKey(violation))) {
      expected(`violated[${index}].violation.property`, "each property of a case once", number);
    }
    least = number;
  }
  const { unfinished, firstUnfinished, unsound, outcomes } = result;
  const { number } = firstUnfinished ?? { number: first };
  if (number < first || number >= first + cases) {
    expected("firstUnfinished.number", `one from ${first} to ${first + cases - 1}`, number);
  }
  const { features } = result;
  if ((features === undefined) !== (corpus === undefined)) {
    const [what, found] = corpus ? ["a map", "none"] : ["none", "a map"];
    throw new Error(`features: expected ${what}, found ${found}`);
  }
  for (const [name, number] of Object.entries(features ?? {})) {
    if (number >= first && number < first + drawn) continue;
    expected(`features.${name}`, `one from ${first} to ${first + drawn - 1}`, number);
  }
  for (const [place, times] of Object.entries({ unfinished, unsound, ...outcomes })) {
    if (times > drawn) expected(place, `at most the ${drawn} cases`, times);
  }
  return result;
}

/** Parses a shrunk case. Throws an Error that locates the problem. */
export function readFinding(
  value: unknown,
  { seed: of, ancestors, found }: Pick<ShrinkRequest, "seed" | "ancestors" | "found">,
): Finding {
  const shrunk = read(findingSchema, value);
  const [requested, answered] = [
    caseName(found.number, ancestors),
    caseName(shrunk.number, shrunk.ancestors),
  ];
  if (shrunk.seed !== of || requested !== answered) {
    throw new Error(
      `expected case ${requested} of seed ${of}, found case ${answered} of seed ${shrunk.seed}`,
    );
  }
  const { property } = found.violation;
  if (shrunk.violation.property !== property) {
    throw new Error(`violation.property: expected ${property}, found ${shrunk.violation.property}`);
  }
  return shrunk;
}

function read<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  const [{ path, message } = { path: [], message: "" }] = problemsOf(issues, []);
  throw new Error(path.length === 0 ? message : `${formatPath(path)}: ${message}`);
}
