import { AnySchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test, vi } from "vitest";
import { accAddress } from "../base/bech32.ts";
import { packInit } from "../engine/framework/codec.ts";
import type { EvidenceRegistration } from "../engine/modules/evidence/types.ts";
import { accountOf } from "../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { runTo } from "../engine/simulation/testing.ts";
import { MsgSubmitEvidenceSchema } from "../gen/chain/evidence/v1beta1/tx_pb.ts";
import { type DoneUpgrade, DoneUpgradeSchema } from "../gen/lab/v1/continuation_pb.ts";
import { anyFromJson, messageToJson } from "../view/json.ts";
import { FrameBuilder } from "../view/lab/frame/frame.ts";
import { Observer } from "../view/lab/frame/observer.ts";
import { TEXTS } from "../view/lab/texts.ts";
import { parseScenario } from "./parse.ts";

vi.mock("../engine/app/chain-config.ts", async () => {
  const { messageEvidence } = await import("../engine/modules/evidence/message-evidence.ts");
  const { DoneUpgradeSchema: schema } = await import("../gen/lab/v1/continuation_pb.ts");
  class Rumour extends messageEvidence(schema, "rumour") {
    override getHeight = (): bigint => this.message.height;
    override validateBasic = (): void => {};
  }
  const rumour: EvidenceRegistration = {
    type: { schema, from: (message) => new Rumour(message as DoneUpgrade) },
    route: "rumour",
    handler: () => {},
  };
  return { EVIDENCE_TYPES: [rumour] };
});

describe("an evidence type that is registered in code", () => {
  const evidence = packInit(DoneUpgradeSchema, { name: "it was val-2", height: 1n });
  const json = { "@type": "/lab.v1.DoneUpgrade", name: "it was val-2", height: "1" };

  test("is submitted to any world that has its route, stored, and shown", () => {
    const file =
      "{ scenario: 1, name: x, genesis: { evidence_routes: [rumour], accounts: { alice: 1stake } }, steps: [] }";
    const read = parseScenario(file, "x.yaml");
    if (!("scenario" in read)) throw new Error(JSON.stringify(read.problems));
    const sim = Simulation.create(read.scenario.spec);
    const submitter = accAddress(accountOf("alice"));
    const messages = [packInit(MsgSubmitEvidenceSchema, { submitter, evidence })];
    sim.apply({ type: "tx", signer: "alice", messages });
    const observer = new Observer(sim, TEXTS);
    runTo(sim, 2);
    expect(sim.block(1)?.txs[0]?.log).toBe("");
    expect(new FrameBuilder(sim, observer, TEXTS).build({}).evidence).toMatchObject([
      { type: "rumour", height: 1, validator: "" },
    ]);
  });

  test("is read from JSON and written as JSON by its type URL", () => {
    expect(messageToJson(AnySchema, anyFromJson(json))).toEqual(json);
  });
});
