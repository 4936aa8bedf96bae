import type { Profile } from "../framework/profile.ts";

export type ProfileName = "documented" | "sdk-0.53";

/**
 * Every difference between the interface documents and today's upstream, in one place, each with its rule.
 * `documented` (the default): where the two disagree, the documents win; where they are silent, the answer
 * that names the cause. `sdk-0.53`: as Cosmos SDK 0.53 with CometBFT 0.38 behaves.
 */
const ROWS: { readonly [Row in keyof Profile]: Record<ProfileName, Profile[Row]> } = {
  // rules/evidence 5.5
  evidenceAge: { documented: "time", "sdk-0.53": "time-and-blocks" },
  // rules/evidence 5.5
  evidenceTime: { documented: "block-at-height", "sdk-0.53": "carried" },
  // rules/evidence 5.3
  unknownValidator: { documented: "ignored", "sdk-0.53": "error" },
  // rules/slashing 4.2
  unknownVoter: { documented: "ignored", "sdk-0.53": "error" },
  // rules/slashing 5.2
  tombstonedKey: { documented: "jailed", "sdk-0.53": "bonded" },
  // rules/evidence 5.8
  misbehaviorCheck: { documented: "validate-basic", "sdk-0.53": "none" },
  // rules/evidence 4.3
  messageAction: { documented: "literal", "sdk-0.53": "type-url" },
  // rules/evidence 6.1
  badEvidenceHash: { documented: "invalid-argument", "sdk-0.53": "unknown" },
  // rules/staking 6.1
  badQueryAddress: { documented: "invalid-argument", "sdk-0.53": "unknown" },
  // rules/staking 6.2
  stakingLookup: { documented: "by-cause", "sdk-0.53": "internal" },
  // rules/gov 8.1
  badFilterAddress: { documented: "invalid-argument", "sdk-0.53": "internal" },
  // rules/gov 8.1
  filteredPages: { documented: "kept", "sdk-0.53": "all" },
  // rules/evidence 3.3
  noRouter: { documented: "no-handler", "sdk-0.53": "panic" },
  // rules/upgrade 2.2
  doneKey: { documented: "name", "sdk-0.53": "height-and-name" },
  // rules/upgrade 2.3
  lastUpgrade: { documented: "height", "sdk-0.53": "height-then-name" },
  // rules/upgrade 8.2
  appliedQuery: { documented: "header", "sdk-0.53": "height" },
  // rules/upgrade 8.2
  missingUpgrade: { documented: "error", "sdk-0.53": "empty" },
  // rules/upgrade 4.4
  upgradeHeight: { documented: "plan", "sdk-0.53": "block" },
};

/** The rows of a named profile. */
export const profileOf = (name: ProfileName): Profile =>
  Object.fromEntries(
    Object.entries(ROWS).map(([row, values]) => [row, values[name]]),
  ) as unknown as Profile;

/** How often each row of a profile was asked for. */
export type AskedRows = Map<keyof Profile, number>;

/** The same rows, which note that they are asked for: a row that never is makes no difference to a chain. */
export function notedProfile(name: ProfileName, asked: AskedRows): Profile {
  const rows = profileOf(name);
  const noted = {} as Profile;
  for (const row of Object.keys(rows) as (keyof Profile)[]) {
    const get = () => {
      asked.set(row, (asked.get(row) ?? 0) + 1);
      return rows[row];
    };
    Object.defineProperty(noted, row, { get, enumerable: true });
  }
  return noted;
}
