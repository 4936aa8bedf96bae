import { describe, expect, test } from "vitest";
import { CommandError, Panic, plainError } from "./errors.ts";
import { type HaltCause, HaltError, haltCauseOf, haltText, isHeaderMismatch } from "./halt.ts";

const PATH = "data/priv_validator_state.json";
const HASHES = { expected: "AA", got: "BB" };

const TEXTS: readonly (readonly [HaltCause, string])[] = [
  [
    { kind: "upgrade_needed", plan: "v2", height: 30, info: "read me" },
    'UPGRADE "v2" NEEDED at height: 30: read me',
  ],
  [
    { kind: "binary_too_early", plan: "v2" },
    'BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2" - in binary but not executed on chain. Downgrade your binary',
  ],
  [
    { kind: "handler_missing", plan: "v2" },
    "wrong app version 0, upgrade handler is missing for v2 upgrade plan",
  ],
  [
    { kind: "upgrade_info_not_written", error: "permission denied" },
    "unable to write upgrade info to filesystem: permission denied",
  ],
  [{ kind: "halt_height", height: 8, time: 0 }, "halt per configuration height 8 time 0"],
  [{ kind: "halt_time", height: 0, time: 90 }, "halt per configuration height 0 time 90"],
  [{ kind: "application_error", error: "boom" }, "boom"],
  [{ kind: "wrong_app_hash", ...HASHES }, "wrong Block.Header.AppHash.  Expected AA, got BB"],
  [
    { kind: "wrong_last_results_hash", ...HASHES },
    "wrong Block.Header.LastResultsHash.  Expected AA, got BB",
  ],
  [
    { kind: "wrong_last_block_id", ...HASHES },
    "wrong Block.Header.LastBlockID.  Expected AA, got BB",
  ],
  [{ kind: "validator_set_error", error: "empty" }, "error changing validator set: empty"],
  [
    { kind: "time_out_of_range", error: "timestamp: after 10000-01-01" },
    "timestamp: after 10000-01-01",
  ],
  [{ kind: "crashed", height: 4 }, "killed while applying block 4"],
  [
    { kind: "upgrade_info_unreadable", error: "no JSON" },
    "failed to read upgrade info from disk: no JSON",
  ],
  [{ kind: "store_version_mismatch", error: "got 0" }, "failed to load latest version: got 0"],
  [{ kind: "signer_state_missing", path: PATH }, `open ${PATH}: no such file or directory`],
  [
    { kind: "signer_state_unreadable", path: PATH, error: "no JSON" },
    `Error reading PrivValidator state from ${PATH}: no JSON`,
  ],
  [
    { kind: "backup_dir_missing", dir: "/a", isFile: false },
    '"/a" must be a valid directory: stat /a: no such file or directory',
  ],
  [{ kind: "backup_dir_missing", dir: "/a", isFile: true }, '"/a" must be a valid directory'],
  [{ kind: "launch_failed", error: "exec format error" }, "exec format error"],
  [
    { kind: "sidecar_skips", height: 30 },
    "cosmovisor stopped the app at upgrade height 30, which it is set to skip, and did not start it again",
  ],
  [
    { kind: "sidecar_waits", plan: "v2", for: "exit" },
    'cosmovisor is waiting for the app to exit, to upgrade "v2"',
  ],
  [
    { kind: "sidecar_waits", plan: "v2", for: "restart_delay" },
    'cosmovisor is waiting for DAEMON_RESTART_DELAY, to upgrade "v2"',
  ],
  [
    { kind: "sidecar_waits", plan: "v2", for: "download" },
    'cosmovisor is downloading the binary for upgrade "v2"',
  ],
  [
    { kind: "sidecar_restart_off" },
    "upgrade detected, DAEMON_RESTART_AFTER_UPGRADE is off. Verify new upgrade and start cosmovisor again.",
  ],
  [{ kind: "sidecar_failed", error: "exit status 3" }, "exit status 3"],
];

describe("the sentence of a halt is upstream's", () => {
  test.each(TEXTS)("%j", (cause, text) => {
    expect(haltText(cause)).toBe(text);
    expect(new HaltError(cause)).toMatchObject({ name: "HaltError", message: text, cause });
  });

  test("with the handshake's words before it if the block was replayed", () => {
    expect(haltText({ kind: "halt_height", height: 8, time: 0, onReplay: true })).toBe(
      "error during handshake: error on replay: halt per configuration height 8 time 0",
    );
  });
});

test("three causes are of a header that does not fit", () => {
  const kinds = TEXTS.flatMap(([cause]) => (isHeaderMismatch(cause) ? [cause.kind] : []));
  expect(kinds).toEqual(["wrong_app_hash", "wrong_last_results_hash", "wrong_last_block_id"]);
});

describe("the cause of what was thrown", () => {
  const other = (error: string): HaltCause => ({ kind: "sidecar_failed", error });

  test("is a HaltError's own", () => {
    const cause: HaltCause = { kind: "halt_height", height: 8, time: 0 };
    expect(haltCauseOf(new HaltError(cause), other)).toBe(cause);
  });

  test.each([plainError("boom"), new Panic("boom"), new Error("boom")])(
    "is made of the text of %s",
    (error) => {
      expect(haltCauseOf(error, other)).toEqual({ kind: "sidecar_failed", error: "boom" });
    },
  );

  test.each([
    new TypeError("a bug"),
    new RangeError("a bug"),
    new SyntaxError("a bug"),
    new ReferenceError("a bug"),
    new CommandError("a bug"),
    "a bug",
  ])("is none where it is a bug of the simulator: %s", (error) => {
    expect(() => haltCauseOf(error, other)).toThrow("a bug");
  });
});
