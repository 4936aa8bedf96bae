import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import {
  PREFIX as SLASHING,
  PARAMS_KEY as SLASHING_PARAMS,
} from "../../../engine/modules/slashing/keys.ts";
import { PREFIX as STAKING } from "../../../engine/modules/staking/keys.ts";
import { PLAN_KEY } from "../../../engine/modules/upgrade/keys.ts";
import { fromUtf8, readU64be, toHexUpper } from "../../../engine/primitives/bytes.ts";
import {
  ParamsSchema as SlashingParamsSchema,
  ValidatorSigningInfoSchema,
} from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import {
  DelegationSchema,
  RedelegationSchema,
  ParamsSchema as StakingParamsSchema,
  UnbondingDelegationSchema,
  ValidatorSchema,
} from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";

/** What lies under the keys of a store, by their first byte. */
const SCHEMAS: Readonly<Record<string, Readonly<Record<number, DescMessage>>>> = {
  slashing: {
    [SLASHING_PARAMS[0] as number]: SlashingParamsSchema,
    [SLASHING.signingInfo]: ValidatorSigningInfoSchema,
  },
  staking: {
    [STAKING.validator]: ValidatorSchema,
    [STAKING.delegation]: DelegationSchema,
    [STAKING.unbonding]: UnbondingDelegationSchema,
    [STAKING.redelegation]: RedelegationSchema,
    [STAKING.params]: StakingParamsSchema,
  },
  upgrade: { [PLAN_KEY[0] as number]: PlanSchema },
};

/**
 * A stored value for people: the fields of a known message as JSON, text as it is, eight bytes as the
 * number they are mostly used for. Empty for none, and for what is nothing of this.
 */
export function storedText(store: string, key: Uint8Array, value: Uint8Array | undefined): string {
  if (value === undefined || value.length === 0) return "";
  const schema = SCHEMAS[store]?.[key[0] ?? -1];
  if (schema !== undefined) {
    try {
      return JSON.stringify(fromBinary(schema, value), plainField);
    } catch {
      return "";
    }
  }
  if (isPrintable(value)) return fromUtf8(value);
  return value.length === 8 ? `${readU64be(value)}` : "";
}

function plainField(name: string, value: unknown): unknown {
  if (name === "$typeName" || name === "$unknown") return undefined;
  if (typeof value === "bigint") return `${value}`;
  return value instanceof Uint8Array ? toHexUpper(value) : value;
}

/** Text as keys and values hold it: ASCII that can be seen. */
export const isPrintable = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
