import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chainlabIn } from "./command-line.testing.ts";
import { probe } from "./scenario-lab.ts";

const folder = mkdtempSync(join(tmpdir(), "chainlab-probe-"));
function file(name: string, text: string): string {
  const path = join(folder, `${name}.yaml`);
  writeFileSync(
    path,
    `scenario: 1\nname: ${name}\ngenesis: { validators: 4, accounts: { alice: 1000000000stake } }\n${text}`,
  );
  return path;
}

const run = (...line: readonly string[]) => chainlabIn({ probe }, "probe", ...line);

const SLASHED = file(
  "slashed",
  "steps:\n  - run: 3\n  - double_sign: { node: val-2 }\n  - run: 5\n",
);
const HALTED = file(
  "halted",
  `steps:
  - run: 3
  - nodes: { which: [val-0, val-1], stop: true }
  - run: { rounds: 3 }
  - nodes: { which: [val-0, val-1], start: true }
  - run: 2
`,
);
const SLASHES = "{ events: { type: slash, attributes: { reason: double_sign } } }";
const SUPPLY = "{ get: /chain/bank/v1beta1/supply, json: 'supply[0].amount' }";

/** The rows of CSV without quoted cells except in its first row. */
const cells = (csv: string) =>
  csv
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((row) => row.split(","));

test("tokens, events and answers stand beside each height, from the chain's beginning on", async () => {
  const { status, stdout, stderr } = await run(
    SLASHED,
    "{ tokens: val-2 }",
    SLASHES,
    SUPPLY,
    "--csv",
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\r\n")[0]).toBe(`height,{ tokens: val-2 },"${SLASHES}","${SUPPLY}"`);
  const rows = cells(stdout);
  expect(rows.map(([height]) => Number(height))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(rows.map(([, tokens]) => tokens)).toEqual([
    ...Array(5).fill("100000000"),
    ...Array(4).fill("95000000"),
  ]);
  expect(rows.map(([, , slashes]) => slashes)).toEqual("000001000".split(""));
  const supply = rows.map((row) => Number(row[3]));
  expect(Number(supply[4]) - Number(supply[5])).toBeGreaterThan(0);
});

test("what a node and the chain are while no block comes is listed in order", async () => {
  const { stdout } = await run(HALTED, "{ node: val-0 }", "chain", "--json");
  const { heights, series } = JSON.parse(stdout);
  expect(heights).toEqual([0, 1, 2, 3, 4, 5]);
  expect(series).toMatchObject([
    {
      numbers: false,
      values: ["running", "running", "running", "running, stopped", "running", "running"],
    },
    { values: ["running", "running", "running", "running, halted", "running", "running"] },
  ]);
});

test("heights are those asked for, counted from the first one", async () => {
  const at = async (...flags: readonly string[]) =>
    cells((await run(SLASHED, SLASHES, "--csv", ...flags)).stdout).map(([height]) => height);
  expect(await at("--every", "3")).toEqual(["0", "3", "6"]);
  expect(await at("--from", "2", "--to", "7", "--every", "3")).toEqual(["2", "5"]);
  const { status, stdout, stderr } = await run(SLASHED, "chain", "--from", "50");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(`${SLASHED}: there is no height from 50 on: the chain has heights 0 to 8\n`);
});

test("a chain that begins later has no heights before", async () => {
  const path = join(folder, "later.yaml");
  const head = "scenario: 1\nname: later\ngenesis: { validators: 4, initial_height: 100 }";
  writeFileSync(path, `${head}\nsteps:\n  - run: 3\n`);
  const { stdout } = await run(path, "chain", "--csv", "--from", "5", "--every", "2");
  expect(cells(stdout).map(([height]) => height)).toEqual(["99", "101"]);
  const { status, stderr } = await run(path, "chain", "--from", "1", "--to", "5");
  expect(status).toBe(2);
  expect(stderr).toBe(`${path}: there is no height from 1 to 5: the chain has heights 99 to 102\n`);
});

test("a table has numbers end, and texts begin, at one place", async () => {
  const { stdout } = await run(
    SLASHED,
    "{ tokens: val-2 }",
    "{ chain }",
    "--from",
    "4",
    "--to",
    "5",
  );
  expect(stdout).toBe(
    [
      "height  { tokens: val-2 }  { chain }",
      "     4          100000000  running",
      "     5           95000000  running",
      "",
    ].join("\n"),
  );
});

test("a value that comes later leaves its cells empty until then, and text stays text", async () => {
  const upgrade = file(
    "upgrade",
    "steps:\n  - run: 2\n  - upgrade: { name: v2, at: 40 }\n    as: p\n  - run: 1\n",
  );
  const title = `{ get: "/chain/gov/v1/proposals/\${p}", json: proposal.status }`;
  const { stdout, stderr } = await run(upgrade, title, "--json");
  const { series } = JSON.parse(stdout);
  expect(stderr).toBe("");
  expect(series[0]).toMatchObject({ numbers: false });
  expect(series[0].values.slice(0, 3)).toEqual([null, null, null]);
  expect(series[0].values.at(-1)).toMatch(/^PROPOSAL_STATUS_/);
});

test.each([
  [
    "{ get: /chain/bank/v1beta1/supply, json: 'supply[7].amount' }",
    "there is no supply[7]: supply is [",
  ],
  [
    "{ get: /chain/bank/v1beta1/supply, json: amounts }",
    'there is no amounts: the answer is {"supply"',
  ],
  ["{ get: /chain/nothing, json: a }", "GET /chain/nothing: status "],
  ["{ tokens: alice }", "alice is no validator"],
])("a value that is never there is empty, and why is said: %s", async (expression, why) => {
  const { status, stdout, stderr } = await run(SLASHED, expression, "--csv");
  expect(status).toBe(2);
  expect(cells(stdout).every((row) => row.at(-1) === "")).toBe(true);
  expect(stderr).toContain(why);
});

test.each([
  ["{ tokens: val-2", "expression 2:1"],
  ["{ tokens: val-9 }", 'tokens: there is no account "val-9": expected '],
  ["{ node: val-9 }", 'node: there is no node "val-9": expected '],
  ["{ tokens: val-2, is: 5 }", 'is: unknown key "is", expected a map with tokens'],
  ["{ chain: running }", 'chain: expected nothing behind chain, as in { chain }, found "running"'],
  ["{ store: bank }", "expected a map with one of tokens, node, chain, events, get"],
  ["height", "expected a map with one of tokens, node, chain, events, get"],
  ["{ get: /chain/bank/v1beta1/supply }", 'missing key "json", expected a map with get, json'],
  ["{ get: supply, json: a }", 'get: expected a path that begins with /, found "supply"'],
  [
    "{ get: /supply, json: 'a[b]' }",
    "json: expected a path into the answer such as supply[0].amount",
  ],
  ["{ get: /supply, json: '' }", "json: expected a path into the answer such as supply[0].amount"],
  ["{ events: slash }", "events: expected a map with type, attributes"],
  [`{ get: "/supply/\${q}", json: a }`, 'get: there is nothing called "q"'],
])(
  "an expression that means nothing is refused beside its cause: %s",
  async (expression, problem) => {
    const { status, stdout, stderr } = await run(SLASHED, "chain", expression);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("expression 2:1");
    expect(stderr).toContain(problem);
  },
);

test("a run that fails has the heights up to there, with status 1", async () => {
  const failing = file(
    "failing",
    "never: [{ name: honest, events: { type: slash, attributes: { reason: double_sign } } }]\nsteps:\n  - double_sign: { node: val-2 }\n  - run: 9\n",
  );
  const { status, stdout, stderr } = await run(failing, SLASHES, "--csv");
  expect(status).toBe(1);
  expect(stderr).toContain(`${failing}: steps[1]: never honest: `);
  expect(cells(stdout).at(-1)?.[1]).toBe("1");
});

test("flags that contradict one another, and files that are not sound, are refused", async () => {
  const both = await run(SLASHED, "chain", "--csv", "--json");
  expect(both).toMatchObject({ status: 2, stderr: "expected --json or --csv, found both\n" });
  const turned = await run(SLASHED, "chain", "--from", "5", "--to", "4");
  expect(turned).toMatchObject({
    status: 2,
    stderr: "expected --to not below --from 5, found 4\n",
  });
  const walk = await run(file("broken", "steps:\n  - walk: 2\n"), "chain");
  expect(walk).toMatchObject({ status: 2, stdout: "" });
  expect(walk.stderr).toContain("broken.yaml:5");
});

test("every height of bundled scenarios is read, once and in order", async () => {
  const scenarios = join(import.meta.dirname, "../../public/scenarios");
  for (const name of readdirSync(scenarios)
    .filter((one) => one.endsWith(".yaml"))
    .slice(0, 12)) {
    const path = join(scenarios, name);
    const found = await probe({ file: path, text: readFileSync(path, "utf8") }, ["chain"], {
      every: 1,
    });
    if ("problems" in found) throw new Error(JSON.stringify(found.problems));
    const [first = 0] = found.heights;
    expect(found.failure).toBe(undefined);
    expect(found.heights).toEqual(found.heights.map((_, at) => first + at));
    expect(found.heights.at(-1)).toBe(found.height);
  }
});
