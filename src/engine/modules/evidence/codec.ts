import type { DescMessage } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { inChain, protoCodec, typeUrl, unpackAny } from "../../framework/codec.ts";
import { Panic } from "../../framework/errors.ts";
import { counterfactualSigningType } from "./counterfactual.ts";
import { equivocationType } from "./equivocation.ts";
import { scriptedEvidenceType } from "./scripted.ts";
import type { Evidence, EvidenceType } from "./types.ts";

export const anyCodec = protoCodec(AnySchema);

/** Maps type URLs to concrete evidence. */
export class EvidenceCodec {
  readonly #types = new Map<string, EvidenceType>();

  constructor() {
    this.register(equivocationType)
      .register(counterfactualSigningType)
      .register(scriptedEvidenceType);
  }

  register<D extends DescMessage>(type: EvidenceType<D>): this {
    const url = typeUrl(type.schema);
    if (this.#types.has(url)) throw new Panic(`evidence type ${url} has already been registered`);
    this.#types.set(url, type as unknown as EvidenceType);
    return this;
  }

  /** Evidence in an Any; undefined if it contains another type or invalid bytes. */
  unpack(any: Any | undefined): Evidence | undefined {
    const type = any && this.#types.get(inChain(any.typeUrl));
    if (type === undefined) return undefined;
    try {
      const message = unpackAny(type.schema, any);
      return message && type.from(message);
    } catch {
      return undefined;
    }
  }
}
