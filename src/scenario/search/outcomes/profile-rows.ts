/** Differences between documents and upstream that had an effect: each row, by its values. */
import { type ProfileName, profileOf } from "../../../engine/app/profile.ts";
import type { Profile } from "../../../engine/framework/profile.ts";
import type { Reach } from "./reach.ts";

const ROWS: Readonly<Record<keyof Profile, Reach>> = {
  evidenceAge: { words: "how evidence grows too old", by: "misbehavior" },
  evidenceTime: { words: "the time that evidence is judged by", by: "misbehavior" },
  unknownValidator: {
    words: "misbehavior of a validator that staking does not know",
    by: "misbehavior of a validator whose stake has left",
  },
  unknownVoter: {
    words: "a vote of a validator that staking does not know",
    by: "a validator that leaves with all its stake in the block of its last vote",
  },
  tombstonedKey: {
    words: "a validator created with a tombstoned key",
    by: "MsgCreateValidator with the key of a tombstoned validator that is gone",
  },
  misbehaviorCheck: {
    words: "misbehavior that no valid evidence can be made of",
    by: "misbehavior with power 0",
  },
  messageAction: { words: "message.action of events", by: "any transaction" },
  badEvidenceHash: {
    words: "the answer to an evidence hash that is none",
    by: "expect: get of /chain/evidence/v1beta1/evidence/xyz",
  },
  badQueryAddress: {
    words: "the answer to an address that is none",
    by: "expect: get of /chain/staking/v1beta1/validators/xyz",
  },
  stakingLookup: {
    words: "the answer where staking finds nothing",
    by: "expect: get of /chain/staking/v1beta1/delegators/ADDRESS/validators/ADDRESS without a delegation",
  },
  badFilterAddress: {
    words: "the answer to a filter by an address that is none",
    by: "expect: get of /chain/gov/v1/proposals?voter=xyz",
  },
  filteredPages: {
    words: "what pages of a filtered list count",
    by: "expect: get of /chain/gov/v1/proposals",
  },
  noRouter: {
    words: "evidence for a chain without a Router",
    by: "MsgSubmitEvidence on a chain with evidence_routes: []",
  },
  doneKey: { words: "the key of a done mark", by: "an upgrade that is applied" },
  lastUpgrade: {
    words: "the last of several upgrades at one height",
    never:
      "no block applies two upgrades; only an imported state with two done marks of one height asks for it",
  },
  appliedQuery: {
    words: "what the query for an applied upgrade shows",
    by: "expect: get of /lab/v1/applied_upgrades/v2",
  },
  missingUpgrade: {
    words: "what is printed where there is no plan",
    never: "chainlab query upgrade plan and applied alone print it",
  },
  upgradeHeight: {
    words: "the height that upgrade-info.json goes by",
    by: "a plan that comes due",
  },
  upgradeHalt: {
    words: "what becomes of a process that halts for an upgrade",
    by: "a plan that comes due without a Handler",
  },
};

const PROFILES: readonly ProfileName[] = ["documented", "sdk-0.53"];

/** Every value of every row. */
export const PROFILE_ROWS: Readonly<Record<string, Reach>> = Object.fromEntries(
  PROFILES.flatMap((name) =>
    Object.entries(profileOf(name)).map(([row, value]) => {
      const { words, by, never } = ROWS[row as keyof Profile];
      return [
        `${row}/${value}`,
        {
          words: `${words}: ${value}`,
          ...(by !== undefined && { by: `${by}, profile ${name}` }),
          ...(never !== undefined && { never }),
        },
      ];
    }),
  ),
);
