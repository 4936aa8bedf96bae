/**
 * Where Cosmovisor keeps things, below its daemon's home; evidence facts §6.1. A binary is a file that holds
 * the name of a software version, and a symbolic link is a file that holds its target.
 */
import { formatRfc3339, type Time } from "../../primitives/time.ts";

/** DAEMON_NAME. */
export const DAEMON = "chaind";

export const GENESIS_DIR = "genesis";
const ROOT = "cosmovisor";
/** The link to the folder whose binary is run: `genesis` or `upgrades/<name>`. */
export const CURRENT = `${ROOT}/current`;

/** The folder of an upgrade, as `current` links to it: the name lower-cased and path-escaped. */
export const upgradeDir = (plan: string): string => `upgrades/${pathEscape(plan.toLowerCase())}`;

/** The binary of a folder that `current` may link to. */
export const binaryPath = (dir: string): string => `${ROOT}/${dir}/bin/${DAEMON}`;

/** Which plan a folder was switched to for; written when it becomes the current one. */
export const infoPath = (dir: string): string => `${ROOT}/${dir}/upgrade-info.json`;

/** Below which all files of a folder lie. */
export const dirPrefix = (dir: string): string => `${ROOT}/${dir}/`;

/** Where a backup goes: by day, in the machine's clock, without leading zeros. */
export function backupDir(clock: Time): string {
  const [year, month, day] = formatRfc3339(clock).slice(0, 10).split("-").map(Number);
  return `data-backup-${year}-${month}-${day}`;
}

/** Go's url.PathEscape: one path segment. */
function pathEscape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/%(24|26|2B|3A|3D|40)/g, (escaped) => decodeURIComponent(escaped))
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
