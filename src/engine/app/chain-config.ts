import type { ConsensusParams } from "../framework/context.ts";
import type { Profile } from "../framework/profile.ts";
import type { VerifyVote } from "../modules/evidence/needs.ts";
import type { EvidenceRegistration } from "../modules/evidence/types.ts";

/** What is fixed at genesis and every binary of a chain must know. */
export interface ChainConfig {
  readonly profile: Profile;
  /** How often each of its rows was asked for; absent where that is not counted. */
  readonly asked?: Readonly<Record<string, number>>;
  readonly params: ConsensusParams;
  /** Evidence routes with a Handler; none means the keeper has no Router. */
  readonly evidenceRoutes: readonly string[];
  /** Evidence types beyond the evidence module's own, which come with their Handlers. */
  readonly evidenceTypes?: readonly EvidenceRegistration[];
  /** Whether a vote carries this ed25519 key's signature; verified by the consensus engine's code. */
  readonly verifyVote: VerifyVote;
}

/**
 * The evidence types that every chain here knows beyond the evidence module's own: this is the place to add
 * one. A chain handles those whose routes it has, and REST and JSON read and print them all.
 */
export const EVIDENCE_TYPES: readonly EvidenceRegistration[] = [];
