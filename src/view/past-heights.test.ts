import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { accAddress, valAddress } from "../base/bech32.ts";
import { packInit } from "../engine/framework/codec.ts";
import { thrownBy } from "../engine/framework/testing.ts";
import { accountOf } from "../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../engine/simulation/testing.ts";
import { MsgDelegateSchema, MsgUndelegateSchema } from "../gen/chain/staking/v1beta1/tx_pb.ts";
import { type Json, messageToJson } from "./json.ts";
import { queryByName } from "./lab/query.ts";
import { queryServices } from "./query-routes.ts";

const alice = accAddress(accountOf("alice"));
const operator = valAddress(accountOf("val-1"));

/** Request fields for the queries that need some; the others receive an empty request. */
const WORDS: Readonly<Record<string, string>> = {
  address: alice,
  delegatorAddr: alice,
  delegatorAddress: alice,
  validatorAddr: operator,
  validatorAddress: operator,
  denom: "stake",
};

/** Runs every query of every module on the state after a height; refusals are included. */
function everything(sim: Simulation, height?: number): Record<string, Json> {
  return Object.fromEntries(
    queryServices.flatMap((service) =>
      service.methods.map((method) => {
        const name = `${service.typeName}/${method.name}`;
        const words = method.input.fields.flatMap(({ localName }) =>
          WORDS[localName] === undefined ? [] : [[localName, WORDS[localName]] as const],
        );
        const request = create(method.input, Object.fromEntries(words));
        try {
          return [
            name,
            messageToJson(method.output, queryByName(sim, name, request, height)),
          ] as const;
        } catch (error) {
          return [name, (error as Error).message] as const;
        }
      }),
    ),
  );
}

test("every query answers for a past height what it answered then", () => {
  const sim = Simulation.create(worldSpec());
  const send = (message: ReturnType<typeof packInit>) =>
    sim.apply({ type: "tx", signer: "alice", messages: [message] });
  const stake = { delegatorAddress: alice, validatorAddress: operator };
  const amount = { denom: "stake", amount: "5000000" };
  const then: Record<string, Json>[] = [];
  for (let height = 1; height <= 12; height++) {
    if (height === 3) send(packInit(MsgDelegateSchema, { ...stake, amount }));
    if (height === 5) send(packInit(MsgUndelegateSchema, { ...stake, amount }));
    if (height === 7) sim.apply({ type: "double_sign", node: "val-1" });
    runTo(sim, height);
    then.push(everything(sim));
  }
  for (const [i, answers] of then.entries()) expect(everything(sim, i + 1)).toEqual(answers);
  expect(new Set(then.map((answers) => JSON.stringify(answers))).size).toBeGreaterThan(5);
  const evidence = "chain.evidence.v1beta1.Query/AllEvidence";
  expect(then[6]?.[evidence]).toMatchObject({ evidence: [], pagination: { total: "0" } });
  expect(then[11]?.[evidence]).toMatchObject({ evidence: [{}], pagination: { total: "1" } });
});

test.each([
  [13, "the state of height 13 is not available; the chain is at height 2"],
  [-1, "cannot query with height < 0; please provide a valid height: invalid request"],
])("height %i is refused", (height, message) => {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 2);
  for (const service of queryServices) {
    for (const method of service.methods) {
      const ask = () =>
        queryByName(sim, `${service.typeName}/${method.name}`, create(method.input), height);
      expect(thrownBy(ask)).toMatchObject({ code: 3, message });
    }
  }
});
