import { type StepText, type StepTexts, textOfStep } from "../framework/trace.ts";
import { EVIDENCE_TEXTS } from "../modules/evidence/step-texts.ts";
import { GOV_TEXTS } from "../modules/gov/step-texts.ts";
import { SLASHING_TEXTS } from "../modules/slashing/step-texts.ts";
import { STAKING_TEXTS } from "../modules/staking/step-texts.ts";
import { UPGRADE_TEXTS } from "../modules/upgrade/step-texts.ts";
import type { AppSteps } from "./deliver-tx.ts";
import type { ModuleStep } from "./steps.ts";

const APP_TEXTS: StepTexts<AppSteps> = {
  transaction: ({ error }) => ["transaction", error],
};

export function stepText(step: ModuleStep): StepText {
  switch (step.module) {
    case "app":
      return textOfStep(APP_TEXTS, step);
    case "evidence":
      return textOfStep(EVIDENCE_TEXTS, step);
    case "gov":
      return textOfStep(GOV_TEXTS, step);
    case "slashing":
      return textOfStep(SLASHING_TEXTS, step);
    case "staking":
      return textOfStep(STAKING_TEXTS, step);
    case "upgrade":
      return textOfStep(UPGRADE_TEXTS, step);
    default:
      return step satisfies never;
  }
}
