import { expect, test } from "vitest";
import type { Activity } from "../store/types.ts";
import { activityOf } from "../testing.ts";
import { pipeline } from "./evidence-pipeline.ts";

let seq = 0;
const step = (item: number, what: string, parts: Partial<Activity> = {}): Activity => {
  seq += 1;
  return activityOf({
    seq,
    height: 9,
    kind: "step",
    where: "begin-block",
    module: "evidence",
    subject: `evidence ${item}`,
    what,
    outcome: "ok",
    item,
    ...parts,
  });
};

const shown = (steps: readonly Activity[]) =>
  pipeline(steps).map(({ title, steps }) => [title, ...steps.map(({ what }) => what)]);

test("steps of one piece of evidence are one item, whichever module noted them, newest item first", () => {
  const steps = [step(1, "age"), step(1, "slash", { module: "slashing" }), step(2, "age")];
  expect(shown(steps)).toEqual([
    ["evidence 2", "age"],
    ["evidence 1", "age", "slash"],
  ]);
});

test("every step is shown, also one that says what another said", () => {
  const burned = { module: "staking" };
  const steps = [step(1, "slash unbonding", burned), step(1, "slash unbonding", burned)];
  expect(shown(steps)).toEqual([["evidence 1", "slash unbonding", "slash unbonding"]]);
});

test("the last decision is the outcome, also when it is to ignore", () => {
  const [item] = pipeline([
    step(1, "known"),
    step(1, "age", { outcome: "ignored" }),
    step(1, "note", { outcome: "info" }),
  ]);
  expect(item).toMatchObject({ outcome: "ignored", height: 9, key: item?.steps[0]?.seq });
  expect(pipeline([step(1, "note", { outcome: "info" })])[0]?.outcome).toBe("info");
});

test("an item without a subject goes by its phase", () => {
  expect(shown([step(1, "age", { subject: "" })])).toEqual([["begin-block", "age"]]);
});

test("what belongs to no piece of evidence is not shown", () => {
  const others = [
    step(0, "plan due", { module: "upgrade" }),
    step(0, "liveness", { module: "slashing" }),
    step(0, "transaction", { module: "app" }),
  ];
  expect(pipeline(others)).toEqual([]);
  expect(shown([step(1, "age"), ...others.slice(0, 2)])).toEqual([["evidence 1", "age"]]);
});

test("a transaction that fails refuses all evidence in it, and no other", () => {
  const refused = { module: "app", outcome: "refused" };
  const steps = [
    step(1, "age"),
    step(2, "handler", { where: "tx 0" }),
    step(3, "handler", { where: "tx 0" }),
    step(0, "transaction", { ...refused, where: "tx 0" }),
    step(4, "handler", { where: "tx 1" }),
    step(5, "handler", { where: "tx 0", height: 10 }),
    step(0, "transaction", { ...refused, where: "tx 0", height: 10 }),
    step(0, "transaction", { ...refused, where: "tx 0", height: 10 }),
  ];
  expect(pipeline(steps).map(({ outcome, steps }) => [outcome, steps.length])).toEqual([
    ["refused", 2],
    ["ok", 1],
    ["refused", 2],
    ["refused", 2],
    ["ok", 1],
  ]);
});
