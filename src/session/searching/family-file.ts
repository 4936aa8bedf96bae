import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { INPUT } from "../../input/limits.ts";
import type { FamilyFile } from "../../search/search.ts";

/**
 * A file of the wire without any beside it: in a page there is none that it could import. What is absent is empty.
 * Throws a StatusError if it is too large.
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
