import { expect, test } from "vitest";
import { toYaml } from "./yaml.ts";

test.each([
  [{ name: "v2", height: "30", info: "" }, 'height: "30"\ninfo: ""\nname: v2\n'],
  [{ b: { d: [], c: {} }, a: null }, "a: null\nb:\n  c: {}\n  d: []\n"],
  [
    { list: [{ b: "x", a: 1 }, "two words", ["in"]] },
    "list:\n- a: 1\n  b: x\n- two words\n- - in\n",
  ],
  [
    { words: ["true", "No", "12", "1e3", "~", "a: b", "- a", " a", "a "] },
    'words:\n- "true"\n- "No"\n- "12"\n- "1e3"\n- "~"\n- "a: b"\n- "- a"\n- " a"\n- "a "\n',
  ],
  [[{ "@type": "/a.B" }], "- '@type': /a.B\n"],
  [{}, "{}\n"],
  [[], "[]\n"],
  ["a\nb", '"a\\nb"\n'],
])("%j", (value, text) => {
  expect(toYaml(value)).toBe(text);
});
