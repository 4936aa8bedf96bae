import { create } from "@bufbuild/protobuf";
import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { plainError, prefixed } from "../../framework/errors.ts";
import type { LogLine } from "../../framework/trace.ts";
import { upgradeInfoJson } from "../../modules/upgrade/upgrade-info.ts";
import type { DiskDraft } from "./disk-draft.ts";
import type { Downloads } from "./download.ts";
import {
  binaryPath,
  CURRENT,
  DAEMON,
  dirPrefix,
  GENESIS_DIR,
  infoPath,
  rootOf,
  upgradeDir,
} from "./layout.ts";
import { parsePlanInfo, pickUrl } from "./plan-info.ts";
import { cosmovisorLine } from "./step.ts";
import type { UpgradeInfo } from "./upgrade-watch.ts";

/** Conditions for downloading a missing binary. */
export interface DownloadRules {
  readonly allowed: boolean;
  /** Applies to an address that serves the info. */
  readonly mustHaveChecksum: boolean;
}

/**
 * Makes an upgrade's folder the current one, downloading its binary first if necessary and allowed
 * (rules/sidecar 3.6). Writes to `disk` and `log`; throws when the upgrade fails.
 */
export function switchBinary(
  plan: UpgradeInfo,
  rules: DownloadRules,
  disk: DiskDraft,
  downloads: Downloads,
  log: LogLine[],
): void {
  const dir = upgradeDir(plan.name, false);
  if (!rules.allowed) {
    prefixed("binary not present, downloading disabled: ", () => disk.regularFile(binaryPath(dir)));
  } else if (disk.get(binaryPath(dir)) === undefined) {
    if (disk.below(dirPrefix(dir)).length > 0) {
      throw plainError("upgrade dir already exists, won't overwrite");
    }
    download(plan, rules.mustHaveChecksum, dir, disk, downloads, log);
  }
  link(plan, dir, disk);
}

function download(
  plan: UpgradeInfo,
  mustHaveChecksum: boolean,
  dir: string,
  disk: DiskDraft,
  downloads: Downloads,
  log: LogLine[],
): void {
  const urls = prefixed("cannot parse upgrade info: ", () =>
    parsePlanInfo(plan.info, mustHaveChecksum, (url) => downloads.text(url)),
  );
  const url = pickUrl(urls);
  log.push(cosmovisorLine("no upgrade binary found, beginning to download it"));
  prefixed("cannot download binary. ", () => downloads.binary(url, rootOf(dir), DAEMON, disk));
  log.push(cosmovisorLine("downloading binary complete"));
}

function link(plan: UpgradeInfo, dir: string, disk: DiskDraft): void {
  const { name, height, info } = plan;
  disk.set(CURRENT, dir);
  disk.set(infoPath(dir), upgradeInfoJson(height, create(PlanSchema, { name, info })));
}

/**
 * Places a binary as a careful operator does in a manual installation: in the folder of the upgrade
 * recorded on the disk, if the binary is meant for it, else over the current binary. Otherwise the
 * sidecar would treat the next start as a missed upgrade. The plan's name is as the sidecar reads
 * it.
 */
export function installBinary(
  binary: string,
  handlers: readonly string[],
  plan: UpgradeInfo | undefined,
  disk: DiskDraft,
): void {
  const named = plan?.name.toLowerCase();
  const meant = plan !== undefined && handlers.some((name) => name.toLowerCase() === named);
  if (meant) link(plan, upgradeDir(plan.name, false), disk);
  else if (disk.get(CURRENT) === undefined) disk.set(CURRENT, GENESIS_DIR);
  disk.set(binaryPath(disk.get(CURRENT) ?? GENESIS_DIR), binary);
}
