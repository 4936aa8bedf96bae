/** Times and durations as bigint nanoseconds, and their texts in RFC 3339 and Go. */

/** Nanoseconds since 1970-01-01T00:00:00Z. */
export type Time = bigint;
/** Nanoseconds. */
export type Duration = bigint;

export const MICROSECOND: Duration = 1_000n;
export const MILLISECOND: Duration = 1_000_000n;
export const SECOND: Duration = 1_000_000_000n;
export const MINUTE: Duration = 60n * SECOND;
export const HOUR: Duration = 60n * MINUTE;
export const DAY: Duration = 24n * HOUR;
/** Longest duration accepted in input: 100 years. */
export const MAX_DURATION: Duration = 100n * 365n * DAY;

/**
 * Go's zero time, 0001-01-01T00:00:00Z, which is also the first one that a Timestamp can represent.
 */
export const GO_ZERO_TIME: Time = -62_135_596_800n * SECOND;
/**
 * Last nanosecond of the year 9999: a Timestamp cannot represent a later time (rules/consensus
 * 5.7).
 */
export const MAX_TIME: Time = 253_402_300_800n * SECOND - 1n;

/** Returns true if a google.protobuf.Timestamp can represent a time: one in the years 1 to 9999. */
export const isTimestamp = (time: Time): boolean => time >= GO_ZERO_TIME && time <= MAX_TIME;

/** Limits a time to the last one that a Timestamp can represent. */
export const atMostLast = (time: Time): Time => (time < MAX_TIME ? time : MAX_TIME);

/** Returns the error of Go's protobuf for a time outside the years 1 to 9999. */
export function timestampError(time: Time): string {
  const { seconds, nanos } = toTimestamp(time);
  const where = time < GO_ZERO_TIME ? "before 0001-01-01" : "after 10000-01-01";
  return `timestamp: &types.Timestamp{Seconds: ${seconds},\nNanos: ${nanos},\n} ${where}`;
}

/** Go's time.Duration is an int64. */
const LONGEST: Duration = 2n ** 63n - 1n;

/** Duration between two times like Go's Time.Sub: at most 292 years in either direction. */
export function elapsed(from: Time, to: Time): Duration {
  const duration = to - from;
  if (duration > LONGEST) return LONGEST;
  return duration < -LONGEST - 1n ? -LONGEST - 1n : duration;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Drops digits beyond nanoseconds, as Go does. Throws outside the years 1 to 9999 in UTC. */
export function parseRfc3339(text: string): Time {
  const match = RFC3339.exec(text);
  if (!match) throw new Error(`invalid RFC 3339 time "${text}"`);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const [fraction = "", sign, offsetHour = "0", offsetMinute = "0"] = match.slice(7);
  const days = daysSinceEpoch(year, month, day);
  const back = civil(days);
  if (back.month !== month || back.day !== day || hour > 23 || minute > 59 || second > 59) {
    throw new Error(`invalid RFC 3339 time "${text}"`);
  }
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) {
    throw new Error(`invalid RFC 3339 time "${text}"`);
  }
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -60 : 60);
  const seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset;
  const time = BigInt(seconds) * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  if (!isTimestamp(time)) throw new Error(`time "${text}" is not in the years 1 to 9999`);
  return time;
}

type Six = [number, number, number, number, number, number];

/** UTC, without trailing zeros of the fraction: `2021-10-20T16:08:38.194017624Z`. */
export function formatRfc3339(time: Time): string {
  const { date, clock } = calendar(time);
  return `${date}T${clock}Z`;
}

/**
 * Format of protobuf JSON, with 0, 3, 6 or 9 decimals: `2021-10-20T16:08:38.100Z` (rules/evidence
 * 6.4).
 */
export const formatProtoTime = (time: Time): string =>
  formatRfc3339(time).replace(/\.\d+/, (fraction) =>
    fraction.padEnd(1 + 3 * Math.ceil((fraction.length - 1) / 3), "0"),
  );

/** Go's default text: `0001-01-01 00:00:00 +0000 UTC`. */
export function goTimeString(time: Time): string {
  const { date, clock } = calendar(time);
  return `${date} ${clock} +0000 UTC`;
}

/** google.protobuf.Timestamp; nanos is never negative. */
export function toTimestamp(time: Time): { seconds: bigint; nanos: number } {
  const nanos = ((time % SECOND) + SECOND) % SECOND;
  return { seconds: (time - nanos) / SECOND, nanos: Number(nanos) };
}

export function fromTimestamp(timestamp: { seconds: bigint; nanos: number }): Time {
  return timestamp.seconds * SECOND + BigInt(timestamp.nanos);
}

/** Go's Duration.String: `10m0s`, `48h0m0s`, `1.5s`, `500ms`, `0s`. */
export function goDuration(duration: Duration): string {
  if (duration < 0n) return `-${goDuration(-duration)}`;
  if (duration === 0n) return "0s";
  if (duration < MICROSECOND) return `${duration}ns`;
  if (duration < MILLISECOND) return `${decimal(duration, MICROSECOND)}µs`;
  if (duration < SECOND) return `${decimal(duration, MILLISECOND)}ms`;
  const seconds = `${decimal(duration % MINUTE, SECOND)}s`;
  if (duration < MINUTE) return seconds;
  const minutes = `${(duration / MINUTE) % 60n}m${seconds}`;
  return duration < HOUR ? minutes : `${duration / HOUR}h${minutes}`;
}

/** `amount / unit` in full, for units that are powers of ten. */
function decimal(amount: bigint, unit: bigint): string {
  const places = unit.toString().length - 1;
  const fraction = (amount % unit).toString().padStart(places, "0").replace(/0+$/, "");
  return `${amount / unit}${fraction && `.${fraction}`}`;
}

function calendar(time: Time): { date: string; clock: string } {
  const { seconds, nanos } = toTimestamp(time);
  const total = Number(seconds);
  const days = Math.floor(total / 86_400);
  const inDay = total - days * 86_400;
  const { year, month, day } = civil(days);
  const fraction = nanos.toString().padStart(9, "0").replace(/0+$/, "");
  return {
    date: `${year < 0 ? "-" : ""}${Math.abs(year).toString().padStart(4, "0")}-${two(month)}-${two(day)}`,
    clock: `${two(Math.floor(inDay / 3_600))}:${two(Math.floor(inDay / 60) % 60)}:${two(inDay % 60)}${fraction && `.${fraction}`}`,
  };
}

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

// Proleptic Gregorian calendar. Years start in March so that the leap day is last, in eras of 400
// years (146 097 days); 719 468 is the number of days from 0000-03-01 to 1970-01-01.

function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468;
}

function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const corrections =
    Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - corrections) / 365);
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - (365 * yearOfEra + leapDays);
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
