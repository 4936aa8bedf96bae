/** What happened on the chain is handed to other programs, as files that they can read. */
import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./helpers.ts";

test("the trace, the blocks and the events of the heights on screen are saved as files", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario("run: 5", "double_sign: { node: val-3 }", "run: 4");
  const last = await lab.height();
  await page.keyboard.press("l");
  const share = lab.dialog("Share");
  await share.getByLabel("What happened, for other programs").check();
  await expect(share.getByLabel("To block")).toHaveValue(String(last));
  const { violations } = await new AxeBuilder({ page }).include("[role=dialog]").analyze();
  expect(violations).toEqual([]);

  const saved = async (button: string): Promise<string> => {
    const download = page.waitForEvent("download");
    await share.getByRole("button", { name: button }).click();
    const path = await (await download).path();
    return readFileSync(path, "utf8");
  };
  const { traceEvents } = JSON.parse(await saved("Save the trace"));
  const names = traceEvents.map(({ name }: { name: string }) => name);
  expect(names).toContain(`height ${last}, round 0`);

  const [head, ...blocks] = (await saved("Save blocks")).trimEnd().split("\r\n");
  expect(head?.split(",")[0]).toBe("height");
  expect(blocks.map((line) => Number(line.split(",")[0]))).toEqual(
    Array.from({ length: last }, (_, i) => i + 1),
  );

  await share.getByLabel("From block").fill(String(last + 5));
  await share.getByRole("button", { name: "Save events" }).click();
  await expect(share.getByRole("alert")).toBeVisible();
  await share.getByLabel("From block").fill("7");
  expect(await saved("Save events")).toContain("slash");
  await share.getByLabel("From block").fill("x");
  await expect(share.getByRole("alert")).toContainText("expected heights from 1 on");
  await expect(share.getByRole("button", { name: "Save events" })).toBeDisabled();
});
