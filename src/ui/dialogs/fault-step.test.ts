import { expect, test } from "vitest";
import { type FaultFields, faultDone, faultStep } from "./fault-step.ts";

const FORM: FaultFields = {
  what: "slow",
  node: "val-1",
  at: "",
  lasts: "",
  probability: "",
  by: "",
  blocks: "1",
  from: "val-0",
  level: "3",
  otherSide: [],
};
const step = (form: Partial<FaultFields>) =>
  faultStep({ ...FORM, ...form }, ["val-0", "val-1", "val-2"]);

test("an empty field is left out, so that the scenario's default holds", () => {
  expect(step({})).toEqual({ fault: { node: "val-1", kind: "slow" } });
  expect(step({ at: "9", lasts: "3" })).toEqual({
    fault: { node: "val-1", kind: "slow", at: 9, for: 3 },
  });
});

test("only a flaky node has a probability and only a wrong clock an offset", () => {
  const both = { probability: "0.5", by: "30s" };
  expect(step({ ...both, what: "mute" })).toEqual({ fault: { node: "val-1", kind: "mute" } });
  expect(step({ ...both, what: "flaky" })).toEqual({
    fault: { node: "val-1", kind: "flaky", probability: 0.5 },
  });
  expect(step({ ...both, what: "clock" })).toEqual({
    fault: { node: "val-1", kind: "clock", by: "30s" },
  });
});

test("a partition leaves no node out", () => {
  expect(step({ what: "partition", otherSide: ["val-2"] })).toEqual({
    fault: { kind: "partition", groups: [["val-0", "val-1"], ["val-2"]] },
  });
  expect(step({ what: "partition", otherSide: ["val-2"], lasts: "4" })).toMatchObject({
    fault: { for: 4 },
  });
});

test("a number that is none is passed on for the engine to refuse", () => {
  expect(step({ what: "chaos", level: "x", lasts: "20" })).toEqual({
    fault: { chaos: "x", for: 20 },
  });
});

test("what begins with a later block is not said to be done", () => {
  const text = (form: Partial<FaultFields>) => faultDone({ ...FORM, ...form }, 5);
  expect(text({})).toBe("The fault of val-1 is to begin with block 6.");
  expect(text({ what: "partition", at: "20" })).toBe("The partition is to begin with block 20.");
  expect(text({ what: "chaos" })).toBe("Chaos is to begin with block 6.");
  expect(text({ what: "roll_back" })).toBe("val-1 has gone back by 1 block.");
  expect(text({ what: "wipe" })).toBe("val-1 has lost its data.");
});
