/** What a benchmark found: one object for programs, a table for people. */
export interface Report {
  readonly json: object;
  readonly table: string;
}

export interface Bench {
  readonly summary: string;
  /** Its own options, a line each. */
  readonly options: string;
  /** Says on stderr what it is doing. Throws UsageError for arguments it does not know. */
  run(args: readonly string[]): Promise<Report>;
}

/** The command line makes no sense; the message says what does. */
export class UsageError extends Error {}
