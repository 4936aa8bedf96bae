import { describe, expect, test } from "vitest";
import { parseScenario } from "../parse.ts";
import { runScenario } from "../report.ts";

const read = (text: string) =>
  parseScenario(`scenario: 1\nname: a\ngenesis: { validators: 4 }\n${text}`, "a.yaml");

function run(text: string, isCase = false) {
  const parsed = read(text);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return runScenario(parsed.scenario, { file: "a.yaml", isCase });
}

const problemsOf = (text: string) => {
  const parsed = read(text);
  return "problems" in parsed
    ? parsed.problems.map(({ path, message }) => `${path}: ${message}`)
    : [];
};

const CRIME = `
steps:
  - run: 3
  - double_sign: { node: val-2 }
  - run: 10
  - run: 10
`;

describe("a property that does not hold ends the run where it ceases to", () => {
  test("never: an event that comes in the middle of a step", () => {
    const { ok, height, steps, violations } = run(
      `never: [{ name: honest, events: { type: slash, attributes: { reason: double_sign } } }]${CRIME}`,
    );
    expect({ ok, height, steps: steps.length }).toEqual({ ok: false, height: 5, steps: 3 });
    expect(violations).toEqual([
      {
        property: "honest",
        kind: "never",
        height: 5,
        step: 2,
        message: "expected that it is not true, found 1",
      },
    ]);
    expect(steps[2]?.message).toBe("never honest: expected that it is not true, found 1");
  });

  test("always: with what was expected and found", () => {
    const { violations } = run(`always: [{ tokens: val-2, is: "100000000" }]${CRIME}`);
    expect(violations).toEqual([
      {
        property: "tokens: val-2, is: 100000000",
        kind: "always",
        height: 5,
        step: 2,
        message: "expected val-2 to have 100000000 tokens, found 95000000",
      },
    ]);
  });

  test("always: a chain that halts while a step waits for blocks", () => {
    const { violations } = run(`
always: [{ name: live, chain: running }]
steps:
  - run: 3
  - nodes: { which: [val-0, val-1], stop: true }
  - run: { rounds: 5 }
`);
    expect(violations).toEqual([
      {
        property: "live",
        kind: "always",
        height: 3,
        step: 1,
        message: expect.stringContaining(
          "expected the chain to be running, found: the chain is halted",
        ),
      },
    ]);
  });

  test("eventually: when its rounds are over, also while no block comes", () => {
    const stopped = `
steps:
  - run: 1
  - nodes: { which: [val-0, val-1], stop: true }
  - run: { rounds: 30 }
`;
    const { violations } = run(
      `eventually: [{ name: back, within: 20, chain: running }]${stopped}`,
    );
    expect(violations).toEqual([]);
    const late = run(
      `eventually: [{ name: slashed, within: 20, events: { type: slash } }]${stopped}`,
    );
    expect(late.violations).toMatchObject([
      { property: "slashed", kind: "eventually", height: 1, step: 2 },
    ]);
    expect(late.violations[0]?.message).toContain(
      "it did not come true within 20 rounds: expected at least 1 slash{}",
    );
  });

  test("eventually: nothing is known of it while its rounds are not over", () => {
    const within = (rounds: number) =>
      run(
        `eventually: [{ name: late, within: ${rounds}, chain: running, height: 400 }]\nsteps: [{ run: 10 }]`,
      );
    expect(within(500)).toMatchObject({ ok: true, violations: [], unasked: ["late"] });
    expect(within(5)).toMatchObject({ violations: [{ property: "late" }], unasked: [] });
    expect(run("eventually: [{ within: 500, chain: running }]\nsteps: [{ run: 2 }]")).toMatchObject(
      { ok: true, unasked: [] },
    );
  });

  test("sometimes: only at the end, and not in a case of a family", () => {
    const text = `sometimes: [{ name: halts, chain: halted }]\nsteps: [{ run: 3 }]`;
    expect(run(text)).toMatchObject({
      ok: false,
      reached: [],
      violations: [{ property: "halts", kind: "sometimes", height: 3 }],
    });
    expect(run(text, true)).toMatchObject({ ok: true, reached: [], violations: [] });
    const family = `vary: [{ at: "steps[0].run", range: [1, 3] }]\n${text}`;
    expect(run(family)).toMatchObject({ ok: true, violations: [] });
    const halts = `sometimes: [{ name: halts, chain: halted }]
steps:
  - nodes: { which: [val-0, val-1], stop: true }
  - nodes: { which: [val-0, val-1], start: true }
  - run: 3
`;
    expect(run(halts)).toMatchObject({ ok: true, reached: ["halts"], violations: [] });
  });
});

describe("a property is asked only where there is something to ask", () => {
  test("from its height on", () => {
    const from = (height: number) =>
      run(
        `always: [{ name: late, from: ${height}, get: /chain/bank/v1beta1/supply, status: 404 }]\nsteps: [{ run: 5 }]`,
      );
    expect(from(4)).toMatchObject({ violations: [{ property: "late", height: 4 }] });
    expect(from(6)).toMatchObject({ ok: true, violations: [], unasked: ["late"] });
  });

  test("events from a block on, counted on from block to block", () => {
    const count = (from: number) =>
      run(
        `never: [{ name: one, from: ${from}, events: { type: slash, attributes: { reason: double_sign } }, count: 1 }]${CRIME}`,
      ).violations;
    expect(count(5)).toMatchObject([{ property: "one", height: 5 }]);
    expect(count(6)).toEqual([]);
  });

  test("once a step has given what it refers to", () => {
    const { violations, unasked } = run(`
always:
  - { name: votes, get: "/chain/gov/v1/proposals/\${p}" }
  - { name: open, advice: $p, possible: true }
steps:
  - run: 3
  - upgrade: { name: v2, at: 40 }
    as: p
  - run: 1
`);
    expect(unasked).toEqual([]);
    expect(violations).toEqual([]);
  });
});

describe("bad properties are refused beside their cause", () => {
  test.each([
    ["always: { chain: running }", "always: expected a list of properties, found a map"],
    [
      "always: [{ name: x }]",
      "always[0]: expected a map with one of get, chain, node, disk, events, store, app_hash, tokens, advice",
    ],
    [
      "never: [{ chain: standing }]",
      'never[0].chain: expected one of running, halted, found "standing"',
    ],
    ["eventually: [{ chain: running }]", 'eventually[0]: missing key "within"'],
    [
      "eventually: [{ chain: running, within: 0 }]",
      "eventually[0].within: expected a whole number from 1 to",
    ],
    ["always: [{ chain: running, within: 3 }]", 'always[0].within: unknown key "within"'],
    ["always: [{ tokens: val-9, is: 1 }]", 'always[0].tokens: there is no account "val-9"'],
    ["always: [{ node: val-9, is: running }]", 'always[0].node: there is no node "val-9"'],
    ['always: [{ advice: "$q" }]', 'always[0].advice: there is nothing called "q"'],
    [
      "always: [{ name: x, chain: running }, { name: x, node: val-0, is: running }]",
      'always[1].name: expected a name that no other property has: always[0] is called "x" too',
    ],
    ['always: [{ name: "", chain: running }]', "always[0].name: expected a name on one line"],
  ])("%s", (text, message) => {
    expect(problemsOf(`${text}\nsteps: []`)).toEqual([expect.stringContaining(message)]);
  });
});

describe("the invariants of the model are watched in every run", () => {
  test("their names can be given to no property", () => {
    expect(problemsOf("always: [{ name: a plan runs once, chain: running }]\nsteps: []")).toEqual([
      expect.stringContaining(
        'expected a name that no other property has: an invariant is called "a plan runs once" too',
      ),
    ]);
  });
});

describe("a path of the REST interface", () => {
  test("at which nothing is ever answered is refused, beside its place", () => {
    const refused = (list: string) => problemsOf(`${list}\nsteps: [{ run: 3 }]`);
    expect(refused("never: [{ get: /chain/nothing/here }]")).toEqual([
      expect.stringContaining("never[0].get: expected a path of the REST interface"),
    ]);
    expect(refused("always: [{ get: /chain/upgrade/v1beta1/current_plan }]")).toEqual([]);
    expect(refused("always: [{ get: /chain/nothing/here, status: 501 }]")).toEqual([]);
  });

  test("has no answer while what it leads to is not there, so that nothing is violated", () => {
    const { ok, violations, unasked } = run(`
always: [{ name: passes, get: /chain/gov/v1/proposals/77 }]
never: [{ name: known, get: /chain/gov/v1/proposals/77 }]
steps: [{ run: 3 }]`);
    expect({ ok, violations, unasked }).toEqual({
      ok: true,
      violations: [],
      unasked: ["passes", "known"],
    });
    expect(
      run("always: [{ get: /chain/gov/v1/proposals/77, status: 404 }]\nsteps: [{ run: 3 }]"),
    ).toMatchObject({ ok: true, unasked: [] });
  });
});
