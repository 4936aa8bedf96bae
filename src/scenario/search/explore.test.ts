import { expect, inject, test } from "vitest";
import { drain } from "../../base/drain.ts";
import type { Command, NodeAction } from "../../engine/simulation/command.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import { parseScenario } from "../parse.ts";
import { runScenario } from "../report.ts";
import { type Exploration, explore } from "./explore.ts";
import { fileOf } from "./families.testing.ts";
import { worldKey } from "./world-key.ts";

const file = (rest: string, validators = 4) =>
  fileOf(
    `scenario: 1\nname: small\ngenesis: { validators: ${validators}, block_time: 2s }\n${rest}`,
  );

function explored(text: string, steps: number, states = 5_000): Exploration {
  const read = explore(file(text), { steps, states });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return drain(read.running);
}

const STOPPING = "disturb: { kinds: [stop], nodes: [val-0, val-1], most: 3 }\nsteps: [{ run: 2 }]";
const LIVE = "always: [{ name: live, chain: running }]";

test("the shortest way to a violation is found, as a scenario that fails by it", () => {
  const never = "never: [{ name: forked, chain: running, forks: 1 }]";
  const { properties, ended, complete } = explored(`${LIVE}\n${never}\n${STOPPING}`, 3);
  expect({ ended, complete }).toEqual({ ended: "whole", complete: 3 });
  expect(properties).toMatchObject([
    { property: "live", kind: "always", verdict: "violated", after: 2, violation: { height: 3 } },
    { property: "forked", verdict: "holds" },
  ]);
  const read = parseScenario(properties[0]?.scenario ?? "", "found.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  expect(read.scenario.properties?.map(({ name }) => name)).toEqual(["live"]);
  expect(read.scenario.steps.map(({ verb }) => verb)).toEqual([
    ...["run", "nodes", "run", "nodes", "run"],
  ]);
  const { violations, ok } = runScenario(read.scenario, { file: "found.yaml" });
  expect(ok).toBe(false);
  expect(violations).toMatchObject([{ property: "live", height: 3 }]);
});

test("what may be done as often as it takes is told from what may be done once", () => {
  const once = STOPPING.replace("most: 3", "most: 1");
  expect(explored(`${LIVE}\n${once}`, 4).properties).toMatchObject([{ verdict: "holds" }]);
  const late = STOPPING.replace("most: 3", "most: 3, from: 5");
  expect(explored(`${LIVE}\n${late}`, 5).properties).toMatchObject([{ after: 5 }]);
});

test("a second node with the same key is started once, and signs beside the first", () => {
  const never =
    "never: [{ name: twice, events: { type: slash, attributes: { reason: double_sign } } }]";
  const twin = "disturb: { kinds: [twin], nodes: [val-1], most: 2 }\nsteps: [{ run: 2 }]";
  expect(explored(`${never}\n${twin}`, 4).properties).toMatchObject([
    { property: "twice", verdict: "violated" },
  ]);
});

test("what must be true sometimes is reached, or in no state", () => {
  const text = `sometimes: [{ name: down, node: val-0, is: stopped }, { name: forked, chain: running, forks: 1 }]`;
  expect(explored(`${text}\n${STOPPING}`, 2).properties).toMatchObject([
    { property: "down", verdict: "reached", after: 1 },
    { property: "forked", verdict: "not reached" },
  ]);
});

test("what must be true sometimes is reached in a state that violates another property too", () => {
  const text = `never: [{ name: stands, chain: halted }]
sometimes: [{ name: down, node: val-0, is: stopped }]
steps: [{ run: 2 }]
disturb: { kinds: [stop], most: 1 }`;
  const read = explore(file(text, 2), { steps: 3, states: 100 });
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  expect(drain(read.running)).toMatchObject({
    violating: 6,
    properties: [
      { property: "stands", verdict: "violated", after: 1 },
      { property: "down", verdict: "reached", after: 1 },
    ],
  });
});

test("what could be asked in no state is not said to hold", () => {
  const text = "always: [{ name: late, from: 5000, chain: running }]";
  expect(explored(`${text}\n${STOPPING}`, 2).properties).toMatchObject([
    { property: "late", verdict: "not asked" },
  ]);
});

test("what a file's own steps violate is found before any step", () => {
  const text = "never: [{ name: second, chain: running, height: 2 }]\nsteps: [{ run: 3 }]";
  expect(explored(text, 2)).toMatchObject({
    states: 1,
    transitions: 0,
    properties: [{ verdict: "violated", after: 0 }],
  });
});

test("states in which nothing that is to come can differ are followed once", () => {
  // No action is possible: one state after each round.
  const alone = `${LIVE}\ndisturb: { kinds: [stop], nodes: [val-0], from: 100 }\nsteps: [{ run: 2 }]`;
  expect(explored(alone, 6)).toMatchObject({ states: 7, transitions: 6 });
});

test("where the limit of states cuts it off, it says up to where all were followed", () => {
  const cut = explored(`${LIVE}\n${STOPPING.replace("[val-0, val-1]", "[val-0]")}`, 9, 12);
  expect(cut).toMatchObject({ ended: "states", steps: 9, states: 12 });
  expect(cut.complete).toBeLessThan(9);
  expect(cut.complete).toBeGreaterThan(0);
  const read = explore(file(`${LIVE}\n${STOPPING}`), { steps: 9, states: 99, isOver: () => true });
  if ("problems" in read) throw new Error("unsound");
  read.running.next();
  expect(read.running.next()).toMatchObject({ value: { ended: "interrupted", complete: 0 } });
});

test("a file that cannot be explored says why", () => {
  expect(() => explore(file(STOPPING, 5), { steps: 1, states: 9 })).toThrow(
    "expected a file of at most 4 validators, found 5",
  );
  expect(() => explored("steps: [{ expect: { chain: halted } }]", 1)).toThrow(
    /^steps\[0\]: expected the chain to be halted/,
  );
  expect(explore(file("steps: 5"), { steps: 1, states: 9 })).toHaveProperty("problems");
});

test("worlds of one key go on alike, whatever led there", () => {
  const read = parseScenario(file("steps: []").text, "a.yaml");
  if ("problems" in read) throw new Error("unsound");
  const { spec } = read.scenario;
  const act = (node: string, action: NodeAction): Command => ({ type: "node", node, action });
  const commands = [
    ...["val-0", "val-1"].flatMap((node) => [
      act(node, { kind: "stop" }),
      act(node, { kind: "start" }),
    ]),
    act("val-0", { kind: "lose_signer_state" }),
  ];
  const choices = [undefined, ...commands];
  const give = (sim: Simulation, command: Command | undefined): void => {
    try {
      if (command) sim.apply(command);
    } catch {
      // It is invalid there, and nothing has changed.
    }
    sim.advance();
  };
  const at = (path: readonly (Command | undefined)[]): Simulation => {
    const sim = Simulation.create(spec);
    sim.advance();
    for (const command of path) give(sim, command);
    return sim;
  };
  const futures = [
    [commands[1], commands[3], undefined],
    [commands[0], commands[2], commands[4], commands[1], commands[3], undefined],
  ];
  const seen = (sim: Simulation) => ({
    status: sim.chainStatus(),
    appHash: sim.appHash,
    nodes: sim
      .nodes()
      .map(({ name, process, height, appHash }) => [name, process, height, appHash]),
  });
  const first = new Map<string, readonly (Command | undefined)[]>();
  const ends = new Map<string, readonly ReturnType<typeof seen>[]>();
  const endsOf = (path: readonly (Command | undefined)[]) =>
    futures.map((future) => seen(at([...path, ...future])));
  let alike = 0;
  for (const path of choices.flatMap((a) =>
    choices.flatMap((b) => choices.map((c) => [a, b, c])),
  )) {
    const key = worldKey(at(path));
    if (key === undefined) continue;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, path);
      continue;
    }
    alike += 1;
    if (alike % 3 > 0 && !inject("soak")) continue;
    const expected = ends.get(key) ?? endsOf(other);
    ends.set(key, expected);
    expect(endsOf(path)).toEqual(expected);
  }
  expect(alike).toBeGreaterThan(50);
  expect(first.size).toBeGreaterThan(20);
});
