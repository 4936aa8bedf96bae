import { INPUT } from "../../base/limits.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import type { FamilyFile } from "../../scenario/search/search.ts";

/**
 * Converts a file of the wire without its imports: a page has no files to import. Missing fields
 * are empty. Throws a StatusError if it is too large.
 */
export function familyFile({
  text = "",
  file = "",
}: Partial<LabRequest<"checkFamily">> = {}): FamilyFile {
  if (text.length > INPUT.fileBytes) {
    const problem = `expected a scenario of at most ${INPUT.fileBytes} bytes`;
    throw new StatusError(STATUS.invalidArgument, problem);
  }
  return { file, text, imports: {} };
}

const MOST_EXPRESSIONS = 16;
const EXPRESSION_CHARACTERS = 2_000;

/** Expressions of the wire. Throws a StatusError if they are too many or too long. */
export function expressionsOf(input: readonly string[] = []): readonly string[] {
  if (input.length > MOST_EXPRESSIONS) {
    const problem = `expressions: expected at most ${MOST_EXPRESSIONS}, found ${input.length}`;
    throw new StatusError(STATUS.invalidArgument, problem);
  }
  const long = input.findIndex((one) => one.length > EXPRESSION_CHARACTERS);
  if (long < 0) return input;
  const problem = `expressions[${long}]: expected at most ${EXPRESSION_CHARACTERS} characters`;
  throw new StatusError(STATUS.invalidArgument, problem);
}
