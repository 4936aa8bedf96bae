import { expect, test } from "vitest";
import { MsgUnjailSchema } from "../../gen/chain/slashing/v1beta1/tx_pb.ts";
import { MsgEditValidatorSchema } from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import { packInit } from "../framework/codec.ts";
import { deliverTx, encodeTx } from "./deliver-tx.ts";
import { acc, cons, StakingChain, val } from "./integration/testing.ts";

test("a message that an operator signs names the account as its sender", () => {
  const chain = new StakingChain({ validators: { a: 10, b: 8 } });
  chain.next({ begin: (ctx) => chain.staking.keeper.jail(ctx, cons("a")) });
  const ctx = chain.context();
  const tx = encodeTx({
    signer: acc("a"),
    messages: [
      packInit(MsgEditValidatorSchema, {
        validatorAddress: val("a").toUpperCase(),
        description: { moniker: "a" },
      }),
      packInit(MsgUnjailSchema, { validatorAddr: val("a") }),
    ],
  });
  const { code, events } = deliverTx(ctx, chain.router, tx);
  expect(code).toBe(0);
  const senders = events.flatMap(({ type, attributes }) =>
    type === "message" ? attributes.filter(({ key }) => key === "sender") : [],
  );
  expect(senders.map(({ value }) => value)).toEqual([acc("a"), acc("a")]);
});
