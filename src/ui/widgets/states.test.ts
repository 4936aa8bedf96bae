import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { NodeSchema, ValidatorSchema } from "../../gen/lab/v1/lab_pb.ts";
import { mainState, processState } from "./states.ts";

const validator = create(ValidatorSchema, { name: "val-2", bond: "bonded" });
const nodes = (...processes: string[]) =>
  processes.map((process) => create(NodeSchema, { validator: "val-2", process }));

test("a validator whose own node is stopped runs while another machine has its key", () => {
  expect(mainState({ validator, nodes: nodes("stopped", "running") }).label).toBe("running");
  expect(mainState({ validator, nodes: nodes("stopped", "exited") }).label).toBe("stopped");
  expect(mainState({ validator, nodes: [] }).label).toBe("no node");
});

test("a node that exited with its consensus is halted too; one that crashed is not", () => {
  const label = (process: string, halted?: boolean) => processState({ process, halted }).label;
  expect([label("exited", true), label("halted", true), label("exited")]).toEqual([
    "halted, exited",
    "halted",
    "exited",
  ]);
});
