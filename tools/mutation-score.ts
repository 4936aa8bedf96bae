/** Results of a mutation run: the score of each file, and the mutants that no test killed. */

export interface Mutant {
  /** Path from the repository root, with forward slashes. */
  file: string;
  line: number;
  /** Stryker's word. */
  status: string;
  mutator: string;
  replacement: string;
}

export interface Score {
  file: string;
  killed: number;
  /** Those tried: not counted are the ones ignored and those that do not compile. */
  tried: number;
}

const KILLED = ["Killed", "Timeout"];
const SURVIVED = ["Survived", "NoCoverage"];

export function scoresByFile(mutants: readonly Mutant[]): Score[] {
  const files = [...new Set(mutants.map(({ file }) => file))].sort();
  return files.map((file) => {
    const own = mutants.filter((mutant) => mutant.file === file);
    const killed = own.filter(({ status }) => KILLED.includes(status)).length;
    const survived = own.filter(({ status }) => SURVIVED.includes(status)).length;
    return { file, killed, tried: killed + survived };
  });
}

/** The survivors with line and change, in the order of the source, and a line of scores for each file. */
export function mutationReport(mutants: readonly Mutant[]): string {
  const survivors = mutants
    .filter(({ status }) => SURVIVED.includes(status))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
    .map(({ file, line, status, mutator, replacement }) => {
      const untested = status === "NoCoverage" ? " (no test reaches it)" : "";
      return `${file}:${line}  ${mutator} → ${replacement.replace(/\s+/g, " ")}${untested}`;
    });
  const scores = scoresByFile(mutants).map(
    ({ file, killed, tried }) => `${file}: ${percent(killed, tried)} (${killed} of ${tried})`,
  );
  return [...survivors, "", ...scores].join("\n");
}

/**
 * Updates the document's table of mutation scores: a file's row is replaced, but for its last
 * cell, which people write; a new one is added in the order of the paths.
 */
export function withScores(document: string, scores: readonly Score[]): string {
  const lines = document.split("\n");
  const head = lines.findIndex((line) => /^\| File \| Score \|/.test(line));
  if (head < 0) throw new Error("no table that begins with | File | Score |");
  const end = lines.findIndex((line, at) => at > head && !line.startsWith("|"));
  const after = end < 0 ? lines.length : end;
  const rows = new Map(lines.slice(head + 2, after).map((row) => [cells(row)[0], row]));
  for (const { file, killed, tried } of scores) {
    const name = `\`${file}\``;
    const judged = cells(rows.get(name) ?? "")[3] ?? "";
    const row = [name, percent(killed, tried), `${tried - killed} of ${tried}`, judged];
    rows.set(name, `| ${row.join(" | ")} |`.replace(/ {2}\|$/, " |"));
  }
  const sorted = [...rows].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return [...lines.slice(0, head + 2), ...sorted, ...lines.slice(after)].join("\n");
}

function cells(row: string): string[] {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function percent(killed: number, tried: number): string {
  return tried === 0 ? "–" : `${Math.floor((100 * killed) / tried)} %`;
}
