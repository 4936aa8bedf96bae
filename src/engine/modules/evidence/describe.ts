import { AnySchema } from "@bufbuild/protobuf/wkt";
import { describer, restPart } from "../../framework/describe.ts";
import { messageText } from "../../framework/message-text.ts";
import { PREFIX } from "./keys.ts";

/** Left out, since the key shows it; no name leads to such a key. */
const HASH = restPart(
  () => "",
  () => {
    throw new RangeError("a name has no hash");
  },
);

/** Describes the entries of the evidence store. */
export const describe = describer(PREFIX, {
  evidence: { kind: "evidence", of: [HASH], value: messageText(AnySchema) },
});
