import { writeFileSync } from "node:fs";
import { HOSTILE_WORLD_FILES } from "../tools/hostile-world-files.ts";
import { mainThreadTasks } from "../tools/main-thread.ts";
import { expect, test } from "./helpers.ts";

/** Twice the goal, as for the running page: processors differ. */
const LONGEST_MS = 100;

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
  for (const { what, content, words } of HOSTILE_WORLD_FILES) {
    const file = info.outputPath("hostile.chainlab");
    writeFileSync(file, content());
    const [longest] = await mainThreadTasks(browser, page, async () => {
      await input.setInputFiles(file);
      await expect(worlds).toContainText(words, { timeout: 20_000 });
    });
    expect(longest?.ms, `longest task for a file ${what}, ms of processor time`).toBeLessThan(
      LONGEST_MS,
    );
  }
  await page.keyboard.press("Escape");
  const height = await lab.height();
  await page.keyboard.press("Shift+ArrowRight");
  await lab.reaches(height + 10);
});
