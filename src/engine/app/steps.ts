import { type StepOf, type StepText, textOfStep } from "../framework/trace.ts";
import { EVIDENCE_TEXTS, type EvidenceSteps } from "../modules/evidence/steps.ts";
import { GOV_TEXTS, type GovSteps } from "../modules/gov/steps.ts";
import { SLASHING_TEXTS, type SlashingSteps } from "../modules/slashing/steps.ts";
import { STAKING_TEXTS, type StakingSteps } from "../modules/staking/steps.ts";
import { UPGRADE_TEXTS, type UpgradeSteps } from "../modules/upgrade/steps.ts";
import { APP_TEXTS, type AppSteps } from "./deliver-tx.ts";

/** Every step an application notes, distinguished by module and kind. */
export type ModuleStep =
  | StepOf<"app", AppSteps>
  | StepOf<"evidence", EvidenceSteps>
  | StepOf<"gov", GovSteps>
  | StepOf<"slashing", SlashingSteps>
  | StepOf<"staking", StakingSteps>
  | StepOf<"upgrade", UpgradeSteps>;

/** A step as people read it. */
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
