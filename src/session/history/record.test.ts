import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../base/bytes.ts";
import { crc32c } from "../../base/crc32c.ts";
import { FORMAT, frameRecord, joinRecords, RECORD, readRecord, splitRecords } from "./record.ts";

const PAYLOAD = utf8("what is kept");
const framed = (): Uint8Array => frameRecord(RECORD.head, PAYLOAD);
const read = (record: Uint8Array | undefined) => readRecord(RECORD.head, "key", record);

describe("the checksum", () => {
  test.each([
    [utf8("123456789"), 0xe3069283],
    [new Uint8Array(32), 0x8a9136aa],
    [new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ])("is the one of RFC 3720 (%#)", (bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected);
    expect(crc32c(bytes.subarray(5), crc32c(bytes.subarray(0, 5)))).toBe(expected);
  });
});

describe("a record", () => {
  test("gives back its payload", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (payload) => {
        expect(read(frameRecord(RECORD.head, payload))).toEqual({ payload });
      }),
    );
  });

  test("with any single bit flipped is noticed", () => {
    const record = framed();
    for (let bit = 0; bit < record.length * 8; bit++) {
      const flipped = record.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(read(flipped)).toHaveProperty("damage.key", "key");
    }
  });

  test("of which any part is missing is noticed", () => {
    const record = framed();
    for (let length = 0; length < record.length; length++) {
      expect(read(record.subarray(0, length))).toEqual({ damage: { kind: "cut", key: "key" } });
    }
  });

  test.each([
    ["that is not there is missing", undefined, "missing"],
    ["of another program is foreign", utf8("SQLite format 3, or whatever it is"), "foreign"],
    ["of another program is foreign, however short", utf8("hi"), "foreign"],
    ["of another kind is foreign", frameRecord(RECORD.beginning, PAYLOAD), "foreign"],
    ["of a later format is too new", frameRecord(RECORD.head, PAYLOAD, FORMAT + 1), "too_new"],
    ["with something behind it is damaged", Uint8Array.of(...framed(), 0), "damaged"],
  ])("%s", (_, record, kind) => {
    expect(read(record)).toEqual({ damage: { kind, key: "key" } });
  });
});

describe("records in one file", () => {
  test("come back with their keys", () => {
    const records = fc.array(fc.tuple(fc.string(), fc.uint8Array()));
    fc.assert(
      fc.property(records, (list) => {
        expect([...splitRecords(joinRecords(list))]).toEqual(list);
      }),
    );
  });

  test("of a file that is cut are an Error", () => {
    const file = joinRecords([["key", PAYLOAD]]);
    for (let length = 1; length < file.length; length++) {
      expect(() => [...splitRecords(file.subarray(0, length))]).toThrow(
        /in the middle of a record/,
      );
    }
  });
});

test("as many records as a file may have are joined and split again", () => {
  const records = Array.from({ length: 100_000 }, (_, i) => [`k${i}`, Uint8Array.of(i)] as const);
  const split = [...splitRecords(joinRecords(records))];
  expect(split).toHaveLength(records.length);
  expect(split.at(-1)).toEqual(records.at(-1));
});
