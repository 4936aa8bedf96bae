import { expect, test } from "./helpers.ts";

test("the newest round is drawn: who proposes, who prevotes and precommits, and what came of it", async ({
  lab,
  page,
}) => {
  await lab.open();
  const round = page.getByRole("region", { name: "The newest round" });
  await expect(round).toContainText(/val-[0-3] proposes/);
  // Each stage is there for a part of a second: looked for often, so as not to keep time with it.
  for (const stage of ["waiting for prevotes", "waiting for precommits", "block decided"]) {
    await expect.poll(() => round.textContent(), { intervals: [40] }).toContain(stage);
  }
  await lab.pause();
  await expect(round).toContainText("block decided");
  await lab.select("val-3");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(round).toContainText("75 %");
});
