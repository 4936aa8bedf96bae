import type { Dec } from "../../../base/dec.ts";
import type { Time } from "../../../base/time.ts";
import { stepNoter } from "../../framework/context.ts";
import type { Infraction } from "./events.ts";
import { SLASHING } from "./keys.ts";

type None = Readonly<Record<never, never>>;

/** Validator that the step is about, by consensus address. */
interface Validator {
  readonly address: Uint8Array;
}

/** Steps of the module about missed votes and punishments. */
export interface SlashingSteps {
  liveness: Validator & {
    readonly missed: number;
    readonly window: number;
    readonly allowed: number;
  };
  unknown_voter: Validator;
  downtime: Validator & {
    readonly missed: number;
    readonly allowed: number;
    readonly jailedUntil: Time;
  };
  tombstoned_key: Validator;
  slash: Validator & {
    readonly fraction: Dec;
    readonly power: number;
    readonly infraction: Infraction;
  };
  /** Staking's refusal to jail. */
  jail_refused: { readonly error: string };
  jail_until: Validator & { readonly until: Time };
  tombstone: Validator;
  /** Reason for refusing to unjail a validator. */
  low_self_delegation: { readonly tokens: bigint; readonly minimum: bigint };
  not_jailed: None;
  tombstoned: None;
  jail_not_over: { readonly until: Time; readonly now: Time };
}

export const note = stepNoter<SlashingSteps>(SLASHING);
