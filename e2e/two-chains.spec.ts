import { expect, TWO_CHAINS, test } from "./helpers.ts";

test("two chains are called so wherever the page speaks of them, side by side, and so is the evidence that follows when the network heals", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.runScenario(...TWO_CHAINS);
  const card = page.getByTestId("fork-card");
  await expect(card.getByRole("heading")).toHaveText(
    "Two different blocks are final at height 6, and both sides continue.",
  );
  await expect(card).toContainText("Block 5 is the last in common.");
  await expect(card).toContainText("val-2 and val-3 vote on both sides with one key");
  await expect(lab.status).toHaveText("Split: two chains");
  await expect(page).toHaveTitle("Split: two chains · Chainlab");
  await expect(page.locator("#ring")).toContainText("val-1 B");
  await expect(page.locator("#ring")).toContainText("val-2 A+B");
  const sides = card.locator("dl");
  await expect(sides).toHaveCount(2);
  for (const side of await sides.all()) await expect(side).toContainText("300 of 400 75 %");
  const hashes = await sides
    .getByRole("button", { name: /the hash of block 6/ })
    .evaluateAll((all) => all.map((button) => button.getAttribute("title")?.split("\n")[0]));
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9A-F]{64}$/);

  await card.getByRole("button", { name: "Heal the network" }).click();
  await expect(card.getByRole("heading")).toHaveText(
    "The network has healed; this chain is the main chain.",
  );
  await page.getByRole("button", { name: "One block" }).click();
  await page.getByRole("button", { name: "One block" }).click();
  await expect(card.getByRole("link", { name: "val-2" })).toBeVisible();
  await expect(card.getByRole("link", { name: "val-3" })).toBeVisible();
});
