import { formatProtoTime, type Time } from "../../../base/time.ts";
import { haltText } from "../../../engine/framework/halt.ts";
import { UPGRADE_INFO_PATH } from "../../../engine/modules/upgrade/upgrade-info.ts";
import type { Stage } from "../../../engine/network/sidecar/upgrade-record.ts";
import type { SidecarView } from "../../../engine/simulation/views.ts";
import type { SidecarStep } from "../../../gen/lab/v1/lab_plain.ts";

/** Stages of an upgrade, in order; some exist only with a setting. */
const STAGES: readonly Stage[] = [
  "stop",
  "delay",
  "backup",
  "script",
  "binary",
  "download",
  "checksum",
  "switch",
  "pre_upgrade",
  "restart",
];

type Shown = Pick<SidecarView, "settings" | "upgrade" | "end" | "waitsUntil">;

/** True if an upgrade, or the start of the app, has failed. */
export const hasFailed = ({ end }: Pick<SidecarView, "end">): boolean =>
  end?.kind === "exit" &&
  ["sidecar_failed", "launch_failed", "backup_dir_missing"].includes(end.cause.kind);

/**
 * The steps of a sidecar: it watches the disk of its node, and runs an upgrade. `record` false: the
 * pending plan is not the one that it has run, so none of its steps are done.
 */
export function stepsOf(sidecar: Shown, record: boolean, lines: boolean): SidecarStep[] {
  const upgrade = record ? sidecar.upgrade : undefined;
  const reached = upgrade?.stages ?? [];
  const last = reached.at(-1)?.stage;
  const lastAt = last === undefined ? -1 : STAGES.indexOf(last);
  const steps = STAGES.flatMap((stage, at): SidecarStep[] => {
    const records = reached.filter((one) => one.stage === stage);
    const [first] = records;
    const step = { step: stage, note: "", lines: NO_LINES, at: "" };
    if (first !== undefined) {
      const state = stage === last ? lastState(sidecar) : "done";
      const note = stage === last ? waitNote(sidecar) : "";
      const source = lines ? records.flatMap(({ logs }) => logs.map(textOf)) : NO_LINES;
      return [{ ...step, state, note, lines: source, at: formatProtoTime(first.at) }];
    }
    const why = omissionReason(stage, sidecar, at < lastAt);
    if (why === undefined) return [];
    return [{ ...step, state: why === "" ? "later" : "left_out", note: why }];
  });
  return [watchStep(sidecar, reached.length > 0), ...steps];
}

const NO_LINES: readonly string[] = [];

function watchStep(sidecar: Shown, isStarted: boolean): SidecarStep {
  const { end } = sidecar;
  const step = { step: "watch", note: UPGRADE_INFO_PATH, lines: NO_LINES, at: "" };
  if (isStarted) return { ...step, state: "done" };
  if (end === undefined) return { ...step, state: "now" };
  return { ...step, state: end.kind === "stopped" ? "later" : "failed" };
}

function lastState(sidecar: Shown): string {
  if (sidecar.waitsUntil !== undefined) return "now";
  if (hasFailed(sidecar)) return "failed";
  const off = sidecar.end?.kind === "exit" && sidecar.end.cause.kind === "sidecar_restart_off";
  return off ? "left_out" : "done";
}

function waitNote({ waitsUntil, end }: Shown): string {
  if (waitsUntil !== undefined) return `until ${clockOf(waitsUntil)}`;
  return end?.kind === "exit" ? haltText(end.cause) : "";
}

/**
 * Reason why a stage was not reached: empty if it still may be; undefined if no setting requires
 * it.
 */
function omissionReason(
  stage: Stage,
  { settings, end }: Shown,
  passed: boolean,
): string | undefined {
  const skips = end?.kind === "exit" && end.cause.kind === "sidecar_skips";
  switch (stage) {
    case "delay":
      return settings.restartDelay ? "" : undefined;
    case "script":
      return settings.customPreUpgrade === undefined ? undefined : "";
    case "backup":
      if (settings.backup === false) return "UNSAFE_SKIP_BACKUP is set";
      break;
    case "download":
      if (settings.mode !== "download") return "downloads are off";
      if (passed) return "the binary lay on the disk";
      break;
    case "checksum":
      if (settings.mode !== "download") return "nothing is downloaded";
      if (passed) return "there was none to check";
      break;
    default:
  }
  return skips ? "it is set to skip this height" : "";
}

/** Time of day of the simulated clock. */
export const clockOf = (time: Time): string => formatProtoTime(time).slice(11, 19);

/** A printed line: text, then fields. */
const textOf = ({
  text,
  fields = {},
}: {
  readonly text: string;
  readonly fields?: Readonly<Record<string, string>>;
}): string =>
  text +
  Object.entries(fields)
    .map(([key, value]) => ` ${key}=${value}`)
    .join("");
