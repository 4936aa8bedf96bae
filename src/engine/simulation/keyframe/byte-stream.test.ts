import { expect, test } from "vitest";
import { ByteReader, ByteWriter } from "./byte-stream.ts";

/** Initial size of a writer's buffer, in bytes. */
const FIRST_SIZE = 1 << 16;

test("a word that does not fit into what is reserved is written after growing", () => {
  for (let missing = 0; missing <= 8; missing++) {
    const before = new Uint8Array(FIRST_SIZE - missing);
    const ints = new ByteWriter();
    ints.raw(before);
    ints.int64(-5n);
    const floats = new ByteWriter();
    floats.raw(before);
    floats.float(0.5);
    const int = new ByteReader(ints.finish());
    int.raw(before.length);
    expect(int.int64()).toBe(-5n);
    const float = new ByteReader(floats.finish());
    float.raw(before.length);
    expect(float.float()).toBe(0.5);
  }
});
