import { expect, test } from "./helpers.ts";

test("the chain waits while a form that acts on it is open, and Run until reaches its condition, pauses and says why", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.reaches(2);
  await test.step("the form's numbers stay, the page says why nothing comes, and the chain goes on when it is closed", async () => {
    await page.keyboard.press("u");
    const form = lab.dialog("Propose an upgrade");
    const height = form.getByLabel("At height");
    const usual = await height.inputValue();
    await expect(lab.status).toHaveText("Waits for a form");
    await expect(form.getByTestId("paused")).toHaveText("The chain waits while this form is open.");
    const stands = await lab.height();
    await height.fill(String(stands));
    await expect(form.getByRole("alert")).toContainText("expected a later height");
    await height.fill(usual);
    expect(await lab.height()).toBe(stands);
    await form.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(lab.status).toHaveText("Live");
    await lab.reaches(stands + 1);
  });

  await test.step("it waits for the form of a transaction too, until that is sent or left, and beside a dialog", async () => {
    await page.getByRole("button", { name: "API", exact: true }).click();
    await page.getByLabel("Search endpoints").fill("MsgDelegate");
    await page.getByRole("button", { name: "MsgDelegate", exact: true }).click();
    const form = page.getByRole("region", { name: "Transaction" });
    await expect(form.getByTestId("paused")).toHaveText("The chain waits while this form is open.");
    await expect(lab.status).toHaveText("Waits for a form");
    const stands = await lab.height();
    await page.locator("#view").focus();
    await page.keyboard.press("r");
    const until = lab.dialog("Run until…");
    await until.getByRole("button", { name: "Cancel", exact: true }).click();
    await expect(until).toBeHidden();
    await expect(lab.status).toHaveText("Waits for a form");
    expect(await lab.height()).toBe(stands);
    await form.getByRole("button", { name: "Send" }).click();
    await lab.reaches(stands + 2);
    await expect(lab.status).toHaveText("Live");
    await form.getByLabel("memo").fill("once more");
    await expect(lab.status).toHaveText("Waits for a form");
    await page.getByRole("button", { name: "Events", exact: true }).click();
    await expect(lab.status).toHaveText("Live");
  });

  await test.step("a chain that plays is paused at the height that was asked for", async () => {
    await page.keyboard.press("r");
    const form = lab.dialog("Run until…");
    const to = Number(await form.getByRole("textbox", { name: "Height" }).inputValue());
    await page.keyboard.press("Enter");
    await expect(page.getByText(`Paused at ${to}.`)).toBeVisible();
    await expect(lab.status).toHaveText("Paused");
    await expect(page.getByTestId("height")).toHaveText(String(to));
  });

  await test.step("and where a validator is slashed, whose name is said", async () => {
    await page.keyboard.press("d");
    const sign = lab.dialog("Make a validator double sign");
    await sign.getByLabel("Validator", { exact: true }).selectOption("val-1");
    await sign.getByRole("button", { name: "Double sign", exact: true }).click();
    await expect(sign).toBeHidden();
    await page.keyboard.press("r");
    const form = lab.dialog("Run until…");
    await form.getByLabel("a validator is slashed").check();
    await form.getByRole("button", { name: "Run", exact: true }).click();
    const text = page.getByText(/^Paused at \d+: val-1 was slashed\.$/);
    await expect(text).toBeVisible();
    const [, at = ""] = /Paused at (\d+):/.exec(await text.innerText()) ?? [];
    await expect(page.getByTestId("height")).toHaveText(at);
    await expect(lab.status).toHaveText(/^Paused/);
  });
});
