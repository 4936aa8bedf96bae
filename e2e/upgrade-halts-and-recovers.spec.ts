import { expect, test } from "./helpers.ts";

test("an upgrade that no node is ready for halts the chain; the new binary brings it back", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await lab.fullSpeed();

  await page.keyboard.press("u");
  const form = lab.dialog("Propose an upgrade");
  const name = await form.getByLabel("Name of the plan").inputValue();
  expect(name).toBe("v2");
  await form.getByText("Info of the plan").click();
  await form.getByLabel("Info", { exact: true }).fill("read me");
  await expect(form.getByRole("alert")).toHaveText(
    "could not parse plan info: invalid character 'r' looking for beginning of value",
  );
  await form.getByLabel("Before it is sent").selectOption("Send it unchecked");
  await expect(form.getByRole("alert")).toBeHidden();
  const due = await form.getByLabel("At height").inputValue();
  await form.getByRole("button", { name: "Propose, all vote yes" }).click();
  await expect(form).toBeHidden();

  await expect(page.getByRole("heading", { name: `Plan v2, due at height ${due}` })).toBeVisible();
  await expect(page.getByTestId("version-bank")).toHaveText("4");
  await page.getByRole("button", { name: "Play" }).click();
  await lab.isHalted();
  await expect(lab.haltCard).toContainText(`UPGRADE "v2" NEEDED at height: ${due}`);
  await expect(lab.haltCard).toContainText("val-0 · val-1 · val-2 · val-3");
  await lab.view("Network");
  await expect(page.getByRole("row", { name: /val-3/ })).toContainText("halted");
  if (process.env.CHAINLAB_SCREENSHOT) {
    await lab.select("val-2");
    await page.screenshot({ path: process.env.CHAINLAB_SCREENSHOT });
  }

  await lab.haltCard.getByRole("button", { name: /Switch all/ }).click();
  await lab.isLive();
  await lab.reaches(Number(due) + 2);
  await expect(lab.haltCard).toBeHidden();
  await lab.view("Upgrades");
  await expect(page.getByTestId("version-bank")).toHaveText("5");
  await expect(page.getByRole("region", { name: "Upgrades done" })).toContainText(`height ${due}`);

  // The next one has a name and a binary of its own.
  await page.keyboard.press("u");
  await expect(form.getByLabel("Name of the plan")).toHaveValue("v3");
  await expect(form.getByLabel("Make a binary for it")).toBeChecked();
  await expect(form.getByTestId("preview")).toContainText(
    "Binary v3, which is made for it, has one.",
  );
});
