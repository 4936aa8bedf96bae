/** Description of an outcome, and the steps that reach it. */
export interface Reach {
  readonly words: string;
  /** Steps of a file that reach it. */
  readonly by?: string;
  /** Reason why none do: where else it occurs, or why it never happens. */
  readonly never?: string;
}
