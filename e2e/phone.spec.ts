import { expect, test } from "./helpers.ts";

test("on a phone what is tapped is explained over the lower half, with the ring above it", async ({
  lab,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.open();
  const link = page.getByRole("table").getByRole("link", { name: "val-2", exact: true });
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(lab.inspector).toContainText("val-2");
  const sheet = page.getByRole("complementary", { name: "Details" });
  await expect.poll(async () => (await sheet.boundingBox())?.y).toBe(422);
  const ring = await page.locator("#ring > svg").boundingBox();
  expect(ring?.y).toBeGreaterThanOrEqual(0);
  expect((ring?.y ?? 0) + (ring?.height ?? 0)).toBeLessThanOrEqual(422);

  await lab.inspector.getByRole("button", { name: "Close the inspector" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/network(\?|$)/);
  await expect(link).toBeFocused();

  await page.keyboard.press("Enter");
  await expect.poll(async () => (await sheet.boundingBox())?.y).toBe(422);
  const head = await lab.inspector.getByRole("heading", { name: "Validator val-2" }).boundingBox();
  await page.mouse.move(60, (head?.y ?? 0) + 6);
  await page.mouse.down();
  await page.mouse.move(60, (head?.y ?? 0) + 120);
  await page.mouse.up();
  await expect(page).toHaveURL(/#\/network(\?|$)/);
});
