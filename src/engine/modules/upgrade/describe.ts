import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import {
  describer,
  type EntryText,
  messageText,
  numberPart,
  numberText,
  restPart,
} from "../../framework/describe.ts";
import { fromUtf8 } from "../../primitives/bytes.ts";
import { PREFIX } from "./keys.ts";

const nameRest = restPart(fromUtf8);

const VERSIONS = {
  plan: { kind: "plan", value: messageText(PlanSchema) },
  version: { kind: "version", of: [nameRest], value: numberText },
  protocolVersion: { kind: "protocol version", value: numberText },
};

const doneByName = describer(PREFIX, {
  ...VERSIONS,
  done: { kind: "done", of: [nameRest], value: numberText },
});

const doneByHeight = describer(PREFIX, {
  ...VERSIONS,
  done: { kind: "done", of: [numberPart, nameRest] },
});

const HEIGHT_BYTES = 8;

/**
 * Describes the entries of the upgrade store. A done mark holds its height in its value or, by another
 * profile, in its key.
 */
export const describe = (key: Uint8Array, value: Uint8Array): EntryText =>
  (value.length === HEIGHT_BYTES ? doneByName : doneByHeight)(key, value);
