import { type Duration, goDuration, SECOND } from "./time.ts";

/**
 * For display, with the two largest non-zero units: `48 h`, `1 min 5 s`, `21 d`; fractions of
 * seconds as in Go.
 */
export function durationToText(duration: Duration): string {
  if (duration < 0n) return `-${durationToText(-duration)}`;
  if (duration % SECOND !== 0n) return goDuration(duration);
  let rest = duration / SECOND;
  const parts: string[] = [];
  for (const [name, size] of TEXT_UNITS) {
    // Two days are shown as 48 h: days are used from three days on.
    if (name === "d" && rest < 3n * size) continue;
    if (rest >= size) parts.push(`${rest / size} ${name}`);
    rest %= size;
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}

const TEXT_UNITS = [
  ["d", 86_400n],
  ["h", 3_600n],
  ["min", 60n],
  ["s", 1n],
] as const;
