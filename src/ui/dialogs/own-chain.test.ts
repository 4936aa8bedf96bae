import { expect, test } from "vitest";
import {
  activeOf,
  binariesOf,
  chainFile,
  holdersOfThird,
  type OwnChain,
  type Powers,
  powersOf,
  secondsOf,
  spread,
  USUAL_CHAIN,
} from "./own-chain.ts";

function powers(form: Partial<OwnChain>): Powers {
  const found = powersOf({ ...USUAL_CHAIN, ...form });
  if (found === undefined) throw new Error("the form has no validators");
  return found;
}

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
      "  staking: { unbonding_time: 504h, max_validators: 100 }",
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

test("a time of nothing is refused in seconds, as it was typed", () => {
  expect(chainFile({ ...USUAL_CHAIN, blockTime: "0 s" })).toContain("block_time: 0s");
});

test("a prefix of addresses stands in the file where it is not the usual one", () => {
  expect(chainFile({ ...USUAL_CHAIN, prefix: "osmo" })).toContain('\n  prefix: "osmo"\n');
  expect(chainFile({ ...USUAL_CHAIN, prefix: "" })).toContain('\n  prefix: ""\n');
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
  const found = powers({ set: "spread", count: "100" });
  expect(found.active).toHaveLength(100);
  const largest = (found.active[0] ?? 0) / found.total;
  expect(largest).toBeGreaterThan(0.08);
  expect(largest).toBeLessThan(0.1);
  expect(holdersOfThird(found)).toBe(7);
  const stakes = spread(100).map(({ stake }) => Number(stake));
  expect(stakes).toEqual([...stakes].sort((a, b) => b - a));
});

test("of a thousand all are active unless fewer are wanted, then the powers are those of the strongest", () => {
  const thousand = { set: "spread", count: "1000" } as const;
  expect(chainFile({ ...USUAL_CHAIN, ...thousand })).toContain(", max_validators: 1000 }");
  expect(powers(thousand).active).toHaveLength(1000);
  const fewer = powers({ ...thousand, active: "100" });
  expect(fewer.validators).toBe(1000);
  const strongest = spread(1000).map(({ stake }) => Math.floor(Number(stake) / 1_000_000));
  expect(fewer.active).toEqual(strongest.slice(0, 100));
  expect(fewer.total).toBe(strongest.slice(0, 100).reduce((a, b) => a + b));
  expect(chainFile({ ...USUAL_CHAIN, active: " 3" })).toContain(", max_validators: 3 }");
  expect(chainFile({ ...USUAL_CHAIN, active: "few" })).toContain(', max_validators: "few" }');
  expect(powersOf({ ...USUAL_CHAIN, active: "few" })).toBeUndefined();
  expect(activeOf({ ...USUAL_CHAIN, count: "no" })).toBe("100");
});

test("a third is held by two of four equal ones, and by one of three", () => {
  expect(holdersOfThird(powers({ count: "4" }))).toBe(2);
  expect(holdersOfThird(powers({ count: "3" }))).toBe(1);
  expect(powersOf({ ...USUAL_CHAIN, count: "" })).toBeUndefined();
});

test("the power is that of whole units of stake, and the binaries are those of the file", () => {
  expect(powers({}).total).toBe(400);
  const found = powers({ set: "list", list: "a 1999999\nb 5000000\nc 999999" });
  expect(found).toEqual({ validators: 3, active: [5, 1], total: 6 });
  expect(powersOf({ ...USUAL_CHAIN, set: "list", list: "a many" })).toBeUndefined();
  expect(binariesOf({ ...USUAL_CHAIN, newest: "v1" })).toEqual(["v1"]);
  expect(binariesOf({ ...USUAL_CHAIN, newest: "v3" })).toEqual(["v1", "v2", "v3"]);
});

test("a time may be typed as the page shows it or as a file has it", () => {
  expect(["21 d", "504h", "1 min 5 s", "1m5s", " 2min "].map(secondsOf)).toEqual([
    1_814_400, 1_814_400, 65, 65, 120,
  ]);
  expect(["soon", "5", "5 s now", "-5s", ""].map(secondsOf)).toEqual(new Array(5).fill(undefined));
  const file = chainFile({ ...USUAL_CHAIN, voting: "1 min 5 s", blockTime: "1.5 s" });
  expect(file).toContain("voting_period: 65s");
  expect(file).toContain("block_time: 1.5s");
  expect(file).toContain("max_evidence_age: 48h");
});
