import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, type LabPage, test, violationsOf } from "./helpers.ts";

const SLASHED = ["run: 5", "double_sign: { node: val-2 }", "run: 4"] as const;

test("on a desk keys are found or proved to be absent, at every height that is there", async ({
  lab,
  page,
}) => {
  await test.step("the view stays at its height while the chain goes on, offers the newest, and refuses heights that are not there", async () => {
    await lab.open("#/state");
    const height = page.getByRole("textbox", { name: "State after block", exact: true });
    await expect(height).not.toHaveValue("");
    const first = Number(await height.inputValue());
    await lab.reaches(first + 3);
    await expect(height).toHaveValue(String(first));
    await lab.pause();
    const newest = await lab.height();
    await page.getByRole("button", { name: `Newest: ${newest}` }).click();
    await expect(height).toHaveValue(String(newest));
    await height.fill("999");
    await expect(page.getByRole("alert")).toHaveText(`Blocks 1 to ${newest} are there.`);
  });
  await page.goto("#/network");
  await lab.tellScenario(...SLASHED);
  await findsKeys(lab, page, 1280);
});

test("two heights are compared, and the state is shown at the past height of the whole page", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario(...SLASHED);
  await test.step("two heights are compared, and a key that differs is opened from there", async () => {
    await page.goto("#/state");
    await page.getByLabel("Compared with block").fill("5");
    await page.getByRole("button", { name: "Show what changed" }).click();
    const changed = page.getByRole("region", { name: "What changed" });
    await expect(changed.getByRole("status")).toContainText(/keys differ: .* in slashing/);
    const line = changed.getByRole("row", { name: "staking validator val-2" });
    await expect(line).toContainText("tokens 100,000,000");
    await expect(line).toContainText("tokens 95,000,000");
    expect(await violationsOf(page)).toEqual([]);
    await line.getByRole("button").click();
    await expect(page.getByRole("region", { name: "Key", exact: true })).toContainText(
      "validator val-2",
    );
    await changed.getByRole("button", { name: "Close" }).click();
    await expect(changed).toBeHidden();
  });
  await test.step("where the whole page shows a past height, so does the state, and its proofs end in the next header", async () => {
    const last = await lab.height();
    await page.goto("#/state");
    const keys = page.getByRole("region", { name: "Keys of staking" });
    await keys
      .getByRole("row", { name: /^12 last total power/ })
      .getByRole("button")
      .click();
    await page.getByRole("slider", { name: "Blocks" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(lab.status).toContainText("Past");
    await expect(page.getByRole("region", { name: "Height of the state" })).toContainText(
      "as the whole page",
    );
    await expect(page.getByRole("textbox", { name: "State after block", exact: true })).toHaveValue(
      String(last - 1),
    );
    await expect(page.getByTestId("proof-verdict")).toContainText(
      `✓ The last equals the app hash in header ${last}.`,
    );
    await page.keyboard.press("End");
    await expect(page.getByTestId("proof-verdict")).toContainText(`header ${last + 1}`);
  });
});

test.describe("390 px", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("on a phone keys are found or proved to be absent", async ({ lab, page }) => {
    await lab.open();
    await lab.tellScenario(...SLASHED);
    await findsKeys(lab, page, 390);
  });
});

/** Finds a key of the world that was told, and looks for one that is not there. */
async function findsKeys(lab: LabPage, page: Page, width: number): Promise<void> {
  await test.step("a person finds a key, sees what changed it, and has its proof checked up to the next header", async () => {
    const last = await lab.height();
    await page.goto("#/state");
    const height = page.getByRole("textbox", { name: "State after block", exact: true });
    await expect(height).toHaveValue(String(last));
    await expect(page.getByRole("navigation", { name: "Stores" })).toContainText("staking");

    const keys = page.getByRole("region", { name: "Keys of staking" });
    await keys.getByLabel("Search keys").fill("VALIDATOR val-2 95000000");
    await expect(keys.getByRole("row", { name: /^21 14\S+ validator val-2/ })).toBeVisible();
    await keys
      .getByRole("row", { name: /^21 14\S+ validator val-2/ })
      .getByRole("button")
      .first()
      .click();
    const key = page.getByRole("region", { name: "Key", exact: true });
    await expect(key.getByRole("heading", { name: "validator val-2" })).toBeVisible();
    await expect(key.getByRole("img", { name: /^tokens from block/ })).toBeVisible();
    await expect(key.getByRole("row", { name: /tokens 95,000,000/ })).toBeVisible();
    await expect(key.getByRole("row", { name: /^genesis/ })).toContainText("tokens 100,000,000");

    // No header has the app hash of the newest block yet.
    const verdict = page.getByTestId("proof-verdict");
    await expect(verdict).toContainText(`header ${last + 1} will carry it`);
    await page.getByRole("button", { name: "The block before" }).click();
    await expect(height).toHaveValue(String(last - 1));
    await expect(verdict).toContainText("✓ The last equals the app hash in header");
    await verdict.getByRole("link").click();
    await expect(lab.inspector).toContainText(`Block ${last}`);

    // Recompute the hashes from the displayed parts; the last must equal the one in the header.
    await page.goto("#/state");
    const proof = page.getByRole("region", { name: "Proof" });
    await proof.getByText(/^What is hashed in each of the \d+ steps$/).click();
    // They are reckoned once they are asked for.
    const listed = proof.locator("details > div > ol > li");
    await expect.poll(() => listed.count()).toBeGreaterThan(5);
    const steps = await listed.all();
    for (const step of steps) {
      const codes = await step.locator("code").allInnerTexts();
      const hashed = Buffer.from(codes.slice(0, -1).join(""), "hex");
      const hash = createHash("sha256").update(hashed).digest("hex").toUpperCase();
      expect(codes.at(-1)).toBe(hash);
    }
    const end = (await steps.at(-1)?.locator("code").last().innerText()) ?? "";
    await expect(proof.getByRole("listitem").filter({ hasText: "app hash" }).first()).toContainText(
      `${end.slice(0, 6)}…${end.slice(-4)}`,
    );
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
  await test.step("a person looks for a key that is not there, and has that proved up to the next header", async () => {
    const last = await lab.height();
    await lab.view("Network");
    await page.goto("#/state");
    await page
      .getByRole("textbox", { name: "State after block", exact: true })
      .fill(String(last - 1));
    await page.keyboard.press("Enter");
    const keys = page.getByRole("region", { name: "Keys of staking" });
    const details = page.getByRole("region", { name: "Key", exact: true });
    const proof = page.getByRole("region", { name: "Proof" });
    const verdict = page.getByTestId("proof-verdict");

    // By its name: it lies between two others.
    await keys.getByLabel("Search keys").fill("delegation val-1 val-2");
    await expect(keys).toContainText("delegation val-1 val-2 is not there.");
    await keys.getByRole("button", { name: "Show the proof" }).click();
    await expect(details).toContainText(
      `It is not there: store staking has no such key after block ${last - 1}`,
    );
    await expect(details).toContainText(`No block up to ${last - 1} ever wrote it.`);
    await expect(verdict).toContainText(
      `✓ delegation val-1 val-2 is not there: the keys beside its place are neighbours, and the last hash equals the app hash in header ${last}.`,
    );
    await expect(proof).toContainText(/The key before it: delegation val-\d val-\d/);
    await expect(proof).toContainText(/The key after it: delegation val-\d val-\d/);
    await expect(proof.getByRole("heading", { name: "Above where both meet" })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

    // Recompute the hashes from the displayed parts; the last must equal the app hash.
    await proof.getByText(/^What is hashed in each of the \d+ steps$/).click();
    // They are reckoned once they are asked for.
    const listed = proof.locator("details > div > ol > li");
    await expect.poll(() => listed.count()).toBeGreaterThan(6);
    const steps = await listed.all();
    for (const step of steps) {
      const codes = await step.locator("code").allInnerTexts();
      const hashed = Buffer.from(codes.slice(0, -1).join(""), "hex");
      const hash = createHash("sha256").update(hashed).digest("hex").toUpperCase();
      expect(codes.at(-1)).toBe(hash);
    }

    // In hex: after the last key there is only one neighbour.
    await keys.getByLabel("Search keys").fill("0xFFFF");
    await keys.getByRole("button", { name: "Show the proof" }).click();
    await expect(verdict).toContainText("the key before its place is the last of the store");
    await expect(proof).toContainText("nothing is after the last key.");

    // A store without any key.
    await page
      .getByRole("navigation", { name: "Stores" })
      .getByRole("button", { name: /^evidence/ })
      .click();
    await page.getByRole("textbox", { name: "State after block", exact: true }).fill("2");
    await page.keyboard.press("Enter");
    await page
      .getByRole("region", { name: "Keys of evidence" })
      .getByLabel("Search keys")
      .fill("00");
    await page.getByRole("button", { name: "Show the proof" }).click();
    await expect(verdict).toContainText("root is that of an empty tree, SHA-256 of nothing");
  });
}
