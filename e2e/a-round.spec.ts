import { expect, test } from "./helpers.ts";

test("the newest round is drawn: who proposes, who prevotes and precommits, and what came of it", async ({
  lab,
  page,
}) => {
  await lab.open();
  const round = page.getByRole("region", { name: "The newest round" });
  await expect(round).toContainText("block decided");
  await expect(round).toContainText(/val-[0-3] proposes/);
  await lab.pause();
  await lab.select("val-3");
  await lab.inspector.getByRole("button", { name: "Stop" }).click();
  await expect(lab.inspector).toContainText("stopped");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(round).toContainText("75 %");
});
