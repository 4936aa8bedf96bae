import { create, getOption } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { signer } from "../../gen/chain/base/v1beta1/annotations_pb.ts";
import { Msg as EvidenceMsg } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { registry } from "../../gen/registry.ts";
import { ServiceRouter } from "./router.ts";

const messages = Array.from(registry)
  .flatMap((type) => (type.kind === "service" && type.name === "Msg" ? type.methods : []))
  .map(({ input }) => input);

test("every message of every Msg service names its signer by a field that it has", () => {
  expect(messages.length).toBeGreaterThan(15);
  for (const message of messages) {
    const fields = message.fields.map(({ name }) => name);
    expect(fields, message.typeName).toContain(getOption(message, signer));
  }
});

test("bytes in which no type is renamed stay as they were sent", () => {
  const router = new ServiceRouter();
  router.registerMsg("evidence", EvidenceMsg, { submitEvidence: () => ({}) });
  const typeUrl = "/cosmos.evidence.v1beta1.MsgSubmitEvidence";
  // The evidence precedes its submitter, which no encoder does; and bytes that are not a message.
  for (const value of [Uint8Array.of(0x12, 0, 0x0a, 2, 0x6d, 0x65), Uint8Array.of(255)]) {
    const renamed = router.inChain(create(AnySchema, { typeUrl, value }));
    expect(renamed).toMatchObject({ typeUrl: "/chain.evidence.v1beta1.MsgSubmitEvidence", value });
  }
});
