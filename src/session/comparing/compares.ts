import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";

/** Holds worlds against each other. */
export interface Compares {
  /** Rejects with a StatusError that says which of the two cannot be compared, and why. */
  compare(request: LabRequest<"compareWorlds">): Promise<LabAnswer<"compareWorlds">>;
  find(request: LabRequest<"findDifference">): Promise<LabAnswer<"findDifference">>;
  explain(request: LabRequest<"explainCompared">): Promise<LabAnswer<"explainCompared">>;
}
