import { expect, test } from "vitest";
import { frameOf } from "../testing.ts";
import { haltSentence, threshold } from "./halt.ts";
import { situationOf, situationPhrase } from "./situation.ts";

const four = [0, 1, 2, 3];
const validators = four.map((i) => ({ name: `val-${i}`, power: 100 }));
const status = (state: string, votingPower = 400) => ({
  state,
  votingPower,
  totalPower: 400,
  neededPower: 267,
});
const nodes = (heights: readonly number[], partitions: readonly number[] = []) =>
  heights.map((height, i) => ({
    name: `val-${i}`,
    validator: `val-${i}`,
    height,
    partition: partitions[i] ?? 0,
  }));
const frame = (init: object) => frameOf({ validators, ...init } as never);

test("a chain that runs on a whole network has nothing to be said of it", () => {
  const whole = frame({ chainStatus: status("running"), nodes: nodes([5, 5, 5, 5]) });
  expect(situationOf(whole)).toBe("whole");
  expect(situationPhrase(whole)).toBe("");
});

test("a halt is named by the block that does not come, with the power that votes and that is needed", () => {
  const halted = frame({
    chain: { height: 19, decidedHeight: 20, decidedShare: 1 },
    chainStatus: status("halted", 200),
    nodes: nodes([20, 20, 19, 19]),
  });
  expect(situationPhrase(halted)).toBe("Halted at 20 · 200 of 400, needs 267");
  expect(haltSentence(halted)).toBe("Block 20: decided by all, applied by 50 %.");
  const most = { height: 19, decidedHeight: 20, decidedShare: 0.75 };
  expect(haltSentence(frameOf({ ...halted, chain: most } as never))).toBe(
    "Block 20: decided by 75 %, applied by 50 %.",
  );
  const silent = frame({
    chain: { height: 19, decidedHeight: 19 },
    chainStatus: status("halted", 200),
    nodes: nodes([19, 19, 19, 19]),
  });
  expect(haltSentence(silent)).toBe("No block 20: 200 of 400 power votes.");
});

test("two chains are a split whatever else is true, and without them a cut network is only cut", () => {
  const cut = nodes([9, 9, 9, 9], [1, 1, 1, 2]);
  expect(situationPhrase(frame({ chainStatus: status("running"), nodes: cut }))).toBe(
    "Network cut in 2",
  );
  const split = { forks: [{ height: 6 }], nodes: cut };
  expect(situationPhrase(frame({ chainStatus: status("halted"), ...split }))).toBe(
    "Split: two chains",
  );
});

test("what a block needs is said in one phrase", () => {
  expect(threshold(267, 400)).toBe("more than 2/3: 267 of 400");
});
