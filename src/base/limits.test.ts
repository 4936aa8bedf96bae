import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMPARED, INPUT, SERVER } from "./limits.ts";

test.each([
  ["scenarios.md", new URL("../../docs/scenarios.md", import.meta.url), INPUT],
  ["nodes.md", new URL("../../docs/nodes.md", import.meta.url), { ...SERVER, ...COMPARED }],
])("%s lists every limit", (_, file, limits) => {
  const text = readFileSync(file, "utf8");
  const [, table = ""] = text.split("\n## Limits\n");
  const listed = Array.from(table.matchAll(/^\| .* \| ([0-9]+) \|$/gm), ([, most]) => Number(most));
  expect(listed).toEqual(expect.arrayContaining(Object.values(limits)));
});
