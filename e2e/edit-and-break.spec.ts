import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expect, isAccessible, type LabPage, test } from "./helpers.ts";

const FILE = `# Mine
scenario: 1
name: mine
genesis: { validators: 4 }
steps:
  # Four validators make blocks.
  - run: 3
  - nodes: { which: [val-0], stop: true }
  - run: 2
  - expect: { chain: halted, height: 5 }
`;

/** The view with a text in it. */
async function written(lab: LabPage, text: string): Promise<Locator> {
  const { page } = lab;
  await lab.open();
  await lab.pause();
  await page.keyboard.press("s");
  await lab.dialog("Stories").getByRole("button", { name: "Write a scenario…" }).click();
  const scenario = page.getByRole("region", { name: "Scenario" });
  await write(scenario, text);
  return scenario;
}

/** Writes a text in place of what is there, as a person does: by keys. */
async function write(scenario: Locator, text: string): Promise<void> {
  await textOf(scenario).press("ControlOrMeta+A");
  await scenario.page().keyboard.insertText(text);
}

const textOf = (scenario: Locator): Locator => scenario.getByRole("textbox", { name: "Text" });
const stepsOf = (scenario: Locator): Locator =>
  scenario.getByRole("region", { name: "Steps" }).getByRole("listitem");

/** Chooses something from what can be done with a step. */
async function doTo(step: Locator, name: string): Promise<void> {
  await step.getByLabel(/^More about step/).click();
  await step.getByRole("button", { name }).click();
}

test("list and text are one and tell what can stand there, by keyboard too, and what is written stays", async ({
  lab,
  page,
}) => {
  // An address that names it leads there.
  await lab.open("#/scenario");
  await lab.pause();
  const scenario = page.getByRole("region", { name: "Scenario" });
  await expect(scenario).toBeVisible();
  await expect(lab.views.filter({ hasText: "Scenario" })).toHaveAttribute("aria-current", "page");

  await test.step("edits of either are in the other, and comments stay", async () => {
    await write(scenario, FILE);
    const steps = stepsOf(scenario);
    const text = textOf(scenario);
    await expect(steps).toHaveCount(4);
    await expect(steps.nth(0)).toContainText("3 blocks");

    await doTo(steps.nth(1), "Switch off");
    await expect(text).toContainText("#~ - nodes: { which: [val-0], stop: true }");
    await doTo(steps.nth(1), "Switch on");
    await expect(text).not.toContainText("#~");
    await doTo(steps.nth(1), "Move up");
    await expect(steps.nth(0)).toContainText("val-0: stop");
    await expect(text).toContainText("# Four validators make blocks.");
    await doTo(steps.nth(3), "Duplicate");
    await expect(steps).toHaveCount(5);
    await doTo(steps.nth(4), "Remove");
    await expect(steps).toHaveCount(4);

    await scenario.getByRole("button", { name: "Add a step…" }).click();
    const form = scenario.getByRole("form", { name: "A step" });
    await form.getByLabel("What").selectOption("double_sign");
    await form.getByRole("textbox", { name: /^node/ }).fill("val-2");
    await form.getByRole("button", { name: "Add the step" }).click();
    await expect(text).toContainText("- double_sign: { node: val-2 }");
    await expect(steps.nth(4)).toContainText("double_sign");
  });
  await test.step("characters that turn the direction of a text are drawn as signs, and a file that is dropped is not put into it", async () => {
    await write(scenario, FILE.replace("# Mine", "# \u202eeniM"));
    await expect(scenario.locator(".cm-specialChar")).toHaveCount(1);
    const text = await textOf(scenario).textContent();
    await textOf(scenario).evaluate((place) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["scenario: 1\nname: DROPPED\n"], "dropped.yaml"));
      for (const type of ["dragover", "drop"]) {
        place.dispatchEvent(
          new DragEvent(type, {
            dataTransfer,
            bubbles: true,
            cancelable: true,
            clientX: 9,
            clientY: 9,
          }),
        );
      }
    });
    await expect(page.getByRole("dialog")).toContainText("DROPPED");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(await textOf(scenario).textContent()).toBe(text);
  });
  await test.step("the schema completes keys and values", async () => {
    await write(scenario, "scenario: 1\nname: mine\n");
    await textOf(scenario).press("ControlOrMeta+End");
    await page.keyboard.type("gen");
    const offered = page.getByRole("listbox", { name: "Completions" }).getByRole("option");
    await expect(offered.first()).toContainText("genesis");
    await offered.first().click();
    await page.keyboard.type("{ pro");
    await expect(offered.first()).toContainText("profile");
    await offered.first().click();
    await page.keyboard.type("sdk");
    await expect(offered.first()).toContainText("sdk-0.53");
  });
  await test.step("names of the file are completed where one can stand", async () => {
    const head = "scenario: 1\nname: mine\ngenesis: { validators: 4 }\nsteps:\n  - run: 3\n";
    await write(scenario, head);
    await expect(stepsOf(scenario)).toHaveCount(1);
    await textOf(scenario).press("ControlOrMeta+End");
    const offered = page.getByRole("listbox", { name: "Completions" }).getByRole("option");
    await page.keyboard.insertText("  - double_sign: { node: ");
    await page.keyboard.type("val-");
    await expect(offered).toHaveText(["val-0", "val-1", "val-2", "val-3"]);
    await offered.nth(2).click();
    await expect(textOf(scenario)).toContainText("double_sign: { node: val-2");
  });
  await test.step("a step keeps its form and its stop while the list changes, and equal steps are not one", async () => {
    const runs = [1, 2, 3, 2].map((blocks) => `  - run: ${blocks}\n`).join("");
    await write(scenario, `scenario: 1\nname: mine\nsteps:\n${runs}`);
    const steps = stepsOf(scenario);
    await expect(steps).toHaveCount(4);
    await doTo(steps.nth(3), "Stop before it");
    await expect(scenario.getByText("stops here")).toHaveCount(1);
    await doTo(steps.nth(1), "Change…");
    await doTo(steps.nth(0), "Remove");
    await expect(steps).toHaveCount(3);
    const form = scenario.getByRole("form", { name: "A step" });
    await form.getByRole("textbox", { name: /^run/ }).fill("22");
    await form.getByRole("button", { name: "Change the step" }).click();
    await expect(textOf(scenario)).toContainText("- run: 22");
    await expect(textOf(scenario)).toContainText("- run: 3");
    await expect(steps.nth(2)).toContainText("stops here");
    // Both are done, of the list as it was seen.
    await steps
      .nth(0)
      .getByLabel(/^More about step/)
      .click();
    await steps
      .nth(0)
      .getByRole("button", { name: "Duplicate" })
      .evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      });
    await expect(steps).toHaveCount(5);
  });
  await test.step("it can be used by keyboard alone, and has no faults of accessibility, light and dark", async () => {
    await write(scenario, FILE);
    await expect(stepsOf(scenario)).toHaveCount(4);
    await textOf(scenario).focus();
    await page.keyboard.press("Tab");
    await expect(textOf(scenario)).not.toBeFocused();
    const more = stepsOf(scenario).nth(1).getByLabel("More about step 2");
    await more.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Change…" })).toBeFocused();
    await page.keyboard.press("Enter");
    const form = scenario.getByRole("form", { name: "A step" });
    await expect(form.getByLabel("What")).toBeFocused();
    await expect(form.getByLabel("which")).toHaveValue('["val-0"]');
    await isAccessible(page, "#view");
  });
  await test.step("what is written stays over a reload, and over what is opened in its place", async () => {
    await write(scenario, FILE);
    await expect(stepsOf(scenario)).toHaveCount(4);
    await page.reload();
    await expect(textOf(scenario)).toContainText("# Four validators make blocks.");
    await scenario.getByRole("button", { name: "New" }).click();
    await expect(textOf(scenario)).not.toContainText("Four validators");
    await scenario.getByRole("button", { name: "Open it again" }).click();
    await expect(textOf(scenario)).toContainText("# Four validators make blocks.");
    await expect(stepsOf(scenario)).toHaveCount(4);
  });
});

test("an error stands at its line with the same words in list and text, and a run to a step leaves the whole text with its world", async ({
  lab,
  page,
}) => {
  const scenario = await written(lab, FILE);

  await test.step("a genesis that no chain can begin with is said at its line when it runs", async () => {
    const rich = "{ validators: [{ name: a, stake: '8000000000000000000000' }] }";
    const text = FILE.replace("{ validators: 4 }", rich).replace(/ {2}- nodes.*\n/, "");
    await write(scenario, text);
    const before = await page.getByTestId("height").textContent();
    await scenario.getByRole("button", { name: "Run", exact: true }).click();
    await expect(scenario.getByText(/^Line 4: supply of stake must be/)).toBeVisible();
    await expect(scenario.locator(".cm-lint-marker-error")).toHaveCount(1);
    expect(await page.getByTestId("height").textContent()).toBe(before);
    // The error disappears with the next edit.
    await write(scenario, FILE);
    await expect(scenario.getByText(/supply of stake must be/)).toBeHidden();
    await expect(scenario.getByRole("button", { name: "Run", exact: true })).toBeEnabled();
  });
  await test.step("an error is said before it runs, and what fails when it runs too", async () => {
    await write(scenario, FILE.replace("[val-0]", "[val-9]"));
    const steps = stepsOf(scenario);
    const unknown = 'there is no node "val-9": expected val-0, val-1, val-2, val-3';
    await expect(steps.nth(1)).toContainText(unknown);
    await expect(scenario.getByText(`Line 8: ${unknown}`)).toBeVisible();
    await expect(scenario.locator(".cm-lint-marker-error")).toHaveCount(1);
    await expect(scenario.getByRole("button", { name: "Run", exact: true })).toBeDisabled();

    await write(scenario, FILE);
    await expect(steps.nth(1)).not.toContainText("val-9");
    await scenario.getByRole("button", { name: "Run", exact: true }).click();
    await expect(steps.nth(3).getByText("failed")).toBeAttached();
    await expect(steps.nth(3)).toContainText("expected the chain to be halted");
    await expect(steps.nth(2).getByText("passed")).toBeAttached();
    await expect(scenario.getByText("here: block 5")).toBeVisible();
    await expect(scenario.getByText(/^Line 10: expected the chain/)).toBeVisible();

    await scenario.getByRole("button", { name: "Run to step 1" }).click();
    await expect(scenario.getByText("here: block 3")).toBeVisible();
    await doTo(steps.nth(2), "Stop before it");
    await scenario.getByRole("button", { name: "Run", exact: true }).click();
    await expect(steps.nth(1).getByText("passed")).toBeAttached();
    await expect(steps.nth(2).getByText("passed")).toHaveCount(0);
    await expect(page.getByTestId("height")).toHaveText("3");
  });
  await test.step("a run to a step leaves the whole text with its world", async () => {
    await write(scenario, FILE);
    await scenario.getByRole("button", { name: "Run to step 1" }).click();
    await expect(scenario.getByText("here: block 3")).toBeVisible();
    await scenario.getByRole("heading", { name: "mine.yaml" }).click();
    await page.keyboard.press("l");
    const share = lab.dialog("Share");
    const link = await share.getByLabel("The link").inputValue();
    await page.keyboard.press("Escape");
    await page.goto(link);
    await expect(lab.dialog("Open what was shared with you?")).toContainText(
      "chain: halted, height: 5",
    );
  });
});

test("a run of the same text takes the place of the run before, unless something was done in that; one goes on from a stop without beginning anew", async ({
  lab,
  page,
}) => {
  const scenario = await written(
    lab,
    FILE.replace("name: mine", "name: again")
      .replace("which: [val-0]", "which: [val-0, val-1]")
      .replace("run: 2", "run: { rounds: 2 }"),
  );

  await test.step("a run of the same text takes the place of the run before", async () => {
    const run = scenario.getByRole("button", { name: "Run", exact: true });
    const runs = async (): Promise<number> => {
      await page.keyboard.press("Escape");
      await page.getByRole("region", { name: "Scenario" }).locator("h2").click();
      await page.keyboard.press("w");
      const list = lab.dialog("Worlds").getByRole("list", { name: "Worlds" });
      await expect(list.getByRole("listitem").first()).toBeVisible();
      const count = await list.getByRole("listitem").filter({ hasText: "again" }).count();
      await page.keyboard.press("Escape");
      await expect(lab.dialog("Worlds")).toBeHidden();
      return count;
    };
    const halted = async (): Promise<void> => {
      await run.click();
      await expect(run).not.toHaveAttribute("aria-busy", "true");
      await lab.isHalted();
    };
    const undo = page
      .getByRole("region", { name: "Notices" })
      .getByRole("button", { name: "Undo" });
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    await halted();
    // The first run took the place of another world, of which it is said; the ones after it of nothing.
    await expect(undo).toBeVisible();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await halted();
    await halted();
    await expect.poll(runs).toBe(1);
    await expect(undo).toBeHidden();

    await page.getByRole("button", { name: /^Start val-0/ }).click();
    await expect(lab.haltCard).toBeHidden();
    await halted();
    await expect.poll(runs).toBe(2);
  });
  await test.step("a run goes on from a stop to the next one and to the end", async () => {
    await write(scenario, FILE.replace("chain: halted", "chain: running"));
    const steps = stepsOf(scenario);
    const goOn = scenario.getByRole("button", { name: "Continue" });
    await expect(steps).toHaveCount(4);
    await expect(goOn).toBeHidden();
    for (const at of [0, 2, 3]) await doTo(steps.nth(at), "Stop before it");
    await scenario.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page.getByTestId("height")).toHaveText("0");
    await expect(scenario.getByText("no story is told")).toBeHidden();
    await goOn.click();
    await expect(scenario.getByText("here: block 3")).toBeVisible();
    await expect(steps.getByText("passed")).toHaveCount(2);
    await goOn.click();
    await expect(scenario.getByText("here: block 5")).toBeVisible();
    await expect(steps.getByText("passed")).toHaveCount(3);
    await goOn.click();
    await expect(steps.getByText("passed")).toHaveCount(4);
    await expect(goOn).toBeHidden();
    await page.keyboard.press("Escape");
    await scenario.locator("h2").click();
    await page.keyboard.press("w");
    const list = lab.dialog("Worlds").getByRole("list", { name: "Worlds" });
    await expect(list.getByRole("listitem").filter({ hasText: "mine" })).toHaveCount(1);
  });
});

test("a JSON file stays JSON when its list is edited", async ({ lab, page }) => {
  const file = { scenario: 1, name: "mine", steps: [{ run: 3 }, { run: 2 }] };
  const scenario = await written(lab, "");
  await scenario.getByLabel("Open a file").setInputFiles({
    ...{ name: "mine.json", mimeType: "application/json" },
    buffer: Buffer.from(JSON.stringify(file, null, 2)),
  });
  await expect(stepsOf(scenario)).toHaveCount(2);
  await doTo(stepsOf(scenario).nth(1), "Move up");
  await expect(stepsOf(scenario).nth(0)).toContainText("2 blocks");
  await doTo(stepsOf(scenario).nth(0), "Switch off");
  await expect(textOf(scenario)).toContainText('"off": true');
  await expect(scenario.getByRole("heading", { name: "mine.json" })).toBeVisible();
  const saving = page.waitForEvent("download");
  await scenario.getByRole("button", { name: "Save as a file" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("mine.json");
  expect(JSON.parse(await readFile(await saved.path(), "utf8"))).toEqual({
    ...file,
    steps: [{ run: 2, off: true }, { run: 3 }],
  });
  await scenario.getByRole("button", { name: "Run", exact: true }).click();
  await expect(scenario.getByText("here: block 3")).toBeVisible();
});
