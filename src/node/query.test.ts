import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { CliContext } from "../cli/context.ts";
import { main } from "../cli/main.ts";
import { GROUPS, SINGLES } from "../cli/query-table.ts";
import { PROGRAM } from "./program.testing.ts";
import { createScenarioLab } from "./scenario-lab.ts";

const SCENARIO = new URL("../../public/scenarios/upgrade-halts-and-recovers.yaml", import.meta.url);

/** A lab that runs a scenario once for all queries of its end. */
function chainlab(text = readFileSync(SCENARIO, "utf8")) {
  const scenarios = createScenarioLab(PROGRAM);
  const chain = scenarios.chainAfter(text, "x.yaml");
  return async (line: readonly string[]) => {
    const written = { stdout: "", stderr: "" };
    const context: CliContext = {
      stdout: {
        write: (reason) => {
          written.stdout += reason;
        },
      },
      stderr: {
        write: (reason) => {
          written.stderr += reason;
        },
      },
      readFile: async () => text,
      writeFile: async () => {},
      checkWritable: async () => {},
      scenarios: async () => ({ ...scenarios, check: () => OUTLINE, chainAfter: () => chain }),
    };
    const status = await main(["query", ...line, "--scenario", "x.yaml"], context);
    return { status, ...written };
  };
}

const OUTLINE = { name: "x", title: "x", seed: 1, steps: [], properties: [] };

const query = chainlab();

/** Arguments for the parameters of commands on that chain. */
const GIVEN: Readonly<Record<string, string>> = {
  address: "val-1",
  account_id: "0",
  "tx hash": "AB",
  "wait-tx hash": "AB",
  "moduleAccount name": "gov",
  denom: "stake",
  proposal_id: "1",
  proposal: "1",
  id: "b7-1",
  "explain kind": "block",
  "explain id": "7",
  validator: "val-1",
  voter: "val-1",
  depositor: "val-0",
  cons_address: "val-1",
  validator_addr: "val-1",
  delegator_addr: "val-1",
  name: "v2",
  node: "val-1",
  path: "data/upgrade-info.json",
  height: "7",
  before: "val-0",
  after: "val-1",
  "diff before": "5",
  "diff after": "7",
  store: "slashing",
  key: "00",
};

const commands = [
  ...Object.entries(GROUPS).flatMap(([group, { routes }]) =>
    Object.entries(routes).map(([name, entry]) => ({ line: [group, name], entry })),
  ),
  ...Object.entries(SINGLES).map(([name, entry]) => ({ line: [name], entry })),
].map(({ line, entry }) => {
  const places = entry.params.filter((field) => !field.startsWith("--"));
  const args = places.flatMap((place) => {
    const field = place.replace("?", "");
    return GIVEN[`${line.at(-1)} ${field}`] ?? GIVEN[field] ?? [];
  });
  return { line: [...line, ...args], entry };
});

/** Queries that return an error on that chain because the object is missing. */
const NOTHING: Readonly<Record<string, string>> = {
  "tx AB": "tx not found: AB",
  "wait-tx AB": "tx not found: AB",
  txs: "query cannot be empty",
  "upgrade plan": "no upgrade scheduled",
  "evidence-piece b7-1": "there is no piece of evidence b7-1",
  "sidecar val-1": "val-1 has no sidecar",
  "gov vote": "not found for proposal: 1",
  "gov deposit": "collections: not found: key",
  "staking unbondingDelegation": "not found for validator",
  compare: "is asked where worlds are kept",
  difference: "is asked where worlds are kept",
};

test.each(commands.map(({ line }) => [line.join(" "), line] as const))(
  "query %s",
  async (_, line) => {
    const { status, stdout, stderr } = await query(line);
    const nothing = NOTHING[line.slice(0, 2).join(" ")];
    if (nothing !== undefined)
      expect([status, stderr]).toEqual([1, expect.stringContaining(nothing)]);
    else expect([status, stderr, stdout.length > 2]).toEqual([0, "", true]);
  },
);

test.each([
  [["gov", "proposals"], { proposals: [{ id: "1", status: "PROPOSAL_STATUS_PASSED" }] }],
  [["gov", "tally", "1", "--height", "10"], { tally: { yes_count: "400000000" } }],
  [
    ["staking", "validators", "--limit", "1", "--offset", "3"],
    { validators: [{}], pagination: { next_key: null } },
  ],
  [["staking", "validators", "--limit", "1", "--countTotal"], { pagination: { total: "4" } }],
  [
    ["upgrade", "module-versions", "bank", "--height", "19"],
    { module_versions: [{ version: "4" }] },
  ],
  [["upgrade", "module_versions"], { module_versions: expect.any(Array) }],
  [["node", "val-3"], { process: "running", binary: "v2" }],
  [["node", "val-3", "--height", "7"], { process: "running", binary: "v1" }],
  [["state", "stores", "--height", "7"], { height: 7 }],
  [["state", "proof", "slashing", "FF", "--height", "7"], { header_height: 8, absent: {} }],
  [["state", "history", "staking", "12", "--height", "7"], { complete: true }],
  [
    ["explain", "plan", "v2", "--height", "19"],
    { because: "It is scheduled for height 20.", reasons: expect.any(Array) },
  ],
  [["explain", "plan", "v2"], { because: "Block 20 applied it." }],
  [["explain", "block", "7", "--height", "8"], { because: expect.stringContaining("signed it.") }],
  [["divergence", "val-0", "val-1", "--height", "7"], { total: 0, before_height: 7 }],
] as const)("%j answers in JSON, as of the height asked for", async (line, answer) => {
  const { stdout } = await query([...line, "--output", "json"]);
  expect(JSON.parse(stdout)).toMatchObject(answer);
});

test("an explanation names validators, not their addresses, where people read it", async () => {
  const steps = "[{ run: 5 }, { double_sign: { node: val-3 } }, { run: 10 }]";
  const punished = chainlab(`{ scenario: 1, name: x, steps: ${steps} }`);
  const { stdout } = await punished(["explain", "block", "7"]);
  expect(stdout).toMatch(/jail: val-\d {2}/);
  expect(stdout).toMatch(/tombstone: val-\d never validates again/);
  expect(stdout).not.toMatch(/chain(valoper|valcons)?1/);
});

test.each([
  [["gov", "proposal", "9"], "proposal 9 doesn't exist"],
  [
    ["bank", "balances", "alicia"],
    ": there is no account alicia: expected a name of this chain, or an address\n",
  ],
  [["state", "proof", "staking", "zz"], ': expected a key in hex, found "zz"\n'],
  [["tx", "zz"], ": encoding/hex: invalid byte: U+007A 'z'\n"],
  [["block", "--hash", "zz"], ": encoding/hex: invalid byte: U+007A 'z'\n"],
  [["evidence", "ZZ"], ": invalid evidence hash: encoding/hex: invalid byte: U+005A 'Z'\n"],
  [["staking", "validator", "val-9"], ": there is no validator val-9\n"],
  [["nodes", "--height", "999"], "height 999"],
  [["gov", "proposals", "--height", "999"], "the state of height 999 is not available"],
] as const)("%j is refused", async (line, reason) => {
  const { status, stderr } = await query(line);
  expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
});

test.each([
  [
    "staking validators --limit 1 --offset 1 --page-key AAAA",
    "expected --offset or --page-key, found both",
  ],
  ["staking", "expected a command before --scenario: --help lists them"],
])(
  "what no chain could answer, such as %s, is refused with exit status 2",
  async (line, reason) => {
    const { status, stderr } = await query(line.split(" "));
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
  },
);
