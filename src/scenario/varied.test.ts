import { describe, expect, test } from "vitest";
import { parseFamily } from "./parse.ts";

const HEAD = `scenario: 1
name: family
genesis: { validators: 4, gov: { voting_period: 60s } }
`;
const STEPS = `steps:
  - run: 3
  - upgrade: { name: v2, at: 30 }
    as: plan
  - vote: { proposal: $plan, option: no, by: [val-0] }
  - nodes: { which: [val-0], binary: v2 }
`;
const BINARIES = "binaries: { v2: { handlers: [v2] } }\n";

/** Problems of entries of `vary`, or of `disturb`. */
function problemsOf(vary: string, { key = "vary", binaries = BINARIES, steps = STEPS } = {}) {
  const read = parseFamily(`${HEAD}${binaries}${steps}${key}: ${vary}\n`, "family.yaml");
  return "problems" in read ? read.problems.map(({ path, message }) => `${path}: ${message}`) : [];
}

describe("what a file varies", () => {
  test.each([
    ["[{ at: genesis.gov.voting_period, one_of: [60s, 300s] }]"],
    ["[{ at: genesis.slashing.signed_blocks_window, range: [5, 10] }]"],
    ["[{ at: 'steps[0].run', range: [1, 9] }]"],
    ["[{ at: steps.plan.upgrade.at, range: [28, 40] }]"],
    ["[{ at: 'steps[3].nodes.which', subset: [val-0, val-1, val-2], least: 1, most: 2 }]"],
    ["[{ at: 'steps[3].nodes.which', permutation: [val-0, val-1] }]"],
    ["[{ steps: [0, plan], may: left_out }]"],
    ["[{ at: seed, range: [0, 4294967295] }]"],
  ])("%s is drawn", (vary) => {
    expect(problemsOf(vary)).toEqual([]);
  });

  test.each([
    [
      "[{ at: 'steps[0].run', one_of: [] }]",
      "vary[0].one_of: expected at least one of the values, found an empty list",
    ],
    [
      "[{ at: 'steps[0].run', range: [9, 1] }]",
      "vary[0].range: expected a range, two whole numbers of which the first is not the greater one, such as [1, 9], found a list",
    ],
    ["[{ at: 'steps[0].run', range: [1] }]", "vary[0].range: expected a range, two whole numbers"],
    [
      "[{ at: 'steps[0].run', range: [1, .inf] }]",
      "vary[0].range[1]: expected a whole number from -9007199254740991 to 9007199254740991, found Infinity",
    ],
    [
      "[{ at: 'steps[9].run', range: [1, 2] }]",
      "vary[0].at: there is no steps[9]: steps has 4 elements, from 0",
    ],
    [
      "[{ at: 'steps[0].runs', range: [1, 2] }]",
      'vary[0].range[0]: 1 cannot be steps[0].runs: unknown key "runs"',
    ],
    [
      "[{ at: 'steps[0].run', range: [0, 2] }]",
      "vary[0].range[0]: 0 cannot be steps[0].run: expected a whole number from 1 to 10000000, found 0",
    ],
    [
      "[{ at: steps.plan.upgrade.heights.last, range: [1, 2] }]",
      "vary[0].at: there is no steps[1].upgrade.heights",
    ],
    [
      "[{ at: steps.plam.upgrade.at, range: [1, 2] }]",
      'vary[0].at: there is no step with the name "plam": there are plan',
    ],
    [
      "[{ at: genesis.gov.voting_perriod, one_of: [60s] }]",
      'vary[0].one_of[0]: "60s" cannot be genesis.gov.voting_perriod: unknown key "voting_perriod"',
    ],
    [
      "[{ at: genesis.validators.name, one_of: [a] }]",
      "vary[0].at: genesis.validators is 4, which has no parts",
    ],
    [
      "[{ at: title, one_of: [a] }]",
      'vary[0].at: expected the path of a value in genesis, binaries or steps, or seed, found "title"',
    ],
    [
      "[{ at: 'steps[0', one_of: [a] }]",
      'vary[0].at: expected a path such as steps[3].run, found "steps[0"',
    ],
    [
      "[{ at: 'steps[3].nodes.which', subset: [val-0, val-9] }]",
      'vary[0].subset: ["val-0","val-9"] cannot be steps[3].nodes.which: steps[3].nodes.which[1]: there is no node "val-9"',
    ],
    [
      "[{ at: 'steps[3].nodes.which', subset: [val-0], least: 0 }]",
      "vary[0].least: [] cannot be steps[3].nodes.which: expected at least one of the nodes",
    ],
    [
      "[{ at: 'steps[3].nodes.which', subset: [val-0], most: 2 }]",
      "vary[0].most: expected at most 1, so many values there are",
    ],
    [
      "[{ at: 'steps[3].nodes.which', subset: [val-0, val-1], least: 2, most: 1 }]",
      "vary[0].least: expected at most 1, found 2",
    ],
    ["[{ at: 'steps[0].run', one_of: [1, 2, 1] }]", "vary[0].one_of[2]: 1 is there already"],
    [
      "[{ at: 'steps[0]', one_of: [{ run: 2 }] }, { at: 'steps[0].run', range: [1, 2] }]",
      "vary[1].at: steps[0].run is varied already, as a whole or in part",
    ],
    [
      "[{ steps: [7], may: left_out }]",
      "vary[0].steps[0]: there is no step 7: they are counted from 0 to 3",
    ],
    [
      "[{ steps: [plam], may: moved }]",
      'vary[0].steps[0]: there is no step with the name "plam": there are plan',
    ],
    ["[{ steps: [0, 0], may: left_out }]", "vary[0].steps[1]: 0 is there already"],
    [
      "[{ steps: [0, 3], may: left_out, most: 9 }]",
      "vary[0].most: expected at most 2, so many steps there are",
    ],
    ["[{ steps: [1], may: forgotten }]", "vary[0].may: expected one of left_out, repeated, moved"],
    [
      "[{ at: 'steps[0].run' }]",
      "vary[0]: expected a map with at and one of one_of, range, subset and permutation, or with steps and may, found a map",
    ],
    [
      "[{ at: genesis.validators, one_of: [4, 0] }]",
      "vary[0].one_of[1]: 0 cannot be genesis.validators: expected a whole number from 1 to 10000",
    ],
  ])("%s is refused: %s", (vary, message) => {
    expect(problemsOf(vary)[0]).toContain(message);
  });

  test("names the entry that has the problem, whatever is wrong with those before it", () => {
    expect(
      problemsOf("[{ at: 'steps[7].run', range: [1, 3] }, { at: genesis.gov.nope, one_of: [1] }]"),
    ).toEqual([
      "vary[0].at: there is no steps[7]: steps has 4 elements, from 0",
      expect.stringContaining("vary[1].one_of[0]: 1 cannot be genesis.gov.nope: unknown key"),
    ]);
  });

  test("leaves no step out whose result a property asks for", () => {
    const requested = `${STEPS}always: [{ get: "/chain/gov/v1/proposals/\${plan}" }]\n`;
    const leftOut = (steps: string) =>
      problemsOf(`[{ steps: ${steps}, may: left_out }]`, { steps: requested });
    expect(leftOut("[0, plan]")).toEqual([
      "vary[0].steps[1]: a property refers to its result, so it cannot be left out",
    ]);
    expect(leftOut("[0, 3]")).toEqual([]);
  });

  test("is refused where reading the file with each value would take long", () => {
    const steps = `steps:\n${"  - run: 1\n".repeat(2_000)}`;
    const values = Array.from({ length: 200 }, (_, i) => i + 1).join(", ");
    expect(problemsOf(`[{ at: 'steps[0].run', one_of: [${values}] }]`, { steps })).toEqual([
      "vary: expected fewer values or fewer steps: 200 values times 2000 steps are more than 200000",
    ]);
  });

  test("does not change the case that is written", () => {
    const read = parseFamily(
      `${HEAD}${BINARIES}${STEPS}vary: [{ at: 'steps[0].run', range: [1, 9] }]\n`,
      "family.yaml",
    );
    expect("problems" in read || read.source).toMatchObject({ steps: [{ run: 3 }, {}, {}, {}] });
    expect("problems" in read || Object.keys(read.source)).not.toContain("vary");
  });
});

describe("what may happen beside the steps", () => {
  const disturb = { key: "disturb" };

  test.each([
    ["{ kinds: [crash] }"],
    ["{ from: 3, to: 40, most: 3, nodes: [val-0, val-2], kinds: [crash, late_binary, vote] }"],
    ["[{ kinds: [stake] }, { kinds: [lose_signer_state], nodes: [val-1] }]"],
  ])("%s is drawn", (source) => {
    expect(problemsOf(source, disturb)).toEqual([]);
  });

  test.each([
    ["{ kinds: [] }", "disturb.kinds: expected at least one of the kinds, found an empty list"],
    ["{ most: 2 }", 'disturb: missing key "kinds"'],
    ["{ kinds: [earthquake] }", "disturb.kinds[0]: expected one of crash, stop, restart"],
    ["{ kinds: [crash], nodes: [val-9] }", 'disturb.nodes[0]: there is no node "val-9"'],
    ["{ kinds: [crash], from: 9, to: 3 }", "disturb.to: expected 9 or more, found 3"],
    ["{ kinds: [crash], most: 1000 }", "disturb.most: expected a whole number from 1 to 20"],
    [
      "[{ kinds: [crash] }, { kinds: [crash], nodes: [val-9] }]",
      'disturb[1].nodes[0]: there is no node "val-9"',
    ],
    [
      "crash",
      "disturb: expected a map with kinds, nodes, most, from and to, or a list of such maps",
    ],
  ])("%s is refused: %s", (source, message) => {
    expect(problemsOf(source, disturb)[0]).toContain(message);
  });

  test("is no vote where there is no proposal", () => {
    const without = { key: "disturb", steps: "steps: [{ run: 3 }]\n" };
    expect(problemsOf("{ kinds: [crash, vote] }", without)).toEqual([
      "disturb.kinds[1]: there is nothing to vote on: no step makes a proposal",
    ]);
  });

  test("is no other binary where there is none", () => {
    const without = { key: "disturb", binaries: "", steps: "steps: [{ run: 3 }]\n" };
    expect(problemsOf("{ kinds: [wrong_binary, late_binary] }", without)).toEqual([
      "disturb.kinds[0]: no binary can be the wrong one: the file has v1 alone",
      "disturb.kinds[1]: no binary can be late: no step `nodes` has binary or stage",
    ]);
  });

  test("is no late binary of nodes that get none", () => {
    expect(problemsOf("{ kinds: [late_binary], nodes: [val-3] }", disturb)).toEqual([
      "disturb.nodes: no binary can be late: no step `nodes` with binary or stage names one of them",
    ]);
    expect(problemsOf("{ kinds: [late_binary], nodes: [val-0, val-3] }", disturb)).toEqual([]);
  });
});
