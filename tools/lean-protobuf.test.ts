import { readFileSync } from "node:fs";
import { create, type DescMessage, fromBinary, ScalarType, toBinary } from "@bufbuild/protobuf";
import { boot } from "@bufbuild/protobuf/codegenv2";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileOptionsSchema, file_google_protobuf_descriptor } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { lean } from "./lean-protobuf.ts";

const RUNTIME = "node_modules/@bufbuild/protobuf/dist/esm/wkt/gen/google/protobuf";

describe("a build's protobuf", () => {
  test("has every descriptor as the bytes that its base64 stands for", () => {
    const code = readFileSync("src/gen/chain/bank/v1beta1/tx_pb.ts", "utf8");
    const base64 = /fileDesc\("([^"]+)"/.exec(code)?.[1] ?? "";
    const [, text = ""] = /btoa\(("(?:[^"\\]|\\.)+")\)/.exec(lean(code)) ?? [];
    expect(btoa(JSON.parse(text))).toBe(base64);
    expect(lean(code)).not.toContain(base64);
  });

  test("has the runtime's enums as values of their own, the same as before", () => {
    const code = readFileSync(`${RUNTIME}/descriptor_pb.js`, "utf8");
    expect(lean(code)).not.toContain("export var");
    const [source = ""] = /^export const Edition = [\s\S]*?^\}\)\(\{\}\);/m.exec(lean(code)) ?? [];
    const enumOf = new Function(source.replace("export const Edition =", "return"));
    expect(enumOf()).toMatchObject({ EDITION_PROTO3: 999, 999: "EDITION_PROTO3" });
  });

  test("reads every default but bytes, which no field has", () => {
    const source = lean(readFileSync(`${RUNTIME}/../../../../wire/text-format.js`, "utf8"));
    expect(source).toContain("return false;\n}");
    expect(source).not.toContain("charCodeAt");
    const fields = [...nestedTypes(file_google_protobuf_descriptor)].flatMap((type) =>
      type.kind === "message" ? type.fields.filter(({ proto }) => proto.defaultValue !== "") : [],
    );
    expect(fields.length).toBeGreaterThan(5);
    expect(fields.filter(({ scalar }) => scalar === ScalarType.BYTES)).toEqual([]);
  });

  test("has every message of descriptors at its place, and of its fields what reading a message asks for", () => {
    const code = readFileSync(`${RUNTIME}/descriptor_pb.js`, "utf8");
    const [, json = ""] = /\bboot\((\{.*\})\);$/m.exec(lean(code)) ?? [];
    expect(json).not.toContain("editionDefaults");
    const lines = boot(JSON.parse(json)).messages.map(linesOf);
    const whole = file_google_protobuf_descriptor.messages.map(linesOf);
    expect(lines.length).toBe(whole.length - 1);
    expect(lines.map(([name]) => name)).toEqual(whole.slice(0, -1).map(([name]) => name));
    const left = whole
      .slice(0, -1)
      .flatMap((all, at) => all.filter((l) => !lines[at]?.includes(l)));
    expect(lines.flat().filter((line) => !whole.flat().includes(line))).toEqual([]);
    // A descriptor is read by what its own messages say, and options by features and how repeated numbers are packed.
    expect(left.filter((line) => !LEFT_OUT.test(line))).toEqual([]);
    expect(lines.flat().length).toBeGreaterThan(100);
  });

  test("keeps an option of another language that a descriptor carries, as bytes it has no field for", () => {
    const code = readFileSync(`${RUNTIME}/descriptor_pb.js`, "utf8");
    const [, json = ""] = /\bboot\((\{.*\})\);$/m.exec(lean(code)) ?? [];
    const options = boot(JSON.parse(json)).messages.find(({ name }) => name === "FileOptions");
    if (options === undefined) throw new Error("no FileOptions");
    const bytes = toBinary(
      FileOptionsSchema,
      create(FileOptionsSchema, { goPackage: "x/evidence" }),
    );
    expect(toBinary(options, fromBinary(options, bytes))).toEqual(bytes);
  });

  test("leaves other code as it is", () => {
    expect(lean("export const a = 1;")).toBe("export const a = 1;");
  });
});

const LEFT_OUT =
  /uninterpreted_option|FeatureSet \d+ (?:enforce_naming_style|default_symbol_visibility) |\b(?:ExtensionRangeOptions|FileOptions|FieldOptions|EnumValueOptions|UninterpretedOption|FeatureSetDefaults|SourceCodeInfo) (?!.*\b(?:packed|jstype|deprecated|features)\b)/;

/** The name of a message, then each of its fields with number, kind and default. */
const linesOf = ({ name, fields }: DescMessage): string[] => [
  name,
  ...fields.map(
    (field) =>
      `${name} ${field.number} ${field.name} ${field.fieldKind} ${field.proto.defaultValue}`,
  ),
];
