import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_TYPES } from "./event-types.ts";

const MODULES = new URL("../../engine/modules/", import.meta.url);

/** The types that the modules' sources emit, by the constants or texts that stand there. */
function emitted(): ReadonlySet<string> {
  const types = new Set<string>();
  for (const module of readdirSync(MODULES)) {
    const files = readdirSync(new URL(`${module}/`, MODULES));
    if (!files.includes("events.ts")) continue;
    const text = readFileSync(new URL(`${module}/events.ts`, MODULES), "utf8");
    const constants = new Map(
      [...text.matchAll(/const ([A-Z_]+) = "([a-z_]+)"/g)].map(([, name, type]) => [name, type]),
    );
    for (const [, type, name] of text.matchAll(/\.emit\(\s*(?:"([a-z_]+)"|([A-Z_]+))/g)) {
      const found = type ?? constants.get(name);
      if (found !== undefined) types.add(found);
    }
    // Those that a caller chooses among.
    for (const [name, type] of constants) if (name?.endsWith("_PROPOSAL") && type) types.add(type);
  }
  return types;
}

test("every type of event that a module emits is offered, and no other", () => {
  const types = emitted();
  expect(types.size).toBeGreaterThan(15);
  expect([...EVENT_TYPES].sort()).toEqual([...types].sort());
});
