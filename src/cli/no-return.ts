/** `chainlab no-return`: the point at which a story's failure became unavoidable. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import { csvRow } from "../base/csv.ts";
import { errorText, isBug } from "../base/error-text.ts";
import type { RunContext } from "./context.ts";
import { readCount, readJobs, readSeed } from "./flags.ts";
import { printedJson } from "./output.ts";
import { FAILED, PASSED } from "./run.ts";
import { labOf, printProblems, readFamily, refused, USUAL_RUNS } from "./search.ts";
import type { NoReturn, PointOfStory } from "./search-context.ts";
import { SearchLine } from "./search-output.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface Flags {
  readonly case?: readonly number[];
  readonly seed: number;
  readonly runs: number;
  readonly futures: number;
  readonly jobs: number | "auto";
  readonly json: boolean;
  readonly csv: boolean;
}

const MOST_FUTURES = 10_000;

export const noReturnCommand = buildCommand<Flags, [string], Context>({
  docs: {
    brief: "Finds the point at which a violation became unavoidable",
    fullDescription:
      "Takes a case of a file with vary or disturb in which a property does not hold. From each earlier height and command it runs futures that share the history so far and redraw the rest. It prints the share of futures that violate the same property, and the command that raised it most. In a file without variations each later command may be left out. Exit status 0: the points are printed; 1: every property holds; 2: the file is invalid or could not be read. Example: chainlab no-return family.yaml --futures 100",
  },
  parameters: {
    flags: {
      case: {
        kind: "parsed",
        brief: "Case number from search, such as 94 or 3/57/94. Default: the first violated one",
        parse: readCase,
        placeholder: "N",
        optional: true,
      },
      seed: {
        kind: "parsed",
        brief: "Seed of all draws",
        parse: readSeed,
        placeholder: "SEED",
        default: "1",
      },
      runs: {
        kind: "parsed",
        brief: "Number of cases to search for a violation",
        parse: readCount,
        placeholder: "N",
        default: String(USUAL_RUNS),
      },
      futures: {
        kind: "parsed",
        brief: "Number of futures at each point",
        parse: readFutures,
        placeholder: "K",
        default: "50",
      },
      jobs: {
        kind: "parsed",
        brief: "Number of threads; auto is one per core. The result does not depend on it",
        parse: readJobs,
        placeholder: "JOBS",
        default: "auto",
      },
      json: {
        kind: "boolean",
        brief: "Print one JSON object instead of lines",
        default: false,
        withNegated: false,
      },
      csv: {
        kind: "boolean",
        brief: "Print a row for each point",
        default: false,
        withNegated: false,
      },
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Scenario file, YAML or JSON", parse: String, placeholder: "FILE" }],
    },
  },
  async func(flags, file) {
    this.process.exitCode = await noReturn(this.lab, file, flags);
  },
});

/** Parses a case's number, from 0, preceded by those of its ancestors. */
function readCase(text: string): readonly number[] {
  const numbers = text.split("/").map(Number);
  const isOrdered = numbers.every((number, i) => i === 0 || number > Number(numbers[i - 1]));
  const isCase = /^[0-9]{1,12}(\/[0-9]{1,12})*$/.test(text);
  if (isCase && isOrdered && numbers.length <= MOST_NUMBERS) return numbers;
  throw new Error(
    `expected the number of a case, from 0 on, or of a mutation such as 3/57/94, found "${text}"`,
  );
}

/** Maximum numbers in a case's name: its ancestors and its own. */
const MOST_NUMBERS = 1_001;

function readFutures(text: string): number {
  const futures = readCount(text);
  if (futures <= MOST_FUTURES) return futures;
  throw new Error(`expected at most ${MOST_FUTURES} futures, found "${text}"`);
}

/** Returns the exit status. */
async function noReturn(context: RunContext, file: string, flags: Flags): Promise<number> {
  const { stdout, stderr } = context;
  if (flags.json && flags.csv) return refused(context, "expected --json or --csv, found both");
  const lab = await labOf(context);
  const family = await readFamily(context, lab, file);
  if (!("text" in family)) return printProblems(context, family, false);
  const { seed, runs: among, futures } = flags;
  const jobs = flags.jobs === "auto" ? lab.cores : flags.jobs;
  const number = flags.case?.at(-1);
  const ancestors = flags.case?.slice(0, -1) ?? [];
  const how = {
    ...{ seed, among, futures, jobs },
    ...(number !== undefined && { number }),
    ...(ancestors.length > 0 && { ancestors }),
  };
  const line = new SearchLine(stderr);
  let found: NoReturn;
  try {
    found = await lab.noReturn(family, how, (done, of) => {
      line.log(`${file}: ${done} of ${of} futures`);
    });
  } catch (error) {
    if (isBug(error)) throw error;
    stderr.write(`${file}: ${errorText(error)}\n`);
    return FAILED;
  } finally {
    line.hide();
  }
  if (flags.json) stdout.write(printedJson(found));
  else if (flags.csv) stdout.raw(csv(found));
  else stdout.write(lines(family.name, found));
  return PASSED;
}

const csv = ({ points }: NoReturn): string =>
  [
    csvRow(["height", "step", "rounds", "ended", "futures", "next"]),
    ...points.map(({ height, step, rounds, ended, futures, command }) =>
      csvRow([height, step, rounds, ended, futures, command]),
    ),
  ].join("");

function lines(name: string, found: NoReturn): string {
  const { seed, number, ancestors = [], violation, points, cliff, unavoidable } = found;
  const which =
    number === undefined
      ? "as it is written"
      : `case ${[...ancestors, number].join("/")} of seed ${seed} as it was drawn`;
  const shown = points.filter((point, i) => {
    const before = points[i - 1];
    return point.command !== "" || before === undefined || percent(before) !== percent(point);
  });
  const width = String(Math.max(...points.map(({ height }) => height))).length;
  const rows = shown.map((point) => {
    const bar = "█".repeat(Math.round((20 * point.ended) / Math.max(1, point.futures)));
    const at = `height ${String(point.height).padStart(width)}`;
    const mark = points.indexOf(point) === cliff ? "→" : " ";
    return `  ${at} ${percent(point).padStart(5)} ${bar.padEnd(20)} ${mark} ${point.command}`.trimEnd();
  });
  return `${[
    `${name}, ${which}: ${violation.kind} “${violation.property}” is broken at height ${violation.height}`,
    `  ${violation.message}`,
    "",
    ...rows,
    "",
    ...(cliff === undefined ? [] : [cliffLine(points, cliff)]),
    unavoidable === undefined
      ? "  At the last point before the end some futures still ended differently."
      : `  From height ${points[unavoidable]?.height} on, every future that was run ends so.`,
  ].join("\n")}\n`;
}

function cliffLine(points: readonly PointOfStory[], cliff: number): string {
  const [at, next] = [points[cliff] as PointOfStory, points[cliff + 1]];
  const after = next === undefined ? "100 %" : percent(next);
  const what = at.command === "" ? "the next block" : at.command;
  return `  The cliff is at height ${at.height}, from ${percent(at)} to ${after}: ${what}.`;
}

const percent = ({ ended, futures }: PointOfStory): string =>
  futures === 0 ? "–" : `${Math.round((100 * ended) / futures)} %`;
