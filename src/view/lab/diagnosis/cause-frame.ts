import { unreachable } from "../../../base/unreachable.ts";
import type { AbsenceCause } from "../../../engine/network/round/absence.ts";
import type { Cause as CauseFrame } from "../../../gen/lab/v1/lab_plain.ts";

const NONE = { plan: "", height: 0, fault: "", expected: "", got: "" } as const;

export function causeFrame(cause: AbsenceCause): CauseFrame {
  const { kind } = cause;
  switch (kind) {
    case "diverged": {
      const { expected, got } = cause.mismatch;
      return { ...NONE, kind, expected, got };
    }
    case "wrong_app_hash":
    case "wrong_last_results_hash":
    case "wrong_last_block_id":
      return { ...NONE, kind, expected: cause.expected, got: cause.got };
    case "other_fork":
      return { ...NONE, kind, height: cause.since };
    case "fault":
      return { ...NONE, kind, fault: cause.fault };
    case "upgrade_needed":
      return { ...NONE, kind, plan: cause.plan, height: cause.height };
    case "binary_too_early":
    case "handler_missing":
    case "sidecar_waits":
      return { ...NONE, kind, plan: cause.plan };
    case "halt_height":
    case "crashed":
    case "sidecar_skips":
      return { ...NONE, kind, height: cause.height };
    case "halt_time":
    case "stopped":
    case "behind":
    case "partitioned":
    case "application_error":
    case "upgrade_info_not_written":
    case "upgrade_info_unreadable":
    case "store_version_mismatch":
    case "signer_state_missing":
    case "signer_state_unreadable":
    case "validator_set_error":
    case "time_out_of_range":
    case "backup_dir_missing":
    case "launch_failed":
    case "sidecar_restart_off":
    case "sidecar_failed":
      return { ...NONE, kind };
    default:
      return unreachable(cause);
  }
}
