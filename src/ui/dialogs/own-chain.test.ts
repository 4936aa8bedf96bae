import { expect, test } from "vitest";
import {
  binariesOf,
  chainFile,
  holdersOfThird,
  powerOf,
  sharesOf,
  spread,
  USUAL_CHAIN,
} from "./own-chain.ts";

test("a chain with equal validators names their number, and the binaries up to the newest", () => {
  expect(chainFile({ ...USUAL_CHAIN, newest: "v3" })).toBe(
    [
      "scenario: 1",
      "name: own-chain",
      'title: "My chain"',
      "genesis:",
      "  chain_id: my-chain-1",
      "  profile: documented",
      "  block_time: 5s",
      "  max_evidence_age: 48h",
      "  gov: { voting_period: 60s }",
      "  staking: { unbonding_time: 504h }",
      "  accounts: { alice: 1000000000stake }",
      "  validators: 4",
      "binaries:",
      "  v2: { modules: { bank: 5 }, handlers: [v2] }",
      "  v3: { from: v2, handlers: [v2, v3] }",
      "steps: []",
      "",
    ].join("\n"),
  );
});

test("what is typed stands in quotes, so that it stays one value", () => {
  const list = "Ann: 5\n} steps: [x] 7\n\nval-9";
  const file = chainFile({ ...USUAL_CHAIN, set: "list", list, voting: "60s }, x: {", count: "no" });
  expect(file).toContain('    - { name: "Ann", stake: 5 }\n');
  expect(file).toContain('    - { name: "}", stake: "steps[x]7" }\n');
  expect(file).toContain('    - { name: val-9, stake: "" }\n');
  expect(file).toContain('voting_period: "60s }, x: {"');
  expect(chainFile({ ...USUAL_CHAIN, count: "no" })).toContain('validators: "no"');
});

test("a spread of a hundred is like that of a public chain", () => {
  const shares = sharesOf({ ...USUAL_CHAIN, set: "spread", count: "100" });
  expect(shares).toHaveLength(100);
  expect(shares[0]).toBeGreaterThan(0.08);
  expect(shares[0]).toBeLessThan(0.1);
  expect(holdersOfThird(shares)).toBe(7);
  const stakes = spread(100).map(({ stake }) => Number(stake));
  expect(stakes).toEqual([...stakes].sort((a, b) => b - a));
});

test("a third is held by two of four equal ones, and by one of three", () => {
  expect(holdersOfThird(sharesOf({ ...USUAL_CHAIN, count: "4" }))).toBe(2);
  expect(holdersOfThird(sharesOf({ ...USUAL_CHAIN, count: "3" }))).toBe(1);
  expect(sharesOf({ ...USUAL_CHAIN, count: "" })).toEqual([]);
});

test("the power is that of whole units of stake, and the binaries are those of the file", () => {
  expect(powerOf(USUAL_CHAIN)).toBe(400);
  expect(powerOf({ ...USUAL_CHAIN, set: "list", list: "a 1999999\nb 5000000" })).toBe(6);
  expect(powerOf({ ...USUAL_CHAIN, set: "list", list: "a many" })).toBe(0);
  const spreadOut = spread(100).map(({ stake }) => Math.floor(Number(stake) / 1_000_000));
  const power = powerOf({ ...USUAL_CHAIN, set: "spread", count: "100" });
  expect(power).toBe(spreadOut.reduce((a, b) => a + b));
  expect(binariesOf({ ...USUAL_CHAIN, newest: "v1" })).toEqual(["v1"]);
  expect(binariesOf({ ...USUAL_CHAIN, newest: "v3" })).toEqual(["v1", "v2", "v3"]);
});
