import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  FAMILIES_FILE,
  familyIndex,
  INDEX_FILE,
  listingOf,
  SCHEMA_FILE,
  scenarioIndex,
  scenarioSchema,
} from "./schema.ts";

test("the published JSON Schema is what npm run gen would write", () => {
  expect(readFileSync(SCHEMA_FILE, "utf8")).toBe(scenarioSchema());
});

test("the list of bundled families is what npm run gen would write", () => {
  expect(readFileSync(FAMILIES_FILE, "utf8")).toBe(familyIndex());
});

test("the list of bundled scenarios is what npm run gen would write", () => {
  expect(readFileSync(INDEX_FILE, "utf8")).toBe(scenarioIndex());
});

test("a story is listed with the minutes that its file gives, otherwise with what telling it takes", () => {
  const telling = (...lines: string[]) =>
    listingOf(["scenario: 1", "name: x", ...lines, "steps: [{ run: 20 }]"].join("\n"), "x.yaml");
  expect(telling("minutes: 12").seconds).toBe(720);
  expect(telling("minutes: 1.5").seconds).toBe(90);
  expect(telling().seconds).toBe(10);
  expect(telling("pace: 1").seconds).toBe(20);
});

/** Paths of the keys that nothing is said about. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  const here = Object.entries(properties).flatMap(([key, { description }]) =>
    description ? [] : [`${path}/${key}`],
  );
  const below = Object.entries(schema).flatMap(([key, part]) =>
    undescribed(part, `${path}/${key}`),
  );
  return [...here, ...below];
}

test("the published JSON Schema says of every key what it is", () => {
  expect(undescribed(JSON.parse(scenarioSchema()), "")).toEqual([]);
});
