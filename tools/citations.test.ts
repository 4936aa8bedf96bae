import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { danglingCitations, oldCitations, ruleNumbers } from "./citations.ts";
import { citingOf, rulesOf } from "./measure.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

test("every rule that the sources and the rules cite is there", () => {
  const rules = rulesOf(ROOT);
  expect(citingOf(ROOT).flatMap(({ file, text }) => danglingCitations(file, text, rules))).toEqual(
    [],
  );
});

test("nothing cites a document that is not in the repository", () => {
  expect(citingOf(ROOT).flatMap(({ file, text }) => oldCitations(file, text))).toEqual([]);
});

test("headings and numbered rules have numbers, other text has none", () => {
  const markdown = [
    "# Rules",
    "## 1. Types",
    "**1.2 Equivocation.** Fields in wire order: 1 height, 2 time.",
    "**2.10 Another.** Text",
    "9.9 at the beginning of a line that goes with the one above",
    "in the middle 9.8 of a line",
  ].join("\n");
  expect([...ruleNumbers(markdown)]).toEqual(["1", "1.2", "2.10"]);
});

test("a citation of an unknown rule or file leads nowhere, each of several by itself", () => {
  const rules = new Map([["evidence", new Set(["3.1", "3.2"])]]);
  const text = "// See rules/evidence 3.2.\n// rules/evidence 3.1, 3.3 and 4.1; rules/ibc 1";
  expect(danglingCitations("x.ts", text, rules)).toEqual([
    "x.ts:2  rules/evidence 3.3",
    "x.ts:2  rules/evidence 4.1",
    "x.ts:2  rules/ibc 1",
  ]);
});

test("a citation of a document that is not in the repository is found, an RFC is not", () => {
  const text = [
    "// staking facts §4.7",
    "// The upgrade document §2 says so.",
    "// as upstream does, RFC 6962 §2.1",
    "// CosmJS's way; evidence facts.",
    'test("refuses (facts: height regression)")',
  ].join("\n");
  expect(oldCitations("x.ts", text)).toEqual([
    "x.ts:1  staking facts",
    "x.ts:1  §",
    "x.ts:2  document §",
    "x.ts:4  evidence facts",
    "x.ts:5  (facts: h",
  ]);
});
