import type { PropertyKind, Violation } from "../properties/violation.ts";

/**
 * Data of a search. All of it is plain: it is sent to threads, to a page's workers, through queues
 * and into files.
 */

/** A scenario file with its imports, so that it can be parsed without a file system. */
export interface FamilyFile {
  readonly file: string;
  readonly text: string;
  /** Texts by the paths in the file. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Ancestors of a mutated case: their numbers; the first is a drawn case, each other one a mutation
 * of the previous one. A case follows from these, its own number and the seed.
 */
export type Ancestors = readonly number[];

/**
 * Consecutive cases of a family. A number and a seed define the same case everywhere, so results do
 * not depend on the worker.
 */
export interface Batch {
  readonly family: FamilyFile;
  readonly seed: number;
  /** Number of the first case. */
  readonly first: number;
  readonly count: number;
  /** True if it ends with the first violated case. */
  readonly untilFirst: boolean;
  /**
   * In a coverage-guided search, the earlier cases with new coverage, each as its ancestors and its
   * own number: some of the batch's cases are mutations of them.
   */
  readonly corpus?: readonly Ancestors[];
}

export type { PropertyKind, Violation };

export interface ViolatedCase {
  readonly number: number;
  readonly violation: Violation;
}

/** A case that ended at a failed step. */
export interface UnfinishedCase {
  readonly number: number;
  /** Index of the step, from 0. */
  readonly step: number;
  /** Reason of the failure. */
  readonly message: string;
}

export interface BatchResult {
  readonly first: number;
  /**
   * Number of cases drawn: fewer than requested if it ended with a violated one, or was stopped.
   */
  readonly count: number;
  /** Ordered by number. */
  readonly violated: readonly ViolatedCase[];
  /** Number of cases that ended at a failed step, with every property satisfied so far. */
  readonly unfinished: number;
  /** The first of them. */
  readonly firstUnfinished?: UnfinishedCase;
  /**
   * Number of draws that are not a valid scenario, such as one that lacks a referenced step: they
   * did not run.
   */
  readonly unsound: number;
  /** Names of the `sometimes` properties that were satisfied in some case. */
  readonly reached: readonly string[];
  /**
   * Names of the properties with a result in some case: they were evaluated, and their rounds were
   * over.
   */
  readonly asked: readonly string[];
  /** Number of cases by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** In a coverage-guided search: the number of the first case without a violation, by feature. */
  readonly features?: Readonly<Record<string, number>>;
}

/** One violated case, to be shrunk. */
export interface ShrinkRequest {
  readonly family: FamilyFile;
  readonly seed: number;
  /** Ancestors of the case, if it is a mutant. */
  readonly ancestors?: Ancestors;
  readonly found: ViolatedCase;
}

/** The shortest story found that violates a property. */
export interface Finding {
  readonly seed: number;
  readonly number: number;
  /** Ancestors of the case, if it is a mutant. */
  readonly ancestors?: Ancestors;
  /** As in the shrunk scenario. */
  readonly violation: Violation;
  /** Number of steps in the original case, and the remaining steps. */
  readonly stepsBefore: number;
  readonly steps: readonly NeededStep[];
  /**
   * An ordinary scenario file, in YAML, that fails with this violation and passes once it is fixed.
   */
  readonly scenario: string;
  /** Attempts in order. */
  readonly log: readonly ShrinkStep[];
  /** The nearest case that holds; absent if every neighbour is violated too. */
  readonly counterfactual?: Counterfactual;
}

export interface NeededStep {
  readonly verb: string;
  readonly words: string;
  /** The chain's height at the end of the step. */
  readonly height: number;
  /** Result of the case without this step. */
  readonly without: "holds" | "violated" | "not reached";
}

export interface ShrinkStep {
  readonly words: string;
  /** True if the property was still violated, so that the change was accepted. */
  readonly kept: boolean;
}

export interface Counterfactual {
  /** Such as: had val-2 kept priv_validator_state.json, the property would have held. */
  readonly words: string;
  readonly scenario: string;
}

/**
 * Runs the jobs of a search: in this thread, in others, in a page's workers, or through a queue.
 */
export interface CaseWorkers {
  /** Maximum number of concurrent batches. */
  readonly size: number;
  /** @param isOver returns true if no other case should start; polled if the work is local */
  run(batch: Batch, isOver?: () => boolean): Promise<BatchResult>;
  shrink(request: ShrinkRequest): Promise<Finding>;
  /** Cancels all running jobs. */
  close(): Promise<void>;
}
