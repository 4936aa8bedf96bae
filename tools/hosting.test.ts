import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EMBEDDED_HEADERS, SECURITY_HEADERS } from "../src/node/server/security-headers.mjs";

const GUIDE = readFileSync(new URL("../docs/hosting.md", import.meta.url), "utf8");
/**
 * Headers that only `npm start` sends: features that the page does not use add little to the
 * policy, and much to read.
 */
const LEFT_OUT = ["Permissions-Policy"];

test("the headers that the guide for hosts gives are those of npm start", () => {
  const named = Object.entries(SECURITY_HEADERS).filter(([name]) => !LEFT_OUT.includes(name));
  expect(named.length).toBeGreaterThan(3);
  for (const [name, value] of named) expect(GUIDE).toContain(`add_header ${name} "${value}";`);
});

test("and those of the page that others may show in a frame", () => {
  const [, location = ""] = GUIDE.split("location = /lab/embed.html {");
  const [block = ""] = location.split("}", 1);
  const named = Object.entries(EMBEDDED_HEADERS).filter(([name]) => !LEFT_OUT.includes(name));
  for (const [name, value] of named) expect(block).toContain(`add_header ${name} "${value}";`);
});
