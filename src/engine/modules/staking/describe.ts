import { accAddress, fromAccAddress, fromValAddress, valAddress } from "../../../base/bech32.ts";
import { concat, fromUtf8, u64be } from "../../../base/bytes.ts";
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
import {
  accountPart,
  consensusPart,
  describer,
  type KeyPart,
  numberPart,
  restPart,
  timePart,
  validatorPart,
} from "../../framework/describe.ts";
import { lengthPrefixed, TIME_KEY_LENGTH } from "../../framework/keys.ts";
import { messageText } from "../../framework/message-text.ts";
import { intCodec, powerCodec } from "./codec.ts";
import { PREFIX } from "./keys.ts";

/** Operator at the end of a power index key: length, then inverted bits. */
const invertedOperator: KeyPart = {
  read: (key, at) => ({
    text: valAddress(key.subarray(at + 1).map((byte) => byte ^ 0xff)),
    end: key.length,
  }),
  write: (text) => lengthPrefixed(fromValAddress(text).map((byte) => byte ^ 0xff)),
};

/** A time preceded by its length, which is omitted. */
const lengthThenTime: KeyPart = {
  read: (key, at) => timePart.read(key, at + 8),
  write: (text) => concat(u64be(TIME_KEY_LENGTH), timePart.write(text)),
};

export const describe = describer(PREFIX, {
  lastPower: {
    kind: "last power",
    of: [validatorPart],
    value: (value) => `${powerCodec.decode(value)}`,
  },
  lastTotalPower: { kind: "last total power", value: (value) => `${intCodec.decode(value)}` },
  validator: { kind: "validator", of: [validatorPart], value: messageText(ValidatorSchema) },
  validatorByConsAddr: {
    kind: "validator by consensus address",
    of: [consensusPart],
    value: valAddress,
  },
  powerIndex: { kind: "power index", of: [numberPart, invertedOperator], value: valAddress },
  delegation: {
    kind: "delegation",
    of: [accountPart, validatorPart],
    value: messageText(DelegationSchema),
  },
  unbonding: {
    kind: "unbonding",
    of: [accountPart, validatorPart],
    value: messageText(UnbondingDelegationSchema),
  },
  unbondingByVal: { kind: "unbonding by validator", of: [validatorPart, accountPart] },
  redelegation: {
    kind: "redelegation",
    of: [accountPart, validatorPart, validatorPart],
    value: messageText(RedelegationSchema),
  },
  redelegationBySrc: {
    kind: "redelegation by source",
    of: [validatorPart, accountPart, validatorPart],
  },
  redelegationByDst: {
    kind: "redelegation by destination",
    of: [validatorPart, accountPart, validatorPart],
  },
  unbondingQueue: {
    kind: "unbonding queue",
    of: [timePart],
    value: messageText(DVPairsSchema),
  },
  redelegationQueue: {
    kind: "redelegation queue",
    of: [timePart],
    value: messageText(DVVTripletsSchema),
  },
  validatorQueue: {
    kind: "validator queue",
    of: [lengthThenTime, numberPart],
    value: messageText(ValAddressesSchema),
  },
  params: { kind: "params", value: messageText(ParamsSchema) },
  delegationByVal: {
    kind: "delegation by validator",
    of: [validatorPart, restPart(accAddress, fromAccAddress)],
    value: fromUtf8,
  },
});
