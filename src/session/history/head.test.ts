import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { concat, u64be } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { FIRST_ORIGIN } from "../first-world.ts";
import { MemoryStorage, openTab } from "../testing.ts";
import { encode } from "./codec.ts";
import { headRecord, OUTLINE_KEYS, readOutline } from "./head.ts";
import { frameRecord, HEADER, RECORD } from "./record.ts";

let records: readonly Uint8Array[] = [];

beforeAll(async () => {
  const storage = new MemoryStorage();
  const tab = openTab(storage);
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  await tab.save();
  records = OUTLINE_KEYS.map(
    (key) => storage.records.get(`worlds/${id}/${key}`) ?? new Uint8Array(),
  );
});

const withHead1 = (head: Uint8Array) => readOutline([...records.slice(0, 3), head]);

const sound = () => {
  const { head } = readOutline(records);
  if (head === undefined) throw new Error("expected a head");
  return head;
};

describe("the head of a saved world", () => {
  test("is noticed when any bit of it was changed, though its checksum was made to fit", () => {
    const payload = records[3]?.subarray(HEADER) ?? new Uint8Array();
    fc.assert(
      fc.property(fc.nat(8 * payload.length - 1), (bit) => {
        const changed = payload.slice();
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const { damage } = withHead1(frameRecord(RECORD.head, changed));
        expect(damage).toEqual([{ kind: "damaged", key: "head-1" }]);
      }),
    );
  });

  test("is read where an earlier version sealed only how far the world is", () => {
    const head = { ...sound(), name: "of an earlier version", seq: sound().seq + 1 };
    const { beginning, chain, appHash, rounds, entries, seq } = head;
    const far = concat(beginning, chain, appHash, ...[rounds, entries, seq].map(u64be));
    const earlier = frameRecord(RECORD.head, concat(sha256(far), encode(head)));
    expect(earlier).not.toEqual(headRecord(head));
    expect(withHead1(earlier)).toMatchObject({ head: { name: head.name }, damage: [] });
  });
});
