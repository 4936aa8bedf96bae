import { consAddress } from "../../../base/bech32.ts";
import { decToText } from "../../../base/dec.ts";
import { formatRfc3339 } from "../../../base/time.ts";
import type { StepTexts } from "../../framework/trace.ts";
import type { Infraction } from "./events.ts";
import type { SlashingSteps } from "./steps.ts";

const OFFENCES: Readonly<Record<Infraction, string>> = {
  double_sign: "a double sign",
  missing_signature: "missed blocks",
};

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
    `${consAddress(address)}: ${decToText(fraction)} of power ${power} for ${OFFENCES[infraction]}`,
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
