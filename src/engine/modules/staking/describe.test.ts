import { create, type DescMessage, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { accAddress, consAddress, valAddress } from "../../../base/bech32.ts";
import { utf8 } from "../../../base/bytes.ts";
import {
  DelegationSchema,
  DVPairsSchema,
  DVVTripletsSchema,
  ParamsSchema,
  RedelegationSchema,
  UnbondingDelegationSchema,
  ValAddressesSchema,
  ValidatorSchema,
} from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { GENESIS_TIME, testAddress } from "../../framework/testing.ts";
import { intCodec, powerCodec } from "./codec.ts";
import { describe } from "./describe.ts";
import {
  addressKey,
  delegationByValKey,
  LAST_TOTAL_POWER_KEY,
  PARAMS_KEY,
  PREFIX,
  powerIndexKey,
  queueKey,
  validatorQueueKey,
} from "./keys.ts";
import type { Validator } from "./types.ts";

const [ANN, VAL, VAL2] = [testAddress("ann"), testAddress("val"), testAddress("val2")];
const [ann, val, val2] = [accAddress(ANN), valAddress(VAL), valAddress(VAL2)];
const TIME = "2026-01-01T00:00:00.000000000";
const NONE = new Uint8Array();

const bytesOf = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Uint8Array =>
  toBinary(schema, create(schema, init));
const nameOf = (key: Uint8Array): string[] => {
  const { kind, of } = describe(key, NONE);
  return [kind, ...of];
};
const fieldsOf = (key: Uint8Array, value: Uint8Array): unknown =>
  JSON.parse(describe(key, value).value);

test("validators, by operator, consensus address, power and as the set last knew them", () => {
  const record = addressKey(PREFIX.validator, VAL);
  expect(nameOf(record)).toEqual(["validator", val]);
  const value = bytesOf(ValidatorSchema, { tokens: "5", jailed: true });
  expect(fieldsOf(record, value)).toMatchObject({ tokens: "5", jailed: true });

  expect(describe(addressKey(PREFIX.validatorByConsAddr, ANN), VAL)).toEqual({
    kind: "validator by consensus address",
    of: [consAddress(ANN)],
    value: val,
  });
  const strong = { operator: VAL, tokens: 12_000_000n } as Validator;
  expect(describe(powerIndexKey(strong), VAL)).toEqual({
    kind: "power index",
    of: ["12", val],
    value: val,
  });
  expect(describe(addressKey(PREFIX.lastPower, VAL), powerCodec.encode(12))).toEqual({
    kind: "last power",
    of: [val],
    value: "12",
  });
  expect(describe(LAST_TOTAL_POWER_KEY, intCodec.encode(40n))).toEqual({
    kind: "last total power",
    of: [],
    value: "40",
  });
});

test("delegations and what leaves them", () => {
  const delegation = addressKey(PREFIX.delegation, ANN, VAL);
  expect(nameOf(delegation)).toEqual(["delegation", ann, val]);
  expect(
    fieldsOf(delegation, bytesOf(DelegationSchema, { shares: "9500000000000000000" })),
  ).toMatchObject({
    shares: "9.5",
  });
  expect(describe(delegationByValKey(VAL, ANN), utf8("9"))).toEqual({
    kind: "delegation by validator",
    of: [val, ann],
    value: "9",
  });
  const unbonding = addressKey(PREFIX.unbonding, ANN, VAL);
  expect(nameOf(unbonding)).toEqual(["unbonding", ann, val]);
  const entries = { delegatorAddress: "a", entries: [{ balance: "3" }] };
  expect(fieldsOf(unbonding, bytesOf(UnbondingDelegationSchema, entries))).toMatchObject(entries);
  expect(nameOf(addressKey(PREFIX.unbondingByVal, VAL, ANN))).toEqual([
    "unbonding by validator",
    val,
    ann,
  ]);
  const redelegation = addressKey(PREFIX.redelegation, ANN, VAL, VAL2);
  expect(nameOf(redelegation)).toEqual(["redelegation", ann, val, val2]);
  const moved = { validatorDstAddress: "b" };
  expect(fieldsOf(redelegation, bytesOf(RedelegationSchema, moved))).toMatchObject(moved);
  expect(nameOf(addressKey(PREFIX.redelegationBySrc, VAL, ANN, VAL2))).toEqual([
    "redelegation by source",
    val,
    ann,
    val2,
  ]);
  expect(nameOf(addressKey(PREFIX.redelegationByDst, VAL2, ANN, VAL))).toEqual([
    "redelegation by destination",
    val2,
    ann,
    val,
  ]);
});

test("queues, by time", () => {
  const unbonding = queueKey(PREFIX.unbondingQueue, GENESIS_TIME);
  expect(nameOf(unbonding)).toEqual(["unbonding queue", TIME]);
  const pairs = [{ delegatorAddress: "a", validatorAddress: "b" }];
  expect(fieldsOf(unbonding, bytesOf(DVPairsSchema, { pairs }))).toEqual({ pairs });
  const redelegation = queueKey(PREFIX.redelegationQueue, GENESIS_TIME);
  expect(nameOf(redelegation)).toEqual(["redelegation queue", TIME]);
  const triplets = [{ delegatorAddress: "a", validatorSrcAddress: "b", validatorDstAddress: "c" }];
  expect(fieldsOf(redelegation, bytesOf(DVVTripletsSchema, { triplets }))).toEqual({ triplets });
  const validators = validatorQueueKey(GENESIS_TIME, 30);
  expect(nameOf(validators)).toEqual(["validator queue", TIME, "30"]);
  const addresses = { addresses: ["a", "b"] };
  expect(fieldsOf(validators, bytesOf(ValAddressesSchema, addresses))).toEqual(addresses);
});

test("the params", () => {
  expect(nameOf(PARAMS_KEY)).toEqual(["params"]);
  const params = { maxValidators: 4, bondDenom: "stake" };
  expect(fieldsOf(PARAMS_KEY, bytesOf(ParamsSchema, params))).toMatchObject(params);
});
