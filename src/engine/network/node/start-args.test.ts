import { expect, test } from "vitest";
import { heightsOfApp, heightsOfSidecar, skipArgs, skipFlagOf, startArgs } from "./start-args.ts";

test.each([
  ["comma", [10, 20], "--unsafe-skip-upgrades 10,20", [10, 20], []],
  ["space", [10, 20], "--unsafe-skip-upgrades 10 20", [10], [10, 20]],
  ["equals", [10, 20], "--unsafe-skip-upgrades=10,20", [10, 20], []],
  ["comma", [10], "--unsafe-skip-upgrades 10", [10], [10]],
  ["space", [10], "--unsafe-skip-upgrades 10", [10], [10]],
  ["equals", [10], "--unsafe-skip-upgrades=10", [10], []],
  ["comma", [], "", [], []],
] as const)("heights written in the form %s: %j is %j", (form, heights, source, app, sidecar) => {
  const args = skipArgs(heights, form);
  expect(args.join(" ")).toBe(source);
  expect([...heightsOfApp(heights, form)]).toEqual(app);
  const read = skipFlagOf(args);
  expect(read.heights).toEqual(heights);
  expect(skipArgs(read.heights, read.form)).toEqual(args);
  expect([...heightsOfSidecar(["start", ...args])]).toEqual(sidecar);
});

test("a node is started with the flags that are set, and no others", () => {
  expect(startArgs({ skipFlag: [], haltHeight: 0, haltTime: 0 })).toEqual(["start"]);
  expect(startArgs({ skipFlag: skipArgs([10, 20], "space"), haltHeight: 1, haltTime: 90 })).toEqual(
    ["start", "--unsafe-skip-upgrades", "10", "20", "--halt-height", "1", "--halt-time", "90"],
  );
});

test("the sidecar reads heights up to the next flag", () => {
  const args = ["start", "--unsafe-skip-upgrades", "10", "x", "20", "--halt-height", "30"];
  expect([...heightsOfSidecar(args)]).toEqual([10, 20]);
  expect([...heightsOfSidecar(["start", "--halt-height", "30"])]).toEqual([]);
});
