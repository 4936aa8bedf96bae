import { expect, test } from "./helpers.ts";

test("a halted chain shows who votes what, round by round, and how the rounds grow", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.reaches(2);
  for (const name of ["val-2", "val-3"]) {
    await lab.select(name);
    await lab.inspector.getByRole("button", { name: "Stop" }).click();
    await expect(lab.inspector).toContainText("stopped");
  }
  await lab.isHalted();
  await expect(lab.haltCard).toContainText(
    "200 of 400 power votes; a block needs more than 2/3: 267 of 400.",
  );
  const round = page.getByRole("region", { name: "The newest round" });
  await expect(round).toContainText(/round [2-9]/);
  // Each is there for a fifth of a second of every round.
  for (const going of ["waiting for prevotes", "waiting for precommits", "too few votes"]) {
    await expect
      .poll(() => round.textContent(), { intervals: [40], timeout: 20_000 })
      .toContain(going);
  }
  await expect(round).toContainText(/rounds took.*s → .*s/);
});

test("the commit of a block is verified, and a fault is injected or planned, marked and cleared", async ({
  lab,
  page,
}) => {
  await test.step("the commit of a block is signed and verified when it is opened", async () => {
    await lab.open();
    await lab.reaches(3);
    await page.goto("#/network/block/2");
    await lab.inspector.getByText("Commit", { exact: true }).click();
    await expect(lab.inspector).toContainText(
      "more than two thirds of the power signed this block",
    );
    const signatures = lab.inspector.getByRole("region", { name: "Signatures" });
    await expect(signatures.getByRole("listitem")).toHaveCount(4);
    await expect(signatures.locator("code").first()).toHaveAttribute("title", /^[0-9A-F]{128}$/);
  });
  await lab.pause();
  await test.step("a fault is injected, marked on its validator, and cleared", async () => {
    await lab.select("val-3");
    await lab.inspector.getByRole("button", { name: "Inject a fault…" }).click();
    const form = lab.dialog("Inject a fault");
    await expect(form.getByLabel("Node")).toHaveValue("val-3");
    await form.getByLabel("What happens").selectOption("flaky");
    await form.getByLabel("Probability").fill("2");
    await expect(form.getByRole("alert")).toContainText("a probability from 0 to 1");
    await form.getByLabel("What happens").selectOption("mute");
    await expect(form.getByTestId("preview")).toContainText(
      "val-3 follows the chain and sends nothing",
    );
    await form.getByRole("button", { name: "Inject" }).click();
    await expect(form).toBeHidden();

    const row = page.getByRole("row", { name: /val-3/ });
    await expect(row).toContainText("mute");
    await expect(lab.inspector).toContainText(
      "it follows the chain and sends nothing, until cleared",
    );
    await page.getByRole("button", { name: "One block" }).click();
    const round = page.getByRole("region", { name: "The newest round" });
    await expect(round).toContainText("val-3 sends nothing");
    await expect(row).toContainText("prevote none, precommit none");

    await lab.inspector.getByRole("button", { name: "Clear faults" }).click();
    await expect(row).not.toContainText("mute");
    await expect(lab.inspector).not.toContainText("Faults");
  });
  await test.step("a fault of a later height is marked as planned, and can be cleared", async () => {
    await lab.select("val-3");
    await lab.inspector.getByRole("button", { name: "Inject a fault…" }).click();
    const form = lab.dialog("Inject a fault");
    await form.getByLabel("What happens").selectOption("mute");
    await form.getByLabel("From height").fill("90");
    await form.getByLabel("For this many blocks").fill("5");
    await form.getByRole("button", { name: "Inject" }).click();
    await expect(form).toBeHidden();
    const planned = page.getByRole("region", { name: "Planned faults" });
    await expect(planned).toContainText("val-3: mute, planned from height 90 to 94");
    await expect(lab.inspector).toContainText("planned from height 90 to 94");
    await planned.getByRole("button", { name: "Clear all faults" }).click();
    await expect(planned).toBeHidden();
    await expect(lab.inspector).not.toContainText("planned");
  });
});

test("a light client is attacked, and app hashes diverge", async ({ lab, page }) => {
  await test.step("the attack is refused in the engine's words, then carried out and punished", async () => {
    await lab.open();
    await lab.reaches(4);
    await lab.pause();
    await page.keyboard.press("d");
    const form = lab.dialog("Make a validator double sign");
    await form.getByLabel("Several attack a light client").check();
    await form.getByLabel("Kind of attack").selectOption("lunatic");
    const signers = form.getByRole("group", { name: "Who signs it" });
    await signers.getByLabel("val-0").check();
    await signers.getByLabel("val-1").uncheck();
    await expect(signers.getByRole("alert")).toContainText(
      "insufficient voting power: got 100, needed more than 133",
    );
    await signers.getByLabel("val-1").check();
    await expect(form.getByTestId("preview")).toContainText("200 of 400 power, sign a block");
    await form.getByRole("button", { name: "Attack" }).click();
    await expect(form).toBeHidden();
    await page.getByRole("button", { name: "One block" }).click();
    await expect(lab.inspector).toContainText("tombstoned");
    const stored = page.getByRole("region", { name: "Stored evidence" });
    await expect(stored).toContainText("val-0");
    await expect(stored).toContainText("val-1");
  });
  await test.step("where app hashes diverge, the keys that differ are shown with what each node holds", async () => {
    await lab.view("Network");
    await lab.runScenario(
      "run: 3",
      "upgrade: { name: v2, at: 20 }",
      "run: { until: halted }",
      "nodes: { which: all, binary: odd }",
      "expect: { app_hash: diverged }",
    );
    const card = page.getByTestId("app-hash-card");
    await expect(card.getByRole("heading")).toHaveText("The app hashes diverge at height 20");
    await card.getByRole("button", { name: "What differs?" }).click();
    await card.getByRole("combobox").first().selectOption("val-1");
    await card.getByRole("combobox").last().selectOption("val-2");
    const keys = card.getByRole("region", { name: "Keys that differ" });
    await expect(keys.getByRole("listitem").first()).toContainText("upgrade");
    await expect(keys).toContainText(/val-1\s*val-1/);
    await expect(keys).toContainText(/val-2\s*val-2/);
  });
});
