import { createHash } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { toHex, utf8 } from "./bytes.ts";
import { accelerateSha256, sha256, sha256Text, writeHash } from "./sha256.ts";

describe.each([
  ["portable", async () => {}],
  ["accelerated", accelerateSha256],
])("SHA-256, %s", (_, prepare) => {
  beforeAll(prepare);

  test("the FIPS 180 examples", () => {
    expect(toHex(sha256(utf8("")))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(toHex(sha256(utf8("abc")))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  test("agrees with another implementation for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const expected = createHash("sha256").update(bytes).digest("hex");
        expect(toHex(sha256(bytes))).toBe(expected);
        const target = new Uint8Array(32);
        writeHash(sha256Text(bytes), target, 0);
        expect(toHex(target)).toBe(expected);
      }),
    );
  });

  test("agrees at every length of up to three blocks, and for many blocks", () => {
    for (const length of [...Array(193).keys(), 40_000]) {
      const bytes = new Uint8Array(length).map((_, i) => 7 * i + length);
      const expected = createHash("sha256").update(bytes).digest("hex");
      expect(toHex(sha256(bytes)), `${length} bytes`).toBe(expected);
    }
  });

  test("each digest is an array of its own", () => {
    const first = sha256(utf8("a"));
    const copy = first.slice();
    sha256(utf8("b"));
    expect(first).toEqual(copy);
  });
});
