/** Output of searches: text lines, and JUnit XML. */
import { shortened } from "../base/shortened.ts";
import type { Screen } from "./context.ts";
import { xml } from "./output.ts";
import type { FamilyReport, Finding, SearchReport } from "./search-context.ts";

/**
 * Findings of each family, in lines; for parts of a search, without results that require all parts.
 */
export function searchLines({ families, seed, shard, all }: SearchReport): string {
  const part = shard === undefined ? "" : `, part ${shard.index} of ${shard.count}`;
  return families
    .map((family) => {
      const { name, cases, properties, violated, unreached, unasked, findings } = family;
      const { unfinished, unsound } = family;
      const ran = cases - unsound;
      const isAll = cases > 1 && cases === family.different;
      const lines = [
        `${name}: ${isAll ? "all " : ""}${counted(cases, "case")}${isAll ? "," : " of"} seed ${seed}${part}`,
      ];
      for (const one of violated) {
        const { kind, property, cases: times } = one;
        const first = caseOf(one, findings);
        const isShrunk = findingOf(one, findings) || (!all && findings.length > 0);
        lines.push(
          `  ✗ ${kind} “${property}”: ${counted(times, "case")}, the first is case ${first}${isShrunk ? "" : ", which was not made small"}`,
        );
      }
      for (const property of unreached) {
        lines.push(
          `  ${shard ? "·" : "✗"} sometimes “${property}”: in no case${shard ? " of this part" : ""}`,
        );
      }
      const isQuiet = violated.length === 0 && unreached.length === 0;
      if (ran > 0 && isQuiet && unasked.length === 0) {
        const upTo = unfinished === ran ? "no case came to its end; up to there " : "";
        lines.push(`  ${upTo === "" ? "✓" : "·"} ${upTo}every property holds`);
      }
      if (ran > 0) {
        for (const property of unasked.filter((one) => !unreached.includes(one))) {
          const isLate = properties.some(
            (one) => one.property === property && one.kind === "eventually",
          );
          lines.push(
            isLate
              ? `  · ${property}: in no case was it true, or were its rounds over`
              : `  · ${property}: in no case was there anything to ask`,
          );
        }
      }
      lines.push(...remarks(family));
      for (const finding of findings) lines.push("", ...findingLines(finding));
      return `${lines.join("\n")}\n`;
    })
    .join("\n");
}

/** Name of the first case that violates a property: its number, after those of its ancestors. */
function caseOf(one: FamilyReport["violated"][number], findings: FamilyReport["findings"]): string {
  const { ancestors = [] } = findingOf(one, findings) ?? {};
  return [...ancestors, one.first].join("/");
}

const findingOf = (
  { kind, property }: FamilyReport["violated"][number],
  findings: FamilyReport["findings"],
): Finding | undefined =>
  findings.find(({ violation }) => violation.kind === kind && violation.property === property);

function remarks({ unfinished, firstUnfinished, unsound, coverage }: FamilyReport): string[] {
  const lines: string[] = [];
  if (coverage) {
    const { features, corpus, generations, quiet } = coverage;
    const last = quiet === 0 ? "" : `, nothing new in the last ${counted(quiet, "generation")}`;
    lines.push(
      `  reached ${counted(Object.keys(features).length, "feature")} in ${counted(generations, "generation")}, ${counted(corpus.length, "case")} in the corpus${last}`,
    );
  }
  if (unfinished > 0) {
    lines.push(`  ${counted(unfinished, "case")} ended at a step that could not be done`);
    if (firstUnfinished) lines.push(`    ${inconclusiveText(firstUnfinished)}`);
  }
  if (unsound > 0)
    lines.push(`  ${counted(unsound, "draw")} made no sound scenario and did not run`);
  return lines;
}

const inconclusiveText = ({
  number,
  step,
  message,
}: NonNullable<FamilyReport["firstUnfinished"]>): string =>
  `the first is case ${number}, at its step ${step + 1}: ${message}`;

function findingLines({
  violation,
  stepsBefore,
  steps,
  scenario,
  counterfactual,
}: Finding): string[] {
  const { kind, property, height, message } = violation;
  const from = stepsBefore === steps.length ? "" : `, shrunk from ${stepsBefore} to`;
  const lines = [
    `  ${kind} “${property}” is broken at height ${height}${from || ","} ${counted(steps.length, "step")}:`,
    `    ${message}`,
    "",
  ];
  const words = steps.map((step) => shortened(step.words, WORDS));
  const [verbs, widest, heights] = [
    Math.max(...steps.map(({ verb }) => verb.length)),
    Math.max(...words.map(({ length }) => length)),
    String(Math.max(...steps.map((step) => step.height))).length,
  ];
  steps.forEach(({ verb, height: at, without }, index) => {
    lines.push(
      `    ${String(index + 1).padStart(2)} ${verb.padEnd(verbs)}  ${(words[index] ?? "").padEnd(widest)}  height ${String(at).padStart(heights)}  without it: ${without}`,
    );
  });
  if (counterfactual !== undefined) {
    lines.push("", `  ${counterfactual.words}`);
    for (const line of difference(scenario, counterfactual.scenario)) lines.push(`    ${line}`);
  }
  lines.push(
    "",
    ...scenario
      .trimEnd()
      .split("\n")
      .map((line) => (line === "" ? "" : `    ${line}`)),
  );
  return lines;
}

/** Maximum characters of a step's description. */
const WORDS = 70;

/** The lines that only one of two files has, without descriptions. */
function difference(violated: string, holds: string): string[] {
  const [had, has] = [doneLines(violated), doneLines(holds)];
  return [
    ...had.filter((line) => !has.includes(line)).map((line) => `- ${line.trim()}`),
    ...has.filter((line) => !had.includes(line)).map((line) => `+ ${line.trim()}`),
  ];
}

const doneLines = (text: string): string[] =>
  text.split("\n").filter((line) => !/^(name|title|about):/.test(line));

/** Minimum number of cases to report their pace. */
const PACED = 100;

/** Number of cases in all families, and of findings. */
export function searchSummary({ families, shard, all }: SearchReport, seconds: number): string {
  const cases = families.reduce((sum, family) => sum + family.cases, 0);
  const found = families.reduce(
    (sum, { violated, unreached }) =>
      sum + Math.min(all ? violated.length : 1, violated.length) + (shard ? 0 : unreached.length),
    0,
  );
  const pace = seconds > 0 && cases >= PACED ? `, ${Math.round(cases / seconds)} a second` : "";
  return `${counted(cases, "case")}${pace}, ${found === 0 ? "nothing found" : counted(found, "finding")}\n`;
}

/**
 * A suite for each family, with a case for each property; a violated one contains the shrunk
 * scenario.
 */
export function searchJunit(report: SearchReport): string {
  const suites = report.families.map((family) => {
    const { file, name, cases, properties, findings, unreached } = family;
    const failures = new Map<string, { readonly message: string; readonly text: string }>();
    for (const one of report.all || findings.length === 0 ? family.violated : []) {
      const message = `case ${one.first} of seed ${report.seed}, which was not made small`;
      failures.set(`${one.kind} ${one.property}`, { message, text: "" });
    }
    for (const { violation, scenario } of findings) {
      const { kind, property, message } = violation;
      failures.set(`${kind} ${property}`, { message, text: scenario });
    }
    if (report.shard === undefined) {
      for (const property of unreached) {
        failures.set(`sometimes ${property}`, { message: `in none of ${cases} cases`, text: "" });
      }
    }
    // Unevaluated or undecided properties are inconclusive; an unreached one may be reached by a
    // case that did not run.
    const undecided = new Set(
      properties
        .filter(
          ({ kind, property }) =>
            family.unasked.includes(property) ||
            (kind === "sometimes" && !family.reached.includes(property)),
        )
        .map(({ kind, property }) => `${kind} ${property}`)
        .filter((test) => !failures.has(test)),
    );
    const hasRun = cases > family.unsound;
    const names = new Set([
      ...properties.map(({ kind, property }) => `${kind} ${property}`),
      ...failures.keys(),
    ]);
    const tests = (names.size > 0 ? [...names] : ["every case"]).map((test) => {
      const open = `    <testcase classname="${xml(name)}" name="${xml(test)}"`;
      const failure = failures.get(test);
      if (undecided.has(test) || (failure === undefined && !hasRun)) {
        return `${open}><skipped/></testcase>`;
      }
      if (failure === undefined) return `${open}/>`;
      return `${open}><failure message="${xml(failure.message)}">${xml(failure.text)}</failure></testcase>`;
    });
    return [
      `  <testsuite name="${xml(name)}, seed ${report.seed}" file="${xml(file)}" tests="${tests.length}" failures="${failures.size}" skipped="${hasRun ? undecided.size : tests.length - failures.size}">`,
      ...tests,
      ...(family.firstUnfinished
        ? [`    <system-out>${xml(remarks(family).join("\n"))}</system-out>`]
        : []),
      "  </testsuite>",
    ].join("\n");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
}

/** Progress on the last line of a terminal; no output elsewhere. */
export class SearchLine {
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  log(line: string): void {
    const { columns } = this.#screen;
    if (columns !== undefined) this.#screen.raw(`\r\u001b[2K${shortened(line, columns - 1)}`);
  }

  hide(): void {
    if (this.#screen.columns !== undefined) this.#screen.raw("\r\u001b[2K");
  }
}

const counted = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? "" : "s"}`;
