import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import type { Caller } from "../caller.ts";

export interface Compares {
  /** Rejects with a StatusError that names the side that cannot be compared, and why. */
  compare(
    request: LabRequest<"compareWorlds">,
    caller: Caller,
  ): Promise<LabAnswer<"compareWorlds">>;
  find(request: LabRequest<"findDifference">, caller: Caller): Promise<LabAnswer<"findDifference">>;
  explain(
    request: LabRequest<"explainCompared">,
    caller: Caller,
  ): Promise<LabAnswer<"explainCompared">>;
  /**
   * Cancels the comparisons of callers who may control the session, and closes the worlds that were
   * opened for them; resolves when that is done.
   */
  stop(): Promise<void>;
}
