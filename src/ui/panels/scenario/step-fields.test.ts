import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { formsOf, type Schema, verbsOf } from "./schema.ts";
import { fieldsOf, stepOf } from "./step-fields.ts";

const SCHEMA = JSON.parse(readFileSync("public/scenario.schema.json", "utf8")) as Schema;
const verbs = verbsOf(SCHEMA);

/** Returns the step that its form produces after some fields have changed. */
function formed(json: string, changes: Readonly<Record<string, string>> = {}): string {
  const fields = fieldsOf(json, verbs);
  const form = formsOf(verbs.get(fields.verb) ?? {})[fields.form];
  return stepOf({ ...fields, values: { ...fields.values, ...changes } }, form);
}

describe("a form", () => {
  test.each([
    ['{"run":5,"note":"More: blocks."}', '{ run: 5, note: "More: blocks." }'],
    ['{"run":{"to":20}}', '{ run: { "to": 20 } }'],
    ['{"double_sign":{"node":"val-2"},"as":"c"}', '{ double_sign: { "node": "val-2" }, as: "c" }'],
    [
      '{"nodes":{"which":["val-0"],"stop":true}}',
      '{ nodes: { "which": ["val-0"], "stop": true } }',
    ],
    ['{"nodes":{"which":"all","stage":"v2"}}', '{ nodes: { "which": "all", "stage": "v2" } }'],
  ])("of %s gives the step again", (json, step) => {
    expect(formed(json)).toBe(step);
  });

  const stories = readdirSync("public/scenarios").filter((file) => file.endsWith(".yaml"));
  test.each(stories)("of any step of %s gives the step again", (file) => {
    const { steps } = parse(readFileSync(`public/scenarios/${file}`, "utf8"));
    for (const step of steps) expect(parse(formed(JSON.stringify(step)))).toEqual(step);
  });

  test.each([
    ['{"propose":{"from":"alice","deposit":"9007199254740993"}}', { title: "A" }],
    ['{"double_sign":{"node":"val-1","later":{"x":1}}}', {}],
    ['{"partition":[["val-0"],["val-1","val-2"]]}', {}],
    ['{"upgrade":{"name":"v2","at":20,"info":""}}', {}],
  ])("of %s keeps what is not written anew", (json, changes) => {
    const [[verb, args]] = Object.entries(JSON.parse(json)) as [[string, object]];
    const kept = Array.isArray(args) ? args : { ...args, ...changes };
    expect(parse(formed(json, changes))).toEqual({ [verb]: kept });
  });

  test("writes a number that would come back as another one as a text, where that may stand", () => {
    const changed = formed('{"propose":{"from":"alice"}}', { deposit: "9007199254740993" });
    expect(parse(changed).propose.deposit).toBe("9007199254740993");
  });
});
