import { modelledText, plainError } from "../../framework/errors.ts";
import { UPGRADE_INFO_PATH } from "../../modules/upgrade/upgrade-info.ts";
import { scriptPath } from "./layout.ts";
import { cosmovisorLine } from "./step.ts";
import { rereadPlan, validatePlan } from "./upgrade-watch.ts";
import type { Work } from "./work.ts";

const NAME = "COSMOVISOR_CUSTOM_PREUPGRADE";

/**
 * Runs the operator's own script with the plan's name, as in the file, and its height
 * (rules/sidecar 3.7). Throws when the upgrade fails. No shell is simulated: a script ends with the
 * status of the `exit` in its last line, else with 0.
 */
export function runCustomScript(script: string, { disk, logs }: Work): void {
  const file = scriptPath(script);
  const plan = rereadPlan(disk.get(UPGRADE_INFO_PATH));
  try {
    validatePlan(plan);
  } catch (error) {
    throw plainError(`invalid upgrade plan: ${modelledText(error)}`);
  }
  logs.push(cosmovisorLine(`looking for ${NAME} file`, { file }));
  let content: string;
  try {
    content = disk.regularFile(file);
  } catch (error) {
    const { message } = error as Error;
    if (!message.startsWith("stat ")) throw plainError(`${NAME}: ${message}`);
    logs.push(cosmovisorLine(`${NAME} file missing`, { file }, "error"));
    throw error;
  }
  const status =
    Number(/(?:^|[\n;&|])[ \t]*exit[ \t]+(\d+)[ \t;]*\s*$/.exec(content)?.[1] ?? 0) % 256;
  if (status !== 0) throw plainError(`exit status ${status}`);
  const called = { command: file, argv1: plan.name, argv2: `${plan.height}` };
  logs.push(cosmovisorLine(`${NAME} result`, called));
}
