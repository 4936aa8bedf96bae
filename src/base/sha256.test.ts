import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equal, toHex, utf8 } from "./bytes.ts";
import { accelerateSha256, sha256, sha256Into, sha256Text, writeHash } from "./sha256.ts";

describe.each([
  ["portable", async () => {}],
  ["accelerated", accelerateSha256],
])("SHA-256, %s", async (_, prepare) => {
  await prepare();

  test("the FIPS 180 examples", () => {
    expect(toHex(sha256(utf8("")))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(toHex(sha256(utf8("abc")))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  test("agrees with another implementation at any length, also of what does not fit into WebAssembly's input", () => {
    const lengths = fc.oneof(fc.nat(200), fc.constantFrom(65_535, 65_536, 65_537, 90_000));
    fc.assert(
      fc.property(lengths, fc.nat(255), (length, fill) => {
        const bytes = new Uint8Array(length).fill(fill);
        const hash = createHash("sha256").update(bytes).digest();
        expect(sha256(bytes)).toEqual(new Uint8Array(hash));
        const text = new Uint8Array(32);
        writeHash(sha256Text(bytes), text, 0);
        expect(text).toEqual(new Uint8Array(hash));
        const around = new Uint8Array(length + 40).fill(7);
        around.set(bytes);
        const expected = around.slice();
        expected.set(hash, 5);
        sha256Into(around, length, around, 5);
        expect(equal(around, expected)).toBe(true);
      }),
    );
  });

  test("each digest is an array of its own", () => {
    const first = sha256(utf8("a"));
    const copy = first.slice();
    sha256(utf8("b"));
    expect(first).toEqual(copy);
  });
});
