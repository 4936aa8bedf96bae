/** What an outcome is, and what reaches it. */
export interface Reach {
  readonly words: string;
  /** What steps of a file reach it. */
  readonly by?: string;
  /** Why none do: where else it is found, or what keeps it from ever happening. */
  readonly never?: string;
}
