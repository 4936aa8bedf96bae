import type { TallyHistory } from "../store/types.ts";
import type { AtHeight } from "./axis.ts";

/** The options in stacking order. */
export const OPTIONS = [
  { key: "yes", label: "yes", color: "var(--ok)" },
  { key: "no", label: "no", color: "var(--warn)" },
  { key: "veto", label: "no with veto", color: "var(--bad)" },
  { key: "abstain", label: "abstain", color: "var(--off)" },
] as const;

type Shares = Readonly<Record<(typeof OPTIONS)[number]["key"], number>>;

/**
 * Shares of the bonded stake, in percent, after each change, and at the end: the final tally, or
 * `newest`.
 */
export function tallyPoints(
  { points, last }: TallyHistory,
  newest: number,
): readonly (AtHeight & Shares)[] {
  const shares = points.map(({ height, yes, no, veto, abstain, bonded }) => {
    const of = (votes: string): number => (100 * Number(votes)) / Math.max(1, Number(bonded));
    return { height, yes: of(yes), no: of(no), veto: of(veto), abstain: of(abstain) };
  });
  const end = last === 0 ? newest : last;
  const final = shares.at(-1);
  return final && final.height < end ? [...shares, { ...final, height: end }] : shares;
}
