import type { StepOf } from "../framework/trace.ts";
import type { EvidenceSteps } from "../modules/evidence/steps.ts";
import type { GovSteps } from "../modules/gov/steps.ts";
import type { SlashingSteps } from "../modules/slashing/steps.ts";
import type { StakingSteps } from "../modules/staking/steps.ts";
import type { UpgradeSteps } from "../modules/upgrade/steps.ts";
import type { AppSteps } from "./deliver-tx.ts";

/** All steps that an application records, distinguished by module and kind. */
export type ModuleStep =
  | StepOf<"app", AppSteps>
  | StepOf<"evidence", EvidenceSteps>
  | StepOf<"gov", GovSteps>
  | StepOf<"slashing", SlashingSteps>
  | StepOf<"staking", StakingSteps>
  | StepOf<"upgrade", UpgradeSteps>;
