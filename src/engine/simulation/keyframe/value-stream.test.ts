import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../base/property.testing.ts";
import { Bitset } from "../../consensus/bitset.ts";
import { ByteWriter } from "./byte-stream.ts";
import { SharedTrees } from "./tree-stream.ts";
import { ValueReader } from "./value-reader.ts";
import { type StorableClass, TAG, TYPED_ARRAYS } from "./value-tags.ts";
import { ValueWriter } from "./value-writer.ts";

/** Class whose instances may reference themselves. */
class Person {
  readonly name: string;
  persisted: unknown;

  constructor(name: string) {
    this.name = name;
  }
}

const CLASSES: readonly StorableClass[] = [
  {
    type: Person,
    parts: (person) => [(person as Person).name],
    make: ([name]) => new Person(name as string),
    stateful: true,
  },
];
const EVERYWHERE = [new Uint8Array(32)];

function written(...values: readonly unknown[]): Uint8Array {
  const writer = new ValueWriter(CLASSES, EVERYWHERE, new SharedTrees());
  for (const value of values) writer.write(value);
  return writer.finish();
}

function read(bytes: Uint8Array): unknown {
  const reader = new ValueReader(bytes, CLASSES, EVERYWHERE, { trees: [], blobs: [] });
  const value = reader.read();
  reader.finish();
  return value;
}

const again = (value: unknown): unknown => read(written(value));

const anything = fc.oneof(
  fc.anything({
    withBigInt: true,
    withMap: true,
    withSet: true,
    withUnicodeString: true,
    noNullPrototype: true,
  } as fc.ObjectConstraints),
  fc.string({ unit: "binary" }),
  fc.bigInt(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.uint8Array(),
  fc.float64Array(),
);

describe("a value that was written", () => {
  test("is read as it was, whatever plain data it is", () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(again(value)).toStrictEqual(value);
      }),
      { numRuns: propertyRuns(500) },
    );
    for (const value of [-0, Number.NaN, 2 ** 53, -(2n ** 63n), 2n ** 63n, "\ud800", "é", "Ω"]) {
      expect(again(value)).toStrictEqual(value);
    }
  });

  test("keeps a field that is named as a prototype is", () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
    expect(JSON.stringify(again(value))).toBe('{"__proto__":{"a":1},"constructor":2}');
  });

  test("has one object where there was one, also where it leads back to itself", () => {
    const ring: unknown[] = [];
    const shared = { of: ring };
    ring.push(shared, shared, EVERYWHERE[0]);
    const [a, b, constant] = again(ring) as (typeof shared)[];
    expect(a).toBe(b);
    expect(a?.of).toContain(a);
    expect(constant).toBe(EVERYWHERE[0]);

    const [ann, bob] = [new Person("Ann"), new Person("Bob")];
    ann.persisted = [bob, ann];
    bob.persisted = ann;
    const [other, self] = (again(ann) as { persisted: [Person, Person] }).persisted;
    expect(self).toBeInstanceOf(Person);
    expect(other.persisted).toBe(self);
    expect(other.name).toBe("Bob");
  });

  test("has the very same item in a row once, however often it stands there", () => {
    const shared = { of: "many" };
    const items = [0, -0, ...Array.from({ length: 3000 }, () => shared), { of: "many" }, shared];
    const bytes = written(items);
    expect(bytes.length).toBeLessThan(60);
    const found = read(bytes) as object[];
    expect(found).toStrictEqual(items);
    expect(new Set(found.slice(2, -2)).size).toBe(1);
    expect([found[2] === found.at(-1), found[2] === found.at(-2)]).toEqual([true, false]);
  });

  test("is refused if it has a function, a symbol or an unknown class in it", () => {
    for (const value of [() => 1, Symbol("s"), new Bitset(3), new Date(0), new Int8Array(2)]) {
      expect(() => written({ value })).toThrow(/cannot be written/);
    }
  });
});

describe("bytes that no writer wrote", () => {
  test("are refused, and never take more room than they could fill", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          read(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  test("that say of an item that it stands there more often than it can are refused", () => {
    for (const items of [
      [1, TAG.again, 1],
      [2, TAG.smallInt, TAG.again, 2],
    ]) {
      expect(() => read(Uint8Array.of(TAG.array, ...items))).toThrow(
        "more often than there is room",
      );
    }
  });

  test("that say of a length more than there is are refused before it is read", () => {
    for (const tag of [TAG.latin, TAG.wide, TAG.array, TAG.map, TAG.set, TAG.newShape]) {
      const out = new ByteWriter();
      out.byte(tag);
      out.count(Number.MAX_SAFE_INTEGER);
      expect(() => read(out.finish())).toThrow(/do not fit/);
    }
    for (const type of TYPED_ARRAYS.keys()) {
      const out = new ByteWriter();
      out.raw(Uint8Array.of(TAG.typed, type));
      out.count(2 ** 40);
      expect(() => read(out.finish())).toThrow(/do not fit/);
    }
  });

  test("that nest values without end are refused", () => {
    const nested = new Uint8Array(20_000).map((_, i) => (i % 2 === 0 ? TAG.array : 1));
    expect(() => read(nested)).toThrow(/too deep/);
  });

  test("that are cut off or continue are refused", () => {
    const bytes = written({ some: [1, "two", 3n, new Uint8Array(4)] });
    for (let length = 0; length < bytes.length; length++) {
      expect(() => read(bytes.subarray(0, length))).toThrow();
    }
    expect(() => read(Uint8Array.of(...bytes, 0))).toThrow("1 bytes are left over");
  });
});
