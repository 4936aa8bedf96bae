import { expect, test } from "./helpers.ts";

test("a double sign is shown as two votes, who had both, the block that carries them, and what burns where", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  const height = (await lab.height()) + 1;

  await page.keyboard.press("d");
  const form = lab.dialog("Make a validator double sign");
  await form.getByLabel("Validator", { exact: true }).selectOption("val-2");
  await form.getByRole("button", { name: "Double sign" }).click();
  await expect(form).toBeHidden();

  const pieces = page.getByRole("region", { name: "Evidence, and what the chain did with it" });
  await page.getByRole("button", { name: "One block" }).click();
  await expect(pieces).toContainText("waits for a block");
  await expect(pieces).toContainText(`val-2 double-signed at block ${height}`);

  await page.getByRole("button", { name: "One block" }).click();
  await expect(pieces).toContainText("slashed and tombstoned");
  await expect(pieces).toContainText(`this is block ${height}`);
  await expect(pieces).toContainText("no such block on this chain");
  await expect(pieces).toContainText("val-0, val-1 and val-3 had both votes");
  await expect(pieces).toContainText(`carried by block ${height + 1}`);

  const row = (name: string | RegExp) => pieces.getByRole("row", { name });
  await expect(row(`Stood behind val-2 at ${height}`)).toContainText("100,000,000");
  await expect(row("val-2 itself")).toContainText("5,000,000");
  await expect(row(/^Burned in block/)).toContainText("5,000,000");
  await expect(pieces).toContainText("signing info");

  const sides = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sides).toBeLessThanOrEqual(0);
});
