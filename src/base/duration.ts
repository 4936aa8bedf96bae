/**
 * Durations in files, requests and responses: parsed from Go's notation, written as protobuf JSON.
 */
import { type Duration, elapsed, HOUR, MICROSECOND, MILLISECOND, MINUTE, SECOND } from "./time.ts";

const UNITS: ReadonlyMap<string, Duration> = new Map([
  ["ns", 1n],
  ["us", MICROSECOND],
  ["µs", MICROSECOND], // micro sign
  ["μs", MICROSECOND], // Greek mu
  ["ms", MILLISECOND],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
]);

/**
 * Parses Go's notation: `48h`, `600s`, `1h30m`, `500ms`, `-1.5s`; at most 292 years. Throws with
 * Go's texts.
 */
export function parseDuration(text: string): Duration {
  const unsigned = text.replace(/^[+-]/, "");
  if (unsigned === "0") return 0n;
  if (unsigned === "") throw new Error(`time: invalid duration "${text}"`);
  let total = 0n;
  let rest = unsigned;
  while (rest !== "") {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest) as RegExpExecArray;
    const [matched, whole = "", fraction = ""] = number;
    if (whole === "" && fraction === "") throw new Error(`time: invalid duration "${text}"`);
    rest = rest.slice(matched.length);
    const name = (/^[^.\d]*/.exec(rest) as RegExpExecArray)[0];
    if (name === "") throw new Error(`time: missing unit in duration "${text}"`);
    const unit = UNITS.get(name);
    if (unit === undefined) throw new Error(`time: unknown unit "${name}" in duration "${text}"`);
    total += BigInt(whole || 0) * unit;
    total += (BigInt(fraction || 0) * unit) / 10n ** BigInt(fraction.length);
    rest = rest.slice(name.length);
  }
  const duration = text.startsWith("-") ? -total : total;
  if (elapsed(0n, duration) !== duration) throw new Error(`time: invalid duration "${text}"`);
  return duration;
}

/** google.protobuf.Duration in JSON: `600s`, `0.500s`, with 0, 3, 6 or 9 decimals. */
export function formatDuration(duration: Duration): string {
  const size = duration < 0n ? -duration : duration;
  const nanos = (size % SECOND).toString().padStart(9, "0");
  const fraction = nanos.replace(/(000){1,3}$/, "");
  return `${duration < 0n ? "-" : ""}${size / SECOND}${fraction && `.${fraction}`}s`;
}
