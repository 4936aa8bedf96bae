import { expect, test } from "./helpers.ts";

test("a story is told beat by beat, back and on, and shows what it is about and its checks", async ({
  lab,
  page,
}) => {
  await test.step("beat by beat, back and on", async () => {
    await lab.open();
    await page.keyboard.press("s");
    const stories = lab.dialog("Stories");
    const find = stories.getByRole("searchbox", { name: "Find a story" });
    await find.fill("cosmovisor");
    await expect(stories.getByRole("region", { name: /^Sidecar/ })).toBeVisible();
    await find.fill("abracadabra");
    await expect(stories.getByRole("status")).toContainText("No story has “abracadabra”");
    await find.fill("double sign tombstoned");
    await stories.getByRole("button", { name: /^Run: A double sign is/ }).click();

    const line = page.getByTestId("story-line");
    const story = page.getByRole("region", { name: "Story" });
    await expect(line).toContainText("Four validators of equal stake");
    await lab.pause();
    await page.keyboard.press("ArrowRight");
    await expect(line).toContainText("two conflicting votes");
    await expect(story).toContainText("2 of 12");
    await expect(lab.inspector).toContainText("val-2");
    for (let beat = 3; beat <= 4; beat++) {
      await page.getByRole("button", { name: "Next" }).click();
      await expect(story).toContainText(`${beat} of 12`);
    }
    await expect(line).toContainText("Block 7 carries the evidence");
    await expect(page).toHaveURL(/#\/evidence/);
    await lab.reaches(7);
    await page.getByText("1 check passed").click();
    await expect(page.getByText("chain: running, height: 7")).toBeVisible();

    await page.keyboard.press("ArrowLeft");
    await expect(story).toContainText("3 of 12");
    await expect(page.getByTestId("height")).toHaveText("6");
    await page.getByRole("button", { name: "Skip to end" }).click();
    await lab.storyEnds();
    await expect(page.getByTestId("height")).toHaveText("11");
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.getByLabel("Speed").selectOption("1 block/s");
  await test.step("it begins without what was selected before, and has its checks where its chain stands still", async () => {
    await lab.select("val-1");
    await page.keyboard.press("s");
    const stories = lab.dialog("Stories");
    await stories.getByRole("searchbox", { name: "Find a story" }).fill("upgrade night by hand");
    await stories.getByRole("button", { name: /^Run: Upgrade night by hand/ }).click();
    const story = page.getByRole("region", { name: "Story" });
    await expect(story).toContainText("1 of");
    await expect(page).not.toHaveURL(/node\/val-1/);
    await lab.pause();
    await story.getByText("Upgrade night by hand").click();
    await story.getByRole("button", { name: /^Block 20 is decided by all/ }).click();
    await lab.isHalted();
    await story.getByText("1 check passed").click();
    await expect(story.getByText(/chain: halted, height: 19/)).toBeVisible();
  });
});
