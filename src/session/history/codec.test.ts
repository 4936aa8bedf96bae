import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../base/property.testing.ts";
import { decode, encode } from "./codec.ts";

const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string(),
    fc.double({ noNaN: true }).filter((number) => !Object.is(number, -0)),
    fc.integer(),
    fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }),
    fc.uint8Array(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie("value")),
    fc.dictionary(
      fc.string().filter((name) => name !== "__proto__"),
      tie("value"),
      { noNullPrototype: true },
    ),
  ),
})).value;

describe("plain data", () => {
  test("comes back as it was", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(decode(encode(value))).toStrictEqual(value);
      }),
    );
  });

  test("comes back with bytes of its own", () => {
    const encoded = encode({ bytes: Uint8Array.of(1, 2, 3) });
    const { bytes } = decode(encoded) as { bytes: Uint8Array };
    expect([bytes.constructor, bytes.buffer.byteLength]).toEqual([Uint8Array, 3]);
  });
});

describe("bytes that were not encoded here", () => {
  test("never do harm: they give a value or an Error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  test.each([
    ["nested without end", new Uint8Array(100_000).fill(0x91), /nested too deeply/],
    ["a list of four billion", Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), /in the middle/],
    ["a text of four gigabytes", Uint8Array.of(0xdb, 0xff, 0xff, 0xff, 0xff), /in the middle/],
    ["a record of another codec", Uint8Array.of(0xd4, 0x72, 0x40), /unknown type/],
    ["a regular expression", Uint8Array.of(0xc7, 1, 0x78, 0x92), /unknown type/],
    ["two values", Uint8Array.of(1, 1), /bytes follow/],
    ["nothing", new Uint8Array(), /in the middle/],
  ])("such as %s are refused", (_, bytes, message) => {
    expect(() => decode(bytes)).toThrow(message);
  });
});
