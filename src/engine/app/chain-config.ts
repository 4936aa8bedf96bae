import type { ConsensusParams } from "../framework/context.ts";
import type { Profile } from "../framework/profile.ts";
import type { VerifyVote } from "../modules/evidence/needs.ts";
import type { EvidenceRegistration } from "../modules/evidence/types.ts";

/** Configuration that is fixed at genesis and needed by every binary of a chain. */
export interface ChainConfig {
  readonly profile: Profile;
  /** Number of reads of each profile row; absent if they are not counted. */
  readonly asked?: Readonly<Record<string, number>>;
  readonly params: ConsensusParams;
  /** Evidence routes with a Handler; none means the keeper has no Router. */
  readonly evidenceRoutes: readonly string[];
  /** Evidence types beyond the evidence module's own, which come with their Handlers. */
  readonly evidenceTypes?: readonly EvidenceRegistration[];
  /** Verifies a vote's ed25519 signature; implemented by the consensus engine. */
  readonly verifyVote: VerifyVote;
}

/**
 * The evidence types that every chain here knows beyond the evidence module's own: this is the place to add
 * one. A chain handles those whose routes it has, and REST and JSON read and print them all.
 */
export const EVIDENCE_TYPES: readonly EvidenceRegistration[] = [];
