import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { pageOf } from "./rule-pages/html.ts";
import { ruleFiles, textsOf } from "./rule-pages/plugin.ts";
import { INDEX, readDocument, readDocuments } from "./rule-pages/read.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

describe("a document of rules", () => {
  const document = readDocument(
    "gov",
    `# Governance rules

## 2. Votes

**2.1 \`Options\`.** A vote has \`options\`; \`rules/staking 3.1\` says who & what.

A second paragraph, [elsewhere](staking.md).
`,
  );

  test("is read into rules by their numbers, with what they cite", () => {
    expect(textsOf([document])["gov 2.1"]).toEqual({
      title: "Options",
      href: "gov.html#2.1",
      pieces: [
        {
          tag: "p",
          pieces: [
            "A vote has ",
            { tag: "code", pieces: ["options"] },
            "; ",
            {
              tag: "a",
              href: "staking.html#3.1",
              pieces: [{ tag: "code", pieces: ["rules/staking 3.1"] }],
            },
            " says who & what.",
          ],
        },
        {
          tag: "p",
          pieces: [
            "A second paragraph, ",
            { tag: "a", href: "staking.html", pieces: ["elsewhere"] },
            ".",
          ],
        },
      ],
    });
  });

  test("is a page on which each rule has an address, and no text is markup", () => {
    const page = pageOf(document, [document]);
    expect(page).toContain('<section id="2.1"><h3><a href="#2.1">2.1</a> Options</h3>');
    expect(page).toContain("who &amp; what");
  });

  test("with what it does not have is refused", () => {
    expect(() => readDocument("gov", "![a picture](x.png)")).toThrow("a rule has a image");
  });
});

test("each document of the project has a page, and each rule is in the file that the page reads", async () => {
  const documents = readDocuments(ROOT);
  const files = new Map(await ruleFiles(ROOT));
  for (const { name, title } of documents) expect(files.get(`${name}.html`)).toContain(title);
  expect(documents[0]?.name).toBe(INDEX);
  const rules = documents.flatMap(({ sections }) => sections.flatMap((section) => section.rules));
  const numbered = rules.filter(({ number }) => number !== "");
  expect(Object.keys(JSON.parse(files.get("rules.json") ?? "{}"))).toHaveLength(numbered.length);
  expect(numbered.length).toBeGreaterThan(100);
});
