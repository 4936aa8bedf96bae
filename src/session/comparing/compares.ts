import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import type { Asker } from "../asker.ts";

/** Holds worlds against each other. */
export interface Compares {
  /** Rejects with a StatusError that says which of the two cannot be compared, and why. */
  compare(request: LabRequest<"compareWorlds">, asker: Asker): Promise<LabAnswer<"compareWorlds">>;
  find(request: LabRequest<"findDifference">, asker: Asker): Promise<LabAnswer<"findDifference">>;
  explain(
    request: LabRequest<"explainCompared">,
    asker: Asker,
  ): Promise<LabAnswer<"explainCompared">>;
  /** Gives up what those who steer have asked, and closes the worlds that were opened for it; resolves when that is done. */
  stop(): Promise<void>;
}
