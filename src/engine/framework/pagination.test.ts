import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { PageRequestSchema } from "../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import type { Entry } from "../store/kv-store.ts";
import { paginate, paginateStore } from "./pagination.ts";
import { TestChain } from "./testing.ts";

const PREFIX = Uint8Array.of(7);

function pageOf(
  request: object,
  keep?: (entry: Entry) => boolean,
  counted: "kept" | "all" = "kept",
) {
  const store = new TestChain("bank").block().store("bank");
  for (let i = 0; i < 50; i++) store.set(Uint8Array.of(7, i), Uint8Array.of(i));
  const decoded: number[] = [];
  const decode = ({ value }: Entry): number => {
    decoded.push(value[0] as number);
    return value[0] as number;
  };
  return {
    ...paginate(store, PREFIX, create(PageRequestSchema, request), decode, keep, counted),
    decoded,
  };
}

test("entries that are passed over or only counted are not decoded", () => {
  const page = pageOf({ offset: 10n, limit: 5n, countTotal: true });
  expect(page.items).toEqual([10, 11, 12, 13, 14]);
  expect(page.pagination.total).toBe(50n);
  expect(page.decoded).toEqual(page.items);
});

test("a filter counts and returns what it accepts", () => {
  const page = pageOf({ limit: 3n, countTotal: true }, ({ key }) => (key[1] as number) % 10 === 0);
  expect(page).toMatchObject({ items: [0, 10, 20], decoded: [0, 10, 20] });
  expect(page.pagination).toEqual({ nextKey: Uint8Array.of(30), total: 5n });
});

const tens = ({ key }: Entry): boolean => (key[1] as number) % 10 === 0;
const byKey = { key: Uint8Array.of(11), limit: 1n };

test.each([
  // Ten entries are skipped, two are on the page, and two more match after it; the first of them is
  // the next key.
  [{ offset: 10n, limit: 2n, countTotal: true }, [10, 20], 30, 14n],
  // After the last matching entry the next key stays at the last entry.
  [{ limit: 5n, countTotal: true }, [0, 10, 20, 30, 40], 49, 5n],
  [{ limit: 9n, countTotal: true }, [0, 10, 20, 30, 40], undefined, 5n],
  [{ offset: 41n, limit: 9n, countTotal: true }, [], undefined, 41n],
  [{ offset: 50n, limit: 9n, countTotal: true }, [], undefined, 50n],
  [{ offset: 51n, limit: 9n, countTotal: true }, [], undefined, 0n],
  [{ limit: 2n }, [0, 10], 11, 0n],
  [{ limit: 2n, reverse: true }, [40, 30], 29, 0n],
  [byKey, [20], 21, 0n],
])("a filter over entries that all count, case %#", (request, items, next, total) => {
  const page = pageOf(request, tens, "all");
  const nextKey = next === undefined ? new Uint8Array() : Uint8Array.of(next);
  expect(page).toMatchObject({ items, pagination: { nextKey, total } });
});

test("an entry that is skipped is not put to the filter where the offset counts all, nor one behind a page without a total", () => {
  const requested: number[] = [];
  pageOf({ offset: 3n, limit: 1n }, ({ key }) => requested.push(key[1] as number) > 1, "all");
  expect(requested).toEqual([3, 4]);
});

describe("over a prefix store", () => {
  const numbers = new TestChain("bank").block().store("bank");
  for (let i = 0; i < 50; i++) numbers.set(Uint8Array.of(7, i), Uint8Array.of(i));
  const page = (request: object, keep?: (entry: Entry) => boolean) =>
    paginateStore(numbers, PREFIX, create(PageRequestSchema, request), (e) => e.value[0], keep);

  test.each([
    [{ limit: 2n }, undefined, [0, 1], 2, 0n],
    [{ limit: 2n, countTotal: true }, undefined, [0, 1], 2, 50n],
    [{ offset: 48n, limit: 2n, countTotal: true }, undefined, [48, 49], undefined, 50n],
    [{ offset: 60n, limit: 2n, countTotal: true }, undefined, [], undefined, 50n],
    [{ offset: 1n, limit: 2n, countTotal: true }, tens, [10, 20], 30, 5n],
    [{ offset: 6n, limit: 2n, countTotal: true }, tens, [], undefined, 5n],
    [{ key: Uint8Array.of(11), limit: 2n, countTotal: true }, tens, [20, 30], 31, 0n],
    [{ key: Uint8Array.of(11), limit: 2n, reverse: true }, tens, [10, 0], undefined, 0n],
    [{ key: Uint8Array.of(11), limit: 1n, reverse: true }, tens, [10], 9, 0n],
    [{ limit: 2n, reverse: true }, tens, [40, 30], 20, 0n],
  ])("case %#", (request, keep, items, next, total) => {
    const nextKey = next === undefined ? new Uint8Array() : Uint8Array.of(next);
    expect(page(request, keep)).toEqual({ items, pagination: { nextKey, total } });
  });

  test("no limit is a hundred, and counts", () => {
    expect(page({}).pagination).toEqual({ nextKey: new Uint8Array(), total: 50n });
  });

  test("takes no offset beside a key", () => {
    expect(() => page({ offset: 1n, key: Uint8Array.of(1) })).toThrow(
      "invalid request, either offset or key is expected, got both",
    );
  });
});
