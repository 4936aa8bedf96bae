import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSourceObject } from "../parse.ts";
import { readSource } from "../source.ts";
import { stepsOf } from "../varied.ts";
import {
  type Choices,
  caseOf,
  caseSeed,
  choiceOfNumber,
  choicesOf,
  chosen,
  drawCase,
  drawChoices,
} from "./draw.ts";
import { differentCases } from "./enumerate.ts";
import { familyOf } from "./testing.ts";

const family = familyOf(`
scenario: 1
name: family
genesis: { validators: 4, gov: { voting_period: 60s } }
binaries: { v2: { handlers: [v2] } }
steps:
  - run: 3
  - upgrade: { name: v2, at: 30 }
    as: plan
    show: { select: { proposal: $plan } }
  - propose: { from: val-0, title: Stop, messages: [{ "@type": /chain.upgrade.v1beta1.MsgCancelUpgrade, authority: "\${gov}" }] }
    as: stop
  - vote: { proposal: $stop, option: no, by: [val-0] }
  - nodes: { which: [val-0], binary: v2 }
vary:
  - { at: genesis.gov.voting_period, one_of: [30s, 60s, 300s] }
  - { at: "steps[0].run", range: [1, 9] }
  - { at: "steps[4].nodes.which", subset: [val-0, val-1, val-2], most: 2 }
  - { at: genesis.slashing.signed_blocks_window, range: [5, 6] }
  - { at: "steps[3].vote.by", permutation: [val-0, val-1, val-2] }
  - { steps: [0, stop, 3], may: left_out, most: 2 }
  - { steps: [plan, 4], may: repeated }
  - { steps: [0, plan, stop, 3, 4], may: moved, most: 3 }
`);
const choices = choicesOf(family);
const drawn = (number: number) => drawCase(family, 7, number).value;
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("a case", () => {
  test("is a sound scenario, whatever is drawn", () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const read = readSourceObject(caseOf(family, chosen).value);
        expect("problems" in read ? read.problems : []).toEqual([]);
      }),
    );
  });

  test("written as a file is the same scenario", () => {
    fc.assert(
      fc.property(choices, (chosen) => {
        const { value, text } = caseOf(family, chosen);
        const read = readSource(text(), "case.yaml");
        expect("problems" in read || JSON.stringify(read.source.value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test("follows from a seed and a number alone", () => {
    fc.assert(
      fc.property(fc.integer(), fc.maxSafeNat(), (seed, number) => {
        expect(drawCase(family, seed, number)).toEqual({
          ...drawCase({ ...family }, seed, number),
          text: expect.any(Function),
        });
      }),
    );
  });

  test("is another one by another number", () => {
    const seeds = new Set(numbers(100_000).map((number) => caseSeed(7, number)));
    expect(seeds.size).toBeGreaterThan(99_990);
    const cases = new Set(numbers(200).map((number) => JSON.stringify(drawn(number))));
    expect(cases.size).toBeGreaterThan(150);
  });

  test("leaves the family as it is", () => {
    const before = JSON.stringify(family);
    numbers(50).forEach(drawn);
    expect(JSON.stringify(family)).toBe(before);
  });
});

describe("values", () => {
  const seen = (read: (value: ReturnType<typeof drawn>) => unknown) =>
    [...new Set(numbers(400).map((number) => JSON.stringify(read(drawn(number)))))].sort();
  const genesisOf = (value: ReturnType<typeof drawn>) =>
    value.genesis as Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  test("are all of a list and of a range, and no others", () => {
    expect(seen((value) => genesisOf(value).gov?.voting_period)).toEqual([
      '"300s"',
      '"30s"',
      '"60s"',
    ]);
    expect(seen((value) => genesisOf(value).slashing?.signed_blocks_window)).toEqual(["5", "6"]);
    const runs = seen(
      (value) =>
        stepsOf(value)
          .map((step) => (step as { run?: number }).run)
          .find((run) => run !== undefined) ?? null,
    );
    expect(runs).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "null"]);
  });

  test("are all subsets within their bounds, in the order of the list", () => {
    const which = seen(
      (value) =>
        stepsOf(value)
          .map((step) => (step as { nodes?: { which: unknown } }).nodes)
          .find((nodes) => nodes !== undefined)?.which,
    );
    expect(which).toEqual([
      '["val-0","val-1"]',
      '["val-0","val-2"]',
      '["val-0"]',
      '["val-1","val-2"]',
      '["val-1"]',
      '["val-2"]',
    ]);
  });

  test("are all orders of a list", () => {
    const by = seen(
      (value) =>
        stepsOf(value)
          .map((step) => (step as { vote?: { by: unknown } }).vote)
          .find((vote) => vote !== undefined)?.by ?? null,
    );
    expect(by).toHaveLength(7);
  });
});

describe("steps", () => {
  const one = (choices: Choices) =>
    stepsOf(caseOf(family, choices).value).map((step) => Object.keys(step as object)[0]);
  const vary = (leftOut: number[], repeated: number[], moved: [number, number][]) => ({
    vary: [
      0,
      0,
      [0],
      0,
      [0, 1, 2],
      leftOut.map((step) => ({ step, by: 0 })),
      repeated.map((step) => ({ step, by: 0 })),
      moved.map(([step, by]) => ({ step, by })),
    ],
    disturb: [],
  });

  test("stay as they are where nothing is drawn", () => {
    const nothing = caseOf(family, vary([], [], [])).value;
    expect(nothing).toMatchObject({ genesis: { gov: { voting_period: "60s" } } });
    expect(stepsOf(nothing)[0]).toEqual({ run: 3 });
    expect(one(vary([], [], []))).toEqual(["run", "upgrade", "propose", "vote", "nodes"]);
  });

  test("that are left out take those with them that refer to their result", () => {
    expect(one(vary([2], [], []))).toEqual(["run", "upgrade", "nodes"]);
    expect(one(vary([0, 3], [], []))).toEqual(["upgrade", "propose", "nodes"]);
  });

  test("that are repeated have their name once", () => {
    expect(one(vary([], [1], []))).toEqual([
      "run",
      "upgrade",
      "upgrade",
      "propose",
      "vote",
      "nodes",
    ]);
    const steps = stepsOf(caseOf(family, vary([], [1], [])).value);
    expect(steps[1]).toHaveProperty("as", "plan");
    expect(steps[2]).toEqual({ upgrade: { name: "v2", at: 30 } });
  });

  test("that are moved stay behind what they refer to, and before what refers to them", () => {
    expect(one(vary([], [], [[0, 2]]))).toEqual(["upgrade", "propose", "run", "vote", "nodes"]);
    expect(one(vary([], [], [[3, -3]]))).toEqual(["run", "upgrade", "propose", "vote", "nodes"]);
    expect(one(vary([], [], [[2, 4]]))).toEqual(["run", "upgrade", "propose", "vote", "nodes"]);
    expect(one(vary([], [], [[4, -9]]))).toEqual(["nodes", "run", "upgrade", "propose", "vote"]);
  });
});

test("every number of a range is one choice, wherever the written one lies", () => {
  for (const run of [1, 2, 5, 8, 9, 40]) {
    const of = familyOf(
      `scenario: 1\nname: a\nsteps: [{ run: ${run} }]\nvary: [{ at: "steps[0].run", range: [1, 9] }]\n`,
    );
    const [variation] = of.vary;
    if (variation?.kind !== "range") throw new Error("it is no range");
    const all = numbers(9).map((choice) => chosen(of, variation, choice) as number);
    expect([...all].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(all.map((number) => choiceOfNumber(of, variation, number))).toEqual(numbers(9));
    expect(all[0]).toBe(Math.min(run, 9));
  }
});

test("shrinking leads to the case that is written, if that is one of the family", () => {
  const vary = family.vary.filter(
    ({ kind }) => kind === "one_of" || kind === "range" || kind === "left_out",
  );
  const small = { ...family, vary };
  let least: Choices | undefined;
  // Each failing choice is shrunk further: the last one is the smallest.
  fc.check(
    fc.property(choicesOf(small), (chosen) => {
      least = chosen;
      return false;
    }),
    { seed: 3 },
  );
  const { value } = caseOf(small, least as unknown as Choices);
  expect(value.steps).toEqual(family.source.steps);
  expect(value.genesis).toMatchObject(family.source.genesis as object);
});

test("of a family without other steps all different cases are counted, and none comes twice before all came", () => {
  const small = familyOf(`
scenario: 1
name: small
genesis: { validators: 4, gov: { voting_period: 60s } }
steps:
  - run: 3
  - nodes: { which: [val-0], stop: true }
  - nodes: { which: [val-0, val-1, val-2], start: true }
vary:
  - { at: genesis.gov.voting_period, one_of: [30s, 60s] }
  - { at: "steps[0].run", range: [1, 3] }
  - { at: "steps[1].nodes.which", subset: [val-0, val-1, val-2], least: 1, most: 2 }
  - { at: "steps[2].nodes.which", permutation: [val-0, val-1, val-2] }
`);
  const all = 2 * 3 * 6 * 6;
  const seen = (seed: number, count: number) =>
    Array.from({ length: count }, (_, n) => JSON.stringify(drawCase(small, seed, n).value));
  expect(differentCases(small)).toBe(all);
  expect(new Set(seen(1, all)).size).toBe(all);
  expect(new Set(seen(1, 3_000)).size).toBe(all);
  expect(seen(2, 5)).not.toEqual(seen(1, 5));
  // The choices must be values that the arbitrary can draw, so that they can be shrunk.
  for (let number = 0; number < all; number++) {
    expect(choicesOf(small).canShrinkWithoutContext(drawChoices(small, 1, number))).toBe(true);
  }
  expect(differentCases(family)).toBeUndefined();
});
