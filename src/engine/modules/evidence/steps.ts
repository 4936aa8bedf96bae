import { stepNoter } from "../../framework/context.ts";
import type { StepTexts } from "../../framework/trace.ts";
import { consAddress, valAddress } from "../../primitives/bech32.ts";
import { toHexUpper } from "../../primitives/bytes.ts";
import { type Duration, durationToText } from "../../primitives/time.ts";
import { type IgnoredCause, ignoredText } from "./ignored.ts";
import type { ValidatorState } from "./needs.ts";
import { MODULE_NAME } from "./types.ts";

type None = Readonly<Record<never, never>>;

interface MisbehaviorFacts {
  /** The consensus engine's number of the kind: 1 or 2. */
  readonly type: number;
  readonly address: Uint8Array;
  readonly height: number;
}

/** What the module notes on the way of a piece of evidence. */
export interface EvidenceSteps {
  misbehavior: MisbehaviorFacts & { readonly power: number };
  unknown_misbehavior: { readonly type: number };
  /** `ignored` is absent if it was punished. */
  outcome: MisbehaviorFacts & { readonly ignored?: IgnoredCause };
  /** `drift`: how far the time carried is from the block's; absent if there is no such block. */
  infraction_block: { readonly height: number; readonly drift?: Duration };
  basic_validation: { readonly type: string; readonly error?: string };
  duplicate_check: { readonly hash: Uint8Array; readonly found: boolean };
  route: { readonly route: string; readonly found: "handler" | "no_handler" | "no_router" };
  claims_hold: None;
  signatures_hold: None;
  other_block: { readonly hash: Uint8Array };
  handler: { readonly error?: string };
  event: { readonly hash: Uint8Array };
  persistence: { readonly hash: Uint8Array };
  unknown_validator: { readonly address: Uint8Array };
  validator: {
    readonly address: Uint8Array;
    readonly operator: Uint8Array;
    readonly status: ValidatorState["status"];
  };
  public_key: { readonly address: Uint8Array; readonly found: "yes" | "no" | "not_asked" };
  age: AgeFacts;
  signing_info: { readonly found: boolean };
  tombstoned: { readonly tombstoned: boolean };
  stake: { readonly height: number };
  already_jailed: None;
}

/** How old an infraction is beside the oldest that counts; blocks only where they count. */
export interface AgeFacts {
  readonly age: Duration;
  readonly maxAge: Duration;
  readonly blocks?: { readonly age: number; readonly max: number };
}

export const note = stepNoter<EvidenceSteps>(MODULE_NAME);

export const MISBEHAVIOR_KINDS: Readonly<Record<number, string>> = {
  1: "DuplicateVoteEvidence",
  2: "LightClientAttackEvidence",
};

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
