import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expect, test } from "./helpers.ts";

test("charts of single blocks tell who missed what, by keyboard too, and are saved as numbers and pictures", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.runScenario(
    "run: 5",
    "nodes: { which: [val-2], stop: true }",
    "run: 3",
    "nodes: { which: [val-2], start: true }",
    "run: 4",
    "propose: { from: val-0, title: A remark, messages: [], metadata: ipfs://remark }",
    "run: 1",
    "vote: { proposal: 1, option: yes, by: [val-0, val-1, val-2] }",
    "run: 3",
  );
  await lab.view("Charts");
  const chart = (name: string): Locator => page.getByRole("region", { name, exact: true });
  const save = async (from: Locator, kind: string) => {
    const download = page.waitForEvent("download");
    await from.getByRole("button", { name: new RegExp(`as ${kind}`) }).click();
    const file = await download;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };

  const missed = chart("Missed blocks");
  await expect(missed).toContainText("1 validator missed some: val-2 most, 3 of 18.");
  await missed.getByRole("application").focus();
  const right = [...Array(7).fill("ArrowRight"), "ArrowLeft"];
  for (const key of ["Home", ...Array(2).fill("ArrowDown"), ...right]) {
    await page.keyboard.press(key);
  }
  await expect(missed.getByRole("status")).toHaveText("val-2, block 7: missed");
  await page.keyboard.press("Enter");
  await expect(lab.inspector).toContainText("Block 7");
  expect(await lab.height(), "arrows move in the chart, not the chain").toBe(18);

  const numbers = await save(missed, "CSV");
  expect(numbers.name).toBe("missed-blocks.csv");
  expect(numbers.bytes.toString()).toContain("val-2,18,3,16.67,6–8\r\n");
  for (const name of ["Missed blocks", "Participation", "Block interval", "Tally of a proposal"]) {
    const svg = (await save(chart(name), "SVG")).bytes.toString();
    expect(svg).toMatch(/^<svg /);
    if (name === "Missed blocks") {
      // Its cells are drawn for the picture; what is said of them is drawn as it stands.
      for (const words of ["val-2 most, 3 of 18", ">signed<", ">missed<", ">val-2<"])
        expect(svg).toContain(words);
    }
    expect(svg, "colours that only the page knows").not.toContain("var(--");
    expect((await save(chart(name), "PNG")).bytes.subarray(1, 4).toString()).toBe("PNG");
  }

  await expect(chart("Participation")).toContainText("the least 75 %, at block 8");
  await chart("Participation").getByRole("button", { name: "As a table" }).click();
  const table = page.getByRole("region", { name: "Participation, as a table" });
  await expect(table.getByRole("row", { name: "8 300 400 75 %" })).toBeVisible();
  const tally = chart("Tally of a proposal");
  await tally.getByRole("button", { name: "As a table" }).click();
  await expect(tally.getByRole("row").nth(1)).toContainText("300,000,000");
});
