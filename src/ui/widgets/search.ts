import { count } from "./format.ts";

/** True if a text has every word of the query, in any order and case. */
export function matches(text: string, query: string): boolean {
  const low = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}

/** `3 of 120`, and for all `120`. */
export const found = (shown: number, all: number): string =>
  shown === all ? count(all) : `${count(shown)} of ${count(all)}`;

const sorting = new Intl.Collator("en", { numeric: true });

/** Natural sort order of names: val-2 before val-10. */
export const byName = (a: string, b: string): number => sorting.compare(a, b);
