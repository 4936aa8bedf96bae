import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { stepText } from "./step-text.ts";
import { VERBS } from "./steps/index.ts";

test("what a step does is said in words", () => {
  const text: readonly (readonly [string, unknown, string])[] = [
    ["run", 1, "makes a block"],
    ["run", 5, "makes 5 blocks"],
    ["run", { to: 20 }, "runs until block 20"],
    ["run", { rounds: 3 }, "goes through 3 rounds"],
    ["run", { for: "30s" }, "runs for 30s"],
    ["run", { until: "halted" }, "runs until halted"],
    ["run", { until: "running" }, "runs until it is running again"],
    ["run", { until: { plan_applied: "v2" } }, "runs until plan v2 is applied"],
    ["run", { until: { proposal: "$p", is: "passed" } }, "runs until the proposal is passed"],
    ["double_sign", { node: "val-2" }, "val-2 signs twice"],
    ["vote", { proposal: "$p", option: "no_with_veto" }, "all vote no with veto"],
    ["vote", { option: "yes", by: ["val-1"] }, "val-1 votes yes"],
    ["vote", { option: "no", by: ["val-1", "val-2"] }, "val-1, val-2 vote no"],
    ["light_client_attack", { by: ["val-1"] }, "val-1 attacks a light client"],
    ["upgrade", { name: "v2", at: 40 }, "plan v2 at 40 is proposed"],
    ["nodes", { which: ["val-1"], binary: "v2" }, "val-1: binary v2"],
    ["nodes", { which: "all", stop: true }, "all nodes: stop"],
    ["partition", "heal", "the network is whole again"],
    ["fault", { node: "val-1", kind: "crash" }, "val-1: crash"],
  ];
  for (const [verb, args, words] of text) expect(stepText(verb, args)).toBe(words);
});

test("no step of a bundled story is a bare verb", () => {
  const folder = new URL("../../public/scenarios/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  expect(files.length).toBeGreaterThan(60);
  for (const file of files) {
    const { steps = [] } = parse(readFileSync(new URL(file, folder), "utf8")) as {
      steps?: Record<string, unknown>[];
    };
    for (const step of steps) {
      const verb = Object.keys(step).find((key) => VERBS.has(key)) ?? "";
      if (verb === "expect") continue;
      expect(stepText(verb, step[verb]), `${file}: ${JSON.stringify(step)}`).toMatch(/\S \S/);
      expect(stepText(verb, step[verb])).not.toMatch(/undefined|\[object/);
    }
  }
});
