import { concat, u64le } from "../../../base/bytes.ts";
import { addressKey, prefixKey } from "../../framework/keys.ts";

/** Name of the module and of its store. */
export const SLASHING = "slashing";

/** Prefixes of the store, all upstream's (rules/slashing 1.2). */
export const PREFIX = {
  params: 0x00,
  /** `‖ len ‖ consensus address → ValidatorSigningInfo`. */
  signingInfo: 0x01,
  /**
   * `‖ len ‖ consensus address ‖ chunk (8B little-endian) → 1024 bits`; only chunks with a miss.
   */
  missedBlocks: 0x02,
  /** `‖ len ‖ consensus address → Any(PubKey)`. */
  pubkey: 0x03,
} as const;

export const PARAMS_KEY = prefixKey(PREFIX.params);

export { addressKey, prefixKey };

/** Address in a key, directly after the prefix. */
export const addressOf = (key: Uint8Array): Uint8Array => key.slice(2, 2 + (key[1] as number));

export const chunkKey = (consensusAddress: Uint8Array, chunk: number): Uint8Array =>
  concat(addressKey(PREFIX.missedBlocks, consensusAddress), u64le(chunk));
