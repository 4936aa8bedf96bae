/** Sign bytes of SIGN_MODE_LEGACY_AMINO_JSON (rules/clients 6.4). */
import {
  type DescField,
  type DescMessage,
  fromBinary,
  getOption,
  type Message,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import {
  type Any,
  AnySchema,
  type Duration,
  DurationSchema,
  type Timestamp,
  TimestampSchema,
} from "@bufbuild/protobuf/wkt";
import { utf8 } from "../../base/bytes.ts";
import { decToString } from "../../base/dec.ts";
import { formatRfc3339, fromTimestamp } from "../../base/time.ts";
import { inChain } from "../../engine/framework/codec.ts";
import { scalar } from "../../gen/chain/base/v1beta1/annotations_pb.ts";
import type { Fee, TxBody } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { registry } from "../../gen/registry.ts";
import { toBase64 } from "../base64.ts";
import type { Json } from "../json.ts";

export interface AminoDoc {
  readonly body: TxBody;
  readonly fee: Fee | undefined;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

/** The bytes of the document; undefined if a message has no amino form. */
export function aminoSignBytes(doc: AminoDoc): Uint8Array | undefined {
  const { body, fee, chainId, accountNumber, sequence } = doc;
  const msgs = body.messages.map(aminoAny);
  if (msgs.includes(null)) return undefined;
  const document = {
    account_number: `${accountNumber}`,
    chain_id: chainId,
    fee: {
      amount: (fee?.amount ?? []).map(({ denom, amount }) => ({ amount, denom })),
      gas: `${fee?.gasLimit ?? 0n}`,
      ...(fee?.granter ? { granter: fee.granter } : {}),
      ...(fee?.payer ? { payer: fee.payer } : {}),
    },
    memo: body.memo,
    msgs,
    sequence: `${sequence}`,
    ...(body.timeoutHeight === 0n ? {} : { timeout_height: `${body.timeoutHeight}` }),
  };
  return utf8(escaped(JSON.stringify(sorted(document))));
}

/** With the escapes of Go's encoder for HTML. */
const escaped = (json: string): string =>
  json.replace(
    /[&<>\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function sorted(json: Json): Json {
  if (Array.isArray(json)) return json.map(sorted);
  if (json === null || typeof json !== "object") return json;
  const entries = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, sorted(value)]));
}

/** Amino names that do not follow from the message's own. */
const NAMES: Readonly<Record<string, string>> = {
  "chain.crypto.ed25519.PubKey": "tendermint/PubKeyEd25519",
  "chain.crypto.secp256k1.PubKey": "tendermint/PubKeySecp256k1",
};

function aminoName({ typeName, name }: DescMessage): string {
  const version = typeName.startsWith("chain.gov.v1.") ? "v1/" : "";
  return NAMES[typeName] ?? `cosmos-sdk/${version}${name}`;
}

/** A packed message as its amino name and value; null if its type is unknown. */
function aminoAny(any: Any): Json {
  const desc = registry.getMessage(inChain(any.typeUrl).replace(/^\//, ""));
  if (desc === undefined) return null;
  const content = reflect(desc, fromBinary(desc, any.value) as Message);
  const type = aminoName(desc);
  const key = desc.typeName.endsWith(".PubKey") ? desc.fields[0] : undefined;
  if (key !== undefined) return { type, value: toBase64(content.get(key) as Uint8Array) };
  return { type, value: aminoMessage(content) };
}

/** Fields that are written even if empty. */
const ALWAYS: ReadonlySet<string> = new Set([
  "chain.bank.v1beta1.MsgSend.amount",
  "chain.gov.v1.MsgSubmitProposal.initial_deposit",
  "chain.gov.v1.MsgDeposit.amount",
  "chain.gov.v1.MsgDeposit.proposal_id",
  "chain.gov.v1.MsgCancelProposal.proposal_id",
  "chain.gov.v1beta1.MsgSubmitProposal.initial_deposit",
  "chain.gov.v1beta1.MsgDeposit.amount",
  "chain.gov.v1beta1.MsgDeposit.proposal_id",
]);

/** Fields with another name. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  "chain.slashing.v1beta1.MsgUnjail.validator_addr": "address",
};

function aminoMessage(message: ReflectMessage): Json {
  switch (message.desc.typeName) {
    case AnySchema.typeName:
      return aminoAny(message.message as Any);
    case TimestampSchema.typeName:
      return formatRfc3339(fromTimestamp(message.message as Timestamp));
    case DurationSchema.typeName:
      return `${fromTimestamp(message.message as Duration)}`;
  }
  const out: { [key: string]: Json } = {};
  for (const field of message.fields) {
    const name = `${message.desc.typeName}.${field.name}`;
    if (!message.isSet(field) && !ALWAYS.has(name)) continue;
    out[FIELD_NAMES[name] ?? field.name] = aminoField(message, field);
  }
  return out;
}

function aminoField(message: ReflectMessage, field: DescField): Json {
  switch (field.fieldKind) {
    case "message":
      return aminoMessage(message.get(field));
    case "list":
      return Array.from(message.get(field), (item) =>
        field.listKind === "message"
          ? aminoMessage(item as ReflectMessage)
          : aminoScalar(field, item),
      );
    default:
      return aminoScalar(field, message.get(field));
  }
}

function aminoScalar(field: DescField, value: unknown): Json {
  if (getOption(field, scalar) === "chain.Dec") {
    return /^-?\d+$/.test(String(value)) ? decToString(BigInt(String(value))) : String(value);
  }
  if (typeof value === "bigint") return `${value}`;
  if (value instanceof Uint8Array) return toBase64(value);
  return value as Json;
}
