import { MILLISECOND, type Time } from "../../base/time.ts";

export interface WeightedTime {
  readonly time: Time;
  readonly power: number;
}

/**
 * BFT time: the median of the last commit's timestamps weighted by voting power, with CometBFT's
 * rounding (rules/consensus 5.2). Entries are the votes that are not absent, in any order;
 * validators with the same time may be one entry. Throws Error if there are none.
 */
export function weightedMedian(entries: readonly WeightedTime[]): Time {
  const sorted = entries.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  let half = Math.floor(entries.reduce((sum, entry) => sum + entry.power, 0) / 2);
  for (const { time, power } of sorted) {
    if (half <= power) return time;
    half -= power;
  }
  throw new Error("no votes to take the median time of");
}

/**
 * Time of a validator's vote: its clock, but at least 1 ms later than its block (locked, else
 * proposed; null if there is none). So block time increases even if clocks do not.
 */
export function voteTime(now: Time, blockTime: Time | null): Time {
  if (blockTime === null) return now;
  const earliest = blockTime + MILLISECOND;
  return now > earliest ? now : earliest;
}
