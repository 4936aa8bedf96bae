import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { accAddress, valAddress } from "../base/bech32.ts";
import { DAY } from "../base/time.ts";
import { type App, blockInfoAt, PLAIN_NODE } from "../engine/app/app.ts";
import { encodeTx } from "../engine/app/deliver-tx.ts";
import { answerQuery, queryRoute } from "../engine/app/queries.ts";
import { packAny, packInit } from "../engine/framework/codec.ts";
import { errorText } from "../engine/framework/errors.ts";
import { haltText } from "../engine/framework/halt.ts";
import { thrownBy } from "../engine/framework/testing.ts";
import { upgradesIn } from "../engine/simulation/genesis/continuation.ts";
import { accountOf } from "../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import {
  install,
  pass,
  runTo,
  softwareUpgrade,
  V2_WITH_STORE,
  worldSpec,
} from "../engine/simulation/testing.ts";
import type { CommittedState } from "../engine/store/multi-store.ts";
import { ScriptedEvidenceSchema } from "../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { MsgSubmitEvidenceSchema } from "../gen/chain/evidence/v1beta1/tx_pb.ts";
import {
  MsgBeginRedelegateSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from "../gen/chain/staking/v1beta1/tx_pb.ts";
import { genesisFromJson, genesisToJson } from "./genesis.ts";
import { type Json, messageToJson } from "./json.ts";

const account = (name: string): string => accAddress(accountOf(name));
const operator = (name: string): string => valAddress(accountOf(name));
const stake = (amount: bigint) => ({ denom: "stake", amount: amount.toString() });
const POWER = 1_000_000n;

const delegate = (to: string, amount: bigint): Any =>
  packInit(MsgDelegateSchema, {
    delegatorAddress: account("alice"),
    validatorAddress: operator(to),
    amount: stake(amount),
  });

const undelegate = (from: string, amount: bigint): Any =>
  packInit(MsgUndelegateSchema, {
    delegatorAddress: account("alice"),
    validatorAddress: operator(from),
    amount: stake(amount),
  });

const redelegate = (from: string, to: string, amount: bigint): Any =>
  packInit(MsgBeginRedelegateSchema, {
    delegatorAddress: account("alice"),
    validatorSrcAddress: operator(from),
    validatorDstAddress: operator(to),
    amount: stake(amount),
  });

const submitScripted = (text: string): Any => {
  const evidence = create(ScriptedEvidenceSchema, { height: 3n, outcome: "accept", text });
  return packInit(MsgSubmitEvidenceSchema, {
    submitter: account("alice"),
    evidence: packAny(ScriptedEvidenceSchema, evidence),
  });
};

/**
 * Upgraded, with unbonding and redelegated stake, a tombstoned validator, one that misses blocks,
 * and evidence of both kinds.
 */
function lived(): Simulation {
  const sim = Simulation.create(
    worldSpec({ binaries: [V2_WITH_STORE], evidenceRoutes: ["scripted"] }, 5),
  );
  const send = (...messages: Any[]): void => {
    sim.apply({ type: "tx", signer: "alice", messages });
    runTo(sim, sim.height + 1);
    const tx = sim.block(sim.height)?.txs[0];
    if (tx?.code !== 0) throw new Error(`refused: ${tx?.log}`);
  };
  runTo(sim, 2);
  pass(sim, softwareUpgrade(sim, "v2", 30));
  for (let i = 0; i < 40 && sim.decidedHeight < 30; i++) sim.advance();
  install(sim, "v2", "val-0", "val-1", "val-2", "val-3", "val-4");
  runTo(sim, 31);
  send(delegate("val-1", 40n * POWER), delegate("val-2", 30n * POWER), submitScripted("first"));
  send(undelegate("val-1", 10n * POWER), redelegate("val-1", "val-2", 20n * POWER));
  sim.apply({ type: "node", node: "val-4", action: { kind: "stop" } });
  runTo(sim, 36);
  sim.apply({ type: "misbehavior", kind: 1, validator: "val-1", height: 33 });
  runTo(sim, 40);
  return sim;
}

const SIM = lived();
const EXPORTED = SIM.exportGenesis();
const FILE = JSON.stringify(genesisToJson(EXPORTED));
const { app } = EXPORTED;

const NO_PAST = {
  timeAt: () => undefined,
  blockHashAt: () => undefined,
  validatorAt: () => undefined,
};

/**
 * The state of a chain imported from a file, and its first validators. Throws the first problem,
 * with its path.
 */
function imported(file: string, into: App = app) {
  const faults: string[] = [];
  const read = genesisFromJson(into.modules, JSON.parse(file), (path, message) => {
    faults.push(`${path.join(".")}: ${message}`);
  });
  if (read === undefined) throw new Error(faults[0]);
  const { chainId, initialHeight, time, messages, versions, continuation } = read;
  const place = blockInfoAt(chainId, initialHeight - 1, time);
  const upgrades = continuation && upgradesIn(continuation, initialHeight - 1);
  return into.initChain(place, messages, NO_PAST, { versions, ...(upgrades && { upgrades }) });
}

const QUERIES = [
  "evidence.v1beta1.Query/AllEvidence",
  "upgrade.v1beta1.Query/ModuleVersions",
  "bank.v1beta1.Query/TotalSupply",
  "staking.v1beta1.Query/Validators",
  "staking.v1beta1.Query/Pool",
  "staking.v1beta1.Query/Params",
  "slashing.v1beta1.Query/SigningInfos",
  "slashing.v1beta1.Query/Params",
  "gov.v1.Query/Proposals",
];
const ABOUT_ALICE: readonly (readonly [string, Record<string, string>])[] = [
  ["bank.v1beta1.Query/AllBalances", { address: account("alice") }],
  ["staking.v1beta1.Query/DelegatorDelegations", { delegatorAddr: account("alice") }],
  ["staking.v1beta1.Query/DelegatorUnbondingDelegations", { delegatorAddr: account("alice") }],
  ["staking.v1beta1.Query/Redelegations", { delegatorAddr: account("alice") }],
];

/** Every answer as JSON. */
function answers(state: CommittedState, height: number, time: bigint): Record<string, Json> {
  const ask = (name: string, request: Record<string, string>): Json => {
    const route = queryRoute(app, `chain.${name}`);
    if (route === undefined) throw new Error(`no query ${name}`);
    const place = blockInfoAt("lab-1", height, time);
    const message = create(route.input, request);
    const ctx = app.contextOf(state, place, NO_PAST);
    return messageToJson(route.output, answerQuery(app, ctx, `chain.${name}`, message));
  };
  return Object.fromEntries([
    ...QUERIES.map((name) => [name, ask(name, {})] as const),
    ...ABOUT_ALICE.map(([name, request]) => [name, ask(name, request)] as const),
  ]);
}

describe("an exported chain, imported", () => {
  test("holds the same, down to what the file says", () => {
    const { state } = imported(FILE);
    const { height, time } = EXPORTED;
    const again = app.exportGenesis(state, blockInfoAt("lab-1", height, time), NO_PAST);
    expect(JSON.stringify(genesisToJson({ ...EXPORTED, ...again }))).toBe(FILE);
  });

  test("answers every query alike", () => {
    const { height, time } = EXPORTED;
    const before = answers(SIM.state(), height, time);
    expect(before["evidence.v1beta1.Query/AllEvidence"]).toMatchObject({
      evidence: [{}, {}],
      pagination: { total: "2" },
    });
    expect(before["staking.v1beta1.Query/Redelegations"]).toMatchObject({
      redelegation_responses: [{}],
    });
    expect(JSON.stringify(before["upgrade.v1beta1.Query/ModuleVersions"])).toContain(
      '{"name":"bank","version":"5"}',
    );
    expect(answers(imported(FILE).state, height, time)).toEqual(before);
  });

  test("begins with the validators that the old one had", () => {
    const first = imported(FILE).validators.map(({ power }) => power);
    expect(first.toSorted()).toEqual(
      SIM.validators()
        .map(({ power }) => power)
        .toSorted(),
    );
  });

  test("behaves the same ever after: duplicates, offences, stakes, time", () => {
    const { height, time } = EXPORTED;
    const members = SIM.nodes().filter(({ power }) => power > 0);
    // The imported chain's first block has no last commit. The other's is signed by every
    // validator, so that they differ by one counted vote and nothing else.
    const lastCommit = (block: number) => ({
      size: members.length,
      // Both have the same set.
      validatorsHash: () => new Uint8Array(32),
      address: (i: number) => members[i]?.consensusAddress ?? new Uint8Array(),
      power: (i: number) => members[i]?.power ?? 0,
      absent: block === 0 ? [] : [members.length - 1],
    });
    const offender = SIM.node("val-2");
    const offence = {
      type: 2,
      address: offender?.consensusAddress ?? new Uint8Array(),
      power: 150,
      height: height - 4,
      time: SIM.timeAt(height - 4) ?? 0n,
      totalVotingPower: 500,
    };
    const tx = (sequence: bigint, ...messages: Any[]) =>
      encodeTx({ messages, memo: "", signer: account("alice"), sequence });
    const record = {
      ...NO_PAST,
      timeAt: (h: number) => SIM.timeAt(h),
    };
    const plans = [
      { txs: [tx(1n, submitScripted("first")), tx(2n, submitScripted("second"))] },
      { txs: [tx(3n, undelegate("val-2", POWER))], misbehavior: [offence] },
      { txs: [tx(4n, redelegate("val-2", "val-0", POWER))], misbehavior: [offence] },
      { txs: [], later: 22n * DAY },
      { txs: [tx(5n, delegate("val-0", POWER))], later: 22n * DAY },
    ];
    const run = (start: CommittedState) => {
      let state = start;
      const reported = plans.map(({ txs, misbehavior = [], later = 0n }, i) => {
        const place = blockInfoAt("lab-1", height + 1 + i, time + BigInt(i + 1) * 5n + later);
        const block = { ...place, lastCommit: lastCommit(i), misbehavior, txs };
        const outcome = app.finalizeBlock(state, block, PLAIN_NODE, record);
        if (outcome.kind === "halted") throw new Error(haltText(outcome.cause));
        state = outcome.state;
        const { events, txResults, validatorUpdates } = outcome;
        return { events, txResults, validatorUpdates };
      });
      return { reported, after: answers(state, height + 6, time + 23n * DAY) };
    };
    const old = run(SIM.state());
    const other = run(imported(FILE).state);
    expect(old.reported[0]?.txResults.map(({ code }) => code)).toEqual([5, 0]);
    expect(old.reported[1]?.events.some(({ type }) => type === "slash")).toBe(true);
    expect(other.reported).toEqual(old.reported);
    const infos = "slashing.v1beta1.Query/SigningInfos";
    const offset = /"index_offset":"\d+"/g;
    const text = (value: Json | undefined) => JSON.stringify(value).replace(offset, "");
    expect(text(other.after[infos])).toBe(text(old.after[infos]));
    expect({ ...other.after, [infos]: null }).toEqual({ ...old.after, [infos]: null });
  });

  test("of a past height, by the binary of that height", () => {
    const early = SIM.exportGenesis(5);
    expect(early.versions.get("bank")).toBe(4);
    const file = JSON.stringify(genesisToJson(early));
    expect(JSON.parse(file)).toMatchObject({ initial_height: "6", module_versions: { bank: 4 } });
    expect(imported(file, early.app).validators).toHaveLength(5);
  });
});

describe("a genesis file is refused", () => {
  interface File {
    app_state: {
      evidence?: Json;
      mint?: Json;
      bank: { balances: { coins: { amount: string }[] }[]; supply: Json };
    };
    chain_id?: Json;
    genesis_time?: Json;
    initial_height?: Json;
    module_versions?: Json;
  }
  const refusal = (change: (file: File) => void): string => {
    const file = JSON.parse(FILE) as File;
    change(file);
    return errorText(thrownBy(() => imported(JSON.stringify(file))));
  };
  const equivocation = {
    "@type": "/chain.evidence.v1beta1.Equivocation",
    height: "3",
    time: "2026-01-01T00:00:10Z",
    power: "100",
    consensus_address: "chainvalcons1",
  };
  const evidence = (...items: Json[]) =>
    refusal((file) => {
      file.app_state.evidence = { evidence: items };
    });

  test.each([
    ["height", "0", "invalid equivocation height: 0"],
    ["power", "-1", "invalid equivocation validator power: -1"],
    ["time", "1970-01-01T00:00:00Z", "invalid equivocation time: 1970-01-01 00:00:00 +0000 UTC"],
    ["consensus_address", "", "invalid equivocation validator consensus address: "],
  ])("for evidence with %s %s", (field, value, text) => {
    expect(evidence({ ...equivocation, [field]: value })).toBe(`app_state.evidence: ${text}`);
  });

  test("for something that is no evidence", () => {
    expect(evidence({ "@type": "/chain.upgrade.v1beta1.Plan" })).toBe(
      "app_state.evidence: expected evidence",
    );
  });

  test("for the same evidence twice", () => {
    expect(evidence(equivocation, equivocation)).toMatch(
      /^app_state\.evidence: evidence with hash [0-9A-F]{64} already exists$/,
    );
  });

  test("for what does not read", () => {
    expect(
      refusal((file) => {
        file.app_state.evidence = { evidences: [] };
      }),
    ).toMatch(
      /^app_state\.evidence\.evidences: failed to unmarshal evidence genesis state: evidences: /,
    );
  });

  test("for pools that do not hold what the validators have", () => {
    const text = refusal((file) => {
      const { bank } = file.app_state;
      for (const { coins } of bank.balances) for (const coin of coins) coin.amount += "0";
      bank.supply = [];
    });
    expect(text).toMatch(
      /^bonded pool balance is different from bonded coins: \d+stake <-> \d+stake$/,
    );
  });

  test("for a module that the binary does not have", () => {
    expect(
      refusal((file) => {
        file.app_state.mint = {};
      }),
    ).toBe("app_state.mint: this binary has no such module");
  });

  const parts = [
    "app_state",
    "module_versions",
    "chain_id",
    "genesis_time",
    "initial_height",
  ] as const;
  test.each(parts)("without %s", (part) => {
    expect(
      refusal((file) => {
        Reflect.deleteProperty(file, part);
      }),
    ).toContain(`${part}: expected`);
  });
});
