import { AnySchema } from "@bufbuild/protobuf/wkt";
import { describer, restPart } from "../../framework/describe.ts";
import { messageText } from "../../framework/message-text.ts";
import { PREFIX } from "./keys.ts";

/** Omitted, since the key contains it; such a key cannot be found by name. */
const HASH = restPart(
  () => "",
  () => {
    throw new RangeError("a name has no hash");
  },
);

export const describe = describer(PREFIX, {
  evidence: { kind: "evidence", of: [HASH], value: messageText(AnySchema) },
});
