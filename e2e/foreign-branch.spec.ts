/** A branch that this version cannot play stays where it is, says so in the list of worlds, and can be taken away as a file. */
import { readFileSync } from "node:fs";
import { DAMAGE, readRecords, writeRecords } from "./database.ts";
import { dropFiles, expect, test } from "./helpers.ts";

// It would answer for the page on which nothing runs.
test.use({ serviceWorkers: "block" });

test("a branch that a later version saved is kept, marked and exportable", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario("run: 12");
  await page.getByRole("button", { name: "Leave" }).click();
  await page.keyboard.press("f");
  const form = lab.dialog("Fork at block 12");
  await form.getByLabel("Name").fill("of tomorrow");
  await form.getByRole("button", { name: "Fork here" }).click();
  await page.getByRole("button", { name: "One block" }).click();
  await expect(page.getByTestId("height")).toHaveText("13");
  const branch = new URLSearchParams(page.url().slice(page.url().indexOf("?"))).get("world") ?? "";
  expect(branch).not.toBe("");
  // The world that it came from is on screen when the page is opened again.
  await page.keyboard.press("w");
  const worlds = lab.dialog("Worlds");
  await worlds.getByRole("button", { name: "Open Own" }).click();
  await expect(page.getByTestId("height")).toHaveText("12");
  await expect(page.getByTestId("saved")).toHaveAttribute("data-state", "saved");

  const records = await readRecords(page);
  const ofLater = Object.entries(records).map(([key, record]) => {
    const isHead = key.includes(`${branch}/head-`);
    return [key, isHead ? DAMAGE["of a version to come"](record) : record] as const;
  });
  const changed = ofLater.filter(([key, record]) => record !== records[key]);
  expect(changed.length).toBeGreaterThan(0);
  await writeRecords(page, Object.fromEntries(ofLater));

  await page.goto("/");
  await lab.reaches(12);
  await page.keyboard.press("w");
  const row = worlds.getByRole("listitem").filter({ hasText: "A later version of Chainlab" });
  await expect(row).toContainText("A later version of Chainlab saved it. What is left of it:");
  await expect(row.getByRole("button", { name: /^Open/ })).toBeHidden();
  await expect(row.getByRole("button", { name: /^Compare/ })).toBeHidden();
  const download = page.waitForEvent("download");
  await row.getByRole("button", { name: /^Export/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.chainlab$/);
  expect(readFileSync(await file.path()).length).toBeGreaterThan(100);
  await expect(row).toContainText("Exported as");
  // Where it is taken to, another page of this version says the same of it.
  await page.keyboard.press("Escape");
  await dropFiles(page, [[file.suggestedFilename(), readFileSync(await file.path())]]);
  const handed = lab.dialog("Open what was shared with you?");
  await expect(handed).toContainText("a later version of Chainlab saved the world of the file");

  // An address that names it says that it cannot be opened, and what is on screen stays.
  await page.keyboard.press("Escape");
  await page.goto(`/#/network?world=${branch}`);
  await expect(page.getByRole("region", { name: "Notices" })).toContainText("world");
  await expect(page.getByTestId("height")).toHaveText("12");

  // Nothing of it was written meanwhile.
  const after = await readRecords(page);
  for (const [key, record] of ofLater) {
    if (key.includes(`${branch}/`)) expect(after[key], key).toEqual(record);
  }
});
