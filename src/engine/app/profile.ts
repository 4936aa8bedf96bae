import type { Profile } from "../framework/profile.ts";

export type ProfileName = "documented" | "sdk-0.53";

/**
 * Every difference between the interface documents and today's upstream, in one place, each with
 * its rule. `documented` (the default): where the two disagree, the documents apply; where they are
 * silent, the result that names the cause. `sdk-0.53`: behaviour of Cosmos SDK 0.53 with CometBFT
 * 0.38.
 */
const ROWS: {
  readonly [Row in keyof Profile]: readonly [documented: Profile[Row], upstream: Profile[Row]];
} = {
  // rules/evidence 5.5
  evidenceAge: ["time", "time-and-blocks"],
  // rules/evidence 5.5
  evidenceTime: ["block-at-height", "carried"],
  // rules/evidence 5.3
  unknownValidator: ["ignored", "error"],
  // rules/slashing 4.2
  unknownVoter: ["ignored", "error"],
  // rules/slashing 5.2
  tombstonedKey: ["jailed", "bonded"],
  // rules/evidence 5.8
  misbehaviorCheck: ["validate-basic", "none"],
  // rules/evidence 4.3
  messageAction: ["literal", "type-url"],
  // rules/evidence 6.1
  badEvidenceHash: ["invalid-argument", "unknown"],
  // rules/staking 6.1
  badQueryAddress: ["invalid-argument", "unknown"],
  // rules/staking 6.2
  stakingLookup: ["by-cause", "internal"],
  // rules/gov 8.1
  badFilterAddress: ["invalid-argument", "internal"],
  // rules/gov 8.1
  filteredPages: ["kept", "all"],
  // rules/evidence 3.3
  noRouter: ["no-handler", "panic"],
  // rules/upgrade 2.2
  doneKey: ["name", "height-and-name"],
  // rules/upgrade 2.3
  lastUpgrade: ["height", "height-then-name"],
  // rules/upgrade 8.2
  appliedQuery: ["header", "height"],
  // rules/upgrade 8.2
  missingUpgrade: ["error", "empty"],
  // rules/upgrade 4.4
  upgradeHeight: ["plan", "block"],
  // rules/upgrade 4.9
  upgradeHalt: ["process-exits", "process-stays-up"],
};

/** Rows of a named profile. */
export const profileOf = (name: ProfileName): Profile =>
  Object.fromEntries(
    Object.entries(ROWS).map(([row, values]) => [row, values[name === "documented" ? 0 : 1]]),
  ) as unknown as Profile;

/**
 * Same rows, with the number of reads of each: a row that is never read makes no difference to a
 * chain. Counted since the world was created or restored.
 */
export function notedProfile(name: ProfileName) {
  const profileReads: Record<string, number> = {};
  const profile = new Proxy(profileOf(name), {
    get(rows, row: keyof Profile) {
      profileReads[row] = (profileReads[row] ?? 0) + 1;
      return rows[row];
    },
  });
  return { profile, profileReads };
}
