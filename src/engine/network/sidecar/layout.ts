/**
 * Paths of Cosmovisor's files, below its daemon's home (rules/sidecar 1.1). A binary is a file that
 * contains the name of a software version, and a symbolic link is a file that contains its target.
 */
import { formatRfc3339, type Time } from "../../../base/time.ts";

/** DAEMON_NAME. */
export const DAEMON = "chaind";

export const GENESIS_DIR = "genesis";
const ROOT = "cosmovisor";
/** Link to the folder with the current binary: `genesis` or `upgrades/<name>`. */
export const CURRENT = `${ROOT}/current`;

/** A plan's name as Cosmovisor reads it: in lower case, unless COSMOVISOR_DISABLE_RECASE is set. */
export const recased = (plan: string, recase = true): string =>
  recase ? plan.toLowerCase() : plan;

/** Folder of an upgrade, as the target of `current`: the name recased and path-escaped. */
export const upgradeDir = (plan: string, recase = true): string =>
  `upgrades/${pathEscape(recased(plan, recase))}`;

/** Path of the binary in a folder that `current` may link to. */
export const binaryPath = (dir: string): string => `${rootOf(dir)}/bin/${DAEMON}`;

/** Returns the path, below the daemon's home, of a folder that `current` may link to. */
export const rootOf = (dir: string): string => `${ROOT}/${dir}`;

/** Path of COSMOVISOR_CUSTOM_PREUPGRADE, a script beside the folders. */
export const scriptPath = (script: string): string => `${ROOT}/${script}`;

/**
 * Returns the path of the file with the plan for which a folder became the current one; created at
 * that moment.
 */
export const infoPath = (dir: string): string => `${rootOf(dir)}/upgrade-info.json`;

/** Path prefix of all files in a folder. */
export const dirPrefix = (dir: string): string => `${rootOf(dir)}/`;

/**
 * Returns the path of a backup: by day, in the node's clock, without leading zeros; below the
 * daemon's home unless `below` is set.
 */
export function backupDir(clock: Time, below?: string): string {
  const [year, month, day] = formatRfc3339(clock).slice(0, 10).split("-").map(Number);
  const name = `data-backup-${year}-${month}-${day}`;
  return below === undefined ? name : `${below.replace(/\/+$/, "")}/${name}`;
}

/** Go's url.PathEscape: one path segment. */
function pathEscape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/%(24|26|2B|3A|3D|40)/g, (escaped) => decodeURIComponent(escaped))
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
