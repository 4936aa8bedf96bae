/** Description of an outcome, and the steps that reach it. */
export interface Reach {
  readonly words: string;
  /** Steps of a file that reach it. */
  readonly by?: string;
  /** Why none do: where else it is found, or what keeps it from ever happening. */
  readonly never?: string;
}
