import type { Duration } from "../../../base/time.ts";
import { stepNoter } from "../../framework/context.ts";
import type { IgnoredCause } from "./ignored.ts";
import type { ValidatorState } from "./needs.ts";
import { MODULE_NAME } from "./types.ts";

type None = Readonly<Record<never, never>>;

export interface MisbehaviorFacts {
  /** Number of the misbehavior type in the consensus engine: 1 or 2. */
  readonly type: number;
  readonly address: Uint8Array;
  readonly height: number;
}

/** Steps of the module about a piece of evidence. */
export interface EvidenceSteps {
  misbehavior: MisbehaviorFacts & { readonly power: number };
  unknown_misbehavior: { readonly type: number };
  /** `ignored` is absent if it was punished. */
  outcome: MisbehaviorFacts & { readonly ignored?: IgnoredCause };
  /**
   * `drift`: difference between the evidence's time and the block's; absent if there is no such
   * block.
   */
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

/** Age of an infraction and its maximum; blocks only if they count. */
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
