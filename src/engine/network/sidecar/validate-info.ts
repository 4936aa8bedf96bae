import type { Duration } from "../../../base/time.ts";
import { modelledText, plainError } from "../../framework/errors.ts";
import { DiskDraft } from "./disk-draft.ts";
import { Downloads } from "./download.ts";
import { DAEMON } from "./layout.ts";
import { type BinaryUrls, parsePlanInfo, validateUrl } from "./plan-info.ts";
import type { ReleaseServer } from "./releases.ts";

/** Flags of `tx upgrade software-upgrade` (rules/sidecar 5.4). */
export interface InfoFlags {
  /** False is `--no-checksum-required`. */
  readonly checksumRequired?: boolean;
  /** `--daemon-name`; default that of this world's binaries. */
  readonly daemonName?: string;
}

export interface InfoVerdict {
  /** Undefined if the info is valid. */
  readonly refusal: string | undefined;
  /** Duration of the downloads until then. */
  readonly duration: Duration;
}

/**
 * Validates a plan's info as the command line does before it proposes the plan, unless
 * `--no-validate` is set: parses it, checks every key and address, and downloads every binary
 * (rules/sidecar 5.4). Does not check for a binary of the node's platform; only a sidecar detects
 * that.
 */
export function validatePlanInfo(
  info: string,
  releases: Pick<ReleaseServer, "get">,
  { checksumRequired = true, daemonName = DAEMON }: InfoFlags = {},
): InfoVerdict {
  const downloads = new Downloads(releases);
  let refusal: string | undefined;
  try {
    const urls = parsePlanInfo(info, checksumRequired, (url) => downloads.text(url));
    validateBinaries(urls, checksumRequired);
    downloadAll(urls, daemonName, downloads);
  } catch (error) {
    refusal = modelledText(error);
  }
  return { refusal, duration: downloads.duration };
}

/** ValidateBasic of the parsed info: called by the command line, but not by the sidecar. */
export function validateBinaries(urls: BinaryUrls, mustHaveChecksum: boolean): void {
  if (urls.size === 0) throw plainError('no "binaries" entries found');
  for (const [key, url] of urls) {
    // Upstream's expression has no anchors: it may match anywhere in the key.
    if (key !== "any" && !/[a-zA-Z0-9]+\/[a-zA-Z0-9]+/.test(key)) {
      throw plainError(`invalid os/arch format in key "${key}"`);
    }
    try {
      validateUrl(url, mustHaveChecksum);
    } catch (error) {
      throw plainError(`invalid url "${url}" in binaries[${key}]: ${modelledText(error)}`);
    }
  }
}

/** CheckURLs. Upstream first checks the addresses again, without finding anything new. */
function downloadAll(urls: BinaryUrls, daemonName: string, downloads: Downloads): void {
  const disk = new DiskDraft(new Map());
  for (const [osArch, url] of urls) {
    const root = `/tmp/os-arch-downloads/${osArch.replaceAll("/", "-")}`;
    try {
      downloads.binary(url, root, daemonName, disk);
    } catch (error) {
      throw plainError(`error downloading binary for os/arch ${osArch}: ${modelledText(error)}`);
    }
  }
}
