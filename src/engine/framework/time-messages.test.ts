import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compare, fromUtf8 } from "../../base/bytes.ts";
import { GO_ZERO_TIME, MAX_TIME, parseRfc3339, SECOND } from "../../base/time.ts";
import { Panic } from "./errors.ts";
import { TIME_KEY_LENGTH, timeKey } from "./keys.ts";
import { encodingError, timeAfter, timeOf, timestamp } from "./time-messages.ts";

const anyTime = fc.bigInt({ min: GO_ZERO_TIME, max: MAX_TIME });

test("every moment of the years 1 to 9999 survives every encoding", () => {
  fc.assert(
    fc.property(anyTime, (time) => {
      const bytes = toBinary(TimestampSchema, timestamp(time));
      expect(timeOf(fromBinary(TimestampSchema, bytes))).toBe(time);
      expect(parseRfc3339(`${fromUtf8(timeKey(time))}Z`)).toBe(time);
    }),
  );
});

test("keys sort as their moments do", () => {
  fc.assert(
    fc.property(anyTime, anyTime, (a, b) => {
      expect(timeKey(a)).toHaveLength(TIME_KEY_LENGTH);
      expect(Math.sign(compare(timeKey(a), timeKey(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test("what ends after the year 9999 cannot be written (rules/consensus 5.7)", () => {
  const last = MAX_TIME;
  expect(timeAfter(last - SECOND, SECOND)).toBe(last);
  expect(() => timeAfter(last, 1n)).toThrow(Panic);
  expect(() => timeAfter(last, 1n, encodingError)).toThrow(
    "collections: encoding error: value encode: timestamp: &types.Timestamp{Seconds: 253402300800,",
  );
});
