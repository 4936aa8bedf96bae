import { ScriptedEvidenceSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { Panic, plainError } from "../../framework/errors.ts";
import { ROUTE_COUNTERFACTUAL } from "./counterfactual.ts";
import { ROUTE_EQUIVOCATION } from "./equivocation.ts";
import { messageEvidence } from "./message-evidence.ts";
import type { EvidenceType, Handler } from "./types.ts";

export const ROUTE_SCRIPTED = "scripted";

/**
 * Evidence that specifies the outcome of its handler, to test the pipeline; with another route it
 * is a separate type (rules/evidence 1.5).
 */
export class ScriptedEvidence extends messageEvidence(ScriptedEvidenceSchema, ROUTE_SCRIPTED) {
  override route(): string {
    return this.message.route || super.route();
  }
  getHeight(): bigint {
    return this.message.height;
  }
  validateBasic(): void {
    const { height, outcome, route } = this.message;
    if (height < 1n) throw plainError(`invalid scripted evidence height: ${height}`);
    if (!["accept", "reject", "panic"].includes(outcome)) {
      throw plainError(
        `invalid scripted evidence outcome: expected accept, reject or panic, got "${outcome}"`,
      );
    }
    if (route === ROUTE_EQUIVOCATION || route === ROUTE_COUNTERFACTUAL) {
      throw plainError(`invalid scripted evidence route: ${route} is another type's`);
    }
  }
}

export const scriptedEvidenceType: EvidenceType<typeof ScriptedEvidenceSchema> = {
  schema: ScriptedEvidenceSchema,
  from: (message) => new ScriptedEvidence(message),
};

export const scriptedHandler: Handler = (_ctx, evidence) => {
  const { outcome, text } = (evidence as ScriptedEvidence).message;
  if (outcome === "reject") throw plainError(text);
  if (outcome === "panic") throw new Panic(text);
};
