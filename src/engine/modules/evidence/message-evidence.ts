import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { typeUrl } from "../../framework/codec.ts";
import { protoText } from "../../framework/proto-text.ts";
import { sha256 } from "../../primitives/sha256.ts";
import type { Evidence } from "./types.ts";

/**
 * The base of an evidence type that is a protobuf message: its bytes are what is stored and hashed, its text
 * is the compact one, and its type is named as its route.
 */
export function messageEvidence<D extends DescMessage>(schema: D, route: string) {
  abstract class MessageEvidence implements Evidence {
    readonly message: MessageShape<D>;
    #bytes: Uint8Array | undefined;
    #hash: Uint8Array | undefined;

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
      this.#hash ??= sha256(this.#encoded());
      return this.#hash;
    }
    pack(): Any {
      return create(AnySchema, { typeUrl: typeUrl(schema), value: this.#encoded() });
    }
    #encoded(): Uint8Array {
      this.#bytes ??= toBinary(schema, this.message);
      return this.#bytes;
    }
    abstract getHeight(): bigint;
    abstract validateBasic(): void;
  }
  return MessageEvidence;
}
