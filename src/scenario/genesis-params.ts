/**
 * The `genesis` section's module parameters: keys, formats and texts are derived from the protos.
 */
import { create, type DescField, getOption, ScalarType } from "@bufbuild/protobuf";
import { type Duration as DurationMessage, DurationSchema } from "@bufbuild/protobuf/wkt";
import * as v from "valibot";
import { fromUtf8, utf8 } from "../base/bytes.ts";
import { type Dec, decFromString, decToString, decToText } from "../base/dec.ts";
import { type Duration, goDuration, HOUR, SECOND } from "../base/time.ts";
import { durationMessage, durationOf } from "../engine/framework/time-messages.ts";
import {
  type Parameter,
  type ParamOverrides,
  type ParamsModule,
  parametersOf,
  worldParams,
} from "../engine/simulation/genesis/params.ts";
import { ABOUT } from "../gen/about.ts";
import { scalar } from "../gen/chain/base/v1beta1/annotations_pb.ts";
import { CoinSchema } from "../gen/chain/base/v1beta1/coin_pb.ts";
import { about, type Coin, coin, duration, flag, fraction, integer, text } from "./fields.ts";

/**
 * Schema of a kind of field in a scenario, and the conversion of its value to the scenario's
 * format.
 */
interface Form {
  readonly schema: v.GenericSchema;
  readonly format: (value: unknown) => string | number | boolean;
}

/** The format of a field by its type. Throws for a type that scenarios cannot express. */
function formOf(field: DescField, { range }: Parameter["rule"]): Form {
  const decimal = getOption(field, scalar);
  if (decimal === "chain.DecText") {
    return {
      schema: v.pipe(fraction, v.transform(decToString)),
      format: (value) => decToText(decFromString(String(value))),
    };
  }
  if (decimal === "chain.Dec") {
    const isBytes = field.scalar === ScalarType.BYTES;
    const digits = (value: Dec) => (isBytes ? utf8(`${value}`) : `${value}`);
    return {
      schema: v.pipe(fraction, v.transform(digits)),
      format: (value) => decToText(BigInt(isBytes ? fromUtf8(value as Uint8Array) : String(value))),
    };
  }
  if (field.message?.typeName === DurationSchema.typeName) {
    return {
      schema: v.pipe(duration, v.transform(durationMessage)),
      format: (value) => durationText(durationOf(value as DurationMessage)),
    };
  }
  if (isCoins(field)) {
    const coins = ({ amount, denom }: Coin) => [create(CoinSchema, { amount: `${amount}`, denom })];
    return { schema: v.pipe(coin, v.transform(coins)), format: formatCoins };
  }
  switch (field.scalar) {
    case ScalarType.BOOL:
      return { schema: flag, format: Boolean };
    case ScalarType.STRING:
      return { schema: text, format: String };
    case ScalarType.UINT32:
      return { schema: ranged(field, range), format: Number };
    case ScalarType.INT64:
      return {
        schema: v.pipe(
          ranged(field, range),
          v.transform((value) => BigInt(value)),
        ),
        format: Number,
      };
    default:
      throw new Error(`${field}: there is no way to write this in a scenario`);
  }
}

const isCoins = ({ message, fieldKind }: DescField): boolean =>
  message?.typeName === CoinSchema.typeName && fieldKind === "list";

/** Throws an Error unless there is exactly one amount. */
function formatCoins(value: unknown): string {
  const [first, second] = value as readonly { readonly amount: string; readonly denom: string }[];
  if (first === undefined || second !== undefined) {
    throw new Error("a scenario can write one amount, and no list of them");
  }
  return `${first.amount}${first.denom}`;
}

function ranged(field: DescField, range: Parameter["rule"]["range"]) {
  if (range === undefined) throw new Error(`${field}: a whole number needs a range`);
  return integer(...range);
}

/** In the notation of scenarios: in hours or seconds, if that is an integer. */
export function durationText(value: Duration): string {
  if (value % HOUR === 0n) return `${value / HOUR}h`;
  return value % SECOND === 0n ? `${value / SECOND}s` : goDuration(value);
}

/**
 * A schema for every parameter of a module that scenarios can express, by its name in the proto.
 */
export function paramEntries(module: ParamsModule): Record<string, v.GenericSchema> {
  const defaults = Object(worldParams("")[module]) as Record<string, unknown>;
  const entries = parametersOf(module).flatMap(({ field, rule }) => {
    if (rule.statedAt !== undefined) return [];
    const { schema, format: source } = formOf(field, rule);
    const sentence = ABOUT[`${field.parent.typeName}.${field.name}`] ?? "";
    if (rule.defaultText !== undefined) {
      const full = `${sentence} Default: ${rule.defaultText}.`;
      return [[field.name, about(v.optional(schema), full)] as const];
    }
    // Amounts depend on the chain's denom.
    const usual = isCoins(field) ? undefined : source(defaults[field.localName]);
    return [[field.name, about(v.optional(schema, usual), sentence)] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * The parameters of a module in scenario format. Throws an Error for one that scenarios cannot
 * express.
 */
export function formatParams<M extends ParamsModule>(
  module: M,
  params: ParamOverrides[M],
): Readonly<Record<string, unknown>> {
  const values = Object(params) as Record<string, unknown>;
  const entries = parametersOf(module).flatMap(({ field, rule }) => {
    const value = values[field.localName];
    if (rule.statedAt !== undefined || value === undefined) return [];
    return [[field.name, formOf(field, rule).format(value)] as const];
  });
  return Object.fromEntries(entries);
}

/** Parameters of a module that a parsed `genesis` section sets, by the names of the message. */
export function readParams<M extends ParamsModule>(
  module: M,
  read: Readonly<Record<string, unknown>>,
): NonNullable<ParamOverrides[M]> {
  const input = parametersOf(module).flatMap(({ field }) =>
    read[field.name] === undefined ? [] : [[field.localName, read[field.name]] as const],
  );
  return Object.fromEntries(input) as NonNullable<ParamOverrides[M]>;
}

/**
 * Amounts among a module's parameters that are not in the chain's denom: the key and the found
 * denom.
 */
export function foreignAmounts(
  module: ParamsModule,
  read: Readonly<Record<string, unknown>>,
  denom: string,
): readonly { readonly key: string; readonly found: string }[] {
  return parametersOf(module).flatMap(({ field }) => {
    const value = read[field.name];
    if (field.message?.typeName !== CoinSchema.typeName || !Array.isArray(value)) return [];
    return (value as readonly { denom: string }[]).flatMap(({ denom: found }) =>
      found === denom ? [] : [{ key: field.name, found }],
    );
  });
}
