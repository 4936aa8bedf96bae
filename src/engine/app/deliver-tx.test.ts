import { expect, test } from "vitest";
import { MsgUnjailSchema } from "../../gen/chain/slashing/v1beta1/tx_pb.ts";
import {
  MsgCreateValidatorSchema,
  MsgEditValidatorSchema,
} from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import { packInit } from "../framework/codec.ts";
import { packPubkey } from "../modules/staking/codec.ts";
import { deliverTx, encodeTx, type TxResult } from "./deliver-tx.ts";
import { acc, cons, POWER, pubKey, StakingChain, stake, val } from "./integration/testing.ts";

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
  const result = deliverTx(ctx, chain.router, tx);
  expect(result.code).toBe(0);
  expect(sendersOf(result)).toEqual([acc("a"), acc("a")]);
});

test("who creates a validator is named as the account", () => {
  const result = createValidator(pubKey("new"));
  expect(result.code).toBe(0);
  expect(sendersOf(result)).toEqual([acc("new")]);
});

test("an empty consensus key is a panic of the transaction", () => {
  expect(createValidator(new Uint8Array())).toMatchObject({
    code: 111222,
    codespace: "undefined",
    log: "recovered: pubkey is incorrect size\nstack:\n: panic",
    events: [],
  });
});

/** Delivers a transaction that creates a validator with a consensus key. */
function createValidator(key: Uint8Array): TxResult {
  const chain = new StakingChain({ validators: { a: 10 }, accounts: { new: 50n * POWER } });
  const message = packInit(MsgCreateValidatorSchema, {
    description: { moniker: "new" },
    commission: { rate: "0", maxRate: "0", maxChangeRate: "0" },
    minSelfDelegation: "1",
    validatorAddress: val("new"),
    pubkey: packPubkey(key),
    value: stake(5n * POWER),
  });
  const tx = encodeTx({ signer: acc("new"), messages: [message] });
  return deliverTx(chain.context(), chain.router, tx);
}

/** Every `message.sender` of a transaction, in order. */
const sendersOf = ({ events }: TxResult): string[] =>
  events.flatMap(({ type, attributes }) =>
    type === "message"
      ? attributes.filter(({ key }) => key === "sender").map(({ value }) => value)
      : [],
  );
