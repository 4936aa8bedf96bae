import type { ConsensusParams } from "../framework/context.ts";
import type { Profile } from "../framework/profile.ts";
import type { VerifyVote } from "../modules/evidence/needs.ts";
import type { EvidenceRegistration } from "../modules/evidence/types.ts";

/** Configuration that is fixed at genesis and needed by every binary of a chain. */
export interface ChainConfig {
  readonly profile: Profile;
  /** Number of reads per profile row; absent if reads are not counted. */
  readonly profileReads?: Readonly<Record<string, number>>;
  readonly params: ConsensusParams;
  /** Evidence routes with a handler; if empty, the keeper has no Router. */
  readonly evidenceRoutes: readonly string[];
  /** Additional evidence types beyond the evidence module's own, with their handlers. */
  readonly evidenceTypes?: readonly EvidenceRegistration[];
  /** Verifies a vote's ed25519 signature; implemented by the consensus engine. */
  readonly verifyVote: VerifyVote;
}

/**
 * Evidence types known to every chain beyond the evidence module's own: add new ones here. A chain
 * handles those whose routes it has; REST and JSON parse and print all of them.
 */
export const EVIDENCE_TYPES: readonly EvidenceRegistration[] = [];
