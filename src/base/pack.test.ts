import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PackReader, PackWriter, pack, unpack } from "./pack.ts";

const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.double(),
    fc.integer(),
    fc.maxSafeNat(),
    fc.bigInt(),
    fc.string({ unit: "binary" }),
    fc.boolean(),
    fc.constantFrom(undefined, null, -0, Number.NaN),
    fc.uint8Array(),
    fc.float64Array(),
    fc.array(tie("value")),
    fc.dictionary(fc.string({ unit: "grapheme-ascii" }), tie("value")),
    fc.array(fc.tuple(tie("value"), tie("value"))).map((entries) => new Map(entries)),
  ),
})).value;

test("what is packed comes back as it was", () => {
  fc.assert(
    fc.property(plain, (value) => {
      expect(unpack(pack(value))).toEqual(value);
    }),
  );
});

test("values written one after another are read where they stand, from a resumed writer too", () => {
  fc.assert(
    fc.property(fc.array(plain), fc.array(plain), (first, second) => {
      const starts: number[] = [];
      const writeAll = (writer: PackWriter, values: readonly unknown[]): PackWriter => {
        for (const value of values) {
          starts.push(writer.length);
          writer.write(value);
        }
        return writer;
      };
      const half = writeAll(new PackWriter(), first);
      const whole = writeAll(PackWriter.resume(half.view(), half.texts), second);
      const reader = new PackReader(whole.view(), whole.texts);
      expect(starts.map((start) => reader.readAt(start))).toEqual([...first, ...second]);
    }),
  );
});

test("cut bytes are refused, not read on", () => {
  fc.assert(
    fc.property(plain, fc.nat(), (value, n) => {
      const bytes = pack(value);
      expect(() => unpack(bytes.subarray(0, n % bytes.length))).toThrow();
    }),
  );
});

test("an object of a class is refused", () => {
  expect(() => pack({ at: new Set() })).toThrow("cannot pack a Set");
});
