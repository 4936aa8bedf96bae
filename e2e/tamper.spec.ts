import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./helpers.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("one changed byte breaks every hash above it, and nothing of the chain is changed", async ({
  lab,
  page,
}) => {
  await lab.open("#/state");
  await lab.reaches(3);
  await lab.pause();
  const height = await lab.height();
  await page.getByRole("textbox", { name: "State after block", exact: true }).fill("2");
  await page.keyboard.press("Enter");
  const keys = page.getByRole("region", { name: "Keys of staking" });
  await keys.getByLabel("Search keys").fill("validator val-1 tokens");
  await keys
    .getByRole("row", { name: /^21 14\S+ validator val-1/ })
    .getByRole("button")
    .first()
    .click();
  const proof = page.getByRole("region", { name: "Proof" });
  const steps = proof
    .getByRole("region", { name: "Hashes from the key up to the app hash" })
    .getByRole("listitem");
  await expect(proof.getByTestId("proof-verdict")).toContainText("✓ The last is");
  await expect(steps.filter({ hasText: "≠" })).toHaveCount(0);
  const hashes = await steps.allInnerTexts();

  // By keyboard alone: the first digit of a number becomes another.
  await proof.getByRole("button", { name: "Change a byte" }).press("Enter");
  await expect(proof.getByRole("status")).toContainText(
    "Impossible: one byte of validator val-1 is changed, and nothing above it fits any more.",
  );
  await expect(proof.getByRole("status")).toContainText("Block 3 names another app hash");
  await expect(proof).toContainText("“100,000,000” became “900,000,000”");
  await expect(steps.filter({ hasText: "≠" })).toHaveCount(hashes.length);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  // Any byte, to any other; and the one that was there fits again.
  await proof.getByRole("spinbutton", { name: "Byte" }).fill("0");
  await expect(steps.filter({ hasText: "≠" })).toHaveCount(hashes.length);
  await proof.getByRole("textbox", { name: "becomes" }).fill("0A");
  await expect(steps.filter({ hasText: "≠" })).toHaveCount(0);
  await proof.getByTitle("byte 5:").click();
  await expect(steps.filter({ hasText: "≠" })).toHaveCount(hashes.length);

  await proof.getByRole("button", { name: "Put it back" }).click();
  await expect(proof.getByText("Impossible")).toBeHidden();
  expect(await steps.allInnerTexts()).toEqual(hashes);
  expect(await lab.height()).toBe(height);
});
