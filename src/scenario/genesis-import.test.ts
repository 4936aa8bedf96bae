import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accAddress, valAddress } from "../base/bech32.ts";
import { toHex } from "../base/bytes.ts";
import { propertyRuns } from "../base/property.testing.ts";
import { EMPTY_HASH } from "../engine/consensus/hashes.ts";
import { headerHash } from "../engine/consensus/header.ts";
import { packInit } from "../engine/framework/codec.ts";
import { blockSize, verifiedCommit } from "../engine/simulation/decided-blocks.ts";
import { acceptLightClientAttacks } from "../engine/simulation/light-client-attacks.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { MsgDelegateSchema } from "../gen/chain/staking/v1beta1/tx_pb.ts";
import { genesisToJson } from "../view/genesis.ts";
import type { Json } from "../view/json.ts";
import { WorldQueries } from "../view/lab/world-queries.ts";
import { handleRest } from "../view/rest.ts";
import { parseScenario } from "./parse.ts";
import type { PlacedProblem } from "./problems.ts";
import { runScenario } from "./report.ts";
import type { Scenario } from "./scenario.ts";

acceptLightClientAttacks();

type GivenGov = Partial<Record<"proposals" | "votes", Record<string, Json>[]>>;

const ref = (inside: string): string => `\${${inside}}`;
const coin = (amount: number): string => `{ denom: stake, amount: "${amount}" }`;
const staking = (message: string, who: string, rest: string): string =>
  `  - tx: { from: ${who}, msgs: [{ "@type": /chain.staking.v1beta1.${message}, delegator_address: "${ref(who)}", ${rest} }] }`;

/**
 * Upgraded to v2, with unbondings and redelegations, one validator tombstoned, one jailed, one
 * whose key no node has.
 */
const LIVED = `
scenario: 1
name: lived
seed: 17
genesis:
  chain_id: old-1
  profile: documented
  block_time: 4s
  validators: 6
  max_evidence_age: 30h
  accounts: { alice: 1000000000stake, bob: 1000000000stake }
  staking: { unbonding_time: 300s }
  slashing: { signed_blocks_window: 10 }
  gov: { voting_period: 20s, safety_delta: 90s }
binaries:
  v2: { modules: { bank: 5, oracle: 1 }, handlers: [v2], stores: { v2: { added: [oracle] } }, migration: { panic: later } }
  v1-9: { modules: { bank: 5, oracle: 1 }, handlers: [v2], stores: { v2: { added: [oracle] } } }
steps:
  - upgrade: { name: v2, at: 12 }
  - run: { until: halted }
  - nodes: { which: all, binary: v1-9 }
  - run: { to: 14 }
${staking("MsgDelegate", "alice", `validator_address: "${ref("val-1.valoper")}", amount: ${coin(40_000_000)}`)}
${staking("MsgUndelegate", "alice", `validator_address: "${ref("val-1.valoper")}", amount: ${coin(9_000_000)}`)}
${staking("MsgBeginRedelegate", "alice", `validator_src_address: "${ref("val-1.valoper")}", validator_dst_address: "${ref("val-0.valoper")}", amount: ${coin(7_000_000)}`)}
  - tx:
      from: bob
      msgs:
        - "@type": /chain.staking.v1beta1.MsgCreateValidator
          description: { moniker: Bob & Sons }
          commission: { rate: "0.1", max_rate: "0.2", max_change_rate: "0.01" }
          min_self_delegation: "1"
          validator_address: "${ref("bob.valoper")}"
          pubkey: { "@type": /chain.crypto.ed25519.PubKey, key: "${ref("bob.pub_key")}" }
          value: ${coin(3_000_000)}
  - nodes: { which: [val-5], stop: true }
  - double_sign: { node: val-1 }
  - run: { for: 60s }
`;

function parsed(text: string, file = "file.yaml"): Scenario {
  const read = parseScenario(text, file);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems, undefined, 2));
  return read.scenario;
}

function lived(): Simulation {
  const ends: Simulation[] = [];
  const { steps } = runScenario(parsed(LIVED), {
    file: "",
    onEnd: ({ sim }) => void ends.push(sim),
  });
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  return ends[0] as Simulation;
}

const OLD = lived();
type File = { [key: string]: Json } & { lab: { [key: string]: Json } };
const exported = (height?: number): File => genesisToJson(OLD.exportGenesis(height)) as File;
const textOf = (file: unknown): string => JSON.stringify(file, null, 2);
const imported = (height?: number): Simulation =>
  Simulation.create(parsed(textOf(exported(height)), "genesis.json").spec);

const PATHS = [
  "/chain/evidence/v1beta1/evidence",
  "/chain/upgrade/v1beta1/module_versions",
  "/chain/bank/v1beta1/supply",
  "/chain/staking/v1beta1/validators",
  "/chain/staking/v1beta1/pool",
  "/chain/staking/v1beta1/params",
  "/chain/slashing/v1beta1/signing_infos",
  "/chain/slashing/v1beta1/params",
  "/chain/gov/v1/proposals?proposal_status=0",
];
const OF_ALICE = ["/chain/bank/v1beta1/balances/", "/chain/staking/v1beta1/delegations/"].map(
  (path) => path + accAddress(OLD.account("alice") as Uint8Array),
);

const chainOf = (sim: Simulation) =>
  new WorldQueries(sim, () => {
    throw new Error("only the chain is asked");
  });

function answers(sim: Simulation, height?: number, paths = [...PATHS, ...OF_ALICE]) {
  const headers = height === undefined ? {} : { "x-cosmos-block-height": String(height) };
  return paths.map((path) => {
    const { status, body } = handleRest(chainOf(sim), "GET", path, headers);
    expect([path, status]).toEqual([path, 200]);
    return [path, body];
  });
}

const runTo = (sim: Simulation, height: number): void => {
  for (let rounds = 0; sim.height < height && rounds < 200; rounds++) sim.advance();
  expect(sim.height).toBe(height);
};

const delegation = (to: string, amount: number) =>
  packInit(MsgDelegateSchema, {
    delegatorAddress: accAddress(OLD.account("alice") as Uint8Array),
    validatorAddress: valAddress(OLD.account(to) as Uint8Array),
    amount: { denom: "stake", amount: String(amount) },
  });

describe("a world that begins with an exported genesis", () => {
  test("answers the same at its start, whatever height was exported", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: OLD.height }), (height) => {
        const sim = imported(height);
        expect([sim.height, sim.initialHeight]).toEqual([height, height + 1]);
        expect(answers(sim)).toEqual(answers(OLD, height));
      }),
      { numRuns: propertyRuns(15) },
    );
  });

  test("has the nodes, keys, names and settings of the old one", () => {
    const sim = imported();
    const names = (of: Simulation) =>
      of.nodes().map(({ name, consensusAddress, power }) => [name, consensusAddress, power]);
    // Bob's validator had no node in the old world; here each has one.
    expect(names(sim).slice(0, 6)).toEqual(names(OLD));
    expect(sim.nodes().at(6)).toMatchObject({ name: "bob" });
    expect(sim.accountNames().toSorted()).toEqual(OLD.accountNames().toSorted());
    for (const name of OLD.accountNames()) expect(sim.account(name)).toEqual(OLD.account(name));
    const { start, seed, accounts, validators, binaries, ...spec } = sim.spec;
    const old = OLD.spec;
    expect(spec).toEqual({
      ...spec,
      chainId: "old-1",
      profile: old.profile,
      blockTime: old.blockTime,
      maxEvidenceAge: old.maxEvidenceAge,
      maxEvidenceAgeBlocks: old.maxEvidenceAgeBlocks,
      evidenceRoutes: old.evidenceRoutes,
      commits: old.commits,
      slashing: old.slashing,
      staking: old.staking,
      gov: old.gov,
      safetyDelta: old.safetyDelta,
    });
    expect(binaries).toEqual(old.binaries);
    expect(new Set(validators.map(({ binary }) => binary))).toEqual(new Set(["v1-9"]));
    expect(accounts).toContainEqual({ name: "alice", amount: 960_000_000n });
    expect([seed, start?.keySeed]).toEqual([1, 17]);
  });

  test("continues as the old one does: the same times, events and answers block by block", () => {
    const old = Simulation.create(parsed(LIVED).spec);
    const begin = (sim: Simulation): void => {
      sim.apply({ type: "tx", signer: "alice", messages: [delegation("val-1", 40_000_000)] });
      sim.apply({ type: "double_sign", node: "val-2" });
    };
    begin(old);
    runTo(old, 6);
    const sim = Simulation.create(parsed(textOf(genesisToJson(old.exportGenesis()))).spec);
    const paths = PATHS.filter((path) => !path.endsWith("signing_infos"));
    const infos = (of: Simulation) =>
      JSON.stringify(answers(of, of.height, PATHS)).replace(/"index_offset":"\d+"/g, "");
    for (const one of [old, sim]) {
      one.apply({ type: "double_sign", node: "val-1" });
      one.apply({ type: "tx", signer: "alice", messages: [delegation("val-0", 5_000_000)] });
      one.apply({
        type: "misbehavior",
        kind: 1,
        validator: "val-2",
        height: 7,
        power: 100,
        time: old.time,
      });
    }
    for (let at = 7; at <= 30; at++) {
      for (const one of [old, sim]) runTo(one, at);
      const [there, here] = [old.block(at), sim.block(at)];
      expect(here?.time).toBe(there?.time);
      expect(here?.events).toEqual(there?.events);
      expect(here?.txs.map(({ code, log, events }) => [code, log, events])).toEqual(
        there?.txs.map(({ code, log, events }) => [code, log, events]),
      );
      expect(answers(sim, at, paths)).toEqual(answers(old, at, paths));
      // The first block has no last commit, so one vote less is counted.
      expect(infos(sim)).toBe(infos(old));
    }
    expect(old.block(8)?.events.some(({ type }) => type === "slash")).toBe(true);
  });

  test("begins as CometBFT begins: genesis time, no last commit, the state's hash; every header stands on the one before", () => {
    const sim = imported();
    const first = sim.initialHeight;
    const { appHash } = sim;
    runTo(sim, first + 6);
    expect(sim.header(first)).toMatchObject({
      height: first,
      time: sim.spec.genesisTime,
      lastBlockId: { hash: new Uint8Array() },
      lastCommitHash: EMPTY_HASH,
      lastResultsHash: EMPTY_HASH,
      appHash,
    });
    for (let at = first; at <= sim.height; at++) {
      const header = sim.header(at);
      expect(header && headerHash(header)).toEqual(sim.block(at)?.hash);
      expect(sim.header(at + 1)?.lastBlockId.hash ?? sim.block(at)?.hash).toEqual(
        sim.block(at)?.hash,
      );
      expect(blockSize(sim, at)).toBeGreaterThan(0);
      expect(verifiedCommit(sim, at)?.height).toBe(at);
      expect(sim.heightOf(sim.block(at)?.hash as Uint8Array)).toBe(at);
    }
    for (const below of [0, 1, first - 1]) {
      expect([
        sim.block(below),
        sim.header(below),
        verifiedCommit(sim, below),
        sim.timeAt(below),
      ]).toEqual(Array(4).fill(undefined));
    }
    const refused = handleRest(chainOf(sim), "GET", PATHS[0] as string, {
      "x-cosmos-block-height": String(first - 2),
    });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        message: `the state of height ${first - 2} is not available; the chain begins with block ${first}`,
      },
    });
  });

  test("full commits hash to what the next header says, from the second block on", () => {
    const file = exported();
    file.lab.commits = "full";
    const sim = Simulation.create(parsed(textOf(file)).spec);
    runTo(sim, sim.initialHeight + 3);
    expect(sim.spec.commits).toBe("full");
    for (let at = sim.initialHeight; at <= sim.height; at++)
      expect(verifiedCommit(sim, at)?.error).toBe(null);
  });

  test("nodes start, stop, roll back, are wiped, sync and double-sign as in any world", () => {
    const sim = imported();
    const first = sim.initialHeight;
    const act = (node: string, ...kinds: ("stop" | "start" | "wipe" | "twin")[]): void => {
      for (const kind of kinds) sim.apply({ type: "node", node, action: { kind } });
    };
    act("val-0", "stop", "start", "wipe", "stop");
    const rollBack = (blocks: number) =>
      sim.apply({ type: "node", node: "val-0", action: { kind: "roll_back", blocks } });
    expect(() => rollBack(1)).toThrow("cannot go back 1 from height");
    act("val-0", "start");
    runTo(sim, first + 2);
    act("val-2", "wipe");
    act("val-0", "stop");
    rollBack(3);
    expect(sim.node("val-0")?.height).toBe(first - 1);
    act("val-0", "start");
    sim.apply({ type: "node", node: "val-3", action: { kind: "state_sync", from: "val-0" } });
    sim.apply({ type: "double_sign", node: "val-3" });
    runTo(sim, first + 5);
    expect(sim.nodes().map(({ height }) => height)).toEqual(Array(7).fill(first + 5));
    expect(sim.appHashesAgree()).toBe(true);
    expect(sim.block(first + 4)?.events.some(({ type }) => type === "slash")).toBe(true);
    expect(() =>
      sim.apply({
        type: "light_client_attack",
        kind: "lunatic",
        by: ["val-0", "val-2", "val-4"],
        height: first,
      }),
    ).toThrow("a lunatic attack needs a block below it");
  });

  test("its journal lived again gives the same app hash at every height", () => {
    const sim = imported();
    runTo(sim, sim.initialHeight + 2);
    sim.apply({ type: "double_sign", node: "val-2" });
    sim.apply({ type: "chaos", level: 2, for: 20 });
    runTo(sim, sim.initialHeight + 25);
    const again = Simulation.create(structuredClone(sim.spec));
    for (const { at, command } of sim.journal) {
      while (again.rounds < at) again.advance();
      again.apply(command);
    }
    while (again.rounds < sim.rounds) again.advance();
    for (let at = sim.initialHeight; at <= sim.height; at++) {
      expect(toHex(again.block(at)?.appHash as Uint8Array)).toBe(
        toHex(sim.block(at)?.appHash as Uint8Array),
      );
    }
  });

  test("can be exported again, unchanged", () => {
    const sim = imported();
    const file = genesisToJson(sim.exportGenesis()) as File;
    const { nodes, ...lab } = exported().lab;
    expect(file).toEqual({ ...exported(), lab: { ...lab, nodes: [...(nodes as Json[]), "bob"] } });
  });

  test("a tombstoned validator never has power again", () => {
    const sim = imported();
    expect(sim.node("val-1")?.power).toBe(0);
    runTo(sim, sim.initialHeight + 80);
    expect(sim.node("val-1")?.power).toBe(0);
  });
});

describe("a scenario that imports", () => {
  const importing = (path: string, rest = "", seed = "") =>
    `scenario: 1\nname: next\n${seed}genesis: { import: ${path}${rest} }\nsteps:\n  - run: 1\n`;
  const beside = (text: string) => (path: string) => {
    if (path !== "genesis.json") throw new Error("no such file");
    return { file: `folder/${path}`, text };
  };
  function faults(text: string, file = textOf(exported())): readonly PlacedProblem[] {
    const read = parseScenario(text, "folder/next.yaml", beside(file));
    return "problems" in read ? read.problems : [];
  }

  test("names a file beside it, or holds what is in it, and may choose what no state says", () => {
    const file = textOf(exported());
    const rest = ", block_time: 1s, profile: sdk-0.53, evidence_routes: [], commits: full";
    const named = parseScenario(
      importing("genesis.json", rest, "seed: 5\n"),
      "folder/next.yaml",
      beside(file),
    );
    const held = parsed(importing(file.replaceAll("\n", ""), rest, "seed: 5\n"));
    if ("problems" in named) throw new Error(JSON.stringify(named.problems));
    expect({ ...named.scenario, steps: named.scenario.steps.length }).toEqual({
      ...held,
      steps: held.steps.length,
    });
    expect(held.spec).toMatchObject({
      seed: 5,
      blockTime: 1_000_000_000n,
      profile: "sdk-0.53",
      evidenceRoutes: [],
      commits: "full",
    });
  });

  test("knows the names and heights of the imported world before it runs", () => {
    const first = OLD.height + 1;
    const step = (text: string) =>
      faults(`${importing("genesis.json")}  - ${text}\n`).map(({ message }) => message);
    expect(step("tx: { from: alice, msgs: [] }")).toEqual([
      "expected at least one message, found an empty list",
    ]);
    expect(step("double_sign: { node: val-9 }")[0]).toContain('there is no node "val-9"');
    expect(step("misbehavior: { type: duplicate_vote, validators: [val-0], height: 3 }")).toEqual([
      `there is no block 3: the chain begins with block ${first}`,
    ]);
    expect(
      step(`misbehavior: { type: duplicate_vote, validators: [val-0], height: ${first} }`),
    ).toEqual([]);
    expect(step("expect: { events: { type: slash }, from: 3 }")).toEqual([
      `there is no block 3: the chain begins with block ${first}`,
    ]);
    expect(
      step(`misbehavior: { type: duplicate_vote, validators: [val-0], height: ${first + 1} }`),
    ).toEqual([`there is no block ${first + 1} yet: the chain is at height ${first}`]);
  });

  test("elsewhere than on the command line must hold the file's content", () => {
    const read = parseScenario(importing("genesis.json"), "pasted.yaml");
    expect(read).toEqual({
      problems: [
        {
          file: "pasted.yaml",
          path: "genesis.import",
          line: 3,
          message:
            "expected the content of a file: a path can be followed on the command line only",
        },
      ],
    });
  });

  test("says which file cannot be read", () => {
    expect(faults(importing("other.json"))).toEqual([
      {
        file: "folder/next.yaml",
        path: "genesis.import",
        line: 3,
        message: '"other.json" cannot be read: no such file',
      },
    ]);
  });

  test("does not say again what the file says", () => {
    expect(faults(importing("genesis.json", ", validators: 4"))[0]).toMatchObject({
      path: "genesis.validators",
      message:
        'unknown key "validators", expected a map with import, binary, initial_height, profile, block_time, evidence_routes, commits',
    });
  });

  const changed = (
    change: (file: File & { app_state: never }) => void,
  ): readonly PlacedProblem[] => {
    const file = exported();
    change(file as File & { app_state: never });
    return faults(importing("genesis.json"), textOf(file));
  };
  const lineIn = (file: string, text: string): number =>
    file.split("\n").findIndex((line) => line.startsWith(text)) + 1;

  test("a map in place of a number that is the same everywhere is refused", () => {
    const file = exported();
    (file.consensus as { params: { block: object } }).params.block = { max_bytes: {} };
    expect(faults(importing("genesis.json"), textOf(file))).toMatchObject([
      {
        path: "consensus.params.block.max_bytes",
        message: "expected 22020096, as all chains here have it, found a map",
      },
    ]);
  });

  test("a part that is no valid beginning is refused in its module's words, with its place in its file", () => {
    const file = exported();
    const { evidence } = file.app_state as { evidence: { evidence: { height: string }[] } };
    (evidence.evidence[0] as { height: string }).height = "0";
    const text = textOf(file);
    expect(faults(importing("genesis.json"), text)).toEqual([
      {
        file: "folder/genesis.json",
        path: "app_state.evidence",
        line: lineIn(text, '    "evidence": {'),
        column: 5,
        message: "invalid equivocation height: 0",
      },
    ]);
  });

  test.each([
    [
      "a vote's weight",
      { votes: [{ options: [{ option: "VOTE_OPTION_YES", weight: "abc" }] }] },
      'option:VOTE_OPTION_YES weight:"abc" : invalid vote option',
    ],
    [
      "a tally's count",
      { proposals: [{ final_tally_result: { yes_count: "abc" } }] },
      "invalid tally count: abc",
    ],
    [
      "a deposit's amount",
      { proposals: [{ total_deposit: [{ denom: "stake", amount: "abc" }] }] },
      "abcstake: invalid coins",
    ],
  ] as readonly (readonly [string, GivenGov, string])[])(
    "a number that is none is refused before anything counts with it: %s",
    (_, input, message) => {
      const found = changed(({ app_state }) => {
        const { gov } = app_state as { gov: Required<GivenGov> };
        const { proposals, votes } = input;
        const [proposal] = gov.proposals;
        Object.assign(proposal ?? {}, proposals?.[0]);
        gov.votes = (votes ?? []).map((vote) => ({
          proposal_id: proposal?.id ?? "",
          voter: proposal?.proposer ?? "",
          metadata: "",
          ...vote,
        }));
      });
      expect(found).toMatchObject([{ path: "app_state.gov", message }]);
    },
  );

  test("what only the modules together can see is refused too: pools that do not hold what is bonded", () => {
    const [fault] = changed(({ app_state }) => {
      const { balances } = (app_state as { bank: { balances: { coins: { amount: string }[] }[] } })
        .bank;
      for (const { coins } of balances) for (const one of coins) one.amount += "0";
      (app_state as { bank: { supply: Json } }).bank.supply = [];
    });
    expect(fault).toMatchObject({ file: "folder/genesis.json", path: "app_state.staking" });
    expect(fault?.message).toMatch(/^bonded pool balance is different from bonded coins: /);
  });

  test("a state without a voting validator is refused", () => {
    const found = changed(({ app_state }) => {
      (app_state as { staking: { last_validator_powers: Json } }).staking.last_validator_powers =
        [];
    });
    expect(found).toMatchObject([
      {
        path: "app_state.staking",
        message:
          "validator set is empty after InitGenesis, please ensure at least one validator is initialized with a delegation greater than or equal to the DefaultPowerReduction (1000000)",
      },
    ]);
  });

  test("all that is wrong is listed, nothing but the file's own lines", () => {
    const text = textOf({
      ...exported(),
      chain_id: "",
      initial_height: "1e5",
      consensus: { params: { block: { max_bytes: "2.2020096e7", max_gas: "5" } } },
    });
    expect(
      faults(importing("genesis.json"), text).map(({ path, line, message }) => [
        path,
        line,
        message,
      ]),
    ).toEqual([
      [
        "chain_id",
        lineIn(text, '  "chain_id"'),
        'expected text of 1 to 50 characters without spaces, found ""',
      ],
      [
        "initial_height",
        lineIn(text, '  "initial_height"'),
        'expected a whole number from 1 to 1000000000, found "1e5"',
      ],
      [
        "consensus.params.block.max_bytes",
        lineIn(text, '        "max_bytes"'),
        'expected 22020096, as all chains here have it, found "2.2020096e7"',
      ],
      [
        "consensus.params.block.max_gas",
        lineIn(text, '        "max_gas"'),
        'expected -1, as all chains here have it, found "5"',
      ],
    ]);
  });

  test("a state at other versions than the binary's is refused", () => {
    const text = (change: (file: File) => void) =>
      changed(change).map(({ path, message }) => [path, message]);
    expect(
      text((file) => {
        delete file.lab.binary;
      }),
    ).toEqual([["app_state.oracle", "this binary has no such module"]]);
    expect(
      text((file) => {
        file.module_versions = { ...(file.module_versions as object), bank: 4, mint: 1, gov: 6 };
      }),
    ).toEqual([
      [
        "module_versions.bank",
        "expected 5, the version in binary v1-9, found 4; genesis.binary chooses another one",
      ],
      [
        "module_versions.gov",
        "expected 5, the version in binary v1-9, found 6; genesis.binary chooses another one",
      ],
      [
        "module_versions.mint",
        "binary v1-9 has no such module: expected a binary that has, chosen with genesis.binary",
      ],
    ]);
    const old = parseScenario(
      importing("genesis.json", ", binary: v3"),
      "next.yaml",
      beside(textOf(exported())),
    );
    expect("problems" in old && old.problems[0]).toMatchObject({
      file: "next.yaml",
      path: "genesis.binary",
      message: 'there is no binary "v3": expected v1, v2, v1-9',
    });
  });

  test("a validator whose key no node has is refused, with what to set", () => {
    const found = changed((file) => {
      Reflect.deleteProperty(file, "lab");
    });
    // Without the section of binaries the state belongs to an unknown binary.
    expect(found.some(({ path }) => path === "app_state.oracle")).toBe(true);
    const [fault] = changed((file) => {
      file.lab.seed = 18;
    });
    expect(fault?.path).toBe("app_state.staking.validators[0].consensus_pubkey");
    expect(fault?.message).toMatch(
      /^no node here has the key of validator ".+": expected .{44}, the key of that name under seed 18, found .{44}; lab\.seed must be the seed of the chain that was exported$/,
    );
  });

  test("without the lab's part, the scenario says seed and binary; names of people are not known", () => {
    const { lab: _, ...file } = exported(5);
    const read = (seed: number) =>
      parseScenario(
        importing("genesis.json", "", `seed: ${seed}\n`),
        "next.yaml",
        beside(textOf(file)),
      );
    const wrong = read(1);
    expect("problems" in wrong && wrong.problems[0]?.message).toMatch(/; seed must be the seed of/);
    const right = read(17);
    if ("problems" in right) throw new Error(JSON.stringify(right.problems));
    const sim = Simulation.create(right.scenario.spec);
    expect(
      sim
        .nodes()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["val-0", "val-1", "val-2", "val-3", "val-4", "val-5"]);
    expect(sim.account("alice")).toBeUndefined();
    runTo(sim, 8);
  });
});
