import type { Profile } from "../framework/profile.ts";

export type ProfileName = "documented" | "sdk-0.53";

/**
 * Every difference between the interface documents and today's upstream, in one place.
 * `documented` (the default): where the two disagree, the documents win. `sdk-0.53`: as Cosmos SDK
 * 0.53 with CometBFT 0.38 behaves. Sources stand beside each row.
 */
const ROWS: { readonly [Row in keyof Profile]: Record<ProfileName, Profile[Row]> } = {
  // Evidence document §3.2; evidence facts §1.9 row 4.
  evidenceAge: { documented: "time", "sdk-0.53": "time-and-blocks" },
  // Evidence document §3.2 ("the timestamp of the block at height Evidence.Height"); facts §1.9.
  evidenceTime: { documented: "block-at-height", "sdk-0.53": "carried" },
  // Not in the document, so the calm answer; evidence facts §1.9 row 1 and §1.10.
  unknownValidator: { documented: "ignored", "sdk-0.53": "error" },
  // As above: staking facts §1.6 step 1. Happens where the unbonding time is shorter than three blocks.
  unknownVoter: { documented: "ignored", "sdk-0.53": "error" },
  // Evidence document §3 ("can never re-enter the validator set"); staking facts §1.7.
  tombstonedKey: { documented: "jailed", "sdk-0.53": "bonded" },
  // Evidence document §1.5 and §2 ("only valid ... evidence is persisted"), so that every export can be imported again;
  // evidence facts §1.8, whose consequence in §1.11 is an export that upstream refuses too.
  misbehaviorCheck: { documented: "validate-basic", "sdk-0.53": "none" },
  // Evidence document §6; evidence facts §1.7.
  messageAction: { documented: "literal", "sdk-0.53": "type-url" },
  // Not in the document; evidence facts §1.12.
  badEvidenceHash: { documented: "invalid-argument", "sdk-0.53": "unknown" },
  // Not in the documents, so the answer that says whose fault it is; upstream returns the codec's error as it is
  // (x/gov/keeper/grpc_query.go, Vote and Deposit; x/staking and x/slashing, all but those below).
  badQueryAddress: { documented: "invalid-argument", "sdk-0.53": "unknown" },
  // As above (x/staking/keeper/grpc_query.go, Redelegations and DelegatorValidator).
  stakingLookup: { documented: "by-cause", "sdk-0.53": "internal" },
  // As above (x/gov/keeper/grpc_query.go, Proposals).
  badFilterAddress: { documented: "invalid-argument", "sdk-0.53": "internal" },
  // Not in the documents, so what a reader of pages expects; types/query/collections_pagination.go.
  filteredPages: { documented: "kept", "sdk-0.53": "all" },
  // Evidence document §7 (ErrNoEvidenceHandlerExists); evidence facts §1.5.
  noRouter: { documented: "no-handler", "sdk-0.53": "panic" },
  // Upgrade document §2 "Stored state"; evidence facts §3.4.
  doneKey: { documented: "name", "sdk-0.53": "height-and-name" },
  // Follows from the done key; evidence facts §3.7.
  lastUpgrade: { documented: "height", "sdk-0.53": "height-then-name" },
  // Upgrade document §4 "Command line"; evidence facts §3.12.
  appliedQuery: { documented: "header", "sdk-0.53": "height" },
  // Not in the document, so as the command line that shows the header does; evidence facts §3.12.
  missingUpgrade: { documented: "error", "sdk-0.53": "empty" },
  // Upgrade document §2 ("only at the correct height"); evidence facts §3.6.
  upgradeHeight: { documented: "plan", "sdk-0.53": "block" },
};

/** The rows of a named profile. */
export const profileOf = (name: ProfileName): Profile =>
  Object.fromEntries(
    Object.entries(ROWS).map(([row, values]) => [row, values[name]]),
  ) as unknown as Profile;
