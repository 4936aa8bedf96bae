import { describe, expect, test } from "vitest";
import { type BinarySpec, V1 } from "../../../engine/app/binary.ts";
import type { AbsenceCause } from "../../../engine/network/round/absence.ts";
import type { NodeView } from "../../../engine/simulation/views.ts";
import { halted, simulated, view } from "./diagnosis.testing.ts";
import { candidatesOf } from "./remedy-candidates.ts";

const SIGNER = "data/priv_validator_state.json";
const INFO = "data/upgrade-info.json";
const signer = (height: number): string => `{"height":"${height}","round":0,"step":3}`;
const binary = (name: string, fields: Partial<BinarySpec> = {}): BinarySpec => ({
  ...V1,
  name,
  modules: { bank: 4 },
  ...fields,
});
const BINARIES = [binary("v1"), binary("v2", { handlers: ["v2"] })];
const DUE = { name: "v2", height: 20 };
const NEEDED: AbsenceCause = { kind: "upgrade_needed", plan: "v2", height: 20, info: "" };
const HASHES = { expected: "AA", got: "BB" };

interface Given extends Omit<Parameters<typeof simulated>[0], "nodes"> {
  readonly plan?: typeof DUE;
  readonly nodes?: readonly NodeView[];
  /** The missing nodes. */
  readonly who?: readonly string[];
}

/** Label and steps of every remedy if `a` and `b` are missing for a cause, and `c` votes. */
function remedies(cause: AbsenceCause, input: Given = {}) {
  const { plan, who = ["a", "b"], nodes = ["a", "b", "c"].map((name) => view(name)) } = input;
  const files = { [SIGNER]: signer(input.decidedHeight ?? 19) };
  const sim = simulated({ binaries: BINARIES, files, ...input, nodes });
  const groups = candidatesOf(sim, halted([cause, ...who]), plan);
  return groups.flatMap(({ candidates }) =>
    candidates.map(({ label, steps }) => [label, ...steps]),
  );
}

/** The same without skips, which are offered whenever an upgrade is due. */
const switches = (...args: Parameters<typeof remedies>) =>
  remedies(...args).filter(([label]) => !String(label).startsWith("Skip"));

const act = (which: readonly string[], action: object) => ({ nodes: { which, ...action } });
const AB = ["a", "b"];
const due = { decidedHeight: 20, plan: DUE };

describe("what brings nodes back that are missing for one cause", () => {
  test.each<[AbsenceCause, readonly unknown[]]>([
    [{ kind: "stopped" }, ["Start a, b", act(AB, { start: true })]],
    [
      { kind: "fault", fault: "mute" },
      ["Clear the faults of a, b", { fault: { clear: "a" } }, { fault: { clear: "b" } }],
    ],
    [
      { kind: "crashed", height: 4 },
      [
        "Clear the faults of a, b and start them",
        { fault: { clear: "a" } },
        { fault: { clear: "b" } },
        act(AB, { start: true }),
      ],
    ],
    [{ kind: "behind" }, ["Heal the network", { partition: "heal" }]],
    [{ kind: "partitioned" }, ["Heal the network", { partition: "heal" }]],
    [{ kind: "other_fork", since: 4 }, ["Heal the network", { partition: "heal" }]],
    [
      { kind: "diverged", mismatch: { kind: "wrong_app_hash", ...HASHES } },
      ["State-sync a, b from c", act(AB, { state_sync: "c" })],
    ],
    [
      { kind: "wrong_app_hash", ...HASHES },
      ["State-sync a, b from c", act(AB, { state_sync: "c" })],
    ],
    [
      { kind: "wrong_last_block_id", ...HASHES },
      ["State-sync a, b from c", act(AB, { state_sync: "c" })],
    ],
    [
      { kind: "halt_height", height: 8, time: 0 },
      ["Start a, b without a halt height", act(AB, { halt_height: 0 })],
    ],
    [
      { kind: "halt_time", height: 0, time: 90 },
      ["Start a, b without a halt time", act(AB, { halt_time: 0 })],
    ],
    [
      { kind: "upgrade_info_unreadable", error: "x" },
      [
        "Remove upgrade-info.json and start a, b",
        act(AB, { remove_file: INFO }),
        act(AB, { start: true }),
      ],
    ],
    [
      { kind: "upgrade_info_not_written", error: "x" },
      [
        "Make the disk writable and start a, b",
        act(AB, { disk: { writable: true } }),
        act(AB, { start: true }),
      ],
    ],
    [
      { kind: "sidecar_skips", height: 20 },
      [
        "Without a sidecar, start a, b",
        act(AB, { sidecar: { mode: "manual" } }),
        act(AB, { start: true }),
      ],
    ],
    [
      { kind: "backup_dir_missing", dir: "/mnt/", isFile: false },
      [
        "Make the folder for backups and start a, b",
        act(AB, { write_file: { path: "/mnt/.keep", content: "" } }),
        act(AB, { start: true }),
      ],
    ],
    [{ kind: "binary_too_early", plan: "v2" }, ["Install v1 on a, b", act(AB, { binary: "v1" })]],
    [{ kind: "handler_missing", plan: "v2" }, ["Install v2 on a, b", act(AB, { binary: "v2" })]],
    [{ kind: "launch_failed", error: "x" }, ["Install v1 on a, b", act(AB, { binary: "v1" })]],
    [
      { kind: "application_error", error: "x" },
      ["State-sync a, b from c", act(AB, { state_sync: "c" })],
    ],
    [
      { kind: "store_version_mismatch", error: "x" },
      ["State-sync a, b from c", act(AB, { state_sync: "c" })],
    ],
  ])("%j", (cause, remedy) => {
    expect(remedies(cause)).toEqual([remedy]);
  });

  test("without a node that votes there is none to state-sync from", () => {
    const nodes = [view("a"), view("b")];
    expect(remedies({ kind: "wrong_app_hash", ...HASHES }, { nodes })).toEqual([]);
    expect(remedies({ kind: "handler_missing", plan: "v9" }, { nodes })).toEqual([]);
  });

  test("a binary other than the peer's is replaced before the state is restored", () => {
    const nodes = [view("a", { binary: "v2" }), view("b"), view("c")];
    expect(remedies({ kind: "wrong_app_hash", ...HASHES }, { nodes })).toEqual([
      [
        "State-sync a, b from c, after installing v1 on a",
        act(["a"], { binary: "v1" }),
        act(AB, { state_sync: "c" }),
      ],
    ]);
    expect(remedies({ kind: "handler_missing", plan: "v9" })).toEqual([
      ["State-sync a, b from c", act(AB, { state_sync: "c" })],
    ]);
  });

  test("no node missing, no remedy", () => {
    const sim = simulated({ nodes: [view("a")] });
    expect(candidatesOf(sim, halted(), undefined)).toEqual([]);
  });
});

test("a file where the folder for backups is to be is said to be replaced", () => {
  const cause: AbsenceCause = { kind: "backup_dir_missing", dir: "/mnt/", isFile: true };
  expect(remedies(cause, { files: { [SIGNER]: signer(19), "/mnt": "" } })).toEqual([
    [
      "Replace the file /mnt by the folder for backups and start a, b",
      act(AB, { remove_file: "/mnt" }),
      act(AB, { write_file: { path: "/mnt/.keep", content: "" } }),
      act(AB, { start: true }),
    ],
  ]);
});

describe("a signer that cannot sign", () => {
  const at = (content: string) => act(["a"], { write_file: { path: SIGNER, content } });
  const state = (height: string, round: number): string =>
    JSON.stringify({ height, round, step: 3 }, null, 2);

  test.each<AbsenceCause>([
    { kind: "fault", fault: "signer" },
    { kind: "signer_state_missing", path: SIGNER },
    { kind: "signer_state_unreadable", path: SIGNER, error: "x" },
  ])("gets the newest height: %j", (cause) => {
    expect(remedies(cause, { who: ["a"] })).toEqual([
      [
        "Write the signer state of a anew and start it",
        at(state("19", 0)),
        act(["a"], { start: true }),
      ],
    ]);
  });

  test("gets the last round that may have been voted in", () => {
    const cause: AbsenceCause = { kind: "signer_state_missing", path: SIGNER };
    const [, write] = remedies(cause, { who: ["a"], round: 3 })[0] ?? [];
    expect(write).toEqual(at(state("20", 2)));
    expect(remedies(cause)[0]?.[0]).toBe("Write the signer states of a, b anew and start them");
  });
});

describe("nodes that wait for an upgrade", () => {
  test("are switched all at once or one by one", () => {
    expect(switches(NEEDED, due)).toEqual([
      ["Switch all waiting nodes to v2", act(AB, { binary: "v2" })],
      ["Switch a to v2", act(["a"], { binary: "v2" })],
      ["Switch b to v2", act(["b"], { binary: "v2" })],
    ]);
    expect(switches(NEEDED, { ...due, who: ["a"] })).toEqual([
      ["Switch a to v2", act(["a"], { binary: "v2" })],
    ]);
  });

  test("more than eight are switched at once only", () => {
    const who = Array.from({ length: 9 }, (_, i) => `n${i}`);
    const nodes = who.map((name) => view(name));
    expect(switches(NEEDED, { ...due, who, nodes })).toHaveLength(1);
    expect(switches(NEEDED, { ...due, who: who.slice(1), nodes })).toHaveLength(9);
  });

  test("may skip it, beside those that they skip already", () => {
    const nodes = ["a", "b", "c"].map((name) => view(name, { skipUpgradeHeights: [7] }));
    const input = { ...due, nodes, who: ["a", "b"] };
    const skip = act(["a", "b"], { skip_upgrades: [7, 20] });
    expect(remedies(NEEDED, input).at(-1)).toEqual(['Skip the upgrade "v2" on a, b', skip]);
    const other = [view("a", { skipUpgradeHeights: [60] }), view("b"), view("c")];
    expect(remedies(NEEDED, { ...input, nodes: other }).at(-1)).toEqual([
      'Skip the upgrade "v2" on a, b',
      act(["a"], { skip_upgrades: [20, 60] }),
      act(["b"], { skip_upgrades: [20] }),
    ]);
  });

  test("that were rolled back to before it are brought there by the old binary first", () => {
    const nodes = [view("a", { height: 17 }), view("b"), view("c")];
    const files = { [SIGNER]: signer(20), [INFO]: '{"name":"v2","height":20}' };
    expect(switches(NEEDED, { ...due, nodes, files })[0]).toEqual([
      "Switch all waiting nodes to v2, after installing v1 on a to reach block 19",
      act(["a"], { binary: "v1" }),
      act(AB, { binary: "v2" }),
    ]);
  });

  test("lose their skip heights, and a block that they applied without it", () => {
    const nodes = [view("a", { skipUpgradeHeights: [20], height: 21 }), view("b"), view("c")];
    expect(switches(NEEDED, { ...due, nodes })[0]).toEqual([
      "Switch all waiting nodes to v2, after rolling back a by 2 blocks and clearing skip height 20 of a",
      act(["a"], { roll_back: 2 }),
      act(["a"], { skip_upgrades: [] }),
      act(AB, { binary: "v2" }),
    ]);
  });

  test("skip other heights as before, each its own", () => {
    const nodes = [
      view("a", { skipUpgradeHeights: [7, 20, 30] }),
      view("b", { skipUpgradeHeights: [20] }),
      view("c"),
    ];
    expect(switches(NEEDED, { ...due, nodes })[0]).toEqual([
      "Switch all waiting nodes to v2, after clearing skip height 20 of a and clearing skip height 20 of b",
      act(["a"], { skip_upgrades: [7, 30] }),
      act(["b"], { skip_upgrades: [] }),
      act(AB, { binary: "v2" }),
    ]);
  });

  test("keep what their signers remember, and skip heights of other upgrades", () => {
    const nodes = [view("a", { skipUpgradeHeights: [7] }), view("c")];
    const files = { [SIGNER]: signer(1) };
    expect(switches(NEEDED, { ...due, who: ["a"], nodes, files })).toEqual([
      ["Switch a to v2", act(["a"], { binary: "v2" })],
    ]);
    expect(switches({ kind: "stopped" }, { ...due, who: ["a"], nodes })).toEqual([
      ["Start a and switch to v2", act(["a"], { start: true }), act(["a"], { binary: "v2" })],
    ]);
  });

  test("get a signer's state if they have none that can be read", () => {
    const content = JSON.stringify({ height: "20", round: 0, step: 3 }, null, 2);
    const write = act(["a"], { write_file: { path: SIGNER, content } });
    for (const files of [{}, { [SIGNER]: "not JSON" }]) {
      expect(switches(NEEDED, { ...due, who: ["a"], files })).toEqual([
        [
          "Switch a to v2, after writing the signer state of a anew",
          write,
          act(["a"], { binary: "v2" }),
        ],
      ]);
    }
  });

  test("with new stores let the old binary write upgrade-info.json first", () => {
    const stores = { v2: { added: ["oracle"], renamed: [], deleted: [] } };
    const upgrader = binary("v2", { handlers: ["v2"], stores, modules: { bank: 4, oracle: 1 } });
    const binaries = [binary("v1"), upgrader];
    expect(switches(NEEDED, { ...due, who: ["a"], binaries })).toEqual([
      [
        "Switch a to v2, after installing v1 on a to write upgrade-info.json",
        act(["a"], { binary: "v1" }),
        act(["a"], { binary: "v2" }),
      ],
    ]);
    const node = view("a", { diskWritable: false, haltHeight: 20, haltTime: 90 });
    expect(switches(NEEDED, { ...due, who: ["a"], nodes: [node, view("c")], binaries })).toEqual([
      [
        "Switch a to v2, after making the disk of a writable, clearing the halt height of a, clearing the halt time of a " +
          "and installing v1 on a to write upgrade-info.json",
        act(["a"], { disk: { writable: true } }),
        act(["a"], { halt_height: 0 }),
        act(["a"], { halt_time: 0 }),
        act(["a"], { binary: "v1" }),
        act(["a"], { binary: "v2" }),
      ],
    ]);
    const files = { [SIGNER]: signer(20), [INFO]: '{"name":"v2","height":20}' };
    expect(switches(NEEDED, { ...due, who: ["a"], binaries, files })).toEqual([
      ["Switch a to v2", act(["a"], { binary: "v2" })],
    ]);
  });

  test("are switched to a binary that mounts no module for a store it adds", () => {
    const stores = { v2: { added: ["oracle"], renamed: [], deleted: [] } };
    const binaries = [binary("v1"), binary("v2", { handlers: ["v2"], stores })];
    const files = { [SIGNER]: signer(20), [INFO]: '{"name":"v2","height":20}' };
    expect(switches(NEEDED, { ...due, who: ["a"], binaries, files })).toEqual([
      ["Switch a to v2", act(["a"], { binary: "v2" })],
    ]);
  });

  test("a plan whose name every object has needs no file where no stores come with it", () => {
    const binaries = [binary("v1"), binary("v2", { handlers: ["constructor"] })];
    const plan = { name: "constructor", height: 20 };
    expect(
      switches({ ...NEEDED, plan: plan.name }, { ...due, plan, who: ["a"], binaries }),
    ).toEqual([["Switch a to v2", act(["a"], { binary: "v2" })]]);
  });

  test("that were stopped are started, switched, and skip nothing", () => {
    const nodes = [view("a", { skipUpgradeHeights: [20] }), view("b"), view("c")];
    expect(switches({ kind: "stopped" }, { ...due, nodes })).toEqual([
      [
        "Start a, b without skip height 20 of a and switch to v2",
        act(["a"], { skip_upgrades: [] }),
        act(["b"], { start: true }),
        act(AB, { binary: "v2" }),
      ],
    ]);
  });

  test("whose disk was not writable are switched as well", () => {
    expect(switches({ kind: "upgrade_info_not_written", error: "x" }, due)).toEqual([
      [
        "Make the disk writable and start a, b and switch to v2",
        act(AB, { disk: { writable: true } }),
        act(AB, { start: true }),
        act(AB, { binary: "v2" }),
      ],
    ]);
  });

  test("whose binary failed in it get another one; one that did not come so far may be the same", () => {
    const nodes = [view("a", { binary: "v2" }), view("c")];
    const binaries = [...BINARIES, binary("v2-fixed", { handlers: ["v2"] })];
    const input = { ...due, nodes, binaries, who: ["a"] };
    const labels = (cause: AbsenceCause) => switches(cause, input).map(([label]) => label);
    const switched = ["Switch a to v2", "Switch a to v2-fixed"];
    expect(labels({ kind: "application_error", error: "x" })).toEqual(switched.slice(1));
    expect(labels({ kind: "store_version_mismatch", error: "x" })).toEqual(switched);
    expect(labels({ kind: "launch_failed", error: "x" })).toEqual(switched);
  });

  test.each<AbsenceCause>([
    { kind: "sidecar_failed", error: "x" },
    { kind: "sidecar_waits", plan: "v2", for: "restart_delay" },
    { kind: "sidecar_restart_off" },
    { kind: "store_version_mismatch", error: "x" },
    { kind: "launch_failed", error: "x" },
  ])("are switched where the chain has passed it without them, too: %j", (cause) => {
    const files = { [SIGNER]: signer(25), [INFO]: '{"name":"v2","height":20}' };
    const input = { height: 25, decidedHeight: 25, files, who: ["a"] };
    const to = (height: number) =>
      switches(cause, { ...input, nodes: [view("a", { height }), view("c")] });
    expect(to(19)).toEqual([["Switch a to v2", act(["a"], { binary: "v2" })]]);
    expect(to(16)[0]?.[0]).toBe("Switch a to v2, after installing v1 on a to reach block 19");
    expect(to(20).map(([label]) => label)).not.toContain("Switch a to v2");
  });
});

test("a node with a binary whose stores do not open gets one whose stores do", () => {
  const nodes = [view("a", { binary: "v2" }), view("c")];
  const binaries = [binary("v1"), binary("v2", { modules: { bank: 4, oracle: 1 } })];
  expect(
    remedies({ kind: "store_version_mismatch", error: "x" }, { nodes, binaries, who: ["a"] }),
  ).toEqual([["Install v1 on a", act(["a"], { binary: "v1" })]]);
});

test("a binary that mounts every store comes before one that drops some", () => {
  const modules = { bank: 4, oracle: 1 };
  const binaries = [binary("v1"), binary("v2", { handlers: ["v2"], modules })];
  const input = { binaries: [...binaries, binary("v1-oracle", { modules })], who: ["a"] };
  const cause: AbsenceCause = { kind: "binary_too_early", plan: "v2" };
  const stores = ["bank", "oracle"];
  expect(remedies(cause, { ...input, stores })[0]?.[0]).toBe("Install v1-oracle on a");
  expect(remedies(cause, { ...input, stores, binaries })[0]?.[0]).toBe("Install v1 on a");
});

describe("what a node's own state asks for", () => {
  const failed: AbsenceCause = { kind: "store_version_mismatch", error: "x" };

  test("one signer is repaired, and one node that crashed started, as one", () => {
    const cause: AbsenceCause = { kind: "crashed", height: 4 };
    expect(remedies(cause, { who: ["a"] })[0]?.[0]).toBe("Clear the faults of a and start it");
  });

  test("where all nodes skip an upgrade that is due, each only loses its skip heights", () => {
    const nodes = AB.map((name) => view(name, { skipUpgradeHeights: [20], binary: "v2" }));
    expect(remedies({ kind: "stopped" }, { ...due, nodes })).toEqual([
      ["Start a, b without skip height 20 of a, b", act(AB, { skip_upgrades: [] })],
    ]);
  });

  test("without an upgrade that is due, skip heights stay and the binary of the newest block is put on", () => {
    const nodes = [view("a", { skipUpgradeHeights: [9], binary: "v2" }), view("b")];
    expect(remedies({ kind: "stopped" }, { nodes })).toEqual([
      ["Start a, b and switch a to v1", act(AB, { start: true }), act(["a"], { binary: "v1" })],
    ]);
  });

  test("an upgrade that no binary carries leaves the nodes with the binary of the newest block", () => {
    const input = { ...due, binaries: [binary("v1")] };
    expect(remedies({ kind: "stopped" }, input)).toEqual([
      ["Start a, b", act(AB, { start: true })],
    ]);
    const disk: AbsenceCause = { kind: "upgrade_info_not_written", error: "x" };
    expect(remedies(disk, input)[0]?.[0]).toBe("Make the disk writable and start a, b");
  });

  test("a peer with the same binary needs no other one installed, and one with another does", () => {
    const nodes = [view("a", { binary: "v9" }), view("c", { binary: "v9" })];
    expect(remedies({ kind: "wrong_app_hash", ...HASHES }, { nodes, who: ["a"] })).toEqual([
      ["State-sync a from c", act(["a"], { state_sync: "c" })],
    ]);
  });

  test("where no binary fits and no node votes there is no remedy", () => {
    const input = { nodes: [view("a")], binaries: [], who: ["a"] };
    expect(remedies(failed, input)).toEqual([]);
    expect(remedies({ kind: "launch_failed", error: "x" }, input)).toEqual([]);
  });

  test("a skip of an upgrade that a binary failed in puts the one before back first", () => {
    const nodes = [view("a", { binary: "v2", power: 300 }), view("c")];
    const files = { [SIGNER]: signer(20), [INFO]: '{"name":"v2","height":20}' };
    expect(remedies(failed, { ...due, nodes, files, who: ["a"] }).at(-1)).toEqual([
      'Skip the upgrade "v2" on a, after installing v1 on a',
      act(["a"], { binary: "v1" }),
      act(["a"], { skip_upgrades: [20] }),
    ]);
    const without = { ...due, nodes, files, who: ["a"], binaries: BINARIES.slice(1) };
    expect(remedies(failed, without).at(-1)).toEqual([
      'Skip the upgrade "v2" on a',
      act(["a"], { skip_upgrades: [20] }),
    ]);
  });
});
