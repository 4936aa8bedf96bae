import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { LabAnswer } from "../gen/lab/v1/lab_plain.ts";
import type { Session } from "./session.ts";

/** What was done in a session's world, as a scenario. Rejects with a StatusError where that is not kept. */
export async function recorded({ record }: Session): Promise<LabAnswer<"recordScenario">> {
  if (record) return record();
  throw new StatusError(STATUS.unavailable, "nothing is kept here of what was done");
}
