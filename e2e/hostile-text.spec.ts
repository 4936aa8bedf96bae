import { writeFileSync } from "node:fs";
import { expect, test } from "./helpers.ts";

const RTL = "\u202egnp.exe\u2066";
const SCRIPT = '<img src=x onerror="window.hostile=1"><script>window.hostile=1</script>';
const LONG = "W".repeat(10_000);
const EMOJI = "👩‍👩‍👧‍👦".repeat(50);

/** Its first characters, none of them halved. */
const cut = (text: string, most: number): string => [...text].slice(0, most).join("");

/** A world with such text wherever a scenario takes any. */
function scenarioOf(text: string): string {
  return JSON.stringify({
    scenario: 1,
    name: "hostile",
    title: `Title ${text}`,
    about: `About **${text}** [link](javascript:window.hostile=1) ${text}`,
    genesis: {
      validators: 4,
      gov: { voting_period: "30s" },
      accounts: { constructor: "9000000000stake", ["a".repeat(900)]: "1stake" },
    },
    binaries: {
      toString: {
        handlers: [text],
        stores: { [cut(text, 900)]: { added: ["x"] } },
        modules: { x: 1 },
      },
    },
    steps: [
      { run: 2, note: `Note ${text}` },
      {
        tx: {
          from: "constructor",
          memo: cut(text, 200),
          wait: false,
          msgs: [
            {
              "@type": "/chain.bank.v1beta1.MsgSend",
              from_address: "$constructor",
              to_address: text,
              amount: [{ denom: "stake", amount: "1" }],
            },
          ],
        },
      },
      {
        propose: { from: "val-0", title: text, messages: [], metadata: cut(text, 50) },
        as: "p",
      },
      { nodes: { which: ["val-0"], write_file: { path: "data/notes.txt", content: text } } },
      { upgrade: { name: cut(text, 120), at: 40, info: text } },
      { run: { until: "halted", within: 60 } },
    ],
  });
}

const TEXTS = [
  ["marks that turn the direction of writing", `${RTL} a\u200bb ${RTL}`],
  ["markup and scripts", SCRIPT],
  ["ten thousand letters without a space", LONG],
  ["emoji, and letters from right to left", `${EMOJI} שלום עולם 20 العربية`],
] as const;

test("a hostile scenario runs nothing, hides nothing and fits the page, and a file that cannot be read is refused", async ({
  lab,
  page,
}, info) => {
  await lab.open();
  await lab.fullSpeed();
  await test.step("a file that cannot be read is refused in words, and nothing happens", async () => {
    await page.keyboard.press("s");
    const stories = lab.dialog("Stories");
    await stories.getByText(/^Run a scenario .*of your own/).click();
    const choose = stories.locator("input[type=file]");
    const files = [
      ["large.yaml", Buffer.alloc(20_000_000, " "), "at most 16000000 bytes, found 20000000"],
      ["latin.yaml", Buffer.from([35, 10, 35, 0xfc]), "line 2 expected UTF-8, found other bytes"],
      [
        "nul.yaml",
        Buffer.from("scenario: 1\nname: \u0000"),
        "line 2 column 7 expected text, found U+0000",
      ],
      [
        "one-line.json",
        Buffer.from('{"scenario":1,"name":7}'),
        "line 1 column 15 name expected text",
      ],
      [
        "cycle.yaml",
        Buffer.from("steps: &a [*a]"),
        "line 1 column 12 expected no alias *a in what",
      ],
    ] as const;
    for (const [name, buffer, says] of files) {
      // From the disk: bytes that are handed over take seconds.
      const path = info.outputPath(name);
      writeFileSync(path, buffer);
      await choose.setInputFiles(path);
      await expect(stories).toContainText(`What is wrong with ${name}`);
      await expect(stories).toContainText(says);
    }
    await page.keyboard.press("Escape");
    await expect(stories).toBeHidden();
  });
  for (const [what, text] of TEXTS)
    await test.step(`full of ${what}`, async () => {
      await page.keyboard.press("s");
      const stories = lab.dialog("Stories");
      await stories.getByText(/^Run a scenario .*of your own/).click();
      await stories.getByLabel("…or its text").fill(scenarioOf(text));
      await stories.getByRole("button", { name: "Check and run" }).click();
      await expect(stories).toBeHidden();
      await lab.hurryStory();
      await lab.storyEnds(/All checks passed|check failed/);
      for (const view of ["Network", "Upgrades", "Governance", "Evidence", "Charts"]) {
        await lab.view(view);
        const found = await page.evaluate(() => {
          const texts = [document.body.textContent ?? ""];
          for (const element of document.querySelectorAll("[title], [aria-label]")) {
            texts.push(
              element.getAttribute("title") ?? "",
              element.getAttribute("aria-label") ?? "",
            );
          }
          return {
            ran: "hostile" in window,
            scripts: document.querySelectorAll("img, script:not([src])").length,
            unseen: texts.some((each) => /[\u202a-\u202e\u200b\u2066\u2067]/.test(each)),
            bugs: texts.some((each) => /\[object Object\]|undefined|bug of Chainlab/.test(each)),
            overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          };
        });
        expect({ view, ...found }).toEqual({
          view,
          ran: false,
          scripts: 0,
          unseen: false,
          bugs: false,
          overflow: 0,
        });
      }
      await page.getByRole("button", { name: "Leave", exact: true }).click();
    });
});
