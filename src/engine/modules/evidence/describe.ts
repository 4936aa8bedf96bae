import { describer } from "../../framework/describe.ts";
import { anyCodec, type EvidenceCodec } from "./codec.ts";
import { PREFIX } from "./keys.ts";

/** Describes the entries of the evidence store; the hash in a key is left out, since the key shows it. */
export const describerOf = (codec: EvidenceCodec) =>
  describer(PREFIX, {
    evidence: {
      kind: "evidence",
      value: (value) => codec.unpack(anyCodec.decode(value))?.string() ?? "",
    },
  });
