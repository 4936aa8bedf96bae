/** What is wrong with a scenario file, and where. */
export interface ScenarioProblem {
  readonly file: string;
  readonly path: string;
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}
