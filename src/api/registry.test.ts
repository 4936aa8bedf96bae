import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { messageOf, queryServices, registry } from "./registry.ts";

describe("the registry", () => {
  test("holds every chain file that was generated", () => {
    const generated = readdirSync(new URL("../gen/chain", import.meta.url), {
      recursive: true,
      encoding: "utf8",
    })
      .filter((file) => file.endsWith("_pb.ts"))
      .map((file) => `chain/${file.replaceAll("\\", "/").replace(/_pb\.ts$/, "")}`)
      .sort();
    const held = [...new Set([...registry].map((desc) => ("file" in desc ? desc.file.name : "")))];
    expect(held.sort()).toEqual(generated);
  });

  test("has one Query service per module", () => {
    expect(queryServices.map((service) => service.typeName)).toEqual([
      "chain.bank.v1beta1.Query",
      "chain.evidence.v1beta1.Query",
      "chain.gov.v1.Query",
      "chain.slashing.v1beta1.Query",
      "chain.staking.v1beta1.Query",
      "chain.upgrade.v1beta1.Query",
    ]);
  });

  test("finds a message by its type URL, with and without a host", () => {
    expect(messageOf("/chain.bank.v1beta1.MsgSend")?.name).toBe("MsgSend");
    expect(messageOf("type.googleapis.com/chain.bank.v1beta1.MsgSend")?.name).toBe("MsgSend");
    expect(messageOf("/chain.bank.v1beta1.MsgNothing")).toBeUndefined();
  });
});
