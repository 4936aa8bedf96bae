import { firstMinute } from "./first-minute.ts";
import { expect, test } from "./helpers.ts";
import { Person } from "./person.ts";

test("the first minute's tasks are done with the keyboard alone, and the focus is always seen", async ({
  lab: _,
  page,
}) => {
  await page.goto("/");
  await firstMinute(
    new Person({
      press: (key) => page.keyboard.press(key),
      evaluate: (act, text) => page.evaluate(act, text),
    }),
  );
});

test("Tab stays in a dialog both ways, and the pointer reaches nothing behind it", async ({
  lab,
  page,
}) => {
  await lab.open();
  await page.keyboard.press("r");
  const dialog = lab.dialog("Run until");
  await expect(dialog).toBeVisible();
  const close = dialog.getByRole("button", { name: "Close" });
  const isInside = () =>
    page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null);
  for (const key of ["Tab", "Shift+Tab"]) {
    let rounds = 0;
    for (let press = 0; press < 60 && rounds < 2; press += 1) {
      await page.keyboard.press(key);
      expect(await isInside(), `${key}, ${press}`).toBe(true);
      if (await close.evaluate((button) => button === document.activeElement)) rounds += 1;
    }
    expect(rounds, key).toBe(2);
  }
  const place = page.url();
  await page.mouse.click(40, 120);
  await expect(dialog).toBeVisible();
  expect(page.url()).toBe(place);
});
