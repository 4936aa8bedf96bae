import { count, percent } from "../widgets/format.ts";
import { powerOf } from "./power.ts";
import { isDecided, stuckAt } from "./situation.ts";
import type { Frame } from "./types.ts";

/** The phrase for the power that a block needs. */
export const threshold = (needed: number, total: number): string =>
  `more than 2/3: ${count(needed)} of ${count(total)}`;

/** Returns the status of the block that a halted chain cannot commit. */
export function haltSentence(frame: Frame): string {
  const { votingPower = 0, totalPower = 0 } = frame.chainStatus ?? {};
  const at = stuckAt(frame);
  if (!isDecided(frame))
    return `No block ${count(at)}: ${count(votingPower)} of ${count(totalPower)} power votes.`;
  return `Block ${count(at)}: ${appliedPhrase(frame)}.`;
}

/** Returns the shares of the power that have decided and that have applied the stuck block. */
export function appliedPhrase(frame: Frame): string {
  const share = frame.chain?.decidedShare ?? 0;
  const by = share === 1 ? "all" : percent(share, 1);
  return `decided by ${by}, applied by ${percent(appliedPower(frame), frame.chainStatus?.totalPower ?? 0)}`;
}

/** Power of the validators that have applied the block that the others cannot. */
export function appliedPower(frame: Frame): number {
  const at = stuckAt(frame);
  return powerOf(
    frame.validators,
    frame.nodes.filter(({ height }) => height >= at),
  );
}
