import {
  create,
  createRegistry,
  type DescField,
  type DescMessage,
  equals,
  fromBinary,
  type Message,
  type MessageInitShape,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  AnySchema,
  DurationSchema,
  Int64ValueSchema,
  StringValueSchema,
  TimestampSchema,
} from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { propertyRuns } from "../../base/property.testing.ts";
import { RECORDS } from "../../gen/records.ts";
import { registry } from "../../gen/registry.ts";
import { accelerateRecords, decodeMessage, encodeMessage } from "./codec.ts";
import { decodePlainly, encodePlainly } from "./records.ts";

const all = createRegistry(
  ...registry,
  AnySchema,
  DurationSchema,
  Int64ValueSchema,
  StringValueSchema,
  TimestampSchema,
);

const schemas = Object.keys(RECORDS).map((name) => {
  const schema = all.getMessage(name);
  if (schema === undefined) throw new Error(`${name} is no message of the chain`);
  return schema;
});

const text = fc.string({
  unit: fc.integer({ min: 0, max: 127 }).map((n) => String.fromCharCode(n)),
});
const bytes = fc.uint8Array({ maxLength: 200 });

/**
 * Values that the generated functions support, in all sizes. Packed lists are supported only if
 * empty.
 */
const USUAL: Readonly<Partial<Record<ScalarType, fc.Arbitrary<unknown>>>> = {
  [ScalarType.STRING]: fc.oneof(text, fc.constant(""), fc.constant("a".repeat(200))),
  [ScalarType.BYTES]: bytes,
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.INT32]: fc.oneof(fc.constant(0), fc.nat(), fc.nat(300)),
  [ScalarType.UINT32]: fc.oneof(fc.constant(0), fc.nat(0xffffffff)),
  [ScalarType.INT64]: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  [ScalarType.UINT64]: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
};

/** Values that the functions may leave to the library; some of them are invalid in any message. */
const UNUSUAL: Readonly<Partial<Record<ScalarType, fc.Arbitrary<unknown>>>> = {
  [ScalarType.STRING]: fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("\ud800", "\ufeffa", 7, null),
  ),
  [ScalarType.BYTES]: fc.constantFrom(new Uint8Array(), [1, 2], "AQ==", null),
  [ScalarType.BOOL]: fc.constantFrom(1, "true", null),
  [ScalarType.INT32]: fc.oneof(fc.integer(), fc.constantFrom(-1, -0, 0.5, 2 ** 31, "7", NaN, null)),
  [ScalarType.UINT32]: fc.oneof(
    fc.integer(),
    fc.constantFrom(-1, -0, 0.5, 2 ** 32, "7", NaN, null),
  ),
  [ScalarType.INT64]: fc.constantFrom(-(2n ** 63n) - 1n, -1n, 2n ** 63n, 7, "7", null),
  [ScalarType.UINT64]: fc.constantFrom(-1n, 2n ** 63n, 2n ** 64n, 7, "7", null),
};

type Values = (field: DescField) => fc.Arbitrary<unknown>;

const scalarOf = (field: DescField): ScalarType =>
  field.enum ? ScalarType.INT32 : (field.scalar as ScalarType);

const usual: Values = (field) => USUAL[scalarOf(field)] as fc.Arbitrary<unknown>;
const strange: Values = (field) =>
  fc.oneof(
    { weight: 8, arbitrary: usual(field) },
    { weight: 1, arbitrary: UNUSUAL[scalarOf(field)] as fc.Arbitrary<unknown> },
  );

/** Fields of a message; any of them may be omitted. */
function fieldsOf(
  schema: DescMessage,
  values: Values,
): fc.Arbitrary<MessageInitShape<DescMessage>> {
  const one = (field: DescField): fc.Arbitrary<unknown> =>
    field.message ? fieldsOf(field.message, values) : values(field);
  const list = (field: DescField) => fc.array(one(field), { maxLength: 3 });
  const of = (field: DescField): fc.Arbitrary<unknown> => {
    if (field.fieldKind !== "list") return one(field);
    return field.packed && values === usual ? fc.constant([]) : list(field);
  };
  const fields = schema.fields.map((field) => [field.localName, of(field)] as const);
  return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys: [] });
}

const any = fc.constantFrom(...schemas);

/** Returns the value of a call, or the text of its error. */
function outcome<T>(call: () => T): { readonly value: T } | { readonly error: string } {
  try {
    return { value: call() };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Bytes of a message, with a few changed, removed, inserted or cut off. */
const damaged = (schema: DescMessage): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(
      fieldsOf(schema, usual),
      fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(3)), { maxLength: 4 }),
    )
    .map(([fields, changes]) => {
      const found = [...toBinary(schema, create(schema, fields))];
      for (const [where, byte, how] of changes) {
        const at = where % (found.length + 1);
        if (how === 0) found[at] = byte;
        else if (how === 1) found.splice(at, 1);
        else if (how === 2) found.splice(at, 0, byte);
        else found.length = at;
      }
      return Uint8Array.from(found);
    });

const chained = <T>(make: (schema: DescMessage) => fc.Arbitrary<T>) =>
  any.chain((schema) => make(schema).map((made) => [schema, made] as const));

beforeAll(accelerateRecords);

describe("generated functions for records", () => {
  test("give every usual message the library's bytes, and give it back, without the library", () => {
    for (const schema of schemas) {
      fc.assert(
        fc.property(fieldsOf(schema, usual), (fields) => {
          const expected = toBinary(schema, create(schema, fields));
          expect(encodePlainly(schema, fields)).toEqual(expected);
          expect(encodePlainly(schema, create(schema, fields))).toEqual(expected);
          expect(decodePlainly(schema, expected)).toStrictEqual(fromBinary(schema, expected));
        }),
        { numRuns: propertyRuns(10) },
      );
    }
  });

  test("give every other message what the library gives it, or its error", () => {
    fc.assert(
      fc.property(
        chained((schema) => fieldsOf(schema, strange)),
        ([schema, fields]) => {
          const init = fields as MessageInitShape<DescMessage>;
          expect(outcome(() => encodeMessage(schema, init))).toEqual(
            outcome(() => toBinary(schema, create(schema, init))),
          );
        },
      ),
      { numRuns: propertyRuns(1000) },
    );
  });

  test("read damaged bytes as the library does, or throw its error", () => {
    fc.assert(
      fc.property(chained(damaged), ([schema, found]) => {
        expect(outcome(() => decodeMessage(schema, found))).toStrictEqual(
          outcome(() => fromBinary(schema, found)),
        );
      }),
      { numRuns: propertyRuns(4000) },
    );
  });

  test("leave to the library what came twice, split, or is not known", () => {
    const twice = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .bytes(Uint8Array.of(8, 1))
      .tag(1, WireType.LengthDelimited)
      .bytes(Uint8Array.of(16, 2))
      .finish();
    for (const schema of schemas.filter((one) =>
      one.fields.some((f) => f.number === 1 && f.fieldKind === "message"),
    )) {
      expect(decodePlainly(schema, twice)).toBeUndefined();
      expect(outcome(() => decodeMessage(schema, twice))).toStrictEqual(
        outcome(() => fromBinary(schema, twice)),
      );
    }
    for (const schema of schemas) {
      const unknown = new BinaryWriter().tag(999, WireType.Varint).uint32(1).finish();
      expect(decodePlainly(schema, unknown)).toBeUndefined();
      const message: Message = decodeMessage(schema, unknown);
      expect(message.$unknown).toHaveLength(1);
      expect(encodePlainly(schema, message as MessageInitShape<DescMessage>)).toBeUndefined();
      expect(encodeMessage(schema, message as MessageInitShape<DescMessage>)).toEqual(unknown);
    }
  });

  test("do not touch what was written or read before", () => {
    const first = encodeMessage(AnySchema, { typeUrl: "/a", value: Uint8Array.of(1, 2) });
    const read = decodeMessage(AnySchema, first);
    const copy = first.slice();
    encodeMessage(AnySchema, { typeUrl: "/bbbbbbbb", value: new Uint8Array(100_000) });
    expect(first).toEqual(copy);
    expect(equals(AnySchema, read, fromBinary(AnySchema, copy))).toBe(true);
  });
});
