import { describer, restPart } from "../../framework/describe.ts";
import { anyCodec, type EvidenceCodec } from "./codec.ts";
import { PREFIX } from "./keys.ts";

/** Left out, since the key shows it; no name leads to such a key. */
const HASH = restPart(
  () => "",
  () => {
    throw new RangeError("a name has no hash");
  },
);

/** Describes the entries of the evidence store. */
export const describerOf = (codec: EvidenceCodec) =>
  describer(PREFIX, {
    evidence: {
      kind: "evidence",
      of: [HASH],
      value: (value) => codec.unpack(anyCodec.decode(value))?.string() ?? "",
    },
  });
