/** Sizes and dates of files as a person reads them. */
import { count, MONTHS } from "./format.ts";

const SIZES = ["B", "KB", "MB", "GB", "TB"] as const;

/** `1.2 MB`: of 1 000 each, as disks are sold and browsers count. */
export function bytes(n: number): string {
  const power = n < 1000 ? 0 : Math.min(Math.floor(Math.log10(n) / 3), SIZES.length - 1);
  const value = n / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : count(value)} ${SIZES[power]}`;
}

const two = (n: number): string => String(n).padStart(2, "0");

/** `22 Nov 2026` where the reader is, of an RFC 3339 time. */
export function localDate(time: string): string {
  const date = new Date(time);
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** `22 Nov 2026, 14:05`, likewise. */
export function localTime(time: string): string {
  const date = new Date(time);
  return `${localDate(time)}, ${two(date.getHours())}:${two(date.getMinutes())}`;
}
