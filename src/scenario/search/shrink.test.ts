import { expect, test } from "vitest";
import { parseScenario } from "../parse.ts";
import { runScenario } from "../report.ts";
import { DOUBLE_SIGN, fileOf, STANDING } from "./families.testing.ts";
import { runBatch } from "./run-batch.ts";
import type { FamilyFile, Finding } from "./search.ts";
import { shrink } from "./shrink.ts";

const findings = new Map<string, Finding>();

/** Shrinks the violated case at an index; tests of the same one share the result. */
function findingIn(family: FamilyFile, at = 0): Finding {
  const key = `${at} ${family.text}`;
  const known = findings.get(key);
  if (known !== undefined) return known;
  const untilFirst = at === 0;
  const { violated } = runBatch({ family, seed: 1, first: 0, count: 40, untilFirst });
  const found = violated[at];
  if (found === undefined) throw new Error("no case is violated");
  const finding = shrink({ family, seed: 1, found });
  findings.set(key, finding);
  return finding;
}

function run(text: string) {
  const read = parseScenario(text, "shrunk.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return runScenario(read.scenario, { file: "shrunk.yaml" });
}

test("a violated case is shrunk to the steps without which the property holds", () => {
  const { stepsBefore, steps, violation } = findingIn(DOUBLE_SIGN);
  expect(stepsBefore).toBe(6);
  expect(steps.map(({ verb, without }) => [verb, without])).toEqual([
    ["fault", "holds"],
    ["run", "holds"],
  ]);
  expect(violation).toMatchObject({
    property: "slashed for signing twice",
    kind: "never",
    step: 1,
  });
});

test("the shrunk file is an ordinary scenario that fails by the violation, and passes once it is gone", () => {
  const { scenario, violation } = findingIn(DOUBLE_SIGN);
  const report = run(scenario);
  expect(report.ok).toBe(false);
  expect(report.violations).toEqual([violation]);
  expect(run(scenario.replace("kind: double_sign", "kind: slow")).ok).toBe(true);
});

test("it holds nothing that the violation does not need: no notes, other properties or parameters", () => {
  const { scenario } = findingIn(DOUBLE_SIGN);
  expect(scenario).not.toMatch(/note:|sometimes|block_time|Two operators|vary/);
  expect(scenario).toContain('about: "Found as case');
});

test("every violated case of a property shrinks to the same steps", () => {
  const [first, second] = [findingIn(DOUBLE_SIGN), findingIn(DOUBLE_SIGN, 3)];
  expect(second.number).toBeGreaterThan(first.number);
  expect(second.steps).toEqual(first.steps);
});

test("the counterfactual is the nearest case that holds, in words and as a file", () => {
  const { counterfactual } = findingIn(DOUBLE_SIGN);
  expect(counterfactual?.words).toBe("Had val-2 not signed twice, it would have held.");
  expect(run(counterfactual?.scenario ?? "").ok).toBe(true);
});

test("the log says what was tried and what was kept", () => {
  const { log } = findingIn(DOUBLE_SIGN);
  expect(log[0]).toEqual({ words: "the case as it was drawn", kept: true });
  expect(log).toContainEqual({ words: "leave out genesis.block_time", kept: true });
  expect(log.some(({ kept }) => !kept)).toBe(true);
});

test("a step that cannot be done is shrunk to what keeps it from being done", () => {
  const { steps, violation } = findingIn(STANDING(""));
  expect(violation.property).toBe("run: no block (stopped)");
  expect(steps.map(({ words }) => words)).toEqual(["val-0, val-1: stop", "makes a block"]);
});

test("a step that cannot be done is not shrunk to one that fails for another reason", () => {
  const { steps, violation } = findingIn(
    fileOf(`
scenario: 1
name: slip
genesis: { validators: 4, gov: { voting_period: 30s } }
binaries: { v2: { handlers: [v2] } }
vary: [{ at: "steps[2].run.rounds", range: [1, 3] }]
steps:
  - upgrade: { name: v2, at: 30 }
  - nodes: { which: [val-0, val-1], stop: true }
  - run: { rounds: 1 }
  - run: 60
`),
  );
  expect(violation.property).toBe("run: no block (stopped)");
  expect(violation.message).not.toContain("UPGRADE");
  expect(steps.map(({ verb, without }) => [verb, without])).toEqual([
    ["nodes", "holds"],
    ["run", "holds"],
  ]);
});

test("no step is left out without which the case that is written would be violated too", () => {
  const { steps } = findingIn(
    fileOf(`
scenario: 1
name: votes
genesis: { validators: 4, gov: { voting_period: 30s } }
binaries: { v2: { handlers: [v2] } }
never:
  - name: rejected
    get: /chain/gov/v1/proposals/1
    json: { proposal: { status: PROPOSAL_STATUS_REJECTED } }
vary: [{ at: "steps[1].vote.by", subset: [val-0, val-1, val-2, val-3], least: 1 }]
steps:
  - upgrade: { name: v2, at: 40, until: proposed }
    as: plan
  - vote: { proposal: "\${plan}", option: "yes", by: [val-0, val-1, val-2] }
  - run: { rounds: 20 }
`),
  );
  expect(steps.map(({ verb }) => verb)).toEqual(["upgrade", "vote", "run"]);
});

test("a proposal whose end is only waited for is left out", () => {
  const { steps } = findingIn(
    fileOf(`
scenario: 1
name: failover
genesis: { validators: 4, gov: { voting_period: 60s } }
binaries: { v2: { handlers: [v2] } }
never:
  - { name: signs twice, events: { type: slash, attributes: { reason: double_sign } } }
disturb: { kinds: [twin], from: 2, to: 6 }
steps:
  - upgrade: { name: v2, at: 40 }
`),
  );
  expect(steps.map(({ verb }) => verb)).toEqual(["nodes", "run"]);
});

test("two runs are one once what stood between them is gone", () => {
  const { steps, scenario } = findingIn(
    fileOf(`
scenario: 1
name: long
genesis: { validators: 4 }
never: [{ name: far, chain: running, height: 20 }]
vary: [{ at: "steps[0].run", range: [12, 13] }]
steps:
  - run: 12
  - nodes: { which: [val-0], stop: true }
  - run: { rounds: 15 }
`),
  );
  expect(steps.map(({ words }) => words)).toEqual(["goes through 20 rounds"]);
  expect(run(scenario).ok).toBe(false);
});

test.each([
  [
    "one step",
    "disturb: { kinds: [late_binary], from: 19, most: 2 }",
    ["{ which: all, binary: v2 }"],
  ],
  [
    "steps",
    "vary: [{ steps: [2, 3, 4, 5], may: left_out, most: 2 }]",
    ["val-0", "val-1", "val-2", "val-3"].map((name) => `{ which: [${name}], binary: v2 }`),
  ],
])("two late operators are not made three, whose binaries come by %s", (_, drawn, nodes) => {
  const { scenario, steps, counterfactual } = findingIn(
    fileOf(`
scenario: 1
name: late
genesis: { validators: 4, gov: { voting_period: 30s } }
binaries: { v2: { handlers: [v2] } }
eventually: [{ name: the upgrade is done, from: 19, within: 15, chain: running, height: 21 }]
${drawn}
steps:
  - upgrade: { name: v2, at: 20 }
  - run: { rounds: 15 }
${nodes.map((one) => `  - nodes: ${one}`).join("\n")}
  - run: { rounds: 20 }
`),
  );
  const brought = steps.flatMap(({ verb, words }) =>
    verb === "nodes" ? (words.match(/val-\d/g) ?? []) : [],
  );
  expect(brought).toHaveLength(2);
  expect(run(scenario).ok).toBe(false);
  const late = ["val-0", "val-1", "val-2", "val-3"].find((name) => !brought.includes(name));
  const words = `Had ${late} been started with v2 in time, it would have held.`;
  expect(counterfactual?.words).toBe(words);
  expect(run(counterfactual?.scenario ?? "").ok).toBe(true);
});

test("a case that is not violated is refused", () => {
  const found = {
    number: 0,
    violation: { property: "other", kind: "never", height: 1, message: "" },
  };
  expect(() =>
    shrink({ family: fileOf(DOUBLE_SIGN.text), seed: 1, found: found as never }),
  ).toThrow("case 0 of seed 1: it is not violated when it is drawn again");
});
