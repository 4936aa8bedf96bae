/** A scenario or a world is handed over as a link or a file, and looked at before any of it runs. */
import { deflateSync } from "node:zlib";
import { dropFiles, errorsOf, expect, LabPage, scenarioOf, test } from "./helpers.ts";

const linkOf = (body: string | Uint8Array): string =>
  `#/shared/1/scenario/${deflateSync(Buffer.concat([Buffer.from("own.yaml\n"), Buffer.from(body)])).toString("base64url")}`;

test("a scenario, a world and what was done by hand go to another browser as links, are shown there and open paused", async ({
  lab,
  page,
  browser,
}) => {
  const share = lab.dialog("Share");
  const other = await browser.newContext();
  const there = new LabPage(await other.newPage());
  const errors = errorsOf(there.page);
  await lab.open();

  await test.step("a world goes over, and stands where it stood", async () => {
    await lab.reaches(3);
    await lab.pause();
    const height = await lab.height();
    await page.keyboard.press("l");
    await share.getByLabel("This world").check();
    await expect(share.getByRole("button", { name: /^Save .*chainlab$/ })).toBeVisible();
    const link = await share.getByLabel("The link").inputValue();
    await there.page.goto(link);
    const opened = there.dialog("Open what was shared with you?");
    await expect(opened).toContainText(new RegExp(`Stands at block\\s*${height}`));
    await opened.getByRole("button", { name: "Open" }).click();
    await expect(there.status).toHaveText("Paused");
    await expect.poll(() => there.height()).toBe(height);
  });

  await page.keyboard.press("Escape");

  await test.step("what was done by hand goes over as a scenario, and leads to the same app hash", async () => {
    const appHash = async ({ page }: LabPage): Promise<string> => {
      // Without a selection the inspector shows the chain.
      await page.keyboard.press("Escape");
      const title = await page.getByRole("button", { name: "Copy app hash" }).getAttribute("title");
      return title?.split("\n")[0] ?? "";
    };
    await lab.fullSpeed();
    await page.keyboard.press("d");
    const form = lab.dialog("Make a validator double sign");
    await form.getByLabel("Evidence is submitted to the app").check();
    await form.getByLabel("Validator", { exact: true }).selectOption("val-2");
    await form.getByLabel("Height of the infraction").fill("1");
    await form.getByRole("button", { name: "Submit the evidence" }).click();
    await expect(form).toBeHidden();
    await page.keyboard.press("r");
    const until = lab.dialog("Run until…");
    await until.getByRole("textbox", { name: "Height" }).fill("15");
    await until.getByRole("button", { name: "Run", exact: true }).click();
    await lab.reaches(15);
    await expect(lab.status).toHaveText("Paused");
    const height = await lab.height();
    const hash = await appHash(lab);
    expect(hash).toMatch(/^[0-9A-F]{64}$/);
    await page.keyboard.press("l");
    await expect(share.getByLabel("What was done here, as a scenario")).toBeChecked();
    const link = await share.getByLabel("The link").inputValue();
    await there.page.goto(link);
    const opened = there.dialog("Open what was shared with you?");
    await opened.getByRole("button", { name: "Open" }).click();
    await there.fullSpeed();
    await there.page.getByRole("button", { name: "Play", exact: true }).click();
    await there.storyEnds();
    expect(await there.height()).toBe(height);
    expect(await appHash(there)).toBe(hash);
  });

  await page.keyboard.press("Escape");

  await test.step("a scenario goes over, is shown in an empty browser, opens paused and runs", async () => {
    await lab.runScenario("run: 5", "double_sign: { node: val-3 }", "run: 4");
    await page.keyboard.press("l");
    await expect(share.getByLabel("The scenario that this world came from")).toBeChecked();
    await expect(share.getByTestId("link-size")).toContainText("short enough for mail and chat");
    const link = await share.getByLabel("The link").inputValue();

    const other = await browser.newContext();
    const there = new LabPage(await other.newPage());
    const errors = errorsOf(there.page);
    await there.page.goto(link);
    const opened = there.dialog("Open what was shared with you?");
    await expect(opened).toContainText("Own");
    await expect(opened).toContainText(/Validators\s*4/);
    await expect(opened).toContainText(/Steps\s*3/);
    await expect(opened).toContainText("It has not run yet.");
    // Behind it is the world that everyone sees first.
    await expect(there.page.getByTestId("story-line")).toHaveCount(0);
    await opened.getByRole("button", { name: "Open" }).click();
    await expect(opened).toBeHidden();
    await expect(there.page).toHaveURL(/#\/network(\?|$)/);
    await expect(there.page.getByTestId("story-line")).toBeVisible();
    await expect(there.status).toHaveText("Paused");
    await expect.poll(() => there.height()).toBe(0);
    await there.fullSpeed();
    await there.page.getByRole("button", { name: "Play", exact: true }).click();
    await there.storyEnds();
    expect(errors).toEqual([]);
    await other.close();
  });
  expect(errors).toEqual([]);
  await other.close();
});

const UNREADABLE = [
  ["a damaged one", linkOf(scenarioOf("run: 1")).slice(0, -9), "The link is damaged"],
  [
    "one of a later version",
    "#/shared/7/scenario/abc",
    "by a later version of Chainlab: its format is 7",
  ],
  ["a bomb", linkOf("a".repeat(40_000_000)), "holds too much: expected at most 4000000 bytes"],
  ["one that is too long", `#/shared/1/scenario/${"A".repeat(64_000)}`, "The link is too long"],
  [
    "a scenario with a mistake",
    linkOf(scenarioOf("runn: 1")),
    "Nothing has run. What is wrong with own.yaml",
  ],
] as const;

test("links that cannot be opened say so, and one that is not opened changes nothing", async ({
  lab,
  page,
}) => {
  for (const [what, hash, text] of UNREADABLE) {
    await test.step(what, async () => {
      await page.goto(`/${hash}`);
      const opened = lab.dialog("Open what was shared with you?");
      await expect(opened).toContainText(text);
      await expect(opened.getByRole("button", { name: "Open", exact: true })).toHaveCount(0);
      await page.keyboard.press("Escape");
      await expect(opened).toBeHidden();
      await expect(page).toHaveURL(/#\/network(\?|$)/);
      await lab.reaches(1);
    });
  }

  await test.step("a link that is not opened", async () => {
    await lab.pause();
    const height = await lab.height();
    await page.goto(`/${linkOf(scenarioOf("run: 30"))}`);
    const opened = lab.dialog("Open what was shared with you?");
    await expect(opened).toContainText(/Steps\s*1/);
    await opened.getByRole("button", { name: "Cancel" }).click();
    await expect(opened).toBeHidden();
    await expect(page.getByTestId("story-line")).toHaveCount(0);
    expect(await lab.height()).toBe(height);
  });
});

test("a scenario and a world that are dropped onto the page are shown, and opened paused", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.reaches(2);
  await lab.pause();
  await page.keyboard.press("w");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    lab
      .dialog("Worlds")
      .getByRole("button", { name: /^Export / })
      .first()
      .click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  await page.keyboard.press("Escape");
  const drop = (name: string, content: Buffer) => dropFiles(page, [[name, content]]);
  const opened = lab.dialog("Open what was shared with you?");
  await drop("mine.yaml", Buffer.from(scenarioOf("run: 3")));
  await expect(opened).toContainText("mine.yaml");
  await opened.getByRole("button", { name: "Open" }).click();
  await expect(page.getByTestId("story-line")).toBeVisible();
  await expect(lab.status).toHaveText("Paused");
  await drop(download.suggestedFilename(), Buffer.concat(chunks));
  await expect(opened).toContainText("Stands at block");
  await opened.getByRole("button", { name: "Open" }).click();
  await expect(opened).toBeHidden();
  await expect(page.getByTestId("story-line")).toHaveCount(0);
  await drop("mine.yaml", Buffer.from([0xff, 0xfe]));
  await expect(opened).toContainText("mine.yaml cannot be read: expected UTF-8");

  await page.keyboard.press("Escape");

  await test.step("a file that is dropped is held against the world on screen, and one that is dropped with it is named", async () => {
    const height = await lab.height();
    await dropFiles(page, [
      ["b.yaml", Buffer.from(scenarioOf("run: 3", "double_sign: { node: val-3 }", "run: 5"))],
      ["c.yaml", Buffer.from(scenarioOf("run: 3"))],
    ]);
    const dialog = lab.dialog("Open what was shared with you?");
    await expect(dialog).toContainText("b.yaml");
    await expect(dialog).toContainText("Still to be dropped: c.yaml.");
    await dialog.getByRole("button", { name: "Compare" }).click();
    await expect(dialog).toBeHidden();
    const compared = page.getByRole("region", { name: "What is compared" });
    await expect(compared.getByLabel("Compared with")).toHaveValue("file:b.yaml");
    await expect(page.getByRole("region", { name: "First difference" })).toContainText(
      "First difference",
    );
    expect(await lab.height()).toBe(height);
  });
});

test("the address has the world, the drawer, the view and what is selected, and Back goes back through them", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.reaches(2);
  await expect(page).toHaveURL(/#\/network\?world=/);
  const first = page.url();
  await lab.select("val-1");
  await page.getByRole("button", { name: "API", exact: true }).click();
  await expect(page).toHaveURL(/#\/network\/node\/val-1\?drawer=api&world=/);
  await lab.view("Evidence");
  await expect(page).toHaveURL(/#\/evidence\/node\/val-1\?drawer=api&world=/);
  await page.goBack();
  await expect(page).toHaveURL(/#\/network\/node\/val-1\?drawer=api&world=/);
  await page.goBack();
  await expect(page).toHaveURL(/#\/network\/node\/val-1\?world=/);
  await expect(page.getByRole("button", { name: "Decisions" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.goBack();
  await expect(page).toHaveURL(first);
  await lab.runScenario("run: 2");
  await expect(page).not.toHaveURL(first);
  await page.goBack();
  await expect(page).toHaveURL(first);
  await expect(page.getByTestId("story-end")).toHaveCount(0);
  await page.goto("/#/governance?drawer=log&world=none");
  await expect(page.getByText("names a world that this browser does not keep")).toBeVisible();
  await expect(page).toHaveURL(/#\/governance\?drawer=log&world=(?!none)/);
});
