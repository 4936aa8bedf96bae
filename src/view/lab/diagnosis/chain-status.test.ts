import { describe, expect, test } from "vitest";
import type { AbsenceCause } from "../../../engine/network/round/absence.ts";
import { becauseOf } from "./chain-status.ts";
import { halted, simulated, view } from "./diagnosis.testing.ts";

const sim = simulated({ nodes: ["a", "b", "c"].map((name) => view(name)) });
const HASHES = { expected: "AA", got: "BB" };
const SIGNERS = [
  "The signer of a cannot sign: see its state file.",
  "The signers of a, b cannot sign: see their state files.",
] as const;
const PARTITIONED = [
  "The network is partitioned: a cannot reach the others.",
  "The network is partitioned: a, b cannot reach the others.",
] as const;
const OTHER_HASH = [
  "a computed another app hash than the block carries.",
  "a, b computed another app hash than the block carries.",
] as const;

describe("the sentence for one node and for two", () => {
  test.each<[AbsenceCause, string, string]>([
    [
      { kind: "upgrade_needed", plan: "v2", height: 20, info: "" },
      'Plan "v2" is due at height 20; a runs a binary without its Handler.',
      'Plan "v2" is due at height 20; a, b run a binary without its Handler.',
    ],
    [
      { kind: "binary_too_early", plan: "v2" },
      'a runs a binary with the Handler of plan "v2" before its height.',
      'a, b run a binary with the Handler of plan "v2" before its height.',
    ],
    [
      { kind: "handler_missing", plan: "v2" },
      'a runs a binary without the Handler of "v2", the last upgrade.',
      'a, b run a binary without the Handler of "v2", the last upgrade.',
    ],
    [{ kind: "fault", fault: "mute" }, "a is mute.", "a, b are mute."],
    [{ kind: "fault", fault: "signer" }, ...SIGNERS],
    [{ kind: "signer_state_missing", path: "p" }, ...SIGNERS],
    [{ kind: "signer_state_unreadable", path: "p", error: "x" }, ...SIGNERS],
    [{ kind: "stopped" }, "a is stopped.", "a, b are stopped."],
    [{ kind: "crashed", height: 4 }, "a crashed.", "a, b crashed."],
    [{ kind: "behind" }, ...PARTITIONED],
    [{ kind: "partitioned" }, ...PARTITIONED],
    [{ kind: "other_fork", since: 4 }, ...PARTITIONED],
    [
      { kind: "diverged", mismatch: { kind: "wrong_app_hash", ...HASHES } },
      "App hashes have diverged: a holds another state.",
      "App hashes have diverged: a, b hold another state.",
    ],
    [{ kind: "wrong_app_hash", ...HASHES }, ...OTHER_HASH],
    [{ kind: "wrong_last_results_hash", ...HASHES }, ...OTHER_HASH],
    [
      { kind: "wrong_last_block_id", ...HASHES },
      "a is on an orphaned fork.",
      "a, b are on an orphaned fork.",
    ],
    [
      { kind: "halt_height", height: 8, time: 0 },
      "a has reached its halt height.",
      "a, b have reached their halt height.",
    ],
    [
      { kind: "halt_time", height: 0, time: 90 },
      "a has reached its halt time.",
      "a, b have reached their halt time.",
    ],
    [
      { kind: "upgrade_info_not_written", error: "x" },
      "a could not write upgrade-info.json to disk.",
      "a, b could not write upgrade-info.json to disk.",
    ],
    [
      { kind: "upgrade_info_unreadable", error: "x" },
      "a cannot read upgrade-info.json on disk.",
      "a, b cannot read upgrade-info.json on disk.",
    ],
    [
      { kind: "launch_failed", error: "exec format error" },
      "The sidecar of a cannot run the installed binary: exec format error.",
      "The sidecars of a, b cannot run the installed binary: exec format error.",
    ],
    [
      { kind: "sidecar_skips", height: 20 },
      "The sidecar of a stopped it for an upgrade that is skipped, and would do so again.",
      "The sidecars of a, b stopped them for an upgrade that is skipped, and would do so again.",
    ],
    [
      { kind: "backup_dir_missing", dir: "/mnt/", isFile: false },
      "The sidecar of a did not start: there is no folder /mnt for backups.",
      "The sidecars of a, b did not start: there is no folder /mnt for backups.",
    ],
    [
      { kind: "store_version_mismatch", error: "x" },
      "a cannot open its stores with binary v1.",
      "a, b cannot open their stores with binary v1.",
    ],
    [
      { kind: "time_out_of_range", error: "x" },
      "a cannot sign: no vote can have a time after the year 9999.",
      "a, b cannot sign: no vote can have a time after the year 9999.",
    ],
    [{ kind: "application_error", error: "boom" }, "a stopped: boom.", "a, b stopped: boom."],
    [{ kind: "sidecar_failed", error: "boom" }, "a stopped: boom.", "a, b stopped: boom."],
    [
      { kind: "validator_set_error", error: "empty" },
      "a stopped: error changing validator set: empty.",
      "a, b stopped: error changing validator set: empty.",
    ],
    [
      { kind: "sidecar_waits", plan: "v2", for: "download" },
      'a stopped: cosmovisor is downloading the binary for upgrade "v2".',
      'a, b stopped: cosmovisor is downloading the binary for upgrade "v2".',
    ],
    [
      { kind: "sidecar_restart_off" },
      "a stopped: upgrade detected, DAEMON_RESTART_AFTER_UPGRADE is off. Verify new upgrade and start cosmovisor again.",
      "a, b stopped: upgrade detected, DAEMON_RESTART_AFTER_UPGRADE is off. Verify new upgrade and start cosmovisor again.",
    ],
  ])("%j", (cause, one, two) => {
    expect(becauseOf(sim, halted([cause, "a"]))).toBe(one);
    expect(becauseOf(sim, halted([cause, "a", "b"]))).toBe(two);
  });
});

const mute: AbsenceCause = { kind: "fault", fault: "mute" };
const slow: AbsenceCause = { kind: "fault", fault: "slow" };

test("only the two weightiest reasons are given", () => {
  expect(becauseOf(sim, halted([{ kind: "stopped" }, "a"], [mute, "b"], [slow, "c"]))).toBe(
    "a is stopped. b is mute.",
  );
});

test("a running chain says whether every node votes", () => {
  expect(becauseOf(sim, { ...halted(), state: "running" })).toBe("Every node votes.");
  expect(becauseOf(sim, { ...halted([mute, "a"]), state: "running" })).toBe(
    "Blocks are made, but not every node votes. a is mute.",
  );
});

test("a chain may be halted without a missing node", () => {
  expect(becauseOf(sim, halted())).toBe("The nodes wait for one another.");
  expect(becauseOf(sim, { ...halted(), totalPower: 0 })).toBe("No validator is left to vote.");
});
