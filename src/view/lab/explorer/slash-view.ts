import { accAddress, valAddress } from "../../../base/bech32.ts";
import { decToText } from "../../../base/dec.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { DepartedSlash } from "../../../engine/modules/staking/steps.ts";
import { POWER_REDUCTION } from "../../../engine/modules/staking/types.ts";
import type { SlashView } from "../../../gen/lab/v1/lab_plain.ts";

type SlashPart = SlashView["parts"][number];

/**
 * The amounts of a slash and their sources, as recorded by staking; undefined if there was none, or
 * if it was reverted.
 * @param steps of one punishment
 */
export function slashOf(steps: readonly ModuleStep[]): SlashView | undefined {
  let view: Omit<SlashView, "parts" | "burned" | "since"> | undefined;
  let since = 0;
  let burned = 0n;
  const parts: SlashPart[] = [];
  for (const step of steps) {
    if (step.reverted) return undefined;
    if (step.module === "evidence" && step.kind === "stake") since = step.data.height;
    if (step.module !== "staking") continue;
    if (step.kind === "slash_amount") {
      const { power, factor, amount } = step.data;
      const stake = String(BigInt(power) * POWER_REDUCTION);
      view = { power, stake, fraction: decToText(factor), amount: String(amount) };
    } else if (step.kind === "slash_unbonding") {
      parts.push(departed("unbonding", step.data));
    } else if (step.kind === "slash_redelegation") {
      parts.push(departed("redelegation", step.data));
    } else if (step.kind === "slash_departed") {
      const { entries, initial, due, burned: taken } = step.data;
      parts.push({ ...NO_PART, kind: "departed", entries, ...amounts(initial, due, taken) });
    } else if (step.kind === "slash_validator") {
      const { amount, answered, tokens, burned: taken } = step.data;
      const owed = answered < amount ? amount - answered : 0n;
      parts.push({ ...NO_PART, kind: "validator", ...amounts(tokens, owed, taken) });
    } else continue;
    if (step.kind !== "slash_amount") burned += step.data.burned;
  }
  return view && parts.length > 0 ? { ...view, since, parts, burned: String(burned) } : undefined;
}

const NO_PART = { delegator: "", to: "", height: 0, entries: 1 };

const amounts = (stake: bigint, owed: bigint, burned: bigint) => ({
  stake: String(stake),
  owed: String(owed),
  burned: String(burned),
});

const departed = (
  kind: string,
  { delegator, to, creationHeight, initial, due, burned }: DepartedSlash,
): SlashPart => ({
  kind,
  delegator: accAddress(delegator),
  to: to === undefined ? "" : valAddress(to),
  height: creationHeight,
  entries: 1,
  ...amounts(initial, due, burned),
});
