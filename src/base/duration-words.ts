/** Durations in words. */
import { formatDuration } from "./duration.ts";
import { DAY, type Duration, HOUR, MINUTE, SECOND } from "./time.ts";

const WORDS: readonly (readonly [name: string, size: Duration])[] = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
];

/** For display: `21 days`, `1 hour 30 minutes`, `2.5 seconds`. */
export function durationWords(duration: Duration): string {
  const parts: string[] = [];
  let rest = duration < 0n ? -duration : duration;
  for (const [name, size] of WORDS) {
    if (rest >= size) parts.push(`${rest / size} ${name}${rest / size === 1n ? "" : "s"}`);
    rest %= size;
  }
  const seconds = formatDuration(rest).slice(0, -1);
  if (rest > 0n || parts.length === 0) {
    parts.push(`${seconds.replace(/\.(\d*?)0+$/, ".$1")} second${rest === SECOND ? "" : "s"}`);
  }
  return (duration < 0n ? "minus " : "") + parts.join(" ");
}
