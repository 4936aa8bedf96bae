import { readFileSync } from "node:fs";
import { type DescFile, ScalarType } from "@bufbuild/protobuf";
import { boot } from "@bufbuild/protobuf/codegenv2";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { file_google_protobuf_descriptor } from "@bufbuild/protobuf/wkt";
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

  test("has every message of descriptors but that of places in made code, with all fields and defaults", () => {
    const code = readFileSync(`${RUNTIME}/descriptor_pb.js`, "utf8");
    const [, json = ""] = /\bboot\((\{.*\})\);$/m.exec(lean(code)) ?? [];
    expect(json).not.toContain("editionDefaults");
    const fieldsOf = (file: DescFile): string[] =>
      [...nestedTypes(file)].flatMap((type) => {
        if (type.kind !== "message") return [type.typeName];
        return type.fields.map(
          ({ parent, number, name, fieldKind, proto }) =>
            `${parent.typeName} ${number} ${name} ${fieldKind} ${proto.defaultValue}`,
        );
      });
    const needed = fieldsOf(file_google_protobuf_descriptor).filter(
      (line) => !line.includes("GeneratedCodeInfo"),
    );
    expect(fieldsOf(boot(JSON.parse(json)))).toEqual(needed);
    expect(needed.length).toBeGreaterThan(100);
  });

  test("leaves other code as it is", () => {
    expect(lean("export const a = 1;")).toBe("export const a = 1;");
  });
});
