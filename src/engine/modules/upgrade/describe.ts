import { PlanSchema } from "../../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import {
  type Describer,
  describer,
  numberPart,
  numberText,
  textRest,
} from "../../framework/describe.ts";
import { messageText } from "../../framework/message-text.ts";
import { PREFIX } from "./keys.ts";

const VERSIONS = {
  plan: { kind: "plan", value: messageText(PlanSchema) },
  version: { kind: "version", of: [textRest], value: numberText },
  protocolVersion: { kind: "protocol version", value: numberText },
};

const doneByName = describer(PREFIX, {
  ...VERSIONS,
  done: { kind: "done", of: [textRest], value: numberText },
});

const doneByHeight = describer(PREFIX, {
  ...VERSIONS,
  done: { kind: "done", of: [numberPart, textRest] },
});

const HEIGHT_BYTES = 8;

/**
 * Describes the entries of the upgrade store. The height of a completed upgrade is in the value or,
 * depending on the profile, in the key.
 */
export const describe: Describer = Object.assign(
  (key: Uint8Array, value: Uint8Array) =>
    (value.length === HEIGHT_BYTES ? doneByName : doneByHeight)(key, value),
  {
    keyNamed: (...args: Parameters<Describer["keyNamed"]>) =>
      doneByName.keyNamed(...args) ?? doneByHeight.keyNamed(...args),
  },
);
