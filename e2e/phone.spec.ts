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

for (const width of [390, 360]) {
  test(`at ${width} px what is wrong stands whole in the head, in two lines with the name and the ways`, async ({
    lab,
    page,
  }) => {
    await lab.planUpgrade(40);
    await page.setViewportSize({ width, height: 780 });
    await page.getByRole("button", { name: "Play" }).click();
    await lab.isHalted();
    const pill = lab.status;
    await expect(pill).toContainText("needs 267");
    const cut = await pill.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(cut).toBeLessThanOrEqual(0);
    const [bar, mine] = [await page.getByRole("banner").boundingBox(), await pill.boundingBox()];
    expect((mine?.x ?? 0) + (mine?.width ?? 0)).toBeLessThanOrEqual(width - 12);
    // Name, pill, place, and two lines of what can be done.
    expect(bar?.height).toBeLessThanOrEqual(216);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
