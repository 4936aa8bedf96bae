/** `chainlab explore`: all continuations of a small chain. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import { errorText, isBug } from "../base/error-text.ts";
import type { RunContext } from "./context.ts";
import { readCount } from "./flags.ts";
import { printedJson, problemLine } from "./output.ts";
import { FAILED, PASSED, UNUSABLE } from "./run.ts";
import type { Exploration, ExploreProgress } from "./search-context.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface ExploreFlags {
  readonly steps: number;
  readonly states: number;
  readonly json: boolean;
}

/** Maximum steps: no machine explores more. */
const MOST_STEPS = 1_000;

function readSteps(text: string): number {
  const steps = readCount(text);
  if (steps <= MOST_STEPS) return steps;
  throw new Error(`expected a number from 1 to ${MOST_STEPS}, found "${text}"`);
}

export const exploreCommand = buildCommand<ExploreFlags, [string], Context>({
  docs: {
    brief: "Follows every possible run of a small chain, and reports which properties hold",
    fullDescription:
      "Runs the steps of a file of at most 4 validators, and from there every possible run. Before each round at most one command is issued, within the kinds, nodes and limits of the file's disturb; without disturb a node is stopped, started, loses its signer's state or gets a binary. States with the same possible futures are followed once. Exit status 0: every property holds in all states; 1: one does not, or a sometimes property was never true; 2: the file cannot be explored, or the limit of states cut it off before anything was found. Example: chainlab explore family.yaml --steps 6",
  },
  parameters: {
    flags: {
      steps: {
        kind: "parsed",
        brief: "Number of rounds to follow",
        parse: readSteps,
        placeholder: "N",
      },
      states: {
        kind: "parsed",
        brief: "Maximum number of states",
        parse: readCount,
        placeholder: "N",
        default: "20000",
      },
      json: {
        kind: "boolean",
        brief: "Print one JSON object instead of lines",
        default: false,
        withNegated: false,
      },
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "A scenario file, YAML or JSON", parse: String, placeholder: "FILE" }],
    },
  },
  async func(flags, file) {
    this.process.exitCode = await exploreFile(this.lab, file, flags);
  },
});

async function exploreFile(
  { stdout, stderr, readFile, search }: RunContext,
  file: string,
  { steps, states, json }: ExploreFlags,
): Promise<number> {
  if (search === undefined) throw new Error("exploring needs files, which are not here");
  const lab = await search();
  const shown = (line: string): void => {
    if (stderr.columns !== undefined) stderr.raw(`\r\x1b[K${line.slice(0, stderr.columns - 1)}`);
  };
  try {
    const text = await readFile(file);
    const checked = lab.check(text, file);
    if (!("text" in checked)) {
      for (const problem of checked) stderr.write(problemLine(problem));
      return UNUSABLE;
    }
    const found = await lab.explore(checked, { steps, states }, (progress) =>
      shown(progressLine(progress)),
    );
    shown("");
    stdout.write(json ? printedJson({ file, ...found }) : lines(found));
    return statusOf(found);
  } catch (error) {
    shown("");
    if (isBug(error)) throw error;
    stderr.write(`${file}: cannot be explored: ${errorText(error)}\n`);
    return UNUSABLE;
  }
}

function statusOf({ properties, complete, steps }: Exploration): number {
  if (properties.some(({ verdict }) => verdict === "violated")) return FAILED;
  if (complete < steps) return UNUSABLE;
  return properties.some(({ verdict }) => verdict === "not reached") ? FAILED : PASSED;
}

const progressLine = ({ states, transitions, step }: ExploreProgress): string =>
  `step ${step}: ${counted(states, "state")}, ${counted(transitions, "transition")}`;

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

function lines(found: Exploration): string {
  const { steps, complete, states, transitions, violating, ended, properties } = found;
  const within = `within ${counted(complete, "step")}`;
  const followed = violating > 0 ? "state followed" : "state";
  const all = properties.flatMap(({ property, kind, verdict, after, violation, scenario }) => {
    const name = `${kind} ${property}`;
    switch (verdict) {
      case "holds":
        return [`✓ ${name}: holds in every ${followed} ${within}`];
      case "not asked":
        return [
          kind === "eventually"
            ? `· ${name}: in no state ${within} was it true, or were its rounds over`
            : `· ${name}: in no state ${within} was there anything to ask`,
        ];
      case "reached":
        return [`✓ ${name}: after ${counted(after ?? 0, "step")}`];
      case "not reached":
        return [
          violating > 0
            ? `✗ ${name}: not reached ${within}`
            : `✗ ${name}: no reachable state ${within} in which it is true`,
        ];
      case "violated":
        return [
          `✗ ${name}: does not hold after ${counted(after ?? 0, "step")}, and no way is shorter`,
          `    ${violation?.message ?? ""}`,
          "",
          ...(scenario ?? "")
            .trimEnd()
            .split("\n")
            .map((line) => (line ? `    ${line}` : "")),
          "",
        ];
      default:
        return [];
    }
  });
  if (complete < steps) {
    const why = ended === "interrupted" ? "It was interrupted" : "The limit of states was reached";
    all.push(
      `${why}: of ${counted(steps, "step")} all states ${within} were followed, and some beyond; what is said of all states is said of these`,
    );
  }
  if (violating > 0) {
    all.push(
      `${counted(violating, "state")} ${violating === 1 ? "violates" : "violate"} a property: nothing behind was followed, nor is anything said of it`,
    );
  }
  all.push(`${counted(states, "state")}, ${counted(transitions, "transition")}`);
  return `${all.join("\n")}\n`;
}
