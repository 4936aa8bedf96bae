/** Formats and parses numbers, times and words. Chain rules do not belong here. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const count = (n: number): string => whole.format(n);

const shortened = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** `5M`, `1.5K`: for axes, which have little space. */
export const compact = (n: number): string => shortened.format(n);

/** An amount in the smallest unit, given as decimal text. */
export const amount = (text: string): string => whole.format(BigInt(text || "0"));

/** A share with one decimal; never rounds up to 100 unless it is all. */
export function percent(part: number, total: number): string {
  if (total === 0) return "0 %";
  const tenths = (part / total) * 1000;
  const shown = part < total && tenths > 999 ? 999 : Math.round(tenths);
  return `${shown % 10 === 0 ? shown / 10 : (shown / 10).toFixed(1)} %`;
}

/** `12:02:25` from the chain's RFC 3339 time (UTC). */
const clock = (time: string): string => time.slice(11, 19);

/** Indexed by `Date.getMonth`. */
export const MONTHS = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
];

/**
 * `12:02:25` on the day of another time, `3 Jan 12:02:25` on any other day (both RFC 3339, UTC).
 */
export const dayClock = (time: string, first: string): string =>
  time.slice(0, 10) === first.slice(0, 10)
    ? clock(time)
    : `${Number(time.slice(8, 10))} ${MONTHS[Number(time.slice(5, 7)) - 1] ?? ""} ${clock(time)}`;

/** `2026-01-01 12:02:25` of an RFC 3339 time (UTC). */
export const dateTime = (time: string): string => `${time.slice(0, 10)} ${clock(time)}`;

/** `ab12cd34…ef56`: enough of a long id to distinguish it. */
export const short = (id: string): string =>
  id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;

/** A long name by its start and its end, where names of one kind differ: `a-valida…-2`. */
export const shortName = (name: string, most: number): string =>
  name.length > most
    ? `${name.slice(0, most - Math.floor(most / 2.5) - 1)}…${name.slice(-Math.floor(most / 2.5))}`
    : name;

/** `a, b and c`. */
export function list(items: readonly string[]): string {
  return items.length < 2
    ? items.join("")
    : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

/** Adds a full stop, also if the text ends with a quoted colon. */
export const sentence = (text: string): string => `${text.replace(/[\s:.;]+$/, "")}.`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Replaces the name of a world if that cannot be read. */
export const UNNAMED = "Unnamed world";

/** `1 block`, `3 blocks`. */
export const plural = (n: number, word: string): string =>
  `${count(n)} ${word}${n === 1 ? "" : "s"}`;

/**
 * Adds thousands separators to integers in a text of the chain; ids, hashes, addresses and times
 * are unchanged. A denom is separated by a space.
 */
export const grouped = (text: string): string =>
  text.replace(
    /(?<![\w.-]|proposal )(\d{5,})(?:(?![\w-])|(?=([a-z]*[g-z][a-z]*)\b))/g,
    (digits, _, denom) => digits.replace(/\B(?=(?:\d{3})+$)/g, ",") + (denom ? " " : ""),
  );
