import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseScenario } from "../src/scenario/parse.ts";
import { SCENARIO_DOCS, tablesOf, withTables } from "./scenario-docs.ts";
import { scenarioSchema } from "./schema.ts";

const document = readFileSync(SCENARIO_DOCS, "utf8");

test("the tables of docs/scenarios.md are what npm run gen would write", () => {
  expect(document).toBe(withTables(document));
});

test("every part of the format has its table", () => {
  const there = Array.from(document.matchAll(/<!-- table (\S+) -->/g), ([, name]) => name);
  expect(there.toSorted()).toEqual([...tablesOf(JSON.parse(scenarioSchema())).keys()].toSorted());
});

/** Every key of a map and every value of a choice that stands somewhere in a schema. */
function wordsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, enum: values = [] } = schema as Partial<Record<string, object>>;
  const single = "const" in schema ? [schema.const] : [];
  const own = [...Object.keys(properties), ...Object.values(values), ...single].map(String);
  return [...own, ...Object.values(schema).flatMap(wordsOf)];
}

test("every key and every value of a choice in the JSON Schema is in the document", () => {
  const named = [...document.matchAll(/`([^`\n]+)`|^#+ (.*)/gm)].flatMap(
    ([, code = "", title = ""]) => [code, title, ...code.split(/[^\w@-]+/)],
  );
  const words = new Set(wordsOf(JSON.parse(scenarioSchema())));
  expect(words.size).toBeGreaterThan(200);
  expect([...words].filter((word) => !named.includes(word))).toEqual([]);
});

test("every form of a verb has a row for each of its keys", () => {
  const missing = [...tablesOf(JSON.parse(scenarioSchema()))].flatMap(([name, { anyOf = [] }]) => {
    const [, table = ""] = document.split(`<!-- table ${name} -->`);
    const [rows = ""] = table.split("<!-- end -->");
    const keys = anyOf.flatMap(({ properties = {} }) => Object.keys(properties));
    return keys.filter(
      (key) => rows.split(`\n| \`${key}\` |`).length - 1 !== keys.filter((k) => k === key).length,
    );
  });
  expect(missing).toEqual([]);
});

test("every key of every table has an example", () => {
  const rows = document.matchAll(/^\| `(.*?)` \| .*? \| .*? \| (.*?) \|/gm);
  expect(Array.from(rows).filter(([, , example]) => !example)).toEqual([]);
});

test("a table that no part of the format gives is refused", () => {
  expect(() => withTables("<!-- table verb:reboot -->\n<!-- end -->")).toThrow(
    "no table verb:reboot",
  );
});

test("every key of every table says what it means", () => {
  const rows = document.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.filter((row) => row.endsWith("|  |"))).toEqual([]);
});

describe("examples", () => {
  const blocks = Array.from(document.matchAll(/```yaml\n([\s\S]*?)```/g), ([, text = ""]) => text);
  /** Steps by themselves stand in a world that has the names they use. */
  const fileOf = (text: string): string =>
    text.startsWith("scenario:")
      ? text
      : `scenario: 1\nname: example\ngenesis: { accounts: { alice: 1000000000stake } }\nsteps:\n${text}`;

  test.each(blocks)("%s", (text) => {
    expect(parseScenario(fileOf(text), "example.yaml")).toMatchObject({
      scenario: expect.anything(),
    });
  });
});
