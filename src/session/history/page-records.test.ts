import { describe, expect, test } from "vitest";
import type { PageKey } from "../../engine/simulation/world-pages.ts";
import { MemoryStorage } from "../testing.ts";
import { PageRecords } from "./page-records.ts";

/** Pages of which some are in memory. */
const pages = (blocks: number, resident = (_: number) => true) => ({
  sealed: { blocks, results: 0 },
  bytes: ({ index }: PageKey) => (resident(index) ? Uint8Array.of(index) : undefined),
});

/** Reads some pages of blocks. */
async function readOf(from: PageRecords, indexes: readonly number[], build = "a") {
  const read: [number, Uint8Array][] = [];
  const wanted = indexes.map((index) => ({ kind: "blocks", index }) as const);
  await from.read(wanted, build, ({ index }, bytes) => void read.push([index, bytes]));
  return read;
}

const records = (storage: MemoryStorage): PageRecords =>
  new PageRecords(
    storage,
    "w/",
    [...storage.records.keys()].map((key) => key.slice(2)),
  );

describe("pages of old blocks", () => {
  test("are written once, and read back by the build that wrote them", async () => {
    const storage = new MemoryStorage();
    const first = records(storage);
    await first.write(pages(2), "a");
    await first.write(pages(3), "a");
    expect(storage.writes.map(({ length }) => length)).toEqual([2, 1]);
    expect(await readOf(records(storage), [1])).toEqual([[1, Uint8Array.of(1)]]);
    expect(await readOf(records(storage), [2], "b")).toEqual([]);
  });

  test("that are damaged or forgotten are not read, and those out of memory not written", async () => {
    const storage = new MemoryStorage();
    const first = records(storage);
    await first.write(
      pages(2, (index) => index === 1),
      "a",
    );
    expect(storage.records.size).toBe(1);
    expect(first.forget()).toHaveLength(1);
    expect(await readOf(first, [1])).toEqual([]);
    for (const record of storage.records.values()) record[20] = (record[20] ?? 0) ^ 1;
    expect(await readOf(records(storage), [1, 0])).toEqual([]);
  });
});
