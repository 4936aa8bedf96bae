import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INDEX_FILE, SCHEMA_FILE, scenarioIndex, scenarioSchema } from "./schema.ts";

test("the published JSON Schema is what npm run gen would write", () => {
  expect(readFileSync(SCHEMA_FILE, "utf8")).toBe(scenarioSchema());
});

test("the list of bundled scenarios is what npm run gen would write", () => {
  expect(readFileSync(INDEX_FILE, "utf8")).toBe(scenarioIndex());
});
