import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { sha256 } from "../../../base/sha256.ts";
import { encodeMessage, typeUrl } from "../../framework/codec.ts";
import { protoText } from "../../framework/proto-text.ts";
import type { Evidence } from "./types.ts";

/**
 * Base of an evidence type that is a protobuf message: its bytes are stored and hashed, its text is
 * the compact form, and its type is named like its route.
 */
export function messageEvidence<D extends DescMessage>(schema: D, route: string) {
  abstract class MessageEvidence implements Evidence {
    readonly message: MessageShape<D>;

    constructor(message: MessageShape<D>) {
      this.message = message;
    }

    route(): string {
      return route;
    }
    type(): string {
      return this.route();
    }
    string(): string {
      return protoText(schema, this.message);
    }
    hash(): Uint8Array {
      return encodedOf(schema, this.message).hash;
    }
    pack(): Any {
      const { bytes } = encodedOf(schema, this.message);
      return create(AnySchema, { typeUrl: typeUrl(schema), value: bytes });
    }
    abstract getHeight(): bigint;
    abstract validateBasic(): void;
  }
  return MessageEvidence;
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

const encoded = new WeakMap<object, Encoded>();

/** Bytes of a message and their hash, cached: messages of evidence are immutable. */
function encodedOf<D extends DescMessage>(schema: D, message: MessageShape<D>): Encoded {
  const known = encoded.get(message);
  if (known !== undefined) return known;
  const bytes = encodeMessage(schema, message as MessageInitShape<D>);
  const made = { bytes, hash: sha256(bytes) };
  encoded.set(message, made);
  return made;
}
