import { expect, test } from "vitest";
import type { JournalEntry } from "../engine/simulation/command.ts";
import { HistoryEntries } from "./history-entries.ts";

const journal: readonly JournalEntry[] = Array.from({ length: 6 }, (_, at) => ({
  at,
  command: { type: "heal" },
}));

const entries = (): HistoryEntries =>
  new HistoryEntries(
    0,
    (from) => journal.slice(from),
    () => journal.length,
    undefined,
  );

/** Consumes the next entries, and returns their rounds. */
function taken(from: HistoryEntries, count: number): (number | undefined)[] {
  return Array.from({ length: count }, () => {
    const at = from.next?.at;
    from.advance();
    return at;
  });
}

test("what was taken since a mark comes again, once", () => {
  const past = entries();
  expect(taken(past, 1)).toEqual([0]);
  past.mark();
  expect(taken(past, 2)).toEqual([1, 2]);
  past.rewind();
  expect(taken(past, 3)).toEqual([1, 2, 3]);
  past.rewind();
  expect(taken(past, 2)).toEqual([4, 5]);
  expect(past.next).toBeUndefined();
});

test("nothing comes again once the mark is let go of, nor is what is taken kept for it", () => {
  const past = entries();
  past.mark();
  expect(taken(past, 2)).toEqual([0, 1]);
  past.forget();
  expect(taken(past, 1)).toEqual([2]);
  past.rewind();
  expect(past.next?.at).toBe(3);
});
