import { expect, test } from "vitest";
import { shownText, withShownTexts } from "./shown-text.ts";

test("text of Latin letters stays as it is, the same object", () => {
  const props = { children: ["val-0 ", "signs", 3, null], title: "val-0", value: "a\u202eb" };
  expect(withShownTexts(props)).toBe(props);
});

test("what is shown has marks and isolated words, what is typed is left alone", () => {
  const props = { children: ["Plan ", ["a\u202eb"]], "aria-label": "\u200bx", value: "a\u202eb" };
  expect(withShownTexts(props)).toEqual({
    children: ["Plan ", ["a⟨U+202E⟩b"]],
    "aria-label": "⟨U+200B⟩x",
    value: "a\u202eb",
  });
});

test("words from right to left turn nothing beside them", () => {
  expect(shownText("plan שלום עולם 20 of v2")).toBe("plan \u2068שלום עולם\u2069 20 of v2");
  expect(shownText("漢字 and émoji 👍")).toBe("漢字 and émoji 👍");
});
