import { expect, test } from "vitest";
import { NamedTxSchema, TxMsgDataSchema } from "../gen/chain/tx/v1beta1/named_tx_pb.ts";
import { RECORDS } from "../gen/records.ts";
import { registry } from "../gen/registry.ts";

test("every message of the modules, its answer and what a transaction is are written and read without the library", () => {
  const services = [...registry].filter((desc) => desc.kind === "service" && desc.name === "Msg");
  const messages = services.flatMap((desc) =>
    desc.kind === "service" ? desc.methods.flatMap(({ input, output }) => [input, output]) : [],
  );
  expect(messages.length).toBeGreaterThan(30);
  const names = [...messages, NamedTxSchema, TxMsgDataSchema].map(({ typeName }) => typeName);
  expect(names.filter((name) => RECORDS[name] === undefined)).toEqual([]);
});
