import { describe, expect, inject, test } from "vitest";
import { Draw } from "./draw.ts";
import { casesIn, FOUND } from "./found.ts";
import { mutateValue } from "./mutate.ts";
import { shrink } from "./shrink.ts";
import { CaseError, kindOf } from "./target.ts";
import { TARGETS, targetOf } from "./targets.ts";
import { tryCase } from "./worker.ts";

/** Cases of each target in a run of all tests. */
const SLICE: Readonly<Record<string, number>> = {
  worlds: 2,
  storage: 2,
  files: 30,
  decoders: 200,
  calls: 6,
  requests: 300,
};

describe("a slice of what is fuzzed", () => {
  test.each(TARGETS.map((target) => [target.name, target] as const))(
    "%s: no case shows a bug",
    async (name, target) => {
      for (let number = 0; number < (SLICE[name] ?? 50); number++) {
        const found = await tryCase(target, inject("propertySeed"), number);
        expect(
          found?.cause,
          `case ${number}: ${JSON.stringify(found?.given)?.slice(0, 2000)}`,
        ).toBeUndefined();
      }
    },
  );
});

describe("cases that were found", () => {
  const cases = casesIn(FOUND).map(({ target, file, given }) => [file, target, given] as const);

  test.each(cases)("%s does not come back", async (_file, target, given) => {
    await targetOf(target).run(given);
  });
});

test("values are mutated whatever their keys are", () => {
  const draw = new Draw("keys");
  for (let i = 0; i < 200; i++) mutateValue(draw, [{ toString: 1 }]);
});

describe("shrinking", () => {
  /** Fails with a given kind where two steps are left in this order. */
  const target = {
    run(given: unknown): void {
      const { steps = [] }: { steps?: { do: string }[] } = Object(given);
      const at = steps.findIndex(({ do: what }) => what === "open");
      if (at >= 0 && steps.slice(at).some(({ do: what }) => what === "break")) {
        throw new TypeError("it broke");
      }
      if (steps.length === 1) throw new Error("another bug");
    },
  };

  test("leaves what the failure needs and nothing else", async () => {
    const noise = Array.from({ length: 30 }, (_, i) => ({ do: `noise ${i}`, why: "x".repeat(i) }));
    const steps = [...noise, { do: "open", note: "n" }, ...noise, { do: "break" }, ...noise];
    const given = { name: "a case", seed: 4, steps };
    const cause = new TypeError("it broke");
    const found = new CaseError(given, Object.assign(cause, { stack: "at tools/fuzz/x.ts:1" }));
    // The kind is the place where it was thrown, so it is taken from a run.
    let first = found;
    try {
      target.run(given);
    } catch (error) {
      first = new CaseError(given, error);
    }
    const small = await shrink(target, first, () => false);
    expect(small.given).toEqual({ steps: [{ do: "open" }, { do: "break" }] });
    expect(kindOf(small.cause)).toBe(kindOf(first.cause));
  });
});
