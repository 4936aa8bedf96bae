import { expect, test } from "vitest";
import { DOUBLE_SIGN, fileOf, STANDING } from "./families.testing.ts";
import { runBatch } from "./run-batch.ts";
import type { Batch } from "./search.ts";

const batch = (more: Partial<Batch> = {}): Batch => ({
  family: DOUBLE_SIGN,
  seed: 1,
  first: 0,
  count: 30,
  untilFirst: false,
  ...more,
});

let once: ReturnType<typeof runBatch> | undefined;

/** All its cases, run for the first test that reads them. */
function whole(): ReturnType<typeof runBatch> {
  once ??= runBatch(batch());
  return once;
}

test("a number and a seed give the same case in every batch", () => {
  const { count, violated: all } = whole();
  expect(count).toBe(30);
  expect(all.length).toBeGreaterThan(2);
  expect(all.length).toBeLessThan(28);
  const parts = [0, 7, 19].map((first, i) =>
    runBatch(batch({ first, count: [7, 12, 11][i] ?? 0 })),
  );
  expect(parts.flatMap(({ violated }) => violated)).toEqual(all);
  expect(runBatch(batch({ seed: 2 })).violated).not.toEqual(all);
});

test("a violation says which property did not hold, where, and what was found", () => {
  const [first] = whole().violated;
  expect(first?.violation).toMatchObject({
    property: "slashed for signing twice",
    kind: "never",
    step: 3,
  });
  expect(first?.violation.height).toBeGreaterThan(3);
  expect(first?.violation.message).toBe("expected that it is not true, found 1");
});

test("what must be true sometimes is reached by cases, and no violation of one in which it is not", () => {
  const { reached, violated } = whole();
  expect(reached).toEqual(["val-0 is down"]);
  expect(violated.map(({ violation }) => violation.kind)).not.toContain("sometimes");
});

test("a batch that ends with the first violated case counts the cases up to it", () => {
  const { violated } = whole();
  const ended = runBatch(batch({ untilFirst: true }));
  expect(ended.violated).toEqual(violated.slice(0, 1));
  expect(ended.count).toBe((violated[0]?.number ?? 0) + 1);
});

test("a step that cannot be done is a finding unless the file states what is looked for", () => {
  const plain = runBatch(batch({ family: STANDING("") }));
  expect(plain.violated.length).toBeGreaterThan(0);
  expect(plain.violated[0]?.violation).toMatchObject({
    ...{ property: "run: no block (stopped)", kind: "step", step: 1 },
  });
  const stating = runBatch(batch({ family: STANDING("never: [{ app_hash: diverged }]") }));
  expect(stating.violated).toEqual([]);
  expect(stating.unfinished).toBe(plain.violated.length);
});

test("an expectation that is not met is always a finding, named by what it expects", () => {
  const family = fileOf(
    `${STANDING("never: [{ app_hash: diverged }]").text}  - expect: { node: val-1, is: stopped }\n`.replace(
      "- run: 2",
      "- run: { rounds: 2 }",
    ),
  );
  const { violated } = runBatch(batch({ family }));
  expect(violated.map(({ violation }) => violation.property)).toContain(
    "expect node: val-1, is: stopped",
  );
});

test("a file that is not sound is refused with the place of its problem", () => {
  const family = fileOf("scenario: 1\nname: x\nsteps: 5\n");
  expect(() => runBatch(batch({ family }))).toThrow(
    /family\.yaml: steps: expected a list of steps/,
  );
});
