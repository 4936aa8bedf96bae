/** True if texts are equal when the types in them may be under either root (rules/clients 1.1). */
export const sameText = (one: string, other: string): boolean =>
  one === other || underOwnRoot(one) === underOwnRoot(other);

/** A text in which every type has the chain's own name. */
export const underOwnRoot = (text: string): string => text.replaceAll("/cosmos.", "/chain.");

/** A difference between found and expected values. */
export interface Mismatch {
  /** E.g. `pagination.total` or `evidence[0].height`. */
  readonly path: string;
  readonly expected: unknown;
  /** Undefined if it is missing. */
  readonly found: unknown;
}

/**
 * Subset match: every expected key must exist and match, further keys are ignored; lists are
 * compared by index and may be longer than expected, but an empty list matches only an empty one.
 * Returns the first mismatch, or undefined.
 */
export function firstMismatch(expected: unknown, found: unknown, path = ""): Mismatch | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || (expected.length === 0 && found.length > 0)) {
      return { path, expected, found };
    }
    return first(expected.entries(), ([index, item]) =>
      firstMismatch(item, found[index], `${path}[${index}]`),
    );
  }
  if (isObject(expected)) {
    if (!isObject(found)) return { path, expected, found };
    return first(Object.entries(expected), ([key, item]) =>
      firstMismatch(item, found[key], path === "" ? key : `${path}.${key}`),
    );
  }
  const same =
    typeof expected === "string" && typeof found === "string"
      ? sameText(expected, found)
      : Object.is(expected, found);
  return same ? undefined : { path, expected, found };
}

function first<T>(
  items: Iterable<T>,
  look: (item: T) => Mismatch | undefined,
): Mismatch | undefined {
  for (const item of items) {
    const mismatch = look(item);
    if (mismatch) return mismatch;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Formats a value for a message, shortened if long. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 297)}…` : text;
}
