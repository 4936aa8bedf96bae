import { type Duration, goDuration } from "../../../base/time.ts";
import { POLL_INTERVAL, type SidecarSettings } from "../../../engine/network/sidecar/sidecar.ts";
import type { SidecarSetting } from "../../../gen/lab/v1/lab_plain.ts";

/** Cosmovisor's environment at its start, including defaults (rules/sidecar 2.1). */
export function settingsOf(settings: SidecarSettings): SidecarSetting[] {
  const { mode, restartDelay, shutdownGrace, pollInterval = POLL_INTERVAL } = settings;
  const { backupDir = "", customPreUpgrade = "", preUpgradeMaxRetries = 0 } = settings;
  const downloads = mode === "download";
  const restart = settings.restartAfterUpgrade !== false;
  const backup = settings.backup !== false;
  const checksum = settings.mustHaveChecksum === true;
  const recase = settings.recase !== false;
  return [
    setting(
      "DAEMON_ALLOW_DOWNLOAD_BINARIES",
      `${downloads}`,
      downloads ? "downloads a binary that is missing" : "takes only binaries that lie on the disk",
      downloads,
    ),
    setting(
      "DAEMON_DOWNLOAD_MUST_HAVE_CHECKSUM",
      `${checksum}`,
      checksum ? "an address of a plan's info needs a checksum" : "an address may have no checksum",
      checksum,
    ),
    setting(
      "DAEMON_RESTART_AFTER_UPGRADE",
      `${restart}`,
      restart ? "starts the new binary by itself" : "leaves the start to its operator",
      !restart,
    ),
    setting(
      "DAEMON_RESTART_DELAY",
      durationText(restartDelay),
      restartDelay ? "waits so long before it continues" : "does not wait before it continues",
      (restartDelay ?? 0n) > 0n,
    ),
    setting(
      "DAEMON_SHUTDOWN_GRACE",
      durationText(shutdownGrace),
      shutdownGrace === undefined ? "kills the app at once" : "gives the app so long to exit",
      shutdownGrace !== undefined,
    ),
    setting(
      "DAEMON_POLL_INTERVAL",
      durationText(pollInterval),
      "looks so often at upgrade-info.json",
      pollInterval !== POLL_INTERVAL,
    ),
    setting(
      "UNSAFE_SKIP_BACKUP",
      `${!backup}`,
      backup ? "copies data/ before it switches" : "switches without a backup",
      !backup,
    ),
    setting(
      "DAEMON_DATA_BACKUP_DIR",
      backupDir,
      backupDir ? "backups go there" : "backups go to the node's home",
      backupDir !== "",
    ),
    setting(
      "DAEMON_PREUPGRADE_MAX_RETRIES",
      `${preUpgradeMaxRetries}`,
      `runs the new binary's pre-upgrade ${preUpgradeMaxRetries === 0 ? "once" : `up to ${preUpgradeMaxRetries + 1} times`}`,
      preUpgradeMaxRetries > 0,
    ),
    setting(
      "COSMOVISOR_CUSTOM_PREUPGRADE",
      customPreUpgrade,
      customPreUpgrade ? "runs this script of cosmovisor/ first" : "runs no script of its own",
      customPreUpgrade !== "",
    ),
    setting(
      "COSMOVISOR_DISABLE_RECASE",
      `${!recase}`,
      recase ? "writes plan names in lower case" : "takes plan names as they are",
      !recase,
    ),
  ];
}

const setting = (
  name: string,
  value: string,
  meaning: string,
  changed: boolean,
): SidecarSetting => ({ name, value, meaning, changed });

/** In Go's format: `300ms`, `45s`. */
export const durationText = (duration: Duration = 0n): string => goDuration(duration);
