/** Splits a command line into words, with a shell's rules. */

/** A parsed line, which may end within a word. */
export interface ReadLine {
  readonly words: readonly string[];
  /** Offset of the last word in the line; the line's length if a new word would start. */
  readonly lastAt: number;
  /** The last word so far; empty if a new one would start. */
  readonly last: string;
  /** The unclosed quote at the end. */
  readonly open: string;
}

/** Splits a line at blanks; '…', "…" and \ quote. */
export function readLine(line: string): ReadLine {
  const words: string[] = [];
  let word = "";
  let start = -1;
  let open = "";
  for (let i = 0; i < line.length; i++) {
    const at = line[i] ?? "";
    const isBlank = open === "" && /\s/.test(at);
    if (isBlank && start >= 0) words.push(word);
    if (isBlank) {
      word = "";
      start = -1;
      continue;
    }
    if (start < 0) start = i;
    if (open === "" && (at === "'" || at === '"')) open = at;
    else if (at === open) open = "";
    else if (at === "\\" && open !== "'" && i + 1 < line.length) word += line[++i];
    else word += at;
  }
  if (start >= 0) words.push(word);
  return { words, lastAt: start < 0 ? line.length : start, last: start < 0 ? "" : word, open };
}
