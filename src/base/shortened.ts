/**
 * Limits a text to a number of characters, with `…` for the rest. Never splits a surrogate pair.
 */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
