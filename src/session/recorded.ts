import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Compares } from "./comparing/compares.ts";
import type { Session } from "./session.ts";

/** What was done in a session's world, as a scenario. Rejects with a StatusError where that is not kept. */
export async function recorded({ record }: Session): Promise<LabAnswer<"recordScenario">> {
  if (record) return record();
  throw nothingKept();
}

/** Some heights of a session's chain as a file, part by part. Rejects with a StatusError where that cannot be. */
export async function exported(
  session: Session,
  request: LabRequest<"exportChain">,
): Promise<LabAnswer<"exportChain">> {
  if (session.export) return session.export(request);
  throw nothingKept();
}

/** Where worlds that a session keeps differ. Rejects with a StatusError where none are kept. */
export async function comparingOf({ comparing }: Session): Promise<Compares> {
  if (comparing) return comparing();
  throw new StatusError(STATUS.unavailable, "no worlds are kept here that could be compared");
}

const nothingKept = (): StatusError =>
  new StatusError(STATUS.unavailable, "nothing is kept here of what was done");
