import { concat } from "../../../base/bytes.ts";

export const PREFIX = {
  /** KeyPrefixEvidence ‖ hash → Any (rules/evidence 2.1). */
  evidence: 0x00,
} as const;

export const KEY_PREFIX_EVIDENCE = Uint8Array.of(PREFIX.evidence);

export const evidenceKey = (hash: Uint8Array): Uint8Array => concat(KEY_PREFIX_EVIDENCE, hash);
