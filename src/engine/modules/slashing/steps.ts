import { stepNoter } from "../../framework/context.ts";
import type { StepTexts } from "../../framework/trace.ts";
import { consAddress } from "../../primitives/bech32.ts";
import { type Dec, decToText } from "../../primitives/dec.ts";
import { formatRfc3339, type Time } from "../../primitives/time.ts";
import type { Infraction } from "./events.ts";
import { SLASHING } from "./keys.ts";

type None = Readonly<Record<never, never>>;

/** Whose step it is, by consensus address. */
interface Validator {
  readonly address: Uint8Array;
}

/** What the module notes of votes missed and of punishments. */
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
  /** Why a validator is not let out of jail. */
  low_self_delegation: { readonly tokens: bigint; readonly minimum: bigint };
  not_jailed: None;
  tombstoned: None;
  jail_not_over: { readonly until: Time; readonly now: Time };
}

export const note = stepNoter<SlashingSteps>(SLASHING);

export const SLASHING_TEXTS: StepTexts<SlashingSteps> = {
  liveness: ({ address, missed, window, allowed }) => [
    "liveness",
    `${consAddress(address)} has missed ${missed} of ${window}; ${allowed} may be missed`,
  ],
  unknown_voter: ({ address }) => [
    "liveness",
    `${consAddress(address)} is in the last commit and no validator any more`,
  ],
  downtime: ({ address, missed, allowed, jailedUntil }) => [
    "downtime",
    `${consAddress(address)} missed ${missed}, more than ${allowed}: jailed until ${formatRfc3339(jailedUntil)}`,
  ],
  tombstoned_key: () => ["tombstoned", "its key is, for ever: jailed from the start"],
  slash: ({ address, fraction, power, infraction }) => [
    "slash",
    `${consAddress(address)}: ${decToText(fraction)} of power ${power} for ${infraction}`,
  ],
  jail_refused: ({ error }) => ["jail", error],
  jail_until: ({ address, until }) => [
    "jail until",
    `${consAddress(address)}: ${formatRfc3339(until)}`,
  ],
  tombstone: ({ address }) => ["tombstone", `${consAddress(address)} never validates again`],
  low_self_delegation: ({ tokens, minimum }) => [
    "self delegation",
    `${tokens} less than ${minimum}`,
  ],
  not_jailed: () => ["jailed", "no"],
  tombstoned: () => ["tombstoned", "yes, for ever"],
  jail_not_over: ({ until, now }) => [
    "jailed until",
    `${formatRfc3339(until)}; it is ${formatRfc3339(now)}`,
  ],
};
