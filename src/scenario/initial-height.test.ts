import { describe, expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { genesisToJson } from "../view/genesis.ts";
import { parseScenario } from "./parse.ts";
import { runScenario } from "./report.ts";
import type { Scenario } from "./scenario.ts";

const LATE = `
scenario: 1
name: late
genesis: { initial_height: 5000, gov: { voting_period: 20s } }
binaries:
  v2: { modules: { bank: 5, oracle: 1 }, handlers: [v2], stores: { v2: { added: [oracle] } } }
steps:
  - run: 1
  - expect: { chain: running, height: 5000 }
  - run: { to: 5002 }
  - double_sign: { node: val-2 }
    as: crime
  - run: 3
  - expect: { events: { type: slash, attributes: { reason: double_sign } }, count: 1 }
  - expect: { tokens: val-2, is: "95000000" }
  - expect: { store: evidence, key: "00\${crime.evidence}", value: present }
  - upgrade: { name: v2, at: 5030 }
  - run: { until: halted }
  - expect: { chain: halted, height: 5029, because: UPGRADE }
  - nodes: { which: all, binary: v2 }
  - run: { to: 5033 }
  - expect: { chain: running, height: 5033 }
  - expect: { app_hash: agreed }
`;

function parsed(text: string): Scenario {
  const read = parseScenario(text, "late.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems, undefined, 2));
  return read.scenario;
}

function lived(): Simulation {
  const ends: Simulation[] = [];
  const { steps } = runScenario(parsed(LATE), {
    file: "",
    onEnd: ({ sim }) => void ends.push(sim),
  });
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  return ends[0] as Simulation;
}

const LIVED = lived();

const hashesOf = (sim: Simulation): readonly string[] =>
  Array.from({ length: sim.height + 1 - sim.initialHeight }, (_, i) =>
    toHex(sim.block(sim.initialHeight + i)?.appHash ?? new Uint8Array()),
  );

test("the first block has the initial height and the genesis time", () => {
  const sim = Simulation.create(parsed(LATE).spec);
  expect([sim.height, sim.initialHeight]).toEqual([4999, 5000]);
  sim.advance();
  expect([sim.height, sim.timeAt(5000)]).toEqual([5000, sim.spec.genesisTime]);
  expect([sim.block(1), sim.block(4999)]).toEqual([undefined, undefined]);
});

test("the journal of a chain that began above 1, replayed, gives the same app hash at every height", () => {
  const again = Simulation.create(structuredClone(LIVED.spec));
  for (const { at, command } of LIVED.journal) {
    while (again.rounds < at) again.advance();
    again.apply(command);
  }
  while (again.rounds < LIVED.rounds) again.advance();
  expect(LIVED.height).toBe(5033);
  expect(hashesOf(again)).toEqual(hashesOf(LIVED));
});

describe("an export of a chain that began above 1", () => {
  const file = genesisToJson(LIVED.exportGenesis());
  const importing = (height: number): string =>
    JSON.stringify({
      scenario: 1,
      name: "next",
      genesis: { import: file, initial_height: height },
      steps: [],
    });

  test("is continued at the next height, which may be stated", () => {
    const sim = Simulation.create(parsed(importing(5034)).spec);
    sim.advance();
    expect([sim.initialHeight, sim.height]).toEqual([5034, 5034]);
  });

  test("cannot begin at another height", () => {
    expect(parseScenario(importing(5000), "next.json")).toMatchObject({
      problems: [
        {
          path: "genesis.initial_height",
          message: "expected 5034, the initial_height of the file, found 5000",
        },
      ],
    });
  });
});

test.each([0, 1.5, 1_000_000_001])("a chain cannot begin at height %d", (height) => {
  const text = LATE.replace("initial_height: 5000", `initial_height: ${height}`);
  expect(parseScenario(text, "late.yaml")).toMatchObject({
    problems: [
      { path: "genesis.initial_height", message: expect.stringContaining("from 1 to 1000000000") },
    ],
  });
});

test("a block below the initial height is a problem of the file", () => {
  const text = LATE.replace(
    "  - run: 1\n",
    "  - expect: { events: { type: slash }, from: 4000 }\n",
  );
  expect(parseScenario(text, "late.yaml")).toMatchObject({
    problems: [{ message: expect.stringContaining("the chain begins with block 5000") }],
  });
});
