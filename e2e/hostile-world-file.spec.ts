import { writeFileSync } from "node:fs";
import { frameRecord, joinRecords, RECORD } from "../src/session/history/record.ts";
import { mainThreadTasks } from "../tools/main-thread.ts";
import { expect, test } from "./helpers.ts";

const BYTES = 20_000_000;
/** Twice the goal, as for the running page: processors differ. */
const LONGEST_MS = 100;

const framed = (records: Iterable<readonly [string, Uint8Array]>): Uint8Array =>
  frameRecord(RECORD.file, joinRecords(records));
/** Lists in lists, in a beginning that is else sound. */
const nested = frameRecord(RECORD.beginning, new Uint8Array(BYTES).fill(0x91));

const FILES: readonly (readonly [what: string, content: () => Uint8Array, words: string])[] = [
  ["of another program", () => new Uint8Array(BYTES).fill(0x5b), "found another kind of file"],
  [
    "of very many records",
    () =>
      framed(
        Array.from({ length: 200_000 }, (_, i) => [
          `journal/${i}`.padStart(12, "0"),
          new Uint8Array(),
        ]),
      ),
    "the file has a record of an unknown name",
  ],
  [
    "with lists in lists",
    () => framed([["beginning-0", nested]]),
    "the beginning of the world is missing in the file, or damaged",
  ],
];

test("a world's file of 20 MB that is meant to do harm is refused in words, and the page stays free", async ({
  browser,
  lab,
  page,
}, info) => {
  await lab.open();
  await lab.pause();
  await page.getByRole("button", { name: /^Worlds; this one is/ }).click();
  const worlds = lab.dialog("Worlds");
  const input = worlds.getByLabel("A world’s file");
  for (const [what, content, words] of FILES) {
    const file = info.outputPath("hostile.chainlab");
    writeFileSync(file, content());
    const [longest = 0] = await mainThreadTasks(browser, page, async () => {
      await input.setInputFiles(file);
      await expect(worlds).toContainText(words, { timeout: 20_000 });
    });
    expect(longest, `longest task for a file ${what}, ms of processor time`).toBeLessThan(
      LONGEST_MS,
    );
  }
  await page.keyboard.press("Escape");
  const height = await lab.height();
  await page.keyboard.press("Shift+ArrowRight");
  await lab.reaches(height + 10);
});
