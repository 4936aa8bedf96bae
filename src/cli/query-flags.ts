/** Flags of `chainlab query` by the request fields that they set. */

/** Field of a page request by its flag. */
export const PAGE_FIELDS = {
  limit: "limit",
  offset: "offset",
  pageKey: "key",
  countTotal: "count_total",
  reverse: "reverse",
} as const;

/** A field's name as a flag's: `proposalStatus`, and `aWorld` for a field of a nested message. */
export const camel = (field: string): string =>
  field.replace(/[_.]([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `totalSupply` as typed: `total-supply`. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
