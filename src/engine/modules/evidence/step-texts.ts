import { consAddress, valAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { durationToText } from "../../../base/duration-text.ts";
import type { StepTexts } from "../../framework/trace.ts";
import { ignoredText } from "./ignored.ts";
import { type EvidenceSteps, MISBEHAVIOR_KINDS, type MisbehaviorFacts } from "./steps.ts";

const aboutOf = ({ type, address, height }: MisbehaviorFacts): string =>
  `${MISBEHAVIOR_KINDS[type] ?? type} against ${consAddress(address)} at height ${height}`;

const ROUTE_FOUND = {
  handler: "found",
  no_handler: "no Handler",
  no_router: "the keeper has no Router",
};

export const EVIDENCE_TEXTS: StepTexts<EvidenceSteps> = {
  misbehavior: (facts) => [
    "misbehavior",
    `${aboutOf(facts)}, power ${facts.power}: an Equivocation`,
  ],
  unknown_misbehavior: ({ type }) => [
    "misbehavior",
    `ignored unknown evidence type: ${type.toString(16)}`,
  ],
  outcome: ({ ignored, ...facts }) => [
    "outcome",
    `${aboutOf(facts)}: ${ignored === undefined ? "punished" : `ignored, ${ignoredText(ignored)}`}`,
  ],
  infraction_block: ({ height, drift }) => [
    "block at the infraction",
    drift === undefined
      ? `there is no block ${height}`
      : `time of block ${height}${drift === 0n ? "" : `, ${durationToText(drift)} from the one carried`}`,
  ],
  basic_validation: ({ type, error }) => ["basic validation", error ?? type],
  duplicate_check: ({ hash, found }) => [
    "duplicate check",
    found ? `${toHexUpper(hash)} is stored already` : "not found",
  ],
  route: ({ route, found }) => [`route ${route}`, ROUTE_FOUND[found]],
  claims_hold: () => ["facts", "height, time, validator and power are the chain's own"],
  signatures_hold: () => ["signatures", "both are the validator's"],
  other_block: ({ hash }) => ["block of vote B", `${toHexUpper(hash)} is not on this chain`],
  handler: ({ error }) => ["handler", error ?? "accepted"],
  event: ({ hash }) => ["event", `submit_evidence ${toHexUpper(hash)}`],
  persistence: ({ hash }) => ["persistence", `stored under ${toHexUpper(hash)}`],
  unknown_validator: ({ address }) => ["validator", `staking knows no ${consAddress(address)}`],
  validator: ({ address, operator, status }) => [
    "validator",
    `${status === "unbonded" ? consAddress(address) : valAddress(operator)} is ${status}`,
  ],
  public_key: ({ address, found }) => [
    "public key",
    {
      yes: "found",
      no: `none known for ${consAddress(address)}`,
      not_asked: "not asked for: staking does not manage the validator",
    }[found],
  ],
  age: ({ age, maxAge, blocks }) => [
    "age",
    [
      `${durationToText(age)} of ${durationToText(maxAge)}`,
      ...(blocks === undefined ? [] : [`${blocks.age} of ${blocks.max} blocks`]),
    ].join(", "),
  ],
  signing_info: ({ found }) => ["signing info", found ? "found" : "none"],
  tombstoned: ({ tombstoned }) => [
    "tombstoned",
    tombstoned ? "yes, one punishment is enough" : "no",
  ],
  stake: ({ height }) => ["stake", height > 0 ? `as of height ${height}` : "as of genesis"],
  already_jailed: () => ["jail", "was jailed already"],
};
