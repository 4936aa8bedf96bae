/** `chainlab probe`: the values of expressions over the world at every height of a run. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import { csvRow } from "../base/csv.ts";
import { shortened } from "../base/shortened.ts";
import type { Probed, RunContext } from "./context.ts";
import { readCount, readHeight } from "./flags.ts";
import { printedJson, problemLine } from "./output.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";
import { refused } from "./search.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface Flags {
  readonly from?: number;
  readonly to?: number;
  readonly every: number;
  readonly json: boolean;
  readonly csv: boolean;
}

/** Maximum characters of a table cell; CSV and JSON are complete. */
const CELL = 40;

export const probeCommand = buildCommand<Flags, [string, ...string[]], Context>({
  docs: {
    brief: "Prints values of expressions at every height of a run",
    fullDescription:
      "Runs a scenario file and evaluates expressions at each height, from genesis on. An expression is a form of expect without the expected value, as YAML: '{ tokens: NAME }', '{ node: NAME }' for its process, chain for running or halted, '{ events: { type: TYPE, attributes: { KEY: VALUE } } }' for their number in the block, '{ get: PATH, json: PATH-INTO-THE-ANSWER }'. If a node or the chain changes without a new block, all its states at that height are listed in order. A missing value is an empty cell. Exit status 0: the series are printed; 1: they are printed, but a step failed, which ends the run, or a property was violated; 2: the file or an expression is invalid, or there is no such height. Example: chainlab probe story.yaml '{ tokens: val-0 }' '{ get: /chain/bank/v1beta1/supply, json: \"supply[0].amount\" }' --csv",
  },
  parameters: {
    flags: {
      from: {
        kind: "parsed",
        brief: "First height. Default: genesis",
        parse: readHeight,
        placeholder: "H",
        optional: true,
      },
      to: {
        kind: "parsed",
        brief: "Last height. Default: the last of the run",
        parse: readHeight,
        placeholder: "H",
        optional: true,
      },
      every: {
        kind: "parsed",
        brief: "Interval in heights, counted from the first one",
        parse: readCount,
        placeholder: "N",
        default: "1",
      },
      json: {
        kind: "boolean",
        brief: "Print one JSON object instead of a table",
        default: false,
        withNegated: false,
      },
      csv: {
        kind: "boolean",
        brief: "Print rows of CSV instead of a table",
        default: false,
        withNegated: false,
      },
    },
    positional: {
      kind: "array",
      parameter: {
        brief: "Scenario file, YAML or JSON, and then expressions",
        parse: String,
        placeholder: "FILE EXPR",
      },
      minimum: 2,
    },
  },
  async func(flags, file, ...expressions) {
    this.process.exitCode = await probe(this.lab, file, expressions, flags);
  },
});

/** Returns the exit status. */
async function probe(
  context: RunContext,
  file: string,
  expressions: readonly string[],
  { from, to, every, json, csv }: Flags,
): Promise<number> {
  const { stdout, stderr } = context;
  if (context.probe === undefined) throw new Error("there are no files here");
  if (json && csv) return refused(context, "expected --json or --csv, found both");
  if (from !== undefined && to !== undefined && from > to) {
    return refused(context, `expected --to not below --from ${from}, found ${to}`);
  }
  const text = await soundText(context, file);
  if (text === undefined) return UNUSABLE;
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }), every };
  const found = await context.probe({ file, text }, expressions, range);
  if ("problems" in found) {
    for (const problem of found.problems) stderr.write(problemLine(problem));
    return UNUSABLE;
  }
  const { failure, heights, beginning, height, series } = found;
  if (failure !== undefined) stderr.write(`${file}: ${failure}\n`);
  if (heights.length === 0) {
    const requested = from === undefined ? `up to ${to}` : `from ${from} on`;
    const until = from === undefined || to === undefined ? requested : `from ${from} to ${to}`;
    const there = `the chain has heights ${beginning} to ${height}`;
    return refused(context, `${file}: there is no height ${until}: ${there}`);
  }
  if (json) stdout.write(printedJson(found));
  else if (csv) stdout.raw(rows(found).map(csvRow).join(""));
  else stdout.write(table(found));
  for (const { expression, missing } of series) {
    if (missing !== undefined) {
      stderr.write(`${expression}: there is no value at any of these heights: ${missing}\n`);
    }
  }
  if (failure !== undefined) return FAILED;
  return series.every(({ missing }) => missing !== undefined) ? UNUSABLE : PASSED;
}

const rows = ({ heights, series }: Probed): readonly (readonly string[])[] => [
  ["height", ...series.map(({ expression }) => expression)],
  ...heights.map((height, at) => [String(height), ...series.map(({ values }) => values[at] ?? "")]),
];

/** The rows in columns: numbers are right-aligned, text left-aligned. */
function table(found: Probed): string {
  const cells = rows(found).map((row) =>
    row.map((cell) => shortened(cell.replace(/\s+/g, " "), CELL)),
  );
  const isNumber = [true, ...found.series.map(({ numbers }) => numbers)];
  const widths = isNumber.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return isNumber[at] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return `${cells.map(line).join("\n")}\n`;
}
