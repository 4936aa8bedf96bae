import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DOCUMENT, withPlaces } from "./code-places.ts";

const SOURCE =
  "import { advance } from './x.ts';\n\nexport class Network {\n  advance(): void {}\n}\n";

test("every place that ARCHITECTURE.md names is where it says; else run npm run gen", () => {
  const document = readFileSync(DOCUMENT, "utf8");
  expect(document.match(/\.tsx?:\d+`\)/g)?.length).toBeGreaterThan(10);
  expect(withPlaces(document)).toBe(document);
});

test("a place gets the line of the declaration, not of a use", () => {
  expect(withPlaces("`Network.advance` (`a.ts:99`) and `Network` (`a.ts:1`)", () => SOURCE)).toBe(
    "`Network.advance` (`a.ts:4`) and `Network` (`a.ts:3`)",
  );
});

test("a name that its file does not declare is an error", () => {
  expect(() => withPlaces("`Network.retreat` (`a.ts:4`)", () => SOURCE)).toThrow(
    "a.ts declares no Network.retreat",
  );
});
