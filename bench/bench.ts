import { parseArgs } from "node:util";

/** Result of a benchmark: an object for programs, a table for people. */
export interface Report {
  readonly json: object;
  readonly table: string;
}

export interface Bench {
  readonly summary: string;
  /** Its own options, a line each. */
  readonly options: string;
  /** Says on stderr what it is doing. Throws UsageError for arguments it does not know. */
  run(args: readonly string[]): Promise<Report>;
}

/** The command line makes no sense; the message says what does. */
export class UsageError extends Error {}

/** Divisor of the usual number of samples in a quick run: a look, not a result. */
const QUICK_PART = 10;

export const sampleOptions = (what: string, usual: number): string =>
  [
    `--samples N         ${what} of each kind, ${usual} unless given`,
    "--quick             a tenth of them",
  ].join("\n");

/** The number of samples that `--samples N` and `--quick` ask for. */
export function readSamples(args: readonly string[], usual: number): number {
  const { samples, quick } = parsedSamples(args);
  const wanted = Number(samples ?? (quick ? Math.ceil(usual / QUICK_PART) : usual));
  if (Number.isInteger(wanted) && wanted > 0) return wanted;
  throw new UsageError("--samples: expected a whole number from 1 on");
}

function parsedSamples(args: readonly string[]) {
  try {
    const options = { samples: { type: "string" }, quick: { type: "boolean" } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
