/** A problem in a scenario file, with its position. */
export interface ScenarioProblem {
  readonly file: string;
  readonly path: string;
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}
