/** An edit of the list; positions are those in the list, including disabled steps. */
export type Edit =
  | { readonly kind: "move"; readonly at: number; readonly to: number }
  | { readonly kind: "remove" | "duplicate" | "disable" | "enable"; readonly at: number }
  /** Puts a step in JSON, or YAML, before a position, or in the place of one. */
  | { readonly kind: "insert" | "replace"; readonly at: number; readonly json: string }
  /** Keeps only what is above a position, so that a run ends there. */
  | { readonly kind: "cut"; readonly at: number };
