import { expect, test } from "./helpers.ts";

test("on a phone what is tapped is explained over the lower half, and a story keeps its sentence, its way on and what is wrong in sight", async ({
  lab,
  page,
}) => {
  await test.step("the ring stands above what is tapped, which is closed by its button and by a drag", async () => {
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
    const head = await lab.inspector
      .getByRole("heading", { name: "Validator val-2" })
      .boundingBox();
    await page.mouse.move(60, (head?.y ?? 0) + 6);
    await page.mouse.down();
    await page.mouse.move(60, (head?.y ?? 0) + 120);
    await page.mouse.up();
    await expect(page).toHaveURL(/#\/network(\?|$)/);
  });
  for (const [title, wrong, from, to] of [
    ["Upgrade night by hand", "Halted at 20", 3, 7],
    ["Two chains, and who made them", "Split: two chains", 2, 3],
  ] as const)
    await test.step(`the story “${title}”`, async () => {
      await page.getByLabel("Speed").selectOption("1 block/s");
      await page.keyboard.press("s");
      const stories = lab.dialog("Stories");
      await stories.getByRole("searchbox", { name: "Find a story" }).fill(title);
      await stories.getByRole("button", { name: `Run: ${title}` }).click();
      const story = page.getByRole("region", { name: "Story" });
      await expect(story).toContainText("1 of");
      await lab.pause();
      const sheet = page.getByRole("complementary", { name: "Details" });
      for (
        let beat = Number(/(\d+) of \d+/.exec((await story.textContent()) ?? "")?.[1]);
        beat < to;
      ) {
        beat += 1;
        await page.keyboard.press("ArrowRight");
        await expect(story).toContainText(`${beat} of `);
        if (beat < from) continue;
        await expect(lab.status).toContainText(wrong);
        // As far from the top as the page is scrolled for what the beat is about, and further.
        for (const scrolled of [false, true]) {
          if (scrolled) await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          const end = (await sheet.getAttribute("data-selected")) === null ? 844 : 422;
          for (const part of [
            story.locator("> p"),
            story.getByText(wrong),
            story.getByRole("button", { name: "Next" }),
          ]) {
            const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
            expect(y, `beat ${beat}: ${part}`).toBeGreaterThanOrEqual(0);
            expect(y + height, `beat ${beat}: ${part}`).toBeLessThanOrEqual(end);
          }
        }
      }
    });
});

test("on a phone what is wrong stands whole in the head, in two lines with the name and the ways", async ({
  lab,
  page,
}) => {
  await lab.planUpgrade(40);
  await page.setViewportSize({ width: 390, height: 780 });
  await page.getByRole("button", { name: "Play" }).click();
  await lab.isHalted();
  const pill = lab.status;
  await expect(pill).toContainText("needs 267");
  for (const width of [390, 360])
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 780 });
      const cut = await pill.evaluate((one) => one.scrollWidth - one.clientWidth);
      expect(cut).toBeLessThanOrEqual(0);
      const [bar, mine] = [await page.getByRole("banner").boundingBox(), await pill.boundingBox()];
      expect((mine?.x ?? 0) + (mine?.width ?? 0)).toBeLessThanOrEqual(width - 12);
      // Name, pill, place, and two lines of what can be done.
      expect(bar?.height).toBeLessThanOrEqual(216);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
});
