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
