import { expect, test } from "vitest";
import { accAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  install,
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  V2_WITH_STORE,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import { MsgSubmitProposalSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { divergenceOf } from "./divergence.ts";

test("what governance holds is named, with its fields", () => {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 3);
  sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
  const proposal = packInit(MsgSubmitProposalSchema, {
    messages: [softwareUpgrade(sim, "v2", 60)],
    initialDeposit: [{ denom: "stake", amount: "10000000" }],
    proposer: accAddress(accountOf("val-0")),
    title: "to v2",
    summary: "to v2",
  });
  sim.apply({ type: "tx", signer: "val-0", messages: [proposal] });
  runTo(sim, 6);
  const { differences = [], total } = divergenceOf(sim, "val-3", "val-0") ?? {};
  expect(total).toBe(differences.length);
  const gov = new Map(
    differences.flatMap((one) => (one.store === "gov" ? [[one.name, one] as const] : [])),
  );
  expect(JSON.parse(gov.get("proposal 1")?.afterText ?? "")).toMatchObject({ title: "to v2" });
  expect(gov.get("proposal 1")).toMatchObject({ before: "", beforeText: "" });
  expect(gov.get("deposit 1 val-0")).toBeDefined();
  expect(gov.get("in voting period 1")).toMatchObject({ after: "01", afterText: "" });
  expect(gov.get("next proposal id")).toMatchObject({ afterText: "2" });
  expect(differences.every(({ name }) => name !== "")).toBe(true);
});

test("each node's entries read as its own binary has them, and what is gone is named too", () => {
  const sim = Simulation.create(worldSpec({ binaries: [V2_WITH_STORE] }));
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runRounds(sim, 30);
  install(sim, "v2", "val-0");
  runRounds(sim, 3);
  const there = divergenceOf(sim, "val-1", "val-0");
  const versions = there?.differences.filter(({ store }) => store === "oracle") ?? [];
  expect(versions).toContainEqual({
    store: "oracle",
    key: "01",
    name: "version",
    before: "",
    after: "31",
    beforeText: "",
    afterText: "1",
    created: true,
    removed: false,
  });
  const back = divergenceOf(sim, "val-0", "val-1");
  expect(back?.differences.find(({ store, key }) => store === "oracle" && key === "01")).toEqual({
    store: "oracle",
    key: "01",
    name: "version",
    before: "31",
    after: "",
    beforeText: "1",
    afterText: "",
    created: false,
    removed: true,
  });
  const [val0, val1] = ["val-0", "val-1"].map((name) =>
    toHexUpper(sim.node(name)?.appHash ?? new Uint8Array()),
  );
  expect(back).toMatchObject({
    beforeHeight: sim.node("val-0")?.height,
    afterHeight: sim.node("val-1")?.height,
    beforeAppHash: val0,
    afterAppHash: val1,
  });
  expect(divergenceOf(sim, "val-0", "nobody")).toBeUndefined();
  expect(divergenceOf(sim, "nobody", "val-0")).toBeUndefined();
});
