import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../../engine/simulation/command.ts";
import { JournalWriter, readSegment } from "./journal.ts";
import { segmentKey } from "./keys.ts";
import { HEADER } from "./record.ts";

const COUNT = 6;
const SEGMENT_HEADER = 8 + 32;
const ORIGIN = { entries: 0, chain: new Uint8Array(32).fill(7) };
const OF_ANOTHER_WORLD = { entries: 0, chain: new Uint8Array(32).fill(8) };
const ENTRIES: readonly JournalEntry[] = Array.from({ length: COUNT }, (_, at) => ({
  at,
  command: { type: "double_sign", node: `val-${at}` },
}));

function stored(link = ORIGIN): Uint8Array {
  const writer = new JournalWriter({ ...link, frames: [] });
  for (const entry of ENTRIES) writer.add(entry);
  return writer.all()?.get(segmentKey(link.entries)) ?? new Uint8Array();
}

function flipped(record: Uint8Array, bit: number): Uint8Array {
  const copy = record.slice();
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const RECORD = stored();

describe("a segment of a journal", () => {
  test("with a flipped bit gives every entry before it, and says from which one on it cannot be used", () => {
    const begin = HEADER + SEGMENT_HEADER;
    fc.assert(
      fc.property(fc.integer({ min: 8 * begin, max: 8 * RECORD.length - 1 }), (bit) => {
        const { entries, damage } = readSegment(flipped(RECORD, bit), ORIGIN, 0);
        expect(entries).toEqual(ENTRIES.slice(0, entries.length));
        expect(entries.length).toBeLessThan(COUNT);
        expect(damage).toEqual({ kind: "damaged", key: segmentKey(0), from: entries.length });
      }),
    );
  });

  test("with a flipped bit before its entries gives them all", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 8 * HEADER, max: 8 * (HEADER + SEGMENT_HEADER) - 1 }),
        (bit) => {
          const { entries, damage } = readSegment(flipped(RECORD, bit), ORIGIN, 0);
          expect(entries).toEqual(ENTRIES);
          expect(damage).toMatchObject({ kind: "damaged", from: COUNT });
        },
      ),
    );
  });

  test("of another world gives no entry, whether it is sound or damaged too", () => {
    const foreign = stored(OF_ANOTHER_WORLD);
    for (const record of [foreign, flipped(foreign, 8 * foreign.length - 1)]) {
      expect(readSegment(record, ORIGIN, 0)).toMatchObject({
        entries: [],
        damage: { kind: "damaged" },
      });
    }
  });
});
