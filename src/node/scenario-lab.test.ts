import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { main } from "../cli/main.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { checkWritable, REPORT, readText, writeTo } from "./files.ts";
import { PROGRAM } from "./program.testing.ts";
import { createScenarioLab } from "./scenario-lab.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "chainlab-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));
const inFolder = (name: string): string => join(FOLDER, name);

function write(name: string, ...lines: string[]): string {
  writeFileSync(inFolder(name), lines.join("\n"));
  return inFolder(name);
}

async function chainlab(...line: string[]) {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const status = await main(line, {
    stdout: output("stdout"),
    stderr: output("stderr"),
    readFile: async (path) => readText(path),
    checkWritable: async (path) => checkWritable(path, REPORT),
    writeFile: async (path, text) => writeTo(path, text, REPORT),
    scenarios: async () => createScenarioLab(PROGRAM),
  });
  return { status, ...written };
}

const OLD = [
  "scenario: 1",
  "name: old",
  "seed: 5",
  "genesis: { accounts: { alice: 1000stake } }",
  "steps:",
  "  - run: 2",
  "  - double_sign: { node: val-3 }",
  "  - run: 3",
];
const NEXT = ["scenario: 1", "name: next", "genesis: { import: genesis.json }", "steps:"];

async function exported(): Promise<string> {
  const { status, stdout, stderr } = await chainlab("export", write("old.yaml", ...OLD));
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

test("a file is checked and run in one world, and once more with each other seed", async () => {
  const file = write("old.yaml", ...OLD);
  const create = vi.spyOn(Simulation, "create");
  const once = await chainlab("run", "--json", file);
  expect(create).toHaveBeenCalledTimes(1);
  const again = await chainlab("run", "--json", "--seeds", "5..7", file);
  const seeds = create.mock.calls.map(([{ seed }]) => seed);
  create.mockRestore();
  expect(seeds).toEqual([5, 5, 6, 7]);
  const reports = JSON.parse(again.stdout).scenarios;
  expect(reports[0]).toEqual(JSON.parse(once.stdout).scenarios[0]);
  // Like runs in separate worlds.
  const [alone] = JSON.parse(
    (await chainlab("run", "--json", "--seeds", "6", file)).stdout,
  ).scenarios;
  expect(reports[1]).toEqual(alone);
});

test.each(["chain", "cosmos"])(
  "a transaction of a scenario is found by its action, as the file names it: %s",
  async (root) => {
    const file = write(
      "sends.yaml",
      "scenario: 1",
      "name: sends",
      "steps:",
      "  - run: 2",
      `  - tx: { from: val-0, msgs: [{ "@type": /${root}.bank.v1beta1.MsgSend, from_address: $val-0, to_address: $val-1, amount: [{ denom: stake, amount: "5" }] }] }`,
      "  - run: 1",
    );
    const action = ["--query", `message.action='/${root}.bank.v1beta1.MsgSend'`];
    const { stdout } = await chainlab(
      ...["query", "txs", ...action, "--scenario", file, "--output", "json"],
    );
    expect(JSON.parse(stdout)).toMatchObject({ total_count: "1" });
  },
);

test("a chain that has halted answers, although the step that ran into the halt failed", async () => {
  const file = write(
    "halts.yaml",
    "scenario: 1",
    "name: halts",
    "steps:",
    "  - run: 2",
    "  - nodes: { which: [val-2, val-3], stop: true }",
    "  - run: 3",
    "  - run: 9",
  );
  const { status, stdout, stderr } = await chainlab(
    ...["query", "chain-status", "--scenario", file, "--output", "json"],
  );
  expect([status, JSON.parse(stdout)]).toMatchObject([
    0,
    { state: "halted", voting_power: "200", missing: [{ nodes: ["val-2", "val-3"] }] },
  ]);
  expect(stderr).toMatch(/^\S+halts.yaml: steps\[2\]: .*as that step left it\n$/);
  expect(await chainlab("export", file)).toMatchObject({ status: 1, stdout: "" });
});

test("a state from which no chain begins is exported as a node exports it, and that is said", async () => {
  const file = write(
    "odd.yaml",
    "scenario: 1",
    "name: odd",
    "binaries: { v2: { modules: { bank: 5 } } }",
    "steps:",
    "  - run: 3",
    "  - nodes: { which: [val-0, val-1, val-2, val-3], binary: v2 }",
    "  - run: 3",
  );
  const { status, stdout, stderr } = await chainlab("export", file);
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /odd\.yaml: no chain begins from this genesis as it is: module_versions\.bank: expected 5/,
  );
  const genesis = write("odd-genesis.json", stdout);
  const again = await chainlab("check", genesis);
  expect(again.status).toBe(2);
});

describe("an exported genesis on the command line", () => {
  test("is run by itself, or by a scenario that names it from its own place", async () => {
    const file = write("genesis.json", await exported());
    const alone = await chainlab("run", file, "--json");
    expect([alone.status, JSON.parse(alone.stdout)]).toMatchObject([
      0,
      { passed: 1, scenarios: [{ name: "imported-genesis", height: 5, ok: true }] },
    ]);
    const next = write(
      "next.yaml",
      ...NEXT,
      '  - expect: { tokens: val-3, is: "95000000" }',
      "  - run: 2",
      "  - expect: { chain: running, height: 7 }",
    );
    expect(await chainlab("run", next, "--seeds", "1..3")).toMatchObject({ status: 0, stderr: "" });
    const again = await chainlab("export", next, "--height", "5");
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(await exported()));
  });

  test("that is no valid beginning is refused with its place and its module's words, and nothing runs", async () => {
    const broken = (await exported()).replace('"power": "100",', '"power": "0",');
    write("genesis.json", broken);
    const line = broken.split("\n").findIndex((text) => text.startsWith('    "evidence": {')) + 1;
    const next = write("next.yaml", ...NEXT, "  - run: 2");
    expect(await chainlab("run", next)).toEqual({
      status: 2,
      stdout: "",
      stderr: `${inFolder("genesis.json")}:${line}:5: app_state.evidence: invalid equivocation validator power: 0\n`,
    });
  });

  test("that is not there is refused where it is named", async () => {
    const next = write("next.yaml", ...NEXT.map((text) => text.replace("genesis.json", "no.json")));
    const { status, stderr } = await chainlab("run", next);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `${next}:3: genesis.import: "no.json" cannot be read: there is no such file`,
    );
  });
});
