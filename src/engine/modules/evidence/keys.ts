import { concat } from "../../primitives/bytes.ts";

/** KeyPrefixEvidence ‖ hash → Any. Evidence document §2. */
export const KEY_PREFIX_EVIDENCE = Uint8Array.of(0x00);

export const evidenceKey = (hash: Uint8Array): Uint8Array => concat(KEY_PREFIX_EVIDENCE, hash);
