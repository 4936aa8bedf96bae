/** Runs a batch of a family's cases in sequence. */
import { errorText } from "../../base/error-text.ts";
import { caseOf } from "./draw.ts";
import { type Family, readFamily } from "./family.ts";
import { featuresOf, featuresOfRun } from "./features.ts";
import { ancestorsOf, caseName, choicesOfCase } from "./lineage.ts";
import { outcomesOf } from "./outcomes.ts";
import { readCase, runCase } from "./run-case.ts";
import type {
  Ancestors,
  Batch,
  BatchResult,
  FamilyFile,
  UnfinishedCase,
  ViolatedCase,
} from "./search.ts";

/**
 * Runs the cases; the result does not depend on the machine. Throws an Error if the family's file
 * is invalid.
 * @param isOver called after each case; true stops before the next one
 */
export function runBatch(batch: Batch, isOver: () => boolean = () => false): BatchResult {
  const running = runCases(batch);
  for (let ends = false; ; ends = isOver()) {
    const { done, value } = running.next(ends);
    if (done) return value;
  }
}

/** The same, yielding after each case; sending true stops before the next one. */
export function* runCases({
  family: file,
  seed,
  first,
  count: most,
  untilFirst,
  corpus,
}: Batch): Generator<void, BatchResult, boolean> {
  const family = soundFamily(file);
  const violated: ViolatedCase[] = [];
  const reached = new Set<string>();
  const evaluated = new Set<string>();
  const outcomes: Record<string, number> = {};
  const count = (found: Readonly<Record<string, number>>): void => {
    for (const name of Object.keys(found)) outcomes[name] = (outcomes[name] ?? 0) + 1;
  };
  const features: Record<string, number> = {};
  let done = 0;
  let inconclusive = 0;
  let invalid = 0;
  let firstInconclusive: UnfinishedCase | undefined;
  for (let ends = false; !ends; ends = yield) {
    if (done >= most || (untilFirst && violated.length > 0)) break;
    const number = first + done;
    done += 1;
    const ancestors = ancestorsOf(seed, number, corpus);
    let found: readonly string[] = [];
    const run = ofCase({ number, seed, ancestors }, () => {
      const choices = choicesOfCase(family, seed, number, ancestors);
      const scenario = readCase(caseOf(family, choices).value);
      return (
        scenario &&
        runCase(scenario, {
          endsBy: () => untilFirst,
          onEnd(context) {
            count(outcomesOf(context.sim));
            if (corpus !== undefined) found = featuresOf(context);
          },
        })
      );
    });
    if (run === undefined) {
      invalid += 1;
      continue;
    }
    for (const name of run.reached) reached.add(name);
    for (const name of run.asked) evaluated.add(name);
    if (run.unfinished) {
      inconclusive += 1;
      firstInconclusive ??= { number, ...run.unfinished };
    }
    for (const violation of run.violations) violated.push({ number, violation });
    // Cases near a violated one are violated in the same way: it is not a basis for mutations.
    if (run.violations.length > 0) continue;
    for (const name of [...found, ...featuresOfRun(run)]) features[name] ??= number;
  }
  return {
    ...{ first, count: done, violated, unfinished: inconclusive, unsound: invalid, outcomes },
    ...(firstInconclusive && { firstUnfinished: firstInconclusive }),
    reached: [...reached],
    asked: [...evaluated],
    ...(corpus !== undefined && { features }),
  };
}

/**
 * Runs a function for a case. Adds the case to the message of an error, so that it can be run
 * again.
 */
export function ofCase<T>(
  {
    number,
    seed,
    ancestors,
  }: { readonly number: number; readonly seed: number; readonly ancestors?: Ancestors | undefined },
  run: () => T,
): T {
  try {
    return run();
  } catch (error) {
    throw new Error(`case ${caseName(number, ancestors)} of seed ${seed}: ${errorText(error)}`);
  }
}

/** The family parsed last: a thread gets many batches of one. */
let latest: { readonly file: FamilyFile; readonly family: Family } | undefined;

/** The family of a previously validated file. Throws an Error if it is invalid. */
export function soundFamily(file: FamilyFile): Family {
  if (latest !== undefined && isSame(latest.file, file)) return latest.family;
  const read = readFamily(file);
  if ("problems" in read) {
    const [{ path, message } = { path: "", message: "it is not sound" }] = read.problems;
    throw new Error(`${file.file}: ${path === "" ? "" : `${path}: `}${message}`);
  }
  latest = { file, family: read.family };
  return read.family;
}

function isSame(a: FamilyFile, b: FamilyFile): boolean {
  if (a.file !== b.file || a.text !== b.text) return false;
  const names = Object.keys(a.imports);
  return (
    names.length === Object.keys(b.imports).length &&
    names.every((name) => a.imports[name] === b.imports[name])
  );
}
