import { modelledText } from "../../framework/errors.ts";
import { DiskDraft } from "./disk-draft.ts";
import { Downloads } from "./download.ts";
import { recased } from "./layout.ts";
import type { ReleaseServer } from "./releases.ts";
import { downloadRules, type SidecarSettings } from "./sidecar.ts";
import { switchBinary } from "./switch-binary.ts";
import type { UpgradeInfo } from "./upgrade-watch.ts";

/**
 * Reason why a sidecar could not switch to a plan that were due now, as it would log it; undefined
 * if it could. A dry run: an operator can learn the same by checking the folders and the addresses
 * before the height.
 */
export function refusalOf(
  plan: UpgradeInfo,
  settings: SidecarSettings,
  files: ReadonlyMap<string, string>,
  releases: Pick<ReleaseServer, "get">,
): string | undefined {
  const named = { ...plan, name: recased(plan.name, settings.recase) };
  try {
    switchBinary(named, downloadRules(settings), new DiskDraft(files), new Downloads(releases), []);
    return undefined;
  } catch (error) {
    return modelledText(error);
  }
}
