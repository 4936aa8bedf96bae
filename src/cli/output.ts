/** Output of scenario runs: text lines, JSON and JUnit XML. */
import { visibleJson } from "../base/visible-json.ts";
import { visibleText } from "../base/visible-text.ts";
import type { ScenarioOutline, ScenarioReport, Screen } from "./context.ts";
import type { ScenarioProblem } from "./scenario-problem.ts";

/**
 * A problem in a format that editors and terminals make clickable: `file:line`, or
 * `file:line:column`.
 */
export const problemLine = ({ file, line, column, path, message }: ScenarioProblem): string =>
  `${file}:${line}${column === undefined ? "" : `:${column}`}: ${path === "" ? "" : `${path}: `}${message}\n`;

/** One line per step; for a failed one also the expected and found values. */
export function reportLines(
  report: ScenarioReport,
  outline: ScenarioOutline,
  columns: number | undefined,
): string {
  const { name, seed, file, steps, ok, height, app_hash: appHash } = report;
  const verbs = Math.max(...outline.steps.map(({ verb }) => verb.length), 0);
  const heights = String(height).length;
  const lines = [`${name}, seed ${seed}: ${outline.title}`];
  for (const step of steps) {
    const note = outline.steps[step.index]?.note?.replace(/\s+/g, " ").trim() ?? "";
    const line = `  ${step.ok ? "✓" : "✗"} ${String(step.index).padStart(2)} ${step.verb.padEnd(verbs)}  height ${String(step.height).padStart(heights)}  ${note}`;
    lines.push(truncate(line.trimEnd(), columns));
    for (const reason of step.explanation ?? []) lines.push(`        ${reason}`);
    if (!step.ok) {
      lines.push(`       ${step.path === undefined ? "" : `${step.path}: `}${step.message}`);
      lines.push(`       in ${file}, steps[${step.index}], at height ${step.height}`);
    }
  }
  for (const { property, kind, message, step } of report.violations) {
    if (step === undefined) lines.push(`  ✗ ${kind} ${property}`, `       ${message}`);
  }
  for (const name of report.unasked) {
    const isLate = outline.properties.some((one) => one.name === name && one.kind === "eventually");
    lines.push(
      isLate
        ? `  · ${name}: it was not true, and its rounds were not over`
        : `  · ${name}: at no time of the run was there anything to ask`,
    );
  }
  const left = outline.steps.length - steps.length;
  const rest = left > 0 ? `, ${left} step${left === 1 ? "" : "s"} not run` : "";
  lines.push(
    `  ${ok ? "passed" : "failed"} at height ${height}, app hash ${appHash.slice(0, 16)}…${rest}`,
  );
  return `${lines.join("\n")}\n\n`;
}

const truncate = (line: string, columns: number | undefined): string =>
  columns !== undefined && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;

export function summary(reports: readonly ScenarioReport[]): { passed: number; failed: number } {
  const passed = reports.filter(({ ok }) => ok).length;
  return { passed, failed: reports.length - passed };
}

export const toJson = (reports: readonly ScenarioReport[]): string =>
  printedJson({ scenarios: reports, ...summary(reports) });

/** A value as one line of JSON, or as several indented ones. */
export const printedJson = (value: unknown, indent = 0): string =>
  `${visibleJson(JSON.stringify(value, null, indent))}\n`;

/**
 * A suite per run, a case per step, per property and per violated invariant; unreached ones are
 * skipped.
 */
export function toJunit(
  runs: readonly { readonly report: ScenarioReport; readonly outline: ScenarioOutline }[],
): string {
  const suites = runs.map(({ report, outline }) => {
    const cases = outline.steps.map(({ verb }, index) => {
      const step = report.steps[index];
      const open = `    <testcase classname="${xml(report.name)}" name="${xml(`${index} ${verb}`)}"`;
      if (step?.ok) return `${open}/>`;
      if (!step) return `${open}><skipped/></testcase>`;
      const where = step.path === undefined ? "" : `${step.path}: `;
      return `${open}><failure message="${xml(where + step.message)}">at height ${step.height}</failure></testcase>`;
    });
    const broken = report.violations
      .filter(({ kind }) => kind === "invariant")
      .map(({ kind, property: name }) => ({ kind, name }));
    const properties = [...outline.properties, ...broken].map(({ kind, name }) => {
      const open = `    <testcase classname="${xml(report.name)}" name="${xml(`${kind} ${name}`)}"`;
      const violation = report.violations.find(({ property }) => property === name);
      if (violation) {
        const { message, height } = violation;
        return `${open}><failure message="${xml(message)}">at height ${height}</failure></testcase>`;
      }
      return report.unasked.includes(name) ? `${open}><skipped/></testcase>` : `${open}/>`;
    });
    const { violations, unasked } = report;
    const failures = report.steps.filter(({ ok }) => !ok).length + violations.length;
    const skipped = outline.steps.length - report.steps.length + unasked.length;
    const tests = outline.steps.length + properties.length;
    return [
      `  <testsuite name="${xml(report.name)}, seed ${report.seed}" file="${xml(report.file)}" tests="${tests}" failures="${failures}" skipped="${skipped}">`,
      ...cases,
      ...properties,
      "  </testsuite>",
    ].join("\n");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** XML cannot contain control characters other than line breaks and tabs. */
export const xml = (text: string): string =>
  visibleText(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** A bar on the last line of a terminal; nothing anywhere else. */
export class Progress {
  readonly #output: Screen;
  readonly #total: number;
  #done = 0;

  constructor(output: Screen, total: number) {
    this.#output = output;
    this.#total = total;
  }

  step(): void {
    this.#done += 1;
    this.show();
  }

  show(): void {
    const { columns } = this.#output;
    if (columns === undefined || this.#total === 0) return;
    const count = ` ${this.#done}/${this.#total} steps`;
    const width = Math.max(4, Math.min(40, columns - count.length - 4));
    const filled = Math.min(width, Math.floor((width * this.#done) / this.#total));
    this.#output.raw(`\r[${"█".repeat(filled)}${"░".repeat(width - filled)}]${count}`);
  }

  /** Hides the bar, so that lines can be printed in its place. */
  hide(): void {
    if (this.#output.columns !== undefined) this.#output.raw("\r\u001b[2K");
  }
}
