/** Reads transactions in blocks. */
import { fromBinary } from "@bufbuild/protobuf";
import { fromHex } from "../../base/from-hex.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { type Tx, TxRawSchema, TxSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { fromBase64 } from "../base64.ts";
import { type Json, messageToJson } from "../json.ts";

/**
 * Decodes a transaction; the lab's own have an empty signature. Throws a StatusError for invalid
 * bytes.
 */
export function txIn(bytes: Uint8Array): Tx {
  try {
    fromBinary(TxRawSchema, bytes);
    return fromBinary(TxSchema, bytes);
  } catch {
    throw new StatusError(STATUS.invalidArgument, "the bytes are no transaction");
  }
}

/** Decodes a transaction to REST's JSON format. Throws an Error if it is invalid. */
export const decodeTx = (text: string, as: "base64" | "hex"): Json =>
  messageToJson(TxSchema, txIn(as === "hex" ? bytesOfHex(text) : fromBase64(text)));

function bytesOfHex(text: string): Uint8Array {
  const digits = text.replace(/^0x/i, "");
  if (/^([0-9a-f]{2})+$/i.test(digits)) return fromHex(digits);
  throw new Error("expected bytes in hex, two digits each");
}
