/** Texts about a piece of evidence. */
import type { EvidenceLine } from "../../store/types.ts";
import { count, list, plural } from "../../widgets/format.ts";
import type { IconName } from "../../widgets/Icon.tsx";

interface Outcome {
  readonly icon: IconName;
  readonly label: string;
  readonly tone: "bad" | "warn" | "ok" | "off";
}

export const OUTCOMES: Readonly<Record<string, Outcome>> = {
  signed: { icon: "twice", label: "not yet detected", tone: "warn" },
  waiting: { icon: "half", label: "waits for a block", tone: "warn" },
  punished: { icon: "check", label: "slashed and tombstoned", tone: "bad" },
  accepted: { icon: "check", label: "accepted", tone: "ok" },
  ignored: { icon: "minus", label: "ignored", tone: "off" },
  refused: { icon: "cross", label: "refused", tone: "off" },
  halted: { icon: "stop", label: "stopped nodes", tone: "warn" },
  unattributable: { icon: "minus", label: "not attributable", tone: "off" },
};

const UNKNOWN: Outcome = { icon: "info", label: "noted", tone: "off" };

export const outcomeOf = ({ outcome }: EvidenceLine): Outcome => OUTCOMES[outcome] ?? UNKNOWN;

/** `val-2 double-signed at block 6`: validators, offence and height. */
export function titleOf({ kind, validators, height }: EvidenceLine): string {
  const who = list(validators);
  const at = height > 0 ? ` at block ${count(height)}` : "";
  if (who === "" && kind !== "amnesia") return `Evidence: ${kind}${at}`;
  switch (kind) {
    case "duplicate vote":
    case "double sign":
      return `${who} double-signed${at}`;
    case "lunatic":
    case "equivocation":
    case "light client attack":
      return `${who} attacked a light client${at}`;
    case "amnesia":
      return `A light client was attacked${at}`;
    case "counterfactual":
      return `${who} signed for another chain${at}`;
    default:
      return `${who}: ${kind}${at}`;
  }
}

const ATTACKS: Readonly<Record<string, string>> = {
  lunatic: "Lunatic: the block shown has a state that no execution of this chain produces.",
  equivocation:
    "Equivocation: the block shown has other transactions and was signed in the same round.",
  amnesia:
    "Amnesia: the block shown was signed in another round. Votes of two rounds do not show who broke the rules, so no validator is punished.",
};

/** Returns the characteristics of a light client attack; empty for other evidence. */
export const attackText = (kind: string): string => ATTACKS[kind] ?? "";

/** `val-0, val-1 and 6 more`. */
export const namesAndMore = (names: readonly string[], more: number): string =>
  list(more > 0 ? [...names, plural(more, "other")] : names);

/** True if the displayed text of a line has every word of the search. */
export function matches(line: EvidenceLine, wanted: string): boolean {
  const { kind, hash, why, block } = line;
  const shown = [titleOf(line), kind, outcomeOf(line).label, why, hash, `block ${block}`]
    .join(" ")
    .toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => shown.includes(word));
}
