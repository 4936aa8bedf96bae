/**
 * Where Cosmovisor keeps things, below its daemon's home (rules/sidecar 1.1). A binary is a file that holds
 * the name of a software version, and a symbolic link is a file that holds its target.
 */
import { formatRfc3339, type Time } from "../../primitives/time.ts";

/** DAEMON_NAME. */
export const DAEMON = "chaind";

export const GENESIS_DIR = "genesis";
const ROOT = "cosmovisor";
/** The link to the folder whose binary is run: `genesis` or `upgrades/<name>`. */
export const CURRENT = `${ROOT}/current`;

/** A plan's name as Cosmovisor takes it: without capitals, unless COSMOVISOR_DISABLE_RECASE is set. */
export const recased = (plan: string, recase = true): string =>
  recase ? plan.toLowerCase() : plan;

/** The folder of an upgrade, as `current` links to it: the name recased and path-escaped. */
export const upgradeDir = (plan: string, recase = true): string =>
  `upgrades/${pathEscape(recased(plan, recase))}`;

/** The binary of a folder that `current` may link to. */
export const binaryPath = (dir: string): string => `${rootOf(dir)}/bin/${DAEMON}`;

/** Where a folder that `current` may link to lies below the daemon's home. */
export const rootOf = (dir: string): string => `${ROOT}/${dir}`;

/** COSMOVISOR_CUSTOM_PREUPGRADE, a script beside the folders. */
export const scriptPath = (script: string): string => `${ROOT}/${script}`;

/** Which plan a folder was switched to for; written when it becomes the current one. */
export const infoPath = (dir: string): string => `${rootOf(dir)}/upgrade-info.json`;

/** Below which all files of a folder lie. */
export const dirPrefix = (dir: string): string => `${rootOf(dir)}/`;

/**
 * Where a backup goes: by day, in the node's clock, without leading zeros; below the daemon's home unless
 * elsewhere.
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
