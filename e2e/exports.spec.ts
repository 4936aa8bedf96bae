/** Exports of the chain's history, as files for other programs. */
import { readFileSync } from "node:fs";
import { expect, test, violationsOf } from "./helpers.ts";

test("what happened, what is shown, the state and the world are saved as files", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario("run: 5", "double_sign: { node: val-3 }", "run: 4");
  const saved = async (doing: () => Promise<unknown>) => {
    const download = page.waitForEvent("download");
    await doing();
    const file = await download;
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
  };

  await test.step("the trace, the blocks and the events of the heights on screen", async () => {
    const last = await lab.height();
    await page.keyboard.press("l");
    const share = lab.dialog("Share");
    await share.getByLabel("What happened, for other programs").check();
    await expect(share.getByLabel("To block")).toHaveValue(String(last));
    expect(await violationsOf(page, "[role=dialog]")).toEqual([]);

    const save = async (button: string): Promise<string> =>
      (await saved(() => share.getByRole("button", { name: button }).click())).text;
    const { traceEvents } = JSON.parse(await save("Save the trace"));
    const names = traceEvents.map(({ name }: { name: string }) => name);
    expect(names).toContain(`height ${last}, round 0`);

    const [head, ...blocks] = (await save("Save blocks")).trimEnd().split("\r\n");
    expect(head?.split(",")[0]).toBe("height");
    expect(blocks.map((line) => Number(line.split(",")[0]))).toEqual(
      Array.from({ length: last }, (_, i) => i + 1),
    );

    await share.getByLabel("From block").fill(String(last + 5));
    await share.getByRole("button", { name: "Save events" }).click();
    await expect(share.getByRole("alert")).toBeVisible();
    await share.getByLabel("From block").fill("7");
    expect(await save("Save events")).toContain("slash");
    await share.getByLabel("From block").fill("x");
    await expect(share.getByRole("alert")).toContainText("expected heights from 1 on");
    await expect(share.getByRole("button", { name: "Save events" })).toBeDisabled();
    await page.keyboard.press("Escape");
  });

  await test.step("the drawer saves what it shows as CSV, and the palette leads to every file", async () => {
    const drawer = page.getByRole("region", { name: "What happened" });
    await drawer.getByRole("button", { name: "Events", exact: true }).click();
    await drawer.getByLabel("Search events").fill("slash");
    const shown = drawer.getByRole("listitem");
    await expect(shown.first()).toContainText("slash");
    const csv = drawer.getByRole("button", { name: "Save the events shown as CSV" });
    const events = await saved(() => csv.press("Enter"));
    const [head, ...rows] = events.text.trimEnd().split("\r\n");
    expect([events.name, head]).toEqual(["events.csv", "height,where,module,outcome,text"]);
    expect(rows).toHaveLength(await shown.count());
    for (const row of rows) expect(row).toContain("slash");

    const take = async (typed: string): Promise<void> => {
      await page.keyboard.press("/");
      const field = lab.dialog("Palette").getByLabel("Find anything");
      await field.fill(typed);
      await field.press("Enter");
    };
    await page.locator("#view").focus();
    const genesis = await saved(() => take("save the state as a genesis"));
    expect(genesis.name).toBe("lab-1-9.json");
    expect(JSON.parse(genesis.text)).toMatchObject({ chain_id: "lab-1", initial_height: "10" });
    const world = await saved(() => take("save this world"));
    expect(world.name).toMatch(/\.chainlab$/);
    for (const [typed, name] of [
      ["newest steps csv", "steps.csv"],
      ["newest events csv", "events.csv"],
      ["lines of logs csv", "lines.csv"],
    ] as const) {
      const file = await saved(() => take(typed));
      expect([file.name, file.text.split("\r\n")[0]]).toEqual([
        name,
        "height,where,module,outcome,text",
      ]);
      expect(file.text).toMatch(/val-3/);
    }
    await take("save blocks as csv");
    await expect(lab.dialog("Share").getByRole("button", { name: "Save blocks" })).toBeVisible();
  });
});

test("in the past Share says up to where it goes, and of an impossible world that it is one", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario("run: 9");
  const share = lab.dialog("Share");
  await page.keyboard.press("ArrowLeft");
  await expect(lab.status).toHaveText("Past · 8 of 9");
  await page.keyboard.press("l");
  const about = "up to block 9, the newest, and not to block 8, which is shown";
  await expect(share.getByText(about)).toHaveCount(2);
  await expect(share.getByRole("note")).toBeHidden();
  await page.keyboard.press("Escape");

  await lab.view("State");
  const keys = page.getByRole("region", { name: "Keys of staking" });
  await keys.getByLabel("Search keys").fill("validator val-1 tokens");
  await keys
    .getByRole("row", { name: /validator val-1/ })
    .getByRole("button")
    .first()
    .click();
  const proof = page.getByRole("region", { name: "Proof" });
  await proof.getByRole("button", { name: "Change a byte" }).press("Enter");
  await proof.getByRole("button", { name: "Play on from it…" }).click();
  await page.getByRole("button", { name: "Begin the impossible branch" }).click();
  await expect(page.getByTestId("impossible")).toBeVisible();
  await page.keyboard.press("l");
  await expect(share.getByRole("note")).toContainText("This world is impossible");
  await share.getByLabel("What happened, for other programs").check();
  const download = page.waitForEvent("download");
  await share.getByRole("button", { name: "Save the genesis file" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^lab-1-\d+-impossible\.json$/);
  const { lab: own } = JSON.parse(readFileSync(await file.path(), "utf8"));
  expect(own.impossible).toEqual([expect.objectContaining({ height: 8, store: "staking" })]);
});
