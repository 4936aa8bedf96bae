/**
 * Batches whose results follow from their numbers, so that the answers of a queue can be checked.
 */
import type {
  Batch,
  BatchResult,
  CaseWorkers,
  Finding,
  ShrinkRequest,
} from "../../scenario/search/search.ts";

export const BUILD = "0123456789abcdef0123";

export const batchFrom = (first: number, count = 100): Batch => ({
  family: { file: "family.yaml", text: "name: family", imports: {} },
  seed: 7,
  first,
  count,
  untilFirst: false,
});

/** Every thirteenth case is violated. */
export function resultOf({ first, count }: Batch): BatchResult {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  return {
    first,
    count,
    violated: numbers.filter((number) => number % 13 === 0).map(violated),
    unfinished: 0,
    unsound: 0,
    reached: ["an upgrade"],
    asked: ["honest"],
    outcomes: { "proposal/passed": count },
  };
}

export const violated = (number: number) => ({
  number,
  violation: {
    property: "honest",
    kind: "never" as const,
    height: number + 1,
    message: `found in case ${number}`,
  },
});

export const findingOf = ({ seed, found }: ShrinkRequest): Finding => ({
  seed,
  number: found.number,
  violation: found.violation,
  stepsBefore: 9,
  steps: [{ verb: "run", words: "run 3", height: 3, without: "holds" }],
  scenario: "scenario: 1\nname: shrunk\nsteps: [{ run: 3 }]\n",
  log: [{ words: "left step 2 out", kept: true }],
});

/** Workers that record their jobs. */
export class NotedCases implements CaseWorkers {
  readonly size: number;
  readonly done: number[] = [];

  constructor(size = 2) {
    this.size = size;
  }

  async run(batch: Batch): Promise<BatchResult> {
    this.done.push(batch.first);
    return resultOf(batch);
  }

  async shrink(request: ShrinkRequest): Promise<Finding> {
    return findingOf(request);
  }

  async close(): Promise<void> {}
}
