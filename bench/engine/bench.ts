import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Bench, type Report, UsageError } from "../bench.ts";
import type { Plan } from "./cases.ts";
import { type Measured, PLATFORMS } from "./platforms.ts";
import { reportOf } from "./report.ts";

const VALIDATORS = [4, 100, 175, 1000];
const MOST_VALIDATORS = 10_000;

/** Block times relative to hashing speed in the same run. */
export const engineBench: Bench = {
  summary: "speed and memory of the chain itself, in Node and in a worker of headless Chromium",
  options: [
    `--validators N,…    numbers of validators instead of ${VALIDATORS.join(",")}`,
    `--on NAME           one platform only: ${Object.keys(PLATFORMS).join(" or ")}`,
    "--quick             shorter windows, height 10 000 instead of 100 000",
  ].join("\n"),

  async run(args: readonly string[]): Promise<Report> {
    const { plan, platforms } = read(args);
    const scratch = await mkdtemp(join(tmpdir(), "chainlab-bench-"));
    try {
      const measured: Measured[] = [];
      // One after another: they would slow each other down.
      for (const name of platforms) {
        const measureOn = PLATFORMS[name];
        if (measureOn === undefined) {
          throw new UsageError(`--on ${name}: expected ${Object.keys(PLATFORMS).join(" or ")}`);
        }
        measured.push(await measureOn(plan, join(scratch, name)));
      }
      return reportOf(measured);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

function read(args: readonly string[]): { plan: Plan; platforms: readonly string[] } {
  const { values } = parse(args);
  const validators = values.validators?.split(",").map(Number) ?? VALIDATORS;
  if (validators.some((n) => !Number.isInteger(n) || n < 1 || n > MOST_VALIDATORS)) {
    throw new UsageError(
      `--validators ${values.validators}: expected whole numbers from 1 to ${MOST_VALIDATORS}`,
    );
  }
  return {
    plan: { validators, quick: values.quick ?? false },
    platforms: values.on === undefined ? Object.keys(PLATFORMS) : [values.on],
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        validators: { type: "string" },
        on: { type: "string" },
        quick: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
