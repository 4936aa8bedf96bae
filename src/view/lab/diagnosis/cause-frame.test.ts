import { expect, test } from "vitest";
import type { AbsenceCause } from "../../../engine/network/round/absence.ts";
import { causeFrame } from "./cause-frame.ts";

const NONE = { plan: "", height: 0, fault: "", expected: "", got: "" };
const HASHES = { expected: "AA", got: "BB" };

test.each<[AbsenceCause, object]>([
  [{ kind: "stopped" }, {}],
  [{ kind: "partitioned" }, {}],
  [{ kind: "other_fork", since: 7 }, { height: 7 }],
  [{ kind: "diverged", mismatch: { kind: "wrong_app_hash", ...HASHES } }, HASHES],
  [{ kind: "fault", fault: "mute" }, { fault: "mute" }],
  [
    { kind: "upgrade_needed", plan: "v2", height: 20, info: "x" },
    { plan: "v2", height: 20 },
  ],
  [{ kind: "binary_too_early", plan: "v2" }, { plan: "v2" }],
  [{ kind: "handler_missing", plan: "v2" }, { plan: "v2" }],
  [{ kind: "sidecar_waits", plan: "v2", for: "exit" }, { plan: "v2" }],
  [{ kind: "halt_height", height: 8, time: 0 }, { height: 8 }],
  [{ kind: "crashed", height: 8 }, { height: 8 }],
  [{ kind: "sidecar_skips", height: 8 }, { height: 8 }],
  [{ kind: "wrong_app_hash", ...HASHES }, HASHES],
  [{ kind: "wrong_last_results_hash", ...HASHES }, HASHES],
  [{ kind: "wrong_last_block_id", ...HASHES }, HASHES],
  [{ kind: "application_error", error: "boom", onReplay: true }, {}],
])("%j goes over the wire by its kind, with what belongs to it", (cause, fields) => {
  expect(causeFrame(cause)).toEqual({ ...NONE, kind: cause.kind, ...fields });
});
