/** Search of families of scenarios, as used by the command line. */

import type { Shard } from "./flags.ts";
import type { ScenarioProblem } from "./scenario-problem.ts";

/** Searches. Methods reject with an Error that describes and locates the problem. */
export interface SearchLab {
  /** Number of concurrent threads. */
  readonly cores: number;
  /** Parses a file: returns all of its problems, or its family of cases. */
  check(text: string, file: string): readonly ScenarioProblem[] | SearchedFamily;
  /**
   * Problem with the cases that a checked file can draw, if only a run of it shows the problem;
   * undefined if there is none.
   */
  checkDraws(family: SearchedFamily): ScenarioProblem | undefined;
  run(
    families: readonly SearchedFamily[],
    how: SearchOptions,
    watch: SearchWatch,
  ): Promise<Searched>;
  /**
   * Runs jobs of search queues on some threads until the process is stopped. Rejects with an Error
   * if there is no queue, or it stays unreachable.
   * @returns number of completed jobs
   */
  serve(queue: string, jobs: number, say: (line: string) => void): Promise<number>;
  /**
   * Explores all continuations of a checked file. Rejects with an Error that says why it cannot.
   */
  explore(
    family: SearchedFamily,
    limits: { readonly steps: number; readonly states: number },
    onProgress: (progress: ExploreProgress) => void,
  ): Promise<Exploration>;
  /** The report in a text, or its problem. */
  readReport(
    text: string,
    file: string,
  ): { readonly report: SearchReport } | { readonly problems: readonly ScenarioProblem[] };
  /** True if a report contains a finding. */
  hasFound(report: SearchReport): boolean;
  /** Merges the reports of all parts of a search, or returns the reason why it cannot. */
  mergeReports(
    reports: readonly { readonly file: string; readonly report: SearchReport }[],
  ): { readonly report: SearchReport } | { readonly problems: readonly ScenarioProblem[] };
  /**
   * Computes the probability of a violated case's end at each point before it. Rejects with an
   * Error if no case is violated; `onFutures` reports the completed futures from all points.
   */
  noReturn(
    family: SearchedFamily,
    how: NoReturnOptions,
    onFutures: (done: number, of: number) => void,
  ): Promise<NoReturn>;
  /** Throws an Error if a report could not be written at that path now. */
  checkReport(path: string): void;
  writeReport(path: string, text: string): void;
  /** The paths of the scenarios stored in a folder, in order; a missing folder is created. */
  savedCases(folder: string): readonly string[];
  /** Stores a scenario under a name, replacing an earlier one; returns its path. */
  saveCase(folder: string, name: string, text: string): string;
}

export interface ExploreProgress {
  readonly states: number;
  readonly transitions: number;
  readonly step: number;
}

/** As `chainlab explore --json` prints it. */
export interface Exploration {
  readonly steps: number;
  /** Reason for its end: every path was followed, the limit of states was reached, or a signal. */
  readonly ended: "whole" | "states" | "interrupted";
  /** Number of steps up to which all states were explored. */
  readonly complete: number;
  readonly states: number;
  readonly transitions: number;
  readonly violating: number;
  readonly properties: readonly {
    readonly property: string;
    readonly kind: PropertyKind;
    readonly verdict: "holds" | "violated" | "reached" | "not reached" | "not asked";
    /** Number of steps to the violation or condition; no path is shorter. */
    readonly after?: number;
    readonly violation?: Finding["violation"];
    /** A scenario of this path. */
    readonly scenario?: string;
  }[];
}

/** A checked file. */
export interface SearchedFamily {
  readonly file: string;
  readonly text: string;
  readonly imports: Readonly<Record<string, string>>;
  readonly name: string;
}

export interface SearchOptions {
  readonly seed: number;
  /** Number of cases of each family; absent with a time limit. */
  readonly runs?: number;
  /** Time limit for all families together, in ms. */
  readonly forMs?: number;
  /** Threads of this process; ignored if workers of a queue do the work. */
  readonly jobs: number;
  /** The address of the Redis whose workers do the work. */
  readonly queue?: string;
  /** Timeout in ms without a worker at the queue. */
  readonly waitMs?: number;
  readonly all: boolean;
  readonly shard?: Shard;
  readonly guided: boolean;
  readonly plateau?: number;
}

export interface NoReturnOptions {
  readonly seed: number;
  /** The case; the first violated one among a number of cases if absent. */
  readonly number?: number;
  /** Ancestors of the case, if it is a mutant. */
  readonly ancestors?: readonly number[];
  readonly among: number;
  readonly futures: number;
  /** Number of threads. */
  readonly jobs: number;
}

/** As `--json` prints it. */
export interface NoReturn {
  readonly seed: number;
  readonly number?: number;
  readonly ancestors?: readonly number[];
  readonly violation: Finding["violation"];
  readonly scenario: string;
  readonly points: readonly PointOfStory[];
  readonly cliff?: number;
  readonly unavoidable?: number;
}

export interface PointOfStory {
  readonly height: number;
  readonly step: number;
  readonly rounds: number;
  readonly command: string;
  readonly ended: number;
  readonly futures: number;
}

export interface SearchWatch {
  onProgress(progress: SearchProgress): void;
  onFinding(finding: Finding, file: string): void;
  /** Reports a message about the queue to the user. */
  log(line: string): void;
}

export interface SearchProgress {
  readonly file: string;
  readonly cases: number;
  readonly of?: number;
  readonly violated: readonly ViolatedProperty[];
  readonly outcomes: Readonly<Record<string, number>>;
  readonly shrinking: number;
  /** Only for a guided search. */
  readonly guide?: {
    readonly features: number;
    readonly corpus: number;
    readonly generations: number;
    readonly quiet: number;
  };
  /** Since the start of the search. */
  readonly seconds: number;
}

export interface Searched {
  readonly report: SearchReport;
  readonly seconds: number;
  /** True if a signal ended it early. */
  readonly interrupted: boolean;
  /** Reason for its early end; absent if it completed. */
  readonly problem?: string;
}

/** As in report files and `--json`. */
export interface SearchReport {
  readonly search: 1;
  readonly seed: number;
  readonly runs?: number;
  readonly all: boolean;
  readonly shard?: Shard;
  readonly guided?: true;
  readonly plateau?: number;
  readonly families: readonly FamilyReport[];
}

export interface FamilyReport {
  readonly file: string;
  readonly name: string;
  readonly digest: string;
  readonly cases: number;
  readonly different?: number;
  readonly unfinished: number;
  readonly firstUnfinished?: {
    readonly number: number;
    readonly step: number;
    readonly message: string;
  };
  readonly unsound: number;
  readonly properties: readonly StatedProperty[];
  readonly violated: readonly ViolatedProperty[];
  readonly reached: readonly string[];
  readonly unreached: readonly string[];
  readonly unasked: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  readonly coverage?: {
    readonly features: Readonly<Record<string, number>>;
    readonly corpus: readonly (readonly number[])[];
    readonly generations: number;
    readonly quiet: number;
  };
  readonly findings: readonly Finding[];
}

export type PropertyKind = "always" | "never" | "eventually" | "sometimes" | "invariant" | "step";

export interface StatedProperty {
  readonly property: string;
  readonly kind: PropertyKind;
}

export interface ViolatedProperty extends StatedProperty {
  readonly cases: number;
  readonly first: number;
}

export interface Finding {
  readonly seed: number;
  readonly number: number;
  readonly ancestors?: readonly number[];
  readonly violation: {
    readonly property: string;
    readonly kind: PropertyKind;
    readonly height: number;
    readonly step?: number;
    readonly message: string;
  };
  readonly stepsBefore: number;
  readonly steps: readonly {
    readonly verb: string;
    readonly words: string;
    readonly height: number;
    readonly without: "holds" | "violated" | "not reached";
  }[];
  readonly scenario: string;
  readonly log: readonly { readonly words: string; readonly kept: boolean }[];
  readonly counterfactual?: { readonly words: string; readonly scenario: string };
}
