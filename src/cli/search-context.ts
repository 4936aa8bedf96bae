/** Search of families of scenarios, as used by the command line. */

import type { Shard } from "./flags.ts";
import type { ScenarioProblem } from "./scenario-problem.ts";

/** Searches. Methods reject with an Error that says what is wrong, with its place. */
export interface SearchLab {
  /** Number of threads that can work at once here. */
  readonly cores: number;
  /** Reads a file's text: all that is wrong with it, or the family of cases that it stands for. */
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
   * Does the work of searches that is in a queue, with so many threads, until the process is told to end. Rejects with
   * an Error if there is no queue, or it stays away.
   * @returns how many jobs were done
   */
  serve(queue: string, jobs: number, say: (line: string) => void): Promise<number>;
  /** Follows every way in which a checked file can go on. Rejects with an Error that says why it cannot. */
  explore(
    family: SearchedFamily,
    limits: { readonly steps: number; readonly states: number },
    onProgress: (progress: ExploreProgress) => void,
  ): Promise<Exploration>;
  /** The report that a text holds, or what is wrong with it. */
  readReport(
    text: string,
    file: string,
  ): { readonly report: SearchReport } | { readonly problems: readonly ScenarioProblem[] };
  /** True if a report contains a finding. */
  hasFound(report: SearchReport): boolean;
  /** The report of a whole search from those of its parts, or why they are not that. */
  mergeReports(
    reports: readonly { readonly file: string; readonly report: SearchReport }[],
  ): { readonly report: SearchReport } | { readonly problems: readonly ScenarioProblem[] };
  /**
   * Computes how likely the end of a violated case was at each point before it. Rejects with an
   * Error if no case is violated; `onFutures` is called as futures have run from all points.
   */
  noReturn(
    family: SearchedFamily,
    how: NoReturnOptions,
    onFutures: (done: number, of: number) => void,
  ): Promise<NoReturn>;
  /** Throws an Error if a report could not be written there now. */
  checkReport(path: string): void;
  writeReport(path: string, text: string): void;
  /** The paths of the scenarios that a folder keeps, in order; a folder that is not there is made. */
  kept(folder: string): readonly string[];
  /** Keeps a scenario under a name, in the place of the one kept there before; its path. */
  keep(folder: string, name: string, text: string): string;
}

export interface ExploreProgress {
  readonly states: number;
  readonly transitions: number;
  readonly step: number;
}

/** As `chainlab explore --json` prints it. */
export interface Exploration {
  readonly steps: number;
  /** Reason for its end: every way was followed, the limit of states was reached, or a signal. */
  readonly ended: "whole" | "states" | "interrupted";
  /** Up to how many steps all states were followed. */
  readonly complete: number;
  readonly states: number;
  readonly transitions: number;
  readonly violating: number;
  readonly properties: readonly {
    readonly property: string;
    readonly kind: PropertyKind;
    readonly verdict: "holds" | "violated" | "reached" | "not reached" | "not asked";
    /** After how many steps it was violated or reached; no way is shorter. */
    readonly after?: number;
    readonly violation?: Finding["violation"];
    /** A scenario that goes this way. */
    readonly scenario?: string;
  }[];
}

/** A file that has been checked. */
export interface SearchedFamily {
  readonly file: string;
  readonly text: string;
  readonly imports: Readonly<Record<string, string>>;
  readonly name: string;
}

export interface SearchOptions {
  readonly seed: number;
  /** Number of cases of each family; absent if a time decides. */
  readonly runs?: number;
  /** Milliseconds for all families together. */
  readonly forMs?: number;
  /** Threads of this process; of no matter where workers of a queue do the work. */
  readonly jobs: number;
  /** The address of the Redis whose workers do the work. */
  readonly queue?: string;
  /** Milliseconds after which it is given up where no worker serves the queue. */
  readonly waitMs?: number;
  readonly all: boolean;
  readonly shard?: Shard;
  readonly guided: boolean;
  readonly plateau?: number;
}

export interface NoReturnOptions {
  readonly seed: number;
  /** The case; the first violated one of so many unless given. */
  readonly number?: number;
  /** The cases that it descends from, of one that is a mutation. */
  readonly ancestors?: readonly number[];
  readonly among: number;
  readonly futures: number;
  /** Threads. */
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
  /** Something about the queue that a person is to know. */
  say(line: string): void;
}

export interface SearchProgress {
  readonly file: string;
  readonly cases: number;
  readonly of?: number;
  readonly violated: readonly ViolatedProperty[];
  readonly outcomes: Readonly<Record<string, number>>;
  readonly shrinking: number;
  /** Of a guided search. */
  readonly guide?: {
    readonly features: number;
    readonly corpus: number;
    readonly generations: number;
    readonly quiet: number;
  };
  /** Since the search began. */
  readonly seconds: number;
}

export interface Searched {
  readonly report: SearchReport;
  readonly seconds: number;
  /** True if a signal ended it early. */
  readonly interrupted: boolean;
  /** Why it ended before its time; absent if it did not. */
  readonly problem?: string;
}

/** As report files and `--json` hold it. */
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
  /** The properties that the file states. */
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
