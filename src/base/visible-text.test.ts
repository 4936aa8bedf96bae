import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleJson } from "./visible-json.ts";
import { visibleText } from "./visible-text.ts";

test.each([
  ["a\u202ebc", "a⟨U+202E⟩bc"],
  ["a\u200bb", "a⟨U+200B⟩b"],
  ["\u001b[31mred", "⟨U+001B⟩[31mred"],
  ["a\rb", "a⟨U+000D⟩b"],
  ["a\u0000b\u009b", "a⟨U+0000⟩b⟨U+009B⟩"],
  ["half \ud83d of one", "half ⟨U+D83D⟩ of one"],
  ["tag \u{e0041}", "tag ⟨U+E0041⟩"],
  ["a\u200db", "a⟨U+200D⟩b"],
  ["a\u2028b", "a⟨U+2028⟩b"],
])("%j is shown as %s", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text);
});

test("emoji, other scripts, line breaks and tabs stay as they are", () => {
  for (const text of ["👩‍👩‍👧", "🏳️‍🌈", "👩🏽‍💻", "שלום", "العربية", "漢字", "a\n\tb", "é"]) {
    expect(visibleText(text)).toBe(text);
    expect(visibleJson(text)).toBe(text);
  }
});

test("nothing unseen is left of any text, and its JSON still has the same value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = visibleText(text);
      expect(visibleText(shown)).toBe(shown);
      expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
      expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text);
    }),
  );
});
