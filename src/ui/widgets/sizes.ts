/** Readable sizes and dates of files. */
import { count, MONTHS } from "./format.ts";

const SIZES = ["B", "KB", "MB", "GB", "TB"] as const;

/** `1.2 MB`: in steps of 1 000, as for disks and in browsers. */
export function bytes(n: number): string {
  const power = n < 1000 ? 0 : Math.min(Math.floor(Math.log10(n) / 3), SIZES.length - 1);
  const value = n / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : count(value)} ${SIZES[power]}`;
}

const two = (n: number): string => String(n).padStart(2, "0");

/** `22 Nov 2026` in local time, from an RFC 3339 time. */
export function localDate(time: string): string {
  const date = new Date(time);
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** `22 Nov 2026, 14:05`, in the same way. */
export function localTime(time: string): string {
  const date = new Date(time);
  return `${localDate(time)}, ${two(date.getHours())}:${two(date.getMinutes())}`;
}
