import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { u64be } from "../../../base/bytes.ts";
import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { describe } from "./describe.ts";
import { planCodec } from "./keeper.ts";
import { doneEntry, PLAN_KEY, PROTOCOL_VERSION_KEY, versionKey } from "./keys.ts";

test("the plan, versions and the protocol version", () => {
  const plan = create(PlanSchema, { name: "v2", height: 30n, info: "notes" });
  expect(describe(PLAN_KEY, planCodec.encode(plan))).toEqual({
    kind: "plan",
    of: [],
    value: '{"name":"v2","height":"30","info":"notes"}',
  });
  expect(describe(versionKey("bank"), u64be(4))).toEqual({
    kind: "version",
    of: ["bank"],
    value: "4",
  });
  expect(describe(PROTOCOL_VERSION_KEY, u64be(2))).toEqual({
    kind: "protocol version",
    of: [],
    value: "2",
  });
});

test("a done mark, in the layout of either profile", () => {
  const done = { name: "v2", height: 30 };
  expect(describe(...doneEntry("name", done))).toEqual({ kind: "done", of: ["v2"], value: "30" });
  expect(describe(...doneEntry("height-and-name", done))).toEqual({
    kind: "done",
    of: ["30", "v2"],
    value: "",
  });
});
