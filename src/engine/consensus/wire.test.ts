import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8 } from "../../base/bytes.ts";
import { Bitset } from "./bitset.ts";
import { ProtoWriter } from "./wire.ts";

/** Some start where the buffer is full. */
const source = fc.oneof(fc.nat(20), fc.integer({ min: 480, max: 520 }));

test("a text is its UTF-8 bytes, whatever characters it has, and left out when empty", () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.string({ minLength: 200 }));
  fc.assert(
    fc.property(source, texts, (before, text) => {
      const w = new ProtoWriter().raw(new Uint8Array(before));
      const bytes = new ProtoWriter().raw(new Uint8Array(before)).bytes(3, utf8(text));
      expect(w.string(3, text).int(4, 5).finish()).toEqual(bytes.int(4, 5).finish());
    }),
  );
});

test("a set is the bytes of its bits, written even when empty", () => {
  fc.assert(
    fc.property(source, fc.array(fc.boolean(), { maxLength: 100 }), (before, members) => {
      const set = Bitset.of(
        members.length,
        members.flatMap((member, i) => (member ? [i] : [])),
      );
      const bytes = new Uint8Array(Math.ceil(members.length / 8));
      for (const [i, member] of members.entries())
        if (member) bytes[i >> 3] = (bytes[i >> 3] as number) | (1 << (i & 7));
      const w = new ProtoWriter().raw(new Uint8Array(before)).bits(6, set).int(7, 1);
      const expected = new ProtoWriter().raw(new Uint8Array(before)).message(6, bytes).int(7, 1);
      expect(w.finish()).toEqual(expected.finish());
    }),
  );
});
