import { addressKey, lengthPrefixed } from "../../framework/keys.ts";
import { concat, u64be, u64le } from "../../primitives/bytes.ts";

/** Name of the module and of its store. */
export const SLASHING = "slashing";

export const PARAMS_KEY = Uint8Array.of(0x00);

/**
 * Prefixes 0x01 to 0x03 are upstream's (staking facts §1.2). 0x04 to 0x06 are not: they let a block in
 * which everybody signs write nothing (clock.ts).
 */
export const PREFIX = {
  /** `‖ len ‖ consensus address → ValidatorSigningInfo`. */
  signingInfo: 0x01,
  /** `‖ len ‖ consensus address ‖ chunk (8B little-endian) → 1024 bits`; only chunks with a miss. */
  missedBlocks: 0x02,
  /** `‖ len ‖ consensus address → Any(PubKey)`. */
  pubkey: 0x03,
  /** `‖ len ‖ consensus address → height (8B big-endian)` of the first block that counts; absent if none does. */
  clock: 0x04,
  /** `‖ height (8B big-endian) ‖ len ‖ consensus address → MEMBERSHIP`: changes of the last commit's set to come. */
  membership: 0x05,
} as const;

/** While a validator is punished for downtime: its place in the vote order, 8B big-endian. Gone after. */
export const TURN_KEY = Uint8Array.of(0x06);

export const MEMBERSHIP = { leaves: 0, joins: 1, removed: 2 } as const;

export const prefixKey = (prefix: number): Uint8Array => Uint8Array.of(prefix);

export { addressKey };

/** The address in a key whose address follows the prefix. */
export const addressOf = (key: Uint8Array): Uint8Array => key.slice(2, 2 + (key[1] as number));

export const chunkKey = (consensusAddress: Uint8Array, chunk: number): Uint8Array =>
  concat(addressKey(PREFIX.missedBlocks, consensusAddress), u64le(chunk));

export const membershipKey = (height: number, consensusAddress: Uint8Array): Uint8Array =>
  concat(prefixKey(PREFIX.membership), u64be(height), lengthPrefixed(consensusAddress));

export const membershipAddress = (key: Uint8Array): Uint8Array => key.slice(10);
