import { expect, test } from "./helpers.ts";

test("sidecars say what they will do, what they did and why one failed, and its operator helps", async ({
  lab,
  page,
}) => {
  await lab.open("#/upgrades");
  const panel = page.getByRole("region", { name: "Sidecars (Cosmovisor)" });
  await expect(panel).toContainText("No node has one");
  await lab.runScenario("upgrade: { name: v2, at: 20 }");
  await lab.view("Upgrades");

  await panel.getByLabel("Give every node a sidecar").selectOption("binaries must be on disk");
  await expect(panel).toContainText("4 not ready");
  const of = (node: string) => panel.getByRole("region", { name: `Sidecar of ${node}` });
  await expect(of("val-0")).toContainText("At block 20 it would stop: binary not present");
  await of("val-0").getByRole("button", { name: "Place v2 where it looks" }).click();
  await expect(panel).toContainText("3 not ready and 1 ready");

  await page.getByRole("button", { name: "Play" }).click();
  await lab.isHalted();
  await expect(panel).toContainText("3 failed and 1 watching");
  await expect(of("val-1")).toContainText("Finds the binary failed");
  await of("val-1").getByRole("button", { name: "Switch val-1 to v2" }).click();
  await of("val-2").getByRole("button", { name: "Switch val-2 to v2" }).click();
  await lab.isLive();
  await expect(panel).toContainText("1 failed and 3 watching");

  await panel.getByRole("link", { name: "val-0" }).click();
  await expect(of("val-0")).toContainText("It has switched to v2 at block 20.");
  await expect(of("val-0")).toContainText("upgrade detected, relaunching");
  await expect(of("val-0").getByText("cosmovisor/upgrades/v2/upgrade-info.json")).toBeVisible();
  await panel.getByRole("link", { name: "block 20" }).click();
  await expect(lab.inspector).toContainText("Block 20");
});
