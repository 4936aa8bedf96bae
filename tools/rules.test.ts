import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { profileOf } from "../src/engine/app/profile.ts";
import { rulesOf } from "./measure.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const FILES = [...rulesOf(ROOT).keys()].filter((name) => name !== "README");

const textOf = (name: string): string => readFileSync(`${ROOT}docs/rules/${name}.md`, "utf8");

/** Each rule with its text, up to the next rule or heading. */
const rulesIn = (name: string): string[] =>
  textOf(name)
    .split(/\n(?=\*\*\d|#)/)
    .filter((part) => part.startsWith("**"));

test.each(FILES)("the rules of %s are numbered one after the other", (name) => {
  const numbers = [...textOf(name).matchAll(/^(?:## |\*\*)(\d+)(?:\.(\d+))?/gm)];
  let section = 0;
  let rule = 0;
  for (const [, s, r] of numbers) {
    if (r === undefined) rule = 0;
    else rule += 1;
    if (r === undefined) section += 1;
    expect(r === undefined ? [Number(s)] : [Number(s), Number(r)]).toEqual(
      r === undefined ? [section] : [section, rule],
    );
  }
});

test.each(FILES)("every rule of %s names its source, in lines that fit", (name) => {
  expect(rulesIn(name).filter((rule) => !/\[[^\]]+\]\s*$/.test(rule))).toEqual([]);
  expect(
    textOf(name)
      .split("\n")
      .filter((line) => line.length > 120),
  ).toEqual([]);
});

test("every row of the profiles is marked once, in a rule that says what either profile does", () => {
  const marked = FILES.flatMap(rulesIn).flatMap((rule) => {
    const rows = rule.match(/\*\*P\*\*\s`\w+`/g) ?? [];
    for (const profile of ["*documented*", "*sdk-0.53*"]) {
      expect([rule, rule.split(profile).length - 1]).toEqual([rule, rows.length]);
    }
    return rows.map((row) => row.slice("**P** `".length, -1));
  });
  expect(marked.sort()).toEqual(Object.keys(profileOf("documented")).sort());
});
