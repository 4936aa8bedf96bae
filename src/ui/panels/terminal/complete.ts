/** Completion of a command line. */
import { readLine } from "./words.ts";

export interface Completed {
  readonly text: string;
  /** Candidates for the last word, if there is more than one. */
  readonly ways: readonly string[];
}

/** @param proposed complete words that may replace the last word of the line */
export function completed(text: string, proposed: readonly string[]): Completed {
  const { last, lastAt } = readLine(text);
  const ways = [...new Set(proposed)].filter((word) => word.startsWith(last)).sort();
  const common = ways.reduce((one, other) => {
    let length = 0;
    while (length < one.length && one[length] === other[length]) length += 1;
    return one.slice(0, length);
  }, ways[0] ?? "");
  if (ways.length === 1) return { text: `${text.slice(0, lastAt)}${common} `, ways: [] };
  if (common.length > last.length) return { text: text.slice(0, lastAt) + common, ways: [] };
  return { text, ways };
}

/** Arranges words in as many columns as fit. */
export function inColumns(words: readonly string[], columns: number): string {
  const width = Math.max(...words.map(({ length }) => length), 0) + 2;
  const beside = Math.max(1, Math.floor(columns / width));
  const rows = Math.ceil(words.length / beside);
  return Array.from({ length: rows }, (_, row) =>
    words
      .filter((_, i) => i % rows === row)
      .map((word) => word.padEnd(width))
      .join("")
      .trimEnd(),
  ).join("\n");
}
