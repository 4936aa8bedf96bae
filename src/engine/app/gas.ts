/** Gas as it is counted here, which never runs out (rules/clients 6.5). */
import { fromBinary } from "@bufbuild/protobuf";
import { AuthInfoSchema, TxRawSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import type { Event } from "../framework/events.ts";

/** What a transaction used: gas follows from its bytes and events. */
export const gasUsed = (bytes: Uint8Array, events: readonly Event[]): bigint =>
  BigInt(
    40_000 +
      10 * bytes.length +
      events.reduce((sum, { attributes }) => sum + 500 * attributes.length, 0),
  );

/** The limit that a transaction names; 0 for one of the lab, which names none. */
export function gasWanted(bytes: Uint8Array): bigint {
  try {
    const { authInfoBytes } = fromBinary(TxRawSchema, bytes);
    return fromBinary(AuthInfoSchema, authInfoBytes).fee?.gasLimit ?? 0n;
  } catch {
    return 0n;
  }
}
