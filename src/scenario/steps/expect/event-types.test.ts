import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseScenario } from "../../parse.ts";
import { EVENT_TYPES } from "./event-types.ts";

const MODULES = new URL("../../../engine/modules/", import.meta.url);

/** The types that the modules' sources emit, from the constants or texts there. */
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
    // Types that a caller selects.
    for (const [name, type] of constants) if (name?.endsWith("_PROPOSAL") && type) types.add(type);
  }
  return types;
}

test("every type of event that a module emits is offered, and no other", () => {
  const types = emitted();
  expect(types.size).toBeGreaterThan(15);
  expect([...EVENT_TYPES].sort()).toEqual([...types].sort());
});

test("a type that no module emits is refused beside its place, in steps and in properties", () => {
  const text = `scenario: 1
name: events
genesis: { validators: 4 }
never:
  - events: { type: slashed }
steps:
  - run: 2
  - expect: { events: { type: slas }, count: 0 }
`;
  const read = parseScenario(text, "a.yaml");
  if (!("problems" in read)) throw new Error("it was read");
  expect(read.problems).toMatchObject([
    { line: 5, path: "never[0].events.type" },
    { line: 8, path: "steps[1].expect.events.type" },
  ]);
  for (const { message } of read.problems) {
    expect(message).toMatch(/^expected one of slash, liveness, .*, found "slas(hed)?"$/);
  }
});
