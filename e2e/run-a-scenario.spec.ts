import { expect, test } from "./helpers.ts";

test("bundled stories and a scenario of one's own run to their ends with every step shown", async ({
  lab,
  page,
}) => {
  await test.step("a bundled story runs to its end with every step shown", async () => {
    await lab.open();
    await lab.fullSpeed();
    await page.getByRole("button", { name: /A double sign/ }).click();
    const story = page.getByRole("region", { name: "Story" });
    await lab.hurryStory();
    await lab.storyEnds();
    await story.getByText(/^\d+ of \d+$/).click();
    const steps = story.getByRole("listitem");
    expect(await steps.count()).toBeGreaterThan(2);
    for (const step of await steps.all()) await expect(step).toHaveAttribute("data-state", "ok");
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await test.step("every bundled story can be chosen from the list", async () => {
    await page.keyboard.press("s");
    const list = lab.dialog("Stories").getByRole("button", { name: /^Run: / });
    await expect(list.first()).toBeVisible();
    expect(await list.count()).toBeGreaterThanOrEqual(10);
    await lab
      .dialog("Stories")
      .getByRole("button", { name: /^Run: .*two.thirds/i })
      .first()
      .click();
    await lab.hurryStory();
    await lab.storyEnds();
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await test.step("a scenario of one's own runs, and one that fails says what was expected", async () => {
    await page.keyboard.press("s");
    await lab
      .dialog("Stories")
      .getByText(/^Run a scenario .*of your own/)
      .click();
    await lab
      .dialog("Stories")
      .getByLabel("…or its text")
      .fill(
        [
          "scenario: 1",
          "name: mine",
          "title: Mine",
          "genesis: { validators: 4 }",
          "steps:",
          "  - run: 3",
          "  - expect: { chain: halted, height: 3 }",
          "    note: This cannot be",
        ].join("\n"),
      );
    await lab.dialog("Stories").getByRole("button", { name: "Check and run" }).click();
    const story = page.getByRole("region", { name: "Story" });
    await lab.hurryStory();
    await lab.storyEnds("check failed");
    await expect(page.getByTestId("story-line")).toHaveText("This cannot be");
    await story.getByText(/^\d+ of \d+$/).click();
    await expect(story.getByRole("listitem").last()).toHaveAttribute("data-state", "failed");
    await expect(story).toContainText("This cannot be");
  });
});
