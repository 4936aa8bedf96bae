import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type DescFile } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { file_google_protobuf_descriptor } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { fileDesc } from "./late-descriptors.ts";
import { ROOT } from "./setup.mjs";

const GEN = join(ROOT, "src/gen");
const WELL_KNOWN = join(ROOT, "node_modules/@bufbuild/protobuf/dist/esm/wkt/gen/google/protobuf");

/** Every file that is generated, with the file descriptors that the library makes of them at once. */
const whole = new Map<string, DescFile>();
const base64 = new Map<string, string>();
for (const folder of [WELL_KNOWN, GEN]) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const [, text] =
      /fileDesc\("([\w+/]+)"/.exec(
        /_pb\.[jt]s$/.test(name) ? readFileSync(join(folder, name), "utf8") : "",
      ) ?? [];
    if (text === undefined) continue;
    const module: Record<string, DescFile> = await import(join(folder, name));
    const file = Object.values(module).find(({ kind }) => kind === "file") as DescFile;
    whole.set(file.name, file);
    base64.set(file.name, text);
  }
}

/** The same descriptors as a build has them, none of which was asked for anything yet. */
function lateFiles(): ReadonlyMap<string, DescFile> {
  const files = new Map([[file_google_protobuf_descriptor.name, file_google_protobuf_descriptor]]);
  const lateFile = (name: string): DescFile => {
    const known = files.get(name);
    if (known) return known;
    const imports = whole.get(name)?.dependencies.map((one) => lateFile(one.name)) ?? [];
    const file = fileDesc(atob(base64.get(name) ?? ""), imports);
    files.set(name, file);
    return file;
  };
  for (const name of whole.keys()) lateFile(name);
  return files;
}

/** Holds two graphs of objects against each other: whatever one object is in one, is one object in the other. */
function same(a: unknown, b: unknown, path: string, pairs: Map<unknown, unknown>): void {
  if (typeof a !== "object" || a === null) {
    if (typeof a === "function") expect(typeof b, path).toBe("function");
    else expect(b, path).toBe(a);
    return;
  }
  if (pairs.has(a)) {
    if (pairs.get(a) !== b) throw new Error(`${path} is another object`);
    return;
  }
  pairs.set(a, b);
  expect(Object.keys(b as object).sort(), path).toEqual(Object.keys(a).sort());
  for (const [key, value] of Object.entries(a))
    same(value, (b as Record<string, unknown>)[key], `${path}.${key}`, pairs);
}

const orders = {
  "from the last": [...whole.keys()].reverse(),
  "from the first": [...whole.keys()],
};

test.each(Object.entries(orders))(
  "descriptors that are read late, %s file, are what the library makes of them at once, each one object",
  (_, names) => {
    const late = lateFiles();
    expect(late.size).toBeGreaterThan(60);
    for (const name of names) expect(late.get(name)?.proto.name).toBe(`${name}.proto`);
    const pairs = new Map<unknown, unknown>();
    for (const [name, file] of whole) same(file, late.get(name), name, pairs);
    expect(new Set(pairs.values()).size).toBe(pairs.size);
  },
);

test("names, methods and what extends what are there without reading a file", () => {
  const names = (files: ReadonlyMap<string, DescFile>) =>
    [...createRegistry(...[...files.values()].flatMap((file) => [...nestedTypes(file)]))].flatMap(
      (type) => [
        String(type),
        ...(type.kind === "extension" ? [`${type.number} ${type.extendee}`] : []),
        ...(type.kind === "service"
          ? type.methods.map(
              ({ methodKind, input, output, ...method }) =>
                `${method.localName} ${input} ${output} ${methodKind}`,
            )
          : []),
      ],
    );
  const unread = lateFiles();
  expect(names(unread)).toEqual(expect.arrayContaining(names(whole)));
  const base = unread.get("chain/base/v1beta1/coin");
  expect(Object.keys(base ?? {})).not.toContain("proto");
});

test("a copy of a method, a service or an extension has all of it, though nothing was asked of its file before", () => {
  const late = lateFiles();
  const { services = [] } = late.get("chain/bank/v1beta1/query") ?? {};
  const { extensions = [] } = late.get("chain/base/v1beta1/annotations") ?? {};
  expect({ ...services[0] }.proto?.name).toBe("Query");
  expect({ ...services[0]?.methods[0] }.idempotency).toBe(0);
  expect({ ...extensions[0] }).toMatchObject({ fieldKind: "scalar" });
});
