import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INDEX_FILE, SCHEMA_FILE, scenarioIndex, scenarioSchema } from "./schema.ts";

test("the published JSON Schema is what npm run gen would write", () => {
  expect(readFileSync(SCHEMA_FILE, "utf8")).toBe(scenarioSchema());
});

test("the list of bundled scenarios is what npm run gen would write", () => {
  expect(readFileSync(INDEX_FILE, "utf8")).toBe(scenarioIndex());
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
