/** Gas accounting of the simulator; gas never runs out (rules/clients 6.5). */
import { fromBinary } from "@bufbuild/protobuf";
import { readUvarint } from "../../base/varint.ts";
import { AuthInfoSchema, TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import type { Event } from "../framework/events.ts";

/** Gas used by a transaction, computed from its bytes and events. */
export const gasUsed = (bytes: Uint8Array, events: readonly Event[]): bigint =>
  BigInt(
    40_000 +
      10 * bytes.length +
      events.reduce((sum, { attributes }) => sum + 500 * attributes.length, 0),
  );

/** Gas limit of a transaction; 0 for transactions of the lab, which have none. */
export function gasWanted(bytes: Uint8Array): bigint {
  try {
    // Most transactions are decoded only once, when they are executed.
    if (isUnsigned(bytes)) return 0n;
    const { authInfoBytes } = fromBinary(TxRawSchema, bytes);
    return fromBinary(AuthInfoSchema, authInfoBytes).fee?.gasLimit ?? 0n;
  } catch {
    return 0n;
  }
}

/** Tags of TxRaw's body, its auth info and a signature. */
const [BODY, AUTH, SIGNATURE] = [0x0a, 0x12, 0x1a];

/** Returns true if a body and auth info are followed by one empty signature and nothing else. */
function isUnsigned(bytes: Uint8Array): boolean {
  let at = 0;
  for (const tag of [BODY, AUTH]) {
    if (bytes[at] !== tag) return false;
    const { value, next } = readUvarint(bytes, at + 1);
    at = next + value;
  }
  return at === bytes.length - 2 && bytes[at] === SIGNATURE && bytes[at + 1] === 0;
}
