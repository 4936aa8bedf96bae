/** An edit of the list; positions are those in the list, including disabled steps. */
export type Edit =
  | { readonly kind: "move"; readonly at: number; readonly to: number }
  | { readonly kind: "remove" | "duplicate" | "disable" | "enable"; readonly at: number }
  /** Inserts a step in JSON or YAML before a position, or replaces the one there. */
  | { readonly kind: "insert" | "replace"; readonly at: number; readonly json: string }
  /** Removes everything from a position on, so that a run ends there. */
  | { readonly kind: "cut"; readonly at: number };
