import type { Beat } from "./beats.ts";

/** Blocks per second of a story without a pace. */
export const USUAL_PACE = 2;
const READ_AT_LEAST_MS = 1200;
const READ_PER_LETTER_MS = 25;
const READ_AT_MOST_MS = 5000;
const NOTHING_TO_READ_MS = 200;

/** Pause before the next beat, in ms: the reading time of the sentence, within bounds. */
export function readingMs({ length }: string): number {
  if (length === 0) return NOTHING_TO_READ_MS;
  return Math.min(READ_AT_LEAST_MS + READ_PER_LETTER_MS * length, READ_AT_MOST_MS);
}

/**
 * Approximate duration of a story in seconds, including the consensus rounds of its steps: a
 * multiple of 5, since a busy browser takes a little longer.
 */
export function storySeconds(beats: readonly Beat[], rounds: number, pace: number): number {
  const reading = beats.reduce((sum, { sentence }) => sum + readingMs(sentence), 0) / 1000;
  return 5 * Math.max(1, Math.round((reading + rounds / pace) / 5));
}
