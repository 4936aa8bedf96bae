/** Gas as it is counted here, which never runs out (rules/clients 6.5). */
import { fromBinary } from "@bufbuild/protobuf";
import { AuthInfoSchema, TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import type { Event } from "../framework/events.ts";

/** The tag of TxRaw's signatures, which stand at its end. */
const SIGNATURE = 0x1a;

/** What a transaction used: gas follows from its bytes and events. */
export const gasUsed = (bytes: Uint8Array, events: readonly Event[]): bigint =>
  BigInt(
    40_000 +
      10 * bytes.length +
      events.reduce((sum, { attributes }) => sum + 500 * attributes.length, 0),
  );

/** The limit that a transaction names; 0 for one of the lab, which names none. */
export function gasWanted(bytes: Uint8Array): bigint {
  // It ends with its empty signature: most are read once, where they are executed.
  if (bytes.at(-2) === SIGNATURE && bytes.at(-1) === 0) return 0n;
  try {
    const { authInfoBytes } = fromBinary(TxRawSchema, bytes);
    return fromBinary(AuthInfoSchema, authInfoBytes).fee?.gasLimit ?? 0n;
  } catch {
    return 0n;
  }
}
