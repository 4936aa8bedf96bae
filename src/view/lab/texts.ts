import { stepText } from "../../engine/app/step-text.ts";
import type { ModuleStep } from "../../engine/app/steps.ts";
import type { StepText } from "../../engine/framework/trace.ts";
import { type ExplainStatus, explainStatus } from "./diagnosis/explain-status.ts";

/** The sentences of frames, which a page needs from the first action on: a quiet chain has none. */
export interface Texts {
  readonly explainStatus: ExplainStatus;
  readonly stepText: (step: ModuleStep) => StepText;
}

export const TEXTS: Texts = { explainStatus, stepText };
