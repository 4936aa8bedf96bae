import type { Any } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { accAddress } from "../base/bech32.ts";
import { toHexUpper } from "../base/bytes.ts";
import { drain } from "../base/drain.ts";
import { propertyRuns } from "../base/property.testing.ts";
import { SECOND } from "../base/time.ts";
import { type BinarySpec, V1 } from "../engine/app/binary.ts";
import { acceptSignedTxs } from "../engine/app/signed-tx.ts";
import { packInit } from "../engine/framework/codec.ts";
import { durationMessage } from "../engine/framework/time-messages.ts";
import { accountOf } from "../engine/modules/bank/account-records.ts";
import { NODE_FAULTS } from "../engine/network/faults/kinds.ts";
import type { Command, NodeAction } from "../engine/simulation/command.ts";
import { equalValidators, newWorldSpec } from "../engine/simulation/genesis/new-world.ts";
import { acceptLightClientAttacks } from "../engine/simulation/light-client-attacks.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { act, type StoryStep, step as storyStep } from "../engine/simulation/story.testing.ts";
import { propose, runRounds, runTo, softwareUpgrade } from "../engine/simulation/testing.ts";
import { MsgSendSchema } from "../gen/chain/bank/v1beta1/tx_pb.ts";
import { VoteOption } from "../gen/chain/gov/v1/gov_pb.ts";
import { MsgVoteSchema } from "../gen/chain/gov/v1/tx_pb.ts";
import { checkTx } from "../view/tx/check-tx.ts";
import { TestSigner } from "../view/tx/signer.testing.ts";
import { parseScenario } from "./parse.ts";
import { type Recorded, Recorder } from "./record.ts";
import { runScenario } from "./report.ts";
import { contextOf, take } from "./testing.ts";

const NAMES = ["val-0", "val-1", "val-2", "val-3", "val-4"] as const;
const WALLET = new TestSigner("a wallet of this test");

const V2: BinarySpec = {
  ...V1,
  name: "v2",
  modules: { ...V1.modules, bank: 5, oracle: 1 },
  handlers: ["v2"],
  stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
};
const V3: BinarySpec = {
  ...V2,
  name: "v3",
  handlers: ["v3"],
  migration: { kind: "error", text: "out of luck" },
};
const V4: BinarySpec = {
  ...V2,
  name: "v4",
  migration: { kind: "returns", versions: { bank: 7, elsewhere: 0 }, migrates: false },
};

const newWorld = (): Simulation =>
  Simulation.create(
    newWorldSpec({
      seed: 7,
      maxEvidenceAge: 30n * SECOND,
      evidenceRoutes: ["equivocation", "scripted", "own"],
      accounts: [{ name: "alice", amount: 1_000_000_000n }],
      validators: equalValidators(NAMES.length),
      binaries: [V1, V2],
      slashing: { signedBlocksWindow: 8n, downtimeJailDuration: durationMessage(20n * SECOND) },
      gov: { votingPeriod: durationMessage(20n * SECOND) },
    }),
  );

function recorded(sim: Simulation): Recorded {
  const recorder = new Recorder({ spec: sim.spec, text: "", file: "", title: "A session" });
  for (const entry of sim.journal) drain(recorder.record(entry));
  return drain(recorder.end(sim.rounds));
}

/** The world at the end of a file; throws with all of its problems. */
function ran(file: Recorded): Simulation {
  const read = parseScenario(file.text, file.file);
  if ("problems" in read) throw new Error(`${JSON.stringify(read.problems)}\n${file.text}`);
  let sim: Simulation | undefined;
  const report = runScenario(read.scenario, {
    file: file.file,
    onEnd: (context) => {
      sim = context.sim;
    },
  });
  if (!report.ok || !sim) throw new Error(`${report.steps.at(-1)?.message}\n${file.text}`);
  return sim;
}

const hashes = (sim: Simulation): string[] =>
  Array.from({ length: sim.height + 1 }, (_, height) => toHexUpper(sim.state(height).appHash));

function expectSame(file: Recorded, sim: Simulation): void {
  const again = ran(file);
  expect(again.height).toBe(sim.height);
  expect(hashes(again)).toEqual(hashes(sim));
}

beforeAll(acceptSignedTxs);
beforeAll(acceptLightClientAttacks);

describe("a world that is recorded", () => {
  test("is its beginning, what was done in words, and runs to the heights between", () => {
    const sim = newWorld();
    runTo(sim, 3);
    for (const node of ["val-0", "val-1"]) {
      sim.apply({ type: "node", node, action: { kind: "stop" } });
    }
    runRounds(sim, 4);
    sim.apply({ type: "node", node: "val-0", action: { kind: "start" } });
    runTo(sim, 6);
    const { text, leftOut, steps } = recorded(sim);
    expect(leftOut).toEqual([]);
    expect(steps).toBe(6);
    expect(text).toBe(`scenario: 1
name: recorded
title: A session
seed: 7

genesis:
  max_evidence_age: 30s
  evidence_routes: [ equivocation, scripted, own ]
  evidence_types: [ own ]
  slashing: { signed_blocks_window: 8, downtime_jail_duration: 20s }
  gov: { voting_period: 20s }
  accounts: { alice: 1000000000stake }
  validators: 5

binaries:
  v2:
    modules: { bank: 5, oracle: 1 }
    handlers: [ v2 ]
    stores: { v2: { added: [ oracle ] } }

steps:
  - run: { to: 3 }
  - nodes: { which: [ val-0, val-1 ], stop: true }
  - run: { rounds: 4 }
  - nodes: { which: [ val-0 ], start: true }
  - run: { to: 6 }
  - expect:
      app_hash: ${toHexUpper(sim.appHash)}
      height: 6
`);
    expectSame(recorded(sim), sim);
  });

  test("has proposals and votes by the verbs that say so, and an upgrade's binary at its beginning", () => {
    const context = contextOf("scenario: 1\nname: w\nsteps: []");
    const { sim } = context;
    take(context, { run: 2 });
    sim.apply({ type: "binary", binary: V3 });
    sim.apply({ type: "binary", binary: V4 });
    take(context, { upgrade: { name: "v3", at: 20, until: "proposed" } });
    take(context, { vote: { proposal: 1, option: "yes", by: ["val-0", "val-2"] } });
    take(context, { vote: { proposal: 1, option: "no", by: "all" } });
    const file = recorded(sim);
    expect(file.text).toContain("migration: { error: out of luck }");
    expect(file.text).toContain(
      "migration: { returns: { bank: 7, elsewhere: 0 }, migrates: false }",
    );
    expect(file.text).toContain("as: proposal_1");
    expect(file.text).toContain(
      "  - vote: { proposal: $proposal_1, option: yes, by: [ val-0, val-2 ] }\n  - vote: { proposal: $proposal_1, option: no }\n",
    );
    expect(file.text).toContain(`authority: \${gov}\n`);
    expectSame(file, sim);
  });

  test("keeps the prefix of its addresses", () => {
    const sim = Simulation.create(newWorldSpec({ prefix: "osmo" }));
    runTo(sim, 2);
    const again = ran(recorded(sim));
    expect(again.spec.prefix).toBe("osmo");
    expect(again.appHash).toEqual(sim.appHash);
  });

  test("expects of a transaction that failed that it fails so again", () => {
    const sim = newWorld();
    sim.apply({ type: "tx", signer: "alice", messages: [sending("alice", "9".repeat(20))] });
    runTo(sim, 2);
    const file = recorded(sim);
    expect(file.text).toContain("expect: { code: 5, codespace: sdk }");
    expectSame(file, sim);
  });

  test("keeps texts that look like references as they are", () => {
    const sim = newWorld();
    for (const memo of ["$crime", `\${height} $\${gov}`, "$5 and $"]) {
      sim.apply({ type: "tx", signer: "alice", messages: [sending("alice", "1")], memo });
    }
    const content = `#!/bin/sh\necho \${HOME} $1`;
    const action = { kind: "write_file", path: "cosmovisor/preupgrade.sh", content } as const;
    sim.apply({ type: "node", node: "val-1", action });
    runTo(sim, 1);
    const again = ran(recorded(sim));
    expect(again.journal).toEqual(sim.journal);
  });

  test("is refused for what no file can say, in words at its place, and the file does not run as if nothing were missing", () => {
    const sim = newWorld();
    runTo(sim, 2);
    const bytes = new Uint8Array([8, 1, 0x9a, 6, 1, 7]);
    const strange: Any = { ...sending("alice", "1"), value: bytes };
    sim.apply({ type: "tx", signer: "alice", messages: [strange] });
    runTo(sim, 3);
    const { text, leftOut } = recorded(sim);
    expect(leftOut).toEqual([
      "After block 2, tx: a message of type /chain.bank.v1beta1.MsgSend has bytes that its fields do not give again.",
    ]);
    expect(text).toContain(
      "# One thing was done that no step can say: without it this file leads to another world.",
    );
    expect(text).toContain(`  # Left out: ${leftOut[0]}\n  - run: { to: 3 }`);
    expect(text).not.toContain("app_hash");
  });

  test("comes to the same app hashes again, whatever was done", () => {
    fc.assert(
      fc.property(fc.array(doing, { minLength: 5, maxLength: 40 }), (session) => {
        expectRecorded(played(session));
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  test("comes to the same app hashes again after every kind of command and of action on a node", () => {
    const sim = played(OF_ALL_KINDS);
    const input = sim.journal.flatMap(({ command }) =>
      command.type === "node" ? [command.type, command.action.kind] : [command.type],
    );
    expect([...new Set(input)].sort()).toEqual(Object.keys(EVERY_KIND).sort());
    expectRecorded(sim);
  });
});

/** A world in which a session was played; invalid actions were refused. */
function played(session: readonly Doing[]): Simulation {
  const sim = newWorld();
  sim.apply({ type: "tx", signer: "alice", messages: [fund] });
  for (const one of session) play(sim, one);
  return sim;
}

function expectRecorded(sim: Simulation): void {
  const file = recorded(sim);
  expect(file.leftOut).toEqual([]);
  expectSame(file, sim);
}

const sending = (from: string, amount: string, to = from): Any =>
  packInit(MsgSendSchema, {
    fromAddress: address(from),
    toAddress: address(to),
    amount: [{ denom: "stake", amount }],
  });

const address = (name: string): string =>
  name.startsWith("chain1") ? name : accAddress(newWorldAccount(name));

const newWorldAccount = (name: string): Uint8Array =>
  newWorld().account(name) ?? new Uint8Array(20);

const fund = sending("alice", "1000000", WALLET.address);

/** One action of a person or a client. */
type Doing =
  | StoryStep
  | { readonly do: "command"; readonly command: Command }
  | { readonly do: "propose" | "sign" | "idle" }
  | { readonly do: "vote"; readonly by: readonly string[]; readonly option: VoteOption };

const node = fc.constantFrom(...NAMES, "val-1-twin");
const near = fc.integer({ min: 1, max: 30 });
const parts = fc
  .array(fc.integer({ min: 0, max: 2 }), { minLength: NAMES.length, maxLength: NAMES.length })
  .map((sides) => [0, 1, 2].map((side) => NAMES.filter((_, i) => sides[i] === side)));
const SPAN = { at: near, for: fc.integer({ min: 1, max: 6 }) };
const spanned = fc.record(SPAN, { requiredKeys: [] });

const action: fc.Arbitrary<NodeAction> = fc.oneof(
  fc.constantFrom<NodeAction>(
    { kind: "stop" },
    { kind: "start" },
    { kind: "start" },
    { kind: "twin" },
    { kind: "remove_twin" },
    { kind: "lose_signer_state" },
    { kind: "wipe" },
  ),
  fc.record({
    kind: fc.constantFrom("install" as const, "stage" as const),
    binary: fc.constantFrom("v1", "v2", "v3"),
  }),
  fc.record({
    kind: fc.constant("sidecar" as const),
    sidecar: fc.record(
      {
        mode: fc.constantFrom("manual" as const, "staged" as const, "download" as const),
        restartAfterUpgrade: fc.boolean(),
        restartDelay: fc.constantFrom(7n * SECOND, 1_500_000_000n),
        backup: fc.boolean(),
        backupDir: fc.constant(`/mnt/\${backups}`),
        preUpgradeExits: fc.constantFrom([], [1], [30, 0]),
      },
      { requiredKeys: ["mode"] },
    ),
  }),
  fc.record(
    {
      kind: fc.constant("skip_upgrades" as const),
      heights: fc.array(near, { minLength: 1, maxLength: 2 }),
      form: fc.constantFrom("comma" as const, "space" as const, "equals" as const),
    },
    { requiredKeys: ["kind", "heights"] },
  ),
  fc.record({
    kind: fc.constant("halt_height" as const),
    height: fc.integer({ min: 0, max: 30 }),
  }),
  fc.record({
    kind: fc.constant("halt_time" as const),
    time: fc.constantFrom(0, 1_767_225_660, 1_767_225_720),
  }),
  fc.record({ kind: fc.constant("roll_back" as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant("state_sync" as const), from: fc.constantFrom(...NAMES) }),
  fc.record({ kind: fc.constant("disk" as const), writable: fc.boolean() }),
  fc.record({
    kind: fc.constant("write_file" as const),
    path: fc.constantFrom("data/upgrade-info.json", "cosmovisor/preupgrade.sh"),
    content: fc.constantFrom("", "{}", "exit 30", "$x", `\${y}`),
  }),
  fc.constant<NodeAction>({ kind: "remove_file", path: "data/upgrade-info.json" }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constant("node" as const), node, action }) },
  fc.record({
    type: fc.constant("light_client_attack" as const),
    kind: fc.constantFrom("lunatic" as const, "equivocation" as const, "amnesia" as const),
    by: fc.subarray([...NAMES], { minLength: 1 }),
  }),
  fc.record({ type: fc.constant("partition" as const), groups: parts }),
  fc.constantFrom<Command>(
    { type: "heal" },
    { type: "heal" },
    { type: "clear_faults" },
    { type: "clear_faults", node: "val-2" },
    { type: "binary", binary: V3 },
  ),
  fc
    .tuple(fc.constantFrom(...NODE_FAULTS), node, spanned)
    .map(([kind, name, span]): Command => ({ type: "fault", kind, node: name, ...span })),
  fc
    .tuple(parts, spanned)
    .map(([groups, span]): Command => ({ type: "fault", kind: "partition", groups, ...span })),
  fc.record({
    type: fc.constant("chaos" as const),
    level: fc.integer({ min: 1, max: 5 }),
    for: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({
    type: fc.constant("release" as const),
    name: fc.constantFrom("v1", "v2"),
    url: fc.constantFrom("https://releases.example/v2", `https://releases.example/\${v2}`),
    serves: fc.constantFrom("binary" as const, "missing" as const, "empty" as const),
  }),
);

const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 6, arbitrary: storyStep },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("command" as const), command }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Doing>({ do: "propose" }, { do: "sign" }, { do: "idle" }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("vote" as const),
      by: fc.subarray([...NAMES], { minLength: 1 }),
      option: fc.constantFrom(VoteOption.YES, VoteOption.NO, VoteOption.ABSTAIN),
    }),
  },
);

const toNode = (node: string, ...actions: readonly NodeAction[]): Doing[] =>
  actions.map((action) => ({ do: "command", command: { type: "node", node, action } }));

const input = (command: Command): Doing => ({ do: "command", command });

/**
 * Every kind of action, once, at a valid time: whichever sessions are generated, each kind is
 * recorded.
 */
const OF_ALL_KINDS: Doing[] = [
  { do: "run", blocks: 4 },
  { do: "sign" },
  input({ type: "binary", binary: V3 }),
  input({ type: "release", name: "v2", url: "https://releases.example/v2", serves: "binary" }),
  ...toNode("val-1", { kind: "twin" }),
  { do: "run", blocks: 2 },
  ...toNode("val-1", { kind: "remove_twin" }),
  ...toNode(
    "val-2",
    { kind: "stop" },
    { kind: "roll_back", blocks: 2 },
    { kind: "lose_signer_state" },
    { kind: "stage", binary: "v2" },
    { kind: "state_sync", from: "val-0" },
    { kind: "wipe" },
    { kind: "write_file", path: "a", content: "b" },
    { kind: "remove_file", path: "a" },
    { kind: "disk", writable: true },
    { kind: "skip_upgrades", heights: [9] },
    { kind: "halt_height", height: 0 },
    { kind: "halt_time", time: 0 },
    { kind: "sidecar", sidecar: { mode: "staged" } },
    { kind: "install", binary: "v1" },
    { kind: "start" },
  ),
  input({ type: "light_client_attack", kind: "lunatic", by: ["val-0", "val-1"] }),
  { do: "misbehavior", who: "val-3", kind: 1, ago: 1, power: 100 },
  { do: "double sign", who: "val-4" },
  input({ type: "fault", kind: "mute", node: "val-0", for: 2 }),
  input({ type: "clear_faults", node: "val-0" }),
  input({ type: "chaos", level: 1, for: 2 }),
  { do: "idle" },
  input({ type: "partition", groups: [["val-0", "val-1"], ["val-2"]] }),
  { do: "idle" },
  input({ type: "heal" }),
  { do: "idle" },
];

/** A changed byte in a database cannot be expressed in a scenario. */
type Kind = Exclude<Command["type"], "tamper"> | NodeAction["kind"];

const EVERY_KIND: Readonly<Record<Kind, true>> = {
  ...{ binary: true, chaos: true, clear_faults: true, double_sign: true, fault: true, heal: true },
  ...{ light_client_attack: true, misbehavior: true, node: true, partition: true, release: true },
  ...{ signed_tx: true, tx: true },
  ...{
    disk: true,
    halt_height: true,
    halt_time: true,
    install: true,
    lose_signer_state: true,
    remove_file: true,
  },
  ...{ remove_twin: true, roll_back: true, sidecar: true, skip_upgrades: true, stage: true },
  ...{ start: true, state_sync: true, stop: true, twin: true, wipe: true, write_file: true },
};

/** Plays an action; an invalid one is refused and changes nothing. */
function play(sim: Simulation, doing: Doing): void {
  try {
    switch (doing.do) {
      case "command":
        sim.apply(doing.command);
        break;
      case "propose":
        propose(sim, 1n, softwareUpgrade(sim, "v2", sim.height + 8));
        break;
      case "vote":
        for (const by of doing.by) {
          const ballot = { proposalId: 1n, voter: address(by), option: doing.option };
          sim.apply({ type: "tx", signer: by, messages: [packInit(MsgVoteSchema, ballot)] });
        }
        break;
      case "sign":
        sign(sim);
        break;
      case "idle":
        runRounds(sim, 3);
        break;
      default:
        act(sim, doing);
    }
  } catch {
    // It is not in the journal.
  }
}

/** A transaction from outside, which is checked on arrival. */
function sign(sim: Simulation): void {
  const known = sim.read((ctx) => accountOf(ctx, WALLET.account));
  if (known === undefined) return;
  const { number: accountNumber, sequence } = known;
  const bytes = WALLET.send("1", { chainId: sim.spec.chainId, accountNumber, sequence });
  if (checkTx(sim, bytes).code === 0) sim.apply({ type: "signed_tx", bytes });
}
