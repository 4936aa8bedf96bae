import { expect, test } from "vitest";
import { NODE_FAULTS } from "../engine/network/faults/kinds.ts";
import type { Command, NodeAction } from "../engine/simulation/command.ts";
import { newWorldSpec } from "../engine/simulation/genesis/new-world.ts";
import { decode, encode } from "./history/codec.ts";
import type { Head, WorldGenesis } from "./saved.ts";
import { readEntry, readGenesis, readHead } from "./saved-schema.ts";

const genesis = (): WorldGenesis => ({
  spec: newWorldSpec({ accounts: [{ name: "alice", amount: 5n }] }),
  text: "",
  file: "",
});

const head = (): Head => ({
  seq: 1,
  name: "mine",
  createdMs: 5,
  savedMs: 6,
  entries: 0,
  chain: new Uint8Array(32),
  beginning: new Uint8Array(32),
  height: 3,
  appHash: new Uint8Array(32),
  bytes: 100,
  rounds: 3,
  playing: true,
  speed: 1,
  blocks: 0,
  held: false,
  results: [],
  steps: [],
});

test("a world survives being encoded", () => {
  expect(readGenesis(decode(encode(genesis())))).toEqual(genesis());
  expect(readHead(decode(encode(head())))).toEqual(head());
});

test("modules and plans by names that every object has survive too", () => {
  const stores = { prototype: { added: ["constructor"], renamed: [], deleted: [] } };
  const modules = { constructor: 1, toString: 2 };
  const binary = { ...genesis().spec.binaries[0], name: "v2", modules, stores };
  const spec = { ...genesis().spec, binaries: [binary] };
  const read = readGenesis(decode(encode({ ...genesis(), spec })));
  expect(read?.spec.binaries[0]?.modules).toEqual(modules);
  expect(Object.keys(read?.spec.binaries[0]?.stores ?? {})).toEqual(["prototype"]);
});

const { slashing, staking, gov } = genesis().spec;

test.each([
  ["without a module's parameters", { gov: undefined }],
  ["with another module's parameters", { gov: staking }],
  ["with parameters in the shape of an earlier version", { slashing: { signedBlocksWindow: 100 } }],
  ["with a parameter of another type", { slashing: { ...slashing, signedBlocksWindow: "many" } }],
  ["with a parameter missing", { gov: { ...gov, quorum: undefined } }],
  ["with parameters that are no message", { staking: 7 }],
])("a beginning %s is not read", (_, wrong) => {
  const saved = genesis();
  expect(readGenesis({ ...saved, spec: { ...saved.spec, ...wrong } })).toBeUndefined();
});

const ANY = { $typeName: "google.protobuf.Any", typeUrl: "/a.B", value: Uint8Array.of(1) } as const;
const STORES = { added: ["a"], renamed: [{ oldKey: "b", newKey: "c" }], deleted: ["d"] };
const BINARY = {
  name: "v2",
  modules: { bank: 5 },
  handlers: ["v2"],
  stores: { v2: STORES },
  migration: { kind: "ok" },
} as const;

const ACTIONS: readonly NodeAction[] = [
  { kind: "stop" },
  { kind: "start" },
  { kind: "install", binary: "v2" },
  { kind: "stage", binary: "v2" },
  { kind: "sidecar", sidecar: { mode: "manual" } },
  { kind: "sidecar", sidecar: { mode: "download", restartDelay: 5n, preUpgradeExits: [31, 0] } },
  { kind: "skip_upgrades", heights: [10, 20] },
  { kind: "skip_upgrades", heights: [], form: "equals" },
  { kind: "halt_height", height: 0 },
  { kind: "halt_time", time: 1_767_225_690 },
  { kind: "twin" },
  { kind: "remove_twin" },
  { kind: "lose_signer_state" },
  { kind: "roll_back", blocks: 2 },
  { kind: "state_sync", from: "val-0" },
  { kind: "wipe" },
  { kind: "disk", writable: false },
  { kind: "write_file", path: "a", content: "b" },
  { kind: "remove_file", path: "a" },
];

const COMMANDS: readonly Command[] = [
  { type: "tx", signer: "alice", messages: [ANY] },
  { type: "tx", signer: "alice", messages: [], memo: "m" },
  { type: "misbehavior", kind: 1, validator: "val-0", height: 3 },
  { type: "misbehavior", kind: 2, validator: "val-0", height: 3, time: 5n, power: 7 },
  { type: "double_sign", node: "val-0" },
  { type: "tamper", store: "staking", key: Uint8Array.of(0x21), place: 3, byte: 0xff },
  { type: "light_client_attack", kind: "lunatic", by: ["val-0"] },
  { type: "light_client_attack", kind: "equivocation", by: ["val-0"], height: 3 },
  { type: "light_client_attack", kind: "amnesia", by: ["val-0"] },
  ...ACTIONS.map((action): Command => ({ type: "node", node: "val-0", action })),
  { type: "partition", groups: [["val-0"], ["val-1"]] },
  { type: "heal" },
  { type: "fault", kind: "partition", groups: [["val-0"]], at: 3, for: 2 },
  ...NODE_FAULTS.map((kind): Command => ({ type: "fault", node: "val-0", kind })),
  { type: "fault", node: "val-0", kind: "clock", at: 3, for: 2, by: -5n },
  { type: "fault", node: "val-0", kind: "flaky", probability: 0.5 },
  { type: "chaos", level: 3, for: 10 },
  { type: "clear_faults" },
  { type: "clear_faults", node: "val-0" },
  ...(["binary", "missing", "slow", "wrong_checksum", "empty"] as const).map(
    (serves): Command => ({ type: "release", name: "v2", url: "https://a/b", serves }),
  ),
  { type: "binary", binary: BINARY },
  { type: "binary", binary: { ...BINARY, migration: { kind: "error", text: "e" } } },
  { type: "binary", binary: { ...BINARY, migration: { kind: "panic", text: "p" } } },
  { type: "binary", binary: { ...BINARY, migration: { kind: "nondeterministic" } } },
];

test.each(COMMANDS.map((command) => [command]))(
  "a journal keeps its command whole: %o",
  (command) => {
    const entry = { at: 3, command };
    expect(readEntry(decode(encode(entry)))).toStrictEqual(entry);
  },
);

test.each([
  [{ type: "rm" }],
  [{ type: "double_sign" }],
  [{ type: "double_sign", node: 3 }],
  [{ type: "misbehavior", kind: -1, validator: "val-0", height: 3 }],
  [{ type: "misbehavior", kind: 1, validator: "val-0", height: 2.5 }],
  [{ type: "tamper", store: "staking", key: Uint8Array.of(0x21), place: 3, byte: 256 }],
  [{ type: "tamper", store: "staking", key: Uint8Array.of(0x21), place: -1, byte: 2 }],
  [{ type: "misbehavior", kind: 1, validator: "val-0", height: 3, time: undefined }],
  [{ type: "light_client_attack", kind: "other", by: [] }],
  [{ type: "node", node: "val-0", action: { kind: "explode" } }],
  [{ type: "node", node: "val-0", action: { kind: "sidecar", sidecar: { mode: "other" } } }],
  [{ type: "node", node: "val-0", action: { kind: "skip_upgrades", heights: [], form: "other" } }],
  [{ type: "fault", node: "val-0", kind: "other" }],
  [{ type: "fault", kind: "partition" }],
  [{ type: "release", name: "v2", url: "u", serves: "other" }],
  [{ type: "tx", signer: "alice", messages: [{ ...ANY, $typeName: "other" }] }],
  [{ type: "tx", signer: "alice", messages: [{ ...ANY, value: [1] }] }],
  [{ type: "binary", binary: { ...BINARY, migration: { kind: "other" } } }],
  [{ type: "binary", binary: { ...BINARY, stores: { v2: { added: [] } } } }],
])("a journal with what is no command is not read: %o", (command) => {
  expect(readEntry({ at: 3, command })).toBeUndefined();
});

test("a session in the middle of a story keeps all that it was", () => {
  const whole: Head = {
    ...head(),
    began: { rounds: 2, entries: 1 },
    results: [
      ...[{ name: "a" }, { name: "b", value: "1" }, { name: "c", evidence: "AB" }],
      { name: "d", offence: { by: ["chain1"], from: 3, to: 9 } },
    ],
    steps: ["{}"],
  };
  for (const state of ["none", "running", "passed", "failed"] as const) {
    const earlier = { state, current: 2, message: "m" };
    expect(readHead({ ...whole, story: earlier })).toStrictEqual({ ...whole, story: earlier });
    const starts = [{ rounds: -1, entries: -1 }];
    const story = { ...earlier, resting: true, autoplay: false, speed: 0.5, starts };
    expect(readHead({ ...whole, story })).toStrictEqual({ ...whole, story });
  }
  expect(readHead({ ...whole, story: { state: "other" } })).toBeUndefined();
});

test("a world that continues an exported state keeps its start, and validators their binaries", () => {
  const { spec } = genesis();
  const start = {
    appState: { bank: Uint8Array.of(1) },
    versions: { bank: 4 },
    continuation: Uint8Array.of(2),
    keySeed: 7,
  };
  const validators = [{ name: "val-0", stake: 5n, binary: "v1" }];
  const continued = { ...spec, initialHeight: 11, start, validators, maxEvidenceBytes: 400 };
  const whole = { ...genesis(), spec: continued };
  expect(readGenesis(whole)).toStrictEqual(whole);
  expect(readGenesis({ ...whole, spec: { ...continued, initialHeight: 0 } })).toBeUndefined();
  for (const profile of ["documented", "sdk-0.53"] as const) {
    for (const commits of ["compact", "full"] as const) {
      const input = { ...genesis(), spec: { ...spec, profile, commits } };
      expect(readGenesis(input)?.spec).toStrictEqual(input.spec);
    }
  }
  expect(readGenesis({ ...genesis(), spec: { ...spec, profile: "other" } })).toBeUndefined();
});

test.each([0n, -1n])("a beginning with a block time of %d is not read", (blockTime) => {
  const { spec } = genesis();
  expect(readGenesis({ ...genesis(), spec: { ...spec, blockTime } })).toBeUndefined();
});

test.each([
  ["speed", -1],
  ["speed", Number.POSITIVE_INFINITY],
  ["speed", Number.NaN],
  ["rounds", -1],
  ["rounds", 1e12],
  ["chain", new Uint8Array(31)],
  ["rounds", 0.5],
  ["playing", 1],
  ["held", undefined],
])("a head whose %s is %s is not read", (key, value) => {
  expect(readHead({ ...head(), [key]: value })).toBeUndefined();
});

test.each([0, 0.5, 10_000])("a speed of %d is one", (speed) => {
  expect(readHead({ ...head(), speed })?.speed).toBe(speed);
});
