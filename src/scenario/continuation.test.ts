import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { propertyRuns } from "../base/property.testing.ts";
import { inCosmos } from "../engine/framework/codec.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { act, newWorld, type StoryStep, step, story } from "../engine/simulation/story.testing.ts";
import {
  install,
  pass,
  propose,
  runRounds,
  runTo,
  softwareUpgrade,
  V2_WITH_STORE,
  worldSpec,
} from "../engine/simulation/testing.ts";
import { Query } from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { genesisToJson } from "../view/genesis.ts";
import type { Json } from "../view/json.ts";
import { appliedUpgradeOf } from "../view/lab/explorer/applied-upgrade.ts";
import { storeKeysOf } from "../view/lab/explorer/stores.ts";
import { query } from "../view/lab/query.ts";
import { atOnce } from "../view/lab/reading.ts";
import { parseScenario } from "./parse.ts";

const NODES = ["val-0", "val-1", "val-2", "val-3", "val-4"];

const exportOf = (sim: Simulation, height = sim.height): Json =>
  genesisToJson(sim.exportGenesis(height));

/** The chain that continues an export, with the same seed. */
function continued(sim: Simulation, height = sim.height): Simulation {
  const file = {
    scenario: 1,
    name: "continued",
    seed: sim.spec.seed,
    genesis: { import: exportOf(sim, height) },
    steps: [],
  };
  const read = parseScenario(JSON.stringify(file), "export.json");
  if (!("scenario" in read)) throw new Error(JSON.stringify(read.problems));
  return Simulation.create(read.scenario.spec);
}

/** The content of a block, without the hashes that cover the chain's first block. */
function blockOf(sim: Simulation, height: number) {
  const block = sim.block(height);
  if (block === undefined) throw new Error(`there is no block ${height}`);
  const { time, proposer, round, misbehavior, events, txs } = block;
  return {
    height,
    time,
    proposer: toHex(proposer),
    round,
    misbehavior,
    events,
    txs: txs.map(({ code, log, events: of }) => ({ code, log, of })),
    after: exportOf(sim, height),
  };
}

/** Compares all blocks from a height on, and the next voters and proposers. */
function expectAlike(straight: Simulation, other: Simulation, from: number): void {
  expect(other.height).toBe(straight.height);
  for (let height = from; height <= straight.height; height++) {
    expect(blockOf(other, height)).toEqual(blockOf(straight, height));
  }
  expect(other.validators()).toEqual(straight.validators());
  expect(toHex(other.proposer())).toBe(toHex(straight.proposer()));
}

/**
 * Actions that are possible in both chains: none with blocks that only one of them has, and no two
 * double signs, since evidence of one height is proposed in the order of its hashes.
 */
const later = fc
  .array(
    step.filter(
      (doing) =>
        doing.do !== "misbehavior" &&
        !(doing.do === "submit" && doing.outcome === "equivocation") &&
        !isFresh(doing),
    ),
    { maxLength: 15 },
  )
  .filter((doings) => doings.filter((doing) => doing.do === "double sign").length <= 1);
/** A key without a node in the world: a chain with such a validator cannot be imported. */
const isFresh = (doing: StoryStep): boolean => doing.do === "create" && doing.key === "fresh";

describe("a chain that is exported and imported", () => {
  test("continues as if there had been no export: proposers, results, state, the next export", () => {
    fc.assert(
      fc.property(story, later, fc.integer({ min: 0, max: 3 }), (before, after, back) => {
        const straight = newWorld();
        for (const doing of before) if (!isFresh(doing)) act(straight, doing);
        // The export contains no pending state of nodes: all run, and no transaction is pending.
        for (const node of straight.nodes()) {
          if (node.process !== "running") act(straight, { do: "start", who: node.name });
        }
        runRounds(straight, 12);
        fc.pre(straight.chainStatus().state !== "halted");
        const at = straight.height - back;
        const other = continued(straight, at);
        runRounds(other, back);
        for (const doing of after) for (const sim of [straight, other]) act(sim, doing);
        for (const sim of [straight, other]) runRounds(sim, 5);
        expectAlike(straight, other, at + 1);
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  test.each([0, 400])("keeps how much evidence fits into a block: %d bytes", (maxEvidenceBytes) => {
    const sim = Simulation.create({ ...worldSpec(), maxEvidenceBytes });
    runTo(sim, 3);
    const other = continued(sim);
    expect(other.spec.maxEvidenceBytes).toBe(maxEvidenceBytes);
    for (const each of [sim, other]) runRounds(each, 2);
    expectAlike(sim, other, 4);
  });

  test("still stops for the plan that was scheduled, and knows which upgrades were done", () => {
    const V3 = {
      ...V2_WITH_STORE,
      name: "v3",
      handlers: ["v2", "v3"],
      modules: { ...V2_WITH_STORE.modules, gov: 6 },
    };
    const straight = Simulation.create(worldSpec({ binaries: [V2_WITH_STORE, V3] }, 5));
    runTo(straight, 2);
    pass(straight, softwareUpgrade(straight, "v2", 20));
    runTo(straight, 19);
    runRounds(straight, 2);
    install(straight, "v2", ...NODES);
    runTo(straight, 21);
    pass(straight, softwareUpgrade(straight, "v3", 50));
    const from = straight.height + 1;
    const other = continued(straight);
    expect(query(other, Query.method.currentPlan, {})).toMatchObject({
      plan: { name: "v3", height: 50n },
    });
    for (const sim of [straight, other]) {
      runTo(sim, 49);
      runRounds(sim, 3);
      expect(sim.height).toBe(49);
      expect(sim.node("val-0")?.reason).toBe('UPGRADE "v3" NEEDED at height: 50: ');
      install(sim, "v3", ...NODES);
      runTo(sim, 55);
    }
    expectAlike(straight, other, from);
    propose(other, 3n, softwareUpgrade(other, "v2", 90));
    runRounds(other, 15);
    expect(JSON.stringify(exportOf(other))).toContain(
      "upgrade with name v2 has already been completed",
    );
  });

  test("keeps the names under which an open proposal's messages were sent", () => {
    const straight = Simulation.create(worldSpec());
    runTo(straight, 2);
    // Both come too late: the log names the second one.
    const own = softwareUpgrade(straight, "v2", 90);
    const late = softwareUpgrade(straight, "v3", 4);
    propose(straight, 1n, own, { ...late, typeUrl: inCosmos(late.typeUrl) });
    propose(straight, 2n, late);
    runTo(straight, 4);
    const other = continued(straight);
    runRounds(other, 1);
    // The state has one name for both.
    const [proposal] = storeKeysOf(other, { store: "gov" }, other.height).keys;
    expect(proposal?.text).not.toContain("/cosmos.");
    runRounds(straight, 1);
    for (const sim of [straight, other]) runRounds(sim, 20);
    expectAlike(straight, other, 5);
    const logs = JSON.stringify(
      Array.from({ length: other.height }, (_, i) => other.block(i + 1)?.events),
    );
    expect(logs).toContain("msg 1 (/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade) failed");
    expect(logs).toContain("msg 0 (/chain.upgrade.v1beta1.MsgSoftwareUpgrade) failed");
  });

  /** The problems of an export of height 3 after a change to its continuation. */
  const refusalOf = (change: (continuation: Written) => void): string[] => {
    const sim = Simulation.create(worldSpec());
    runTo(sim, 3);
    const file = structuredClone(exportOf(sim)) as unknown as { lab: { continuation: Written } };
    change(file.lab.continuation);
    const source = { scenario: 1, name: "changed", seed: 7, genesis: { import: file }, steps: [] };
    const read = parseScenario(JSON.stringify(source), "x.json");
    if ("scenario" in read) return [];
    return read.problems.map(
      ({ path, message }) => `${path.replace(/^genesis\.import\./, "")}: ${message}`,
    );
  };
  const AT = "lab.continuation";
  const base64 = (byte: number, length: number) =>
    btoa(String.fromCharCode(...Array<number>(length).fill(byte)));
  const OTHER_KEY = base64(7, 32);

  test("is taken unchanged, also with a plan for the next block, or for the last one as it fires then", () => {
    expect(refusalOf(() => {})).toEqual([]);
    for (const height of ["3", "4"]) {
      expect(refusalOf((to) => Object.assign(to, { plan: { name: "v2", height } }))).toEqual([]);
    }
  });

  test.each<[string, (to: Written) => void, string]>([
    [
      "a proposer that is none of the set",
      (to) => Object.assign(to.next_validators, { proposer: 9 }),
      `${AT}.next_validators.proposer: expected a whole number from 0 to 3, found 9`,
    ],
    [
      "no next validators",
      (to) => Object.assign(to.next_validators, { validators: [] }),
      `${AT}.next_validators.validators: expected at least one validator`,
    ],
    [
      "no validators",
      (to) => Object.assign(to, { validators: {} }),
      `${AT}.validators.validators: expected at least one validator`,
    ],
    [
      "next validators other than the state's",
      (to) => Object.assign(first(to.next_validators.validators), { power: "101" }),
      `${AT}.next_validators: expected the validators that are bonded in app_state.staking, with their powers`,
    ],
    [
      "a negative power",
      (to) => Object.assign(first(to.validators.validators), { power: "-5" }),
      `${AT}.validators.validators[0].power: expected a whole number from 1 to 1125899906842623, found -5`,
    ],
    [
      "no power",
      (to) => Object.assign(first(to.last_commit), { power: "0" }),
      `${AT}.last_commit[0].power: expected a whole number from 1 to 1125899906842623, found 0`,
    ],
    [
      "a power above the cap",
      (to) => Object.assign(first(to.validators.validators), { power: "9223372036854775807" }),
      `${AT}.validators.validators[0].power: expected a whole number from 1 to 1125899906842623, found 9223372036854775807`,
    ],
    [
      "powers above the cap together",
      (to) => {
        for (const validator of to.validators.validators) validator.power = "1125899906842623";
      },
      `${AT}.validators.validators: expected a total power from 1 to 1125899906842623, found 4503599627370492`,
    ],
    [
      "a key of no node",
      (to) => Object.assign(first(to.validators.validators), { pub_key: OTHER_KEY }),
      `${AT}.validators.validators[0].pub_key: expected the consensus key of a node, 32 bytes, found ${"07".repeat(32)}`,
    ],
    [
      "a short key",
      (to) => Object.assign(first(to.validators.validators), { pub_key: base64(0, 1) }),
      `${AT}.validators.validators[0].pub_key: expected the consensus key of a node, 32 bytes, found 00`,
    ],
    [
      "a signer of no node",
      (to) => Object.assign(first(to.last_commit), { pub_key: OTHER_KEY }),
      `${AT}.last_commit[0].pub_key: expected the consensus key of a node, 32 bytes, found ${"07".repeat(32)}`,
    ],
    [
      "an account whose address is none",
      (to) => Object.assign(to.accounts[0] ?? {}, { address: "chain1" }),
      `${AT}.accounts[0].address: decoding bech32 failed: invalid bech32 string length 6`,
    ],
    [
      "two accounts with one number",
      (to) =>
        Object.assign(to, {
          accounts: to.accounts.slice(0, 2).map((one) => ({ ...one, number: "0" })),
        }),
      `${AT}.accounts[1].number: expected a number of its own, found 0 twice`,
    ],
    [
      "an account with half a key",
      (to) => Object.assign(to.accounts[0] ?? {}, { pub_key: base64(7, 16) }),
      `${AT}.accounts[0].pub_key: expected a compressed key of 33 bytes, found 16`,
    ],
    [
      "a validator twice",
      (to) => {
        to.validators.validators[1] = first(to.validators.validators);
      },
      `${AT}.validators.validators[0]: expected validators in set order: by power descending, then by address, each of them once`,
    ],
    [
      "a validator twice with two powers",
      (to) => {
        const [one, other] = to.last_commit.slice(-2);
        Object.assign(other ?? {}, { pub_key: one?.pub_key, power: "50" });
      },
      `${AT}.last_commit[2]: expected validators in set order: by power descending, then by address, each of them once`,
    ],
    [
      "signers in another order",
      (to) => to.last_commit.reverse(),
      `${AT}.last_commit[1]: expected validators in set order: by power descending, then by address, each of them once`,
    ],
    [
      "a priority that no chain reaches",
      (to) => {
        first(to.next_validators.validators).proposer_priority = "-9223372036854775807";
      },
      `${AT}.next_validators.validators[0].proposer_priority: expected a whole number from -3377699720527869 to 3377699720527869, found -9223372036854775807`,
    ],
    [
      "an upgrade done below the first block",
      (to) => Object.assign(to, { done: [{ name: "v2", height: "-5" }] }),
      `${AT}.done[0].height: expected a whole number from 1 to 3, found -5`,
    ],
    [
      "an upgrade done above the last block",
      (to) => Object.assign(to, { done: [{ name: "v2", height: "4" }] }),
      `${AT}.done[0].height: expected a whole number from 1 to 3, found 4`,
    ],
    [
      "a protocol version that cannot be counted to",
      (to) => Object.assign(to, { protocol_version: "18446744073709551615" }),
      `${AT}.protocol_version: expected a whole number from 0 to 9007199254740991, found 18446744073709551615`,
    ],
    [
      "a plan in the past",
      (to) => Object.assign(to, { plan: { name: "v2", height: "2" } }),
      `${AT}.plan: upgrade cannot be scheduled in the past: invalid request`,
    ],
    [
      "a plan of an upgrade that was done",
      (to) =>
        Object.assign(to, {
          plan: { name: "v2", height: "9" },
          done: [{ name: "v2", height: "2" }],
        }),
      `${AT}.plan: upgrade with name v2 has already been completed: invalid request`,
    ],
  ])("is refused with %s", (_, change, problem) => {
    expect(refusalOf(change)).toEqual([problem]);
  });
});

/** A continuation as exported. */
interface Written {
  validators: { validators: WrittenValidator[] };
  next_validators: { validators: WrittenValidator[] };
  last_commit: WrittenValidator[];
  accounts: { address: string; number: string; pub_key: string | null }[];
}

interface WrittenValidator {
  pub_key: string;
  power: string;
  proposer_priority?: string;
}

function first(list: readonly WrittenValidator[]): WrittenValidator {
  const [validator] = list;
  if (validator === undefined) throw new Error("there is no validator");
  return validator;
}

test("what an import brought is of its genesis, and of an upgrade before it no block is at hand", () => {
  const sim = Simulation.create(worldSpec());
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runTo(sim, 19);
  runRounds(sim, 2);
  install(sim, "v2", ...sim.nodes().map(({ name }) => name));
  runTo(sim, 25);
  const other = continued(sim);
  expect(other.height).toBe(25);
  const { keys } = storeKeysOf(other, { store: "staking" }, other.height);
  expect(new Set(keys.map(({ written: source }) => source))).toEqual(new Set([25]));
  runTo(other, 27);
  expect(() => atOnce(appliedUpgradeOf(other, "v2"))).toThrow(
    "upgrade v2 was applied at height 20, and block 20 is not here: this chain begins with block 26",
  );
});
