import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { PageRequestSchema } from "../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import type { Entry } from "../store/kv-store.ts";
import { paginate } from "./pagination.ts";
import { TestChain } from "./testing.ts";

const PREFIX = Uint8Array.of(7);

function pageOf(request: object, keep?: (entry: Entry) => boolean) {
  const store = new TestChain("bank").block().store("bank");
  for (let i = 0; i < 50; i++) store.set(Uint8Array.of(7, i), Uint8Array.of(i));
  const decoded: number[] = [];
  const decode = ({ value }: Entry): number => {
    decoded.push(value[0] as number);
    return value[0] as number;
  };
  return { ...paginate(store, PREFIX, create(PageRequestSchema, request), decode, keep), decoded };
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
