import { expect, test } from "vitest";
import { parseScenario } from "./parse.ts";
import { runScenario } from "./report.ts";

test("a scenario asks the lab as it asks the chain, by path; its report names the nodes", () => {
  const text = `
scenario: 1
name: x
title: x
genesis: { validators: 4 }
steps:
  - run: 3
  - nodes: { which: [val-3], stop: true }
  - run: 1
  - expect: { get: /lab/v1/nodes/val-3, json: { process: stopped, height: 3, binary: v1 } }
  - expect: { get: /lab/v1/nodes, json: { nodes: [{ name: val-0, process: running, height: 4 }] } }
  - expect: { get: "/lab/v1/blocks/\${height}", json: { height: 4, header: { height: "4" } } }
  - expect: { get: /lab/v1/chain_status, json: { state: running, voting_power: "300", total_power: "400", needed_power: "267" } }
  - expect: { tokens: val-0, is: "100000000" }
  - expect: { get: /lab/v1/nodes/val-9, status: 404, json: { message: there is no node val-9 } }
`;
  const read = parseScenario(text, "x.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const { steps, nodes } = runScenario(read.scenario, { file: "x.yaml" });
  expect(steps.filter(({ ok }) => !ok)).toEqual([]);
  expect(nodes.slice(2)).toEqual([
    { name: "val-2", process: "running", binary: "v1", height: 4, reason: "" },
    { name: "val-3", process: "stopped", binary: "v1", height: 3, reason: "" },
  ]);
});
