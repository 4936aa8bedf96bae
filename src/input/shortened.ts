/** A text of so many characters at most, with `…` for what is cut off. Of a surrogate pair no half is left at the end. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
