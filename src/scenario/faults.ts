/** What is wrong with a scenario file, and where. */
export interface Fault {
  readonly file: string;
  /** E.g. `steps[3].run.to`; empty for the file as a whole. */
  readonly path: string;
  /** Line in the file, from 1. */
  readonly line: number;
  /** What was expected. */
  readonly message: string;
}
