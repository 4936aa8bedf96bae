/** Progress of a search, as a table on the last lines of a terminal; no output elsewhere. */
import { shortened } from "../base/shortened.ts";
import { visibleText } from "../base/visible-text.ts";
import type { Screen } from "./context.ts";
import type { SearchProgress } from "./search-context.ts";

/** Maximum listed properties. */
const LISTED = 5;

export class SearchTable {
  readonly #screen: Screen;
  /** Number of its lines on the screen. */
  #lines = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(progress: SearchProgress): void {
    const { columns } = this.#screen;
    if (columns === undefined) return;
    const lines = tableLines(progress).map((line) => shortened(visibleText(line), columns - 1));
    this.#screen.raw(`${this.#clearing()}${lines.join("\n")}`);
    this.#lines = lines.length;
  }

  hide(): void {
    if (this.#screen.columns !== undefined) this.#screen.raw(this.#clearing());
    this.#lines = 0;
  }

  /** Moves the cursor to its start, and clears the rest of the screen. */
  #clearing(): string {
    const up = this.#lines > 1 ? `\u001b[${this.#lines - 1}A` : "";
    return `\r${up}\u001b[J`;
  }
}

function tableLines(progress: SearchProgress): readonly string[] {
  const { file, cases, of, violated, shrinking, outcomes, guide, seconds } = progress;
  const pace = seconds >= 1 ? `, ${Math.round(cases / seconds)} a second` : "";
  const rows: (readonly [string, string])[] = [
    ["cases", `${cases}${of === undefined ? "" : ` of ${of}`}${pace}`],
    ["outcomes", `${Object.keys(outcomes).length}`],
  ];
  if (guide) {
    const { features, corpus, generations, quiet } = guide;
    const still =
      quiet === 0 ? "" : `, nothing new in the last ${quiet === 1 ? "one" : `${quiet} of them`}`;
    rows.push(["features", `${features}, reached first by the ${corpus} cases of the corpus`]);
    rows.push(["generations", `${generations}${still}`]);
  }
  for (const { kind, property, cases: times, first } of violated.slice(0, LISTED)) {
    rows.push([
      "violated",
      `${kind} “${property}”: ${times} case${times === 1 ? "" : "s"}, the first is case ${first}`,
    ]);
  }
  if (violated.length > LISTED) {
    rows.push(["", `and ${violated.length - LISTED} other properties`]);
  }
  if (shrinking > 0) rows.push(["shrinking", `${shrinking} finding${shrinking === 1 ? "" : "s"}`]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [file, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)];
}
