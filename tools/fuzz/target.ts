/** Targets of the fuzzer, and its findings. */
import { InvariantError } from "../../src/engine/simulation/invariants.testing.ts";
import type { Draw } from "./draw.ts";

/** One thing that is fuzzed. A case is plain JSON data: it can be shrunk, written down and run again. */
export interface Target {
  readonly name: string;
  readonly about: string;
  /** Draws a case and runs it as it is drawn. Throws a CaseError with the case for an error that is a bug. */
  draw(draw: Draw): Promise<void> | void;
  /** Runs a case again. Throws the error if it is a bug. */
  run(given: unknown): Promise<void> | void;
}

/** The case in which a bug was found. */
export class CaseError extends Error {
  readonly given: unknown;

  constructor(given: unknown, cause: unknown) {
    super(textOf(cause), { cause });
    this.given = given;
  }
}

/** Runs a drawn case. Throws a CaseError. */
export async function tried(target: Pick<Target, "run">, given: unknown): Promise<void> {
  try {
    await target.run(given);
  } catch (error) {
    throw new CaseError(given, error);
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Classifies an error: by the invariant, or by the error's class and the position in the sources
 * where it was thrown. Two errors of one kind count as one bug.
 */
export function kindOf(error: unknown): string {
  if (error instanceof InvariantError) return error.invariant;
  if (!(error instanceof Error)) return String(error);
  const frame = /(src|tools)\/[\w./-]+\.ts:\d+/.exec(error.stack ?? "");
  return `${error.name} at ${frame?.[0] ?? "an unknown place"}`;
}
