import { describe, expect, test } from "vitest";
import type { AbsenceCause } from "../../../engine/network/round/absence.ts";
import { halted, simulated, view } from "./diagnosis.testing.ts";
import { diagnose, folderOf, namesOf } from "./diagnosis.ts";

const NAMES = ["a", "b", "c"];
const sim = simulated({ nodes: NAMES.map((name) => view(name)) });
const HASHES = { expected: "AA", got: "BB" };

/** Number of groups that two causes form. */
const groups = (one: AbsenceCause, other: AbsenceCause): number =>
  diagnose(sim, halted([one, "a"], [other, "b"])).length;

describe("missing nodes are grouped by what brings them back", () => {
  test.each<[AbsenceCause, AbsenceCause]>([
    [
      { kind: "upgrade_needed", plan: "v2", height: 20, info: "x" },
      { kind: "upgrade_needed", plan: "v2", height: 20, info: "", onReplay: true },
    ],
    [{ kind: "partitioned" }, { kind: "behind" }],
    [{ kind: "partitioned" }, { kind: "other_fork", since: 5 }],
    [
      { kind: "fault", fault: "signer" },
      { kind: "signer_state_missing", path: "p" },
    ],
    [
      { kind: "signer_state_missing", path: "p" },
      { kind: "signer_state_unreadable", path: "p", error: "x" },
    ],
    [
      { kind: "application_error", error: "x" },
      { kind: "sidecar_failed", error: "y" },
    ],
    [{ kind: "validator_set_error", error: "x" }, { kind: "sidecar_restart_off" }],
    [
      { kind: "sidecar_waits", plan: "v2", for: "exit" },
      { kind: "sidecar_waits", plan: "v3", for: "download" },
    ],
    [
      { kind: "wrong_app_hash", ...HASHES },
      { kind: "wrong_last_results_hash", ...HASHES },
    ],
    [
      { kind: "backup_dir_missing", dir: "/b", isFile: true },
      { kind: "backup_dir_missing", dir: "/b/", isFile: false },
    ],
    [
      { kind: "halt_height", height: 8, time: 0 },
      { kind: "halt_height", height: 9, time: 0 },
    ],
  ])("together: %j and %j", (one, other) => {
    expect(groups(one, other)).toBe(1);
  });

  test.each<[AbsenceCause, AbsenceCause]>([
    [
      { kind: "upgrade_needed", plan: "v2", height: 20, info: "" },
      { kind: "upgrade_needed", plan: "v3", height: 20, info: "" },
    ],
    [
      { kind: "upgrade_needed", plan: "v2", height: 20, info: "" },
      { kind: "upgrade_needed", plan: "v2", height: 21, info: "" },
    ],
    [
      { kind: "binary_too_early", plan: "v2" },
      { kind: "binary_too_early", plan: "v3" },
    ],
    [
      { kind: "handler_missing", plan: "v2" },
      { kind: "binary_too_early", plan: "v2" },
    ],
    [
      { kind: "fault", fault: "mute" },
      { kind: "fault", fault: "slow" },
    ],
    [
      { kind: "backup_dir_missing", dir: "/b", isFile: true },
      { kind: "backup_dir_missing", dir: "/c", isFile: true },
    ],
    [{ kind: "stopped" }, { kind: "crashed", height: 3 }],
    [
      { kind: "diverged", mismatch: { kind: "wrong_app_hash", ...HASHES } },
      { kind: "wrong_app_hash", ...HASHES },
    ],
    [
      { kind: "launch_failed", error: "x" },
      { kind: "store_version_mismatch", error: "x" },
    ],
  ])("apart: %j and %j", (one, other) => {
    expect(groups(one, other)).toBe(2);
  });
});

test("the greatest power comes first, and names that no node has are left out", () => {
  const mute: AbsenceCause = { kind: "fault", fault: "mute" };
  const found = diagnose(sim, halted([{ kind: "stopped" }, "a"], [mute, "b", "c", "gone"]));
  expect(
    found.map(({ cause, nodes, power, reason }) => [cause.kind, nodes.length, power, reason]),
  ).toEqual([
    ["fault", 2, 200, "mute: it follows the chain and sends nothing"],
    ["stopped", 1, 100, "stopped by its operator"],
  ]);
});

test("two nodes with one key hold its power once, also where they are missing for two reasons", () => {
  const twin = view("a-twin", { validator: "a" });
  const twins = simulated({ nodes: [view("a", { power: 70 }), { ...twin, power: 70 }, view("b")] });
  const one: AbsenceCause = { kind: "partitioned" };
  const found = diagnose(twins, halted([one, "a"], [{ kind: "behind" }, "a-twin"]));
  expect(found.map(({ nodes, power }) => [nodes.length, power])).toEqual([[2, 70]]);
  const more = diagnose(twins, halted([one, "a", "a-twin"], [{ kind: "stopped" }, "b"]));
  expect(more.map(({ cause, power }) => [cause.kind, power])).toEqual([
    ["stopped", 100],
    ["partitioned", 70],
  ]);
});

test("six names are given, of more the first five", () => {
  const nodes = ["a", "b", "c", "d", "e", "f", "g"].map((name) => view(name));
  expect(namesOf(nodes.slice(0, 6))).toBe("a, b, c, d, e, f");
  expect(namesOf(nodes)).toBe("a, b, c, d, e and 2 more");
});

test("a folder has no slashes at its end", () => {
  expect(folderOf("/mnt/b//")).toBe("/mnt/b");
});
