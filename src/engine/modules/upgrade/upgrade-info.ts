import { formatRfc3339, GO_ZERO_TIME } from "../../../base/time.ts";
import type { Plan } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import type { Context } from "../../framework/context.ts";

/** Path below the node's home where the old binary stores the plan for the new one. */
export const UPGRADE_INFO_PATH = "data/upgrade-info.json";

/**
 * Writes the plan to the node's disk. Returns the operating system's error if it cannot, else
 * undefined.
 */
export function dumpUpgradeInfoToDisk(
  ctx: Context,
  height: number,
  plan: Plan,
): string | undefined {
  const { node } = ctx.env;
  if (!node.diskWritable) return `open ${UPGRADE_INFO_PATH}: permission denied`;
  node.writeFile(UPGRADE_INFO_PATH, upgradeInfoJson(height, plan));
  return undefined;
}

/** Go's JSON in one line without a newline; `info` only if there is one (rules/upgrade 5.1). */
export function upgradeInfoJson(height: number, plan: Plan): string {
  const info = plan.info === "" ? "" : `,"info":${goJsonString(plan.info)}`;
  return `{"name":${goJsonString(plan.name)},"time":"${formatRfc3339(GO_ZERO_TIME)}","height":${height}${info}}`;
}

/** Go's encoder also escapes HTML markup and JavaScript's line separators. */
const goJsonString = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
