import type { PropertyKind, Violation } from "../scenario/properties/violation.ts";

/**
 * Data of a search. All of it is plain: it is sent to threads, to a page's workers, through queues
 * and into files.
 */

/** A scenario file with the files that it imports, so that it can be read where there are no files. */
export interface FamilyFile {
  readonly file: string;
  readonly text: string;
  /** Texts by the paths that the file gives. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Of a case that is a mutation of another one: the numbers of those that it descends from, the first of them drawn, each
 * other one a mutation of the one before. A case follows from these, its own number and the seed.
 */
export type Ancestors = readonly number[];

/** Some of a family's cases. A number and a seed give the same case everywhere, so results do not depend on who runs it. */
export interface Batch {
  readonly family: FamilyFile;
  readonly seed: number;
  /** Number of the first case. */
  readonly first: number;
  readonly count: number;
  /** True if it ends with the first violated case. */
  readonly untilFirst: boolean;
  /**
   * Of a coverage-guided search, the cases that reached something new before these, each as its ancestors and its own
   * number: some of the batch's cases are mutations of them.
   */
  readonly corpus?: readonly Ancestors[];
}

export type { PropertyKind, Violation };

export interface ViolatedCase {
  readonly number: number;
  readonly violation: Violation;
}

/** A case that ended at a step that could not be done. */
export interface UnfinishedCase {
  readonly number: number;
  /** From 0. */
  readonly step: number;
  /** Why it could not be done. */
  readonly message: string;
}

export interface BatchResult {
  readonly first: number;
  /**
   * Number of cases drawn: fewer than requested if it ended with a violated one, or was stopped.
   */
  readonly count: number;
  /** In the order of their numbers. */
  readonly violated: readonly ViolatedCase[];
  /** Number of cases that ended at a step that failed, with every property held so far. */
  readonly unfinished: number;
  /** The first of them. */
  readonly firstUnfinished?: UnfinishedCase;
  /**
   * Number of draws that are no valid scenario, such as one without a step whose result another
   * step names: they did not run.
   */
  readonly unsound: number;
  /** Names of the properties under `sometimes` that were true in some case. */
  readonly reached: readonly string[];
  /** Names of the properties of which some case says something: they could be asked, and their rounds were over. */
  readonly asked: readonly string[];
  /** In how many cases each outcome was reached, by its name. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of a coverage-guided search: by what was reached in cases without a violation, the number of the first of them. */
  readonly features?: Readonly<Record<string, number>>;
}

/** One violated case, to be made small. */
export interface ShrinkRequest {
  readonly family: FamilyFile;
  readonly seed: number;
  /** Of a case that is a mutation. */
  readonly ancestors?: Ancestors;
  readonly found: ViolatedCase;
}

/** The shortest story that was found in which a property does not hold. */
export interface Finding {
  readonly seed: number;
  readonly number: number;
  /** Of a case that is a mutation. */
  readonly ancestors?: Ancestors;
  /** As it is in the shrunk scenario. */
  readonly violation: Violation;
  /** Number of steps in the original case, and the remaining steps. */
  readonly stepsBefore: number;
  readonly steps: readonly NeededStep[];
  /** An ordinary scenario file, YAML, that fails by this violation and passes once it is gone. */
  readonly scenario: string;
  /** Attempts in their order. */
  readonly log: readonly ShrinkStep[];
  /** The nearest case that holds; absent if every neighbour is violated too. */
  readonly counterfactual?: Counterfactual;
}

export interface NeededStep {
  readonly verb: string;
  readonly words: string;
  /** The chain's height when the step had ended. */
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

/** Does the work of a search somewhere: in this thread, in others, in a page's workers, or through a queue. */
export interface CaseWorkers {
  /** Maximum number of batches under way at once. */
  readonly size: number;
  /** @param isOver whether no other case is to begin, asked now and then where the work is near */
  run(batch: Batch, isOver?: () => boolean): Promise<BatchResult>;
  shrink(request: ShrinkRequest): Promise<Finding>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}
