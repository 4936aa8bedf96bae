import { getOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { signer } from "../../gen/chain/base/v1beta1/annotations_pb.ts";
import { registry } from "../../gen/registry.ts";

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
