import { expect, test, violationsOf } from "./helpers.ts";

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
];

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
  await expect(proof.getByTestId("proof-verdict")).toContainText("✓ The last equals");
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
  expect(await violationsOf(page)).toEqual([]);

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

test("a changed byte is played on in a branch that is impossible wherever it is shown, and a node that executes the blocks again halts", async ({
  lab,
  page,
}) => {
  const fits = async (): Promise<void> => {
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  };
  await lab.open();
  await lab.tellScenario("run: { to: 6 }");
  await page.goto("#/state");
  await page.getByRole("textbox", { name: "State after block", exact: true }).fill("4");
  await page.keyboard.press("Enter");
  const keys = page.getByRole("region", { name: "Keys of staking" });
  await keys.getByLabel("Search keys").fill("validator val-1 tokens");
  await keys
    .getByRole("row", { name: /^21 14\S+ validator val-1/ })
    .getByRole("button")
    .first()
    .click();
  const proof = page.getByRole("region", { name: "Proof" });
  await proof.getByRole("button", { name: "Change a byte" }).click();
  await proof.getByRole("button", { name: "Play on from it…" }).click();
  const form = lab.dialog("Impossible branch at block 4");
  await expect(form).toContainText("the branch is marked as impossible");
  await form.getByRole("button", { name: "Begin the impossible branch" }).click();
  await expect(form).toBeHidden();

  const band = page.getByTestId("impossible");
  await expect(band).toContainText(
    "Impossible: a byte of staking was changed by hand after block 4.",
  );
  await expect(band).toContainText("which the header of block 5 will say");
  await expect.poll(() => lab.height()).toBe(4);
  // Below the lanes of branches, none of it is covered.
  const lanes = page.getByRole("list", { name: "Branches" });
  const ends = async (): Promise<number> => {
    const { y, height } = (await lanes.boundingBox()) ?? { y: 0, height: 0 };
    return y + height;
  };
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    await expect
      .poll(async () => ((await band.boundingBox())?.y ?? 0) - (await ends()))
      .toBeGreaterThanOrEqual(0);
  }

  // The hash computed from the blocks is available, and the one that the nodes hold is drawn beside
  // it.
  await expect(proof.getByRole("status")).toContainText(
    "Every node has this value, although no block wrote it: its hash is the one in header 5.",
  );
  await page.keyboard.press("ArrowRight");
  await lab.reaches(5);
  await expect(band).toContainText("which the header of block 5 says");
  await expect(page.getByTestId("proof-verdict")).toContainText(
    "≠ The last differs from the app hash in header 5. The blocks lead to this value; the nodes’ own value was edited by hand.",
  );
  await page.getByRole("textbox", { name: "State after block", exact: true }).fill("5");
  await page.keyboard.press("Enter");
  const key = page.getByRole("region", { name: "Key", exact: true });
  await expect(key.getByRole("row", { name: /^changed by hand before 5/ })).toContainText(
    "tokens 900,000,000",
  );

  await band.getByRole("button", { name: "Have val-3 execute all blocks again" }).click();
  await expect(band).toContainText("val-3 executed the blocks and disagreed: halted at block 5.");
  await band.getByRole("button", { name: "Show the key" }).click();
  await expect(page.getByRole("textbox", { name: "State after block", exact: true })).toHaveValue(
    "4",
  );
  await fits();

  // In the tree of worlds; the world that it came from is not marked.
  await page.keyboard.press("w");
  const rows = lab.dialog("Worlds").getByRole("listitem");
  await expect(
    rows.filter({ hasText: "impossible: a value was changed by hand in it" }),
  ).toHaveCount(1);
  await rows
    .filter({ hasNotText: "impossible" })
    .first()
    .getByRole("button", { name: /^Open / })
    .click();
  await expect(band).toBeHidden();

  // And of the two that are compared, the one.
  await page.keyboard.press("w");
  await rows
    .filter({ hasText: "impossible" })
    .getByRole("button", { name: /^Compare with / })
    .click();
  const compare = page.getByRole("region", { name: "Compare", exact: true });
  const marked = "impossible: a value was changed by hand in it";
  await expect(compare.getByRole("region", { name: /^B: / })).toContainText(marked);
  await expect(compare.getByRole("region", { name: /^A: / })).not.toContainText(marked);
  await fits();
});
