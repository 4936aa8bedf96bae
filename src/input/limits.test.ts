import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INPUT } from "./limits.ts";

test("the documents list every limit", () => {
  const text = readFileSync(new URL("../../docs/scenarios.md", import.meta.url), "utf8");
  const [, limits = ""] = text.split("\n## Limits\n");
  const listed = Array.from(limits.matchAll(/^\| .* \| ([0-9]+) \|$/gm), ([, most]) =>
    Number(most),
  );
  expect(listed).toEqual(expect.arrayContaining(Object.values(INPUT)));
});
