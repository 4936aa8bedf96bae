/**
 * The namespaces of the chain's services and types: `chain.*`, and upstream's `cosmos.*`, which has
 * the same messages (rules/clients 1.1).
 */
import {
  clone,
  type DescMessage,
  fromBinary,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { inChain, inCosmos } from "../engine/framework/codec.ts";
import { registry } from "../gen/registry.ts";
import type { Json } from "./json.ts";

/** Names that a server answers: `chain.…`, `cosmos.…`, or both. */
export type Namespace = "chain" | "cosmos" | "both";

/** Services that clients query under `cosmos`, whatever the chain's own names are. */
const ALWAYS_COSMOS = /^(auth|bank|consensus|distribution|mint|tx|base[./](?:node|tendermint))[./]/;

/** The chain's own name of a requested service or method; and true if upstream's name was used. */
export interface ServedName {
  readonly name: string;
  readonly cosmos: boolean;
}

/**
 * Resolves a name or a REST path without its first slash: `cosmos.bank.v1beta1.Query/Balance`,
 * `chain/bank/v1beta1/params`; undefined if it is not answered in this namespace.
 */
export function servedName(namespace: Namespace, requested: string): ServedName | undefined {
  const [, root, rest = ""] = /^(chain|cosmos)[./](.*)$/s.exec(requested) ?? [];
  if (root === "chain")
    return namespace === "cosmos" ? undefined : { name: requested, cosmos: false };
  if (root === undefined) return { name: requested, cosmos: false };
  if (namespace === "chain" && !ALWAYS_COSMOS.test(rest)) return undefined;
  return { name: inChain(requested), cosmos: true };
}

/** Fields whose text contains type URLs. */
const TEXTS: readonly string[] = ["failed_reason"];

/** Renames the type names in a text, with or without a leading slash. */
const renameInText = (text: string, rename: (name: string) => string): string =>
  text.replace(/(?<![\w./-])\/?(?:chain|cosmos)\.\w+\.\w+\.[A-Z]\w*/g, (name) => rename(name));

/**
 * A copy of a message with renamed type URLs: of every Any, at any depth, and in texts of the
 * chain.
 */
export function renameTypes<D extends DescMessage>(
  schema: D,
  message: MessageShape<D>,
  rename: (typeUrl: string) => string,
): MessageShape<D> {
  if (!containsAny(schema)) return message;
  const copy = clone(schema, message);
  renameIn(reflect(schema, copy), rename);
  return copy;
}

/**
 * Changes the JSON of a message: moves every "@type", and the chain's texts, to upstream's root.
 */
export function typesInCosmos(json: Json): Json {
  if (json === null || typeof json !== "object") return json;
  if (Array.isArray(json)) {
    for (const item of json) typesInCosmos(item);
    return json;
  }
  for (const [key, value] of Object.entries(json)) {
    if (typeof value !== "string") typesInCosmos(value);
    else if (key === "@type") json[key] = inCosmos(value);
    else if (TEXTS.includes(key)) json[key] = renameInText(value, inCosmos);
  }
  return json;
}

function renameIn(message: ReflectMessage, rename: (typeUrl: string) => string): void {
  if (message.desc.typeName === AnySchema.typeName) {
    renameAny(message.message as Any, rename);
    return;
  }
  for (const field of message.desc.fields) {
    if (field.fieldKind === "scalar" && TEXTS.includes(field.name)) {
      message.set(field, renameInText(String(message.get(field)), rename));
    }
    if (field.message === undefined || !containsAny(field.message)) continue;
    if (field.fieldKind === "list") {
      for (const item of message.get(field)) renameIn(item as ReflectMessage, rename);
    } else if (field.fieldKind === "message" && message.isSet(field)) {
      renameIn(message.get(field), rename);
    }
  }
}

function renameAny(any: Any, rename: (typeUrl: string) => string): void {
  const desc = registry.getMessage(inChain(any.typeUrl.slice(any.typeUrl.lastIndexOf("/") + 1)));
  any.typeUrl = rename(any.typeUrl);
  if (desc === undefined || !containsAny(desc)) return;
  try {
    any.value = toBinary(desc, renameTypes(desc, fromBinary(desc, any.value), rename));
  } catch {
    // Bytes that are not such a message stay unchanged: a transaction may contain any.
  }
}

const known = new Map<DescMessage, boolean>();

/** True if messages of a type may contain an Any. */
export function containsAny(desc: DescMessage): boolean {
  const before = known.get(desc);
  if (before !== undefined) return before;
  // Stops at recursive types.
  known.set(desc, false);
  const holds =
    desc.typeName === AnySchema.typeName ||
    desc.fields.some(({ message }) => message !== undefined && containsAny(message));
  known.set(desc, holds);
  return holds;
}
