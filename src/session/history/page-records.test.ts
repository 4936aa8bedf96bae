import { describe, expect, test } from "vitest";
import { MemoryStorage } from "../testing.ts";
import { PageRecords, type SealedPages } from "./page-records.ts";

/** Pages of which some are in memory, and a list of the loaded ones. */
function pages(blocks: number, resident = (_: number) => true) {
  const loaded: [number, Uint8Array][] = [];
  const all: SealedPages = {
    sealed: { blocks, results: 0 },
    bytes: ({ index }) => (resident(index) ? Uint8Array.of(index) : undefined),
    load: ({ index }, bytes) => void loaded.push([index, bytes]),
  };
  return { all, loaded };
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
    await first.write(pages(2).all, "a");
    await first.write(pages(3).all, "a");
    expect(storage.writes.map(({ length }) => length)).toEqual([2, 1]);
    const { all, loaded } = pages(3);
    await records(storage).load(all, [{ kind: "blocks", index: 1 }], "a");
    expect(loaded).toEqual([[1, Uint8Array.of(1)]]);
    await records(storage).load(all, [{ kind: "blocks", index: 2 }], "b");
    expect(loaded).toHaveLength(1);
  });

  test("that are damaged or forgotten are not read, and those out of memory not written", async () => {
    const storage = new MemoryStorage();
    const first = records(storage);
    await first.write(pages(2, (index) => index === 1).all, "a");
    expect(storage.records.size).toBe(1);
    const { all, loaded } = pages(2);
    const wanted = [{ kind: "blocks", index: 1 } as const];
    expect(first.forget()).toHaveLength(1);
    await first.load(all, wanted, "a");
    for (const record of storage.records.values()) record[20] = (record[20] ?? 0) ^ 1;
    await records(storage).load(all, [...wanted, { kind: "blocks", index: 0 }], "a");
    expect(loaded).toEqual([]);
  });
});
