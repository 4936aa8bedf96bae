/** A second history begins at a past height, and stands beside the first one. */
import { readFileSync } from "node:fs";
import { expect, isAccessible, scenarioOf, test } from "./helpers.ts";

test("a branch in which all is done again is stopped by its button: there is none, and the world is as it was", async ({
  lab,
  page,
}) => {
  await lab.open();
  // Full commits are signed vote by vote: far more than can be done before a press.
  await lab.runScenario("run: 40000");
  await page.getByRole("button", { name: "Leave" }).click();
  await page.keyboard.press("o");
  const form = lab.dialog("Replay with one change");
  await form.getByLabel("Parameter").selectOption("commits");
  await expect(form.getByLabel("New value")).toHaveValue("full");
  await form.getByRole("button", { name: "Begin the branch" }).click();
  await expect(form.getByRole("status")).toContainText("Replaying all commands…");
  await form.getByRole("button", { name: "Stop" }).click();
  await expect(form.getByRole("alert")).toContainText("the branch was given up: there is none.");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByTestId("height")).toHaveText("40,000");
  await page.keyboard.press("w");
  await expect(lab.dialog("Worlds").getByText("commits full")).toHaveCount(0);
});

test("branches are lanes of the timeline: where they begin, how far they go, and a way there", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.runScenario("run: 30");
  await page.getByRole("button", { name: "Leave" }).click();
  const lanes = page.getByRole("list", { name: "Branches" });
  await expect(lanes).toBeHidden();
  const nameFork = async (height: number, name: string): Promise<void> => {
    const form = lab.dialog(`Fork at block ${height}`);
    await form.getByLabel("Name").fill(name);
    await form.getByRole("button", { name: "Fork here" }).click();
  };
  const forkAt = async (height: number, name: string): Promise<void> => {
    await page.getByRole("slider", { name: "Blocks" }).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("PageDown");
    for (let at = 11; at < height; at++) await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("past")).toContainText(`You are viewing block ${height} of `);
    await page.keyboard.press("f");
    await nameFork(height, name);
    // The height shown is that of the past before, too.
    await expect(page.getByLabel(`Worlds; this one is ${name}`)).toBeVisible();
    await expect(page.getByTestId("height")).toHaveText(String(height));
  };
  const laneOf = (name: string) => lanes.getByRole("button", { name });
  await forkAt(11, "early");
  await expect(laneOf("Own")).toContainText("from 11 · ends at 30");
  await page.getByRole("button", { name: "One block" }).click();
  await expect(page.getByTestId("height")).toHaveText("12");
  await laneOf("Own").click();
  await expect(page.getByTestId("height")).toHaveText("30");
  await expect(laneOf("early")).toContainText("from 11 · ends at 12");
  await expect(laneOf("Own")).toBeHidden();

  // Where it begins it stands below the cell after the last common one.
  const bar = laneOf("early").locator("i");
  const cells = await page.getByRole("slider", { name: "Blocks" }).boundingBox();
  const box = await bar.boundingBox();
  expect(box?.width).toBe(14);
  expect((box?.x ?? 0) - (cells?.x ?? 0)).toBe(16 + 11 * 18);
  // Ten of them are bounded, and the last can be reached; most are branches of branches, with no way to go in between.
  await forkAt(12, "branch 12");
  for (let next = 13; next < 21; next++) {
    await page.keyboard.press("f");
    await nameFork(12, `branch ${next}`);
    await expect(page.getByLabel(`Worlds; this one is branch ${next}`)).toBeVisible();
  }
  await laneOf("Own").click();
  await expect(page.getByTestId("height")).toHaveText("30");
  await expect(lanes.getByRole("button")).toHaveCount(10);
  expect((await lanes.boundingBox())?.height).toBeLessThan(80);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await lanes.boundingBox())?.height).toBeLessThan(56);
  await expect(page.locator("body")).toHaveJSProperty("scrollWidth", 390);
  await laneOf("branch 12").click();
  await expect(page.getByTestId("height")).toHaveText("12");

  // A deleted branch has no lane.
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.keyboard.press("w");
  await lab.dialog("Worlds").getByRole("button", { name: "Delete early" }).click();
  await page.keyboard.press("Escape");
  await expect(laneOf("early")).toBeHidden();
});

test("what is done in the past is done in a branch, which is held against the world that it came from", async ({
  lab,
  page,
}) => {
  await test.step("it has a name, a note and a place in the tree", async () => {
    await lab.open();
    await lab.runScenario("run: 5", "double_sign: { node: val-3 }", "run: { to: 30 }");
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("slider", { name: "Blocks" }).focus();
    await page.keyboard.press("Home");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("past")).toContainText("You are viewing block 4 of ");

    // A button that acts offers the branch first.
    await page.getByRole("button", { name: "Double sign…" }).first().click();
    const form = lab.dialog("Fork at block 4");
    await expect(form).toContainText("“Own” does not change. Your action is done in the branch.");
    await form.getByLabel("Name").fill("val-1 instead");
    await form.getByLabel("Note").fill("What if another one signs twice?");
    await form.getByRole("button", { name: "Fork here and do it" }).click();

    // It goes on in the branch, at its newest block.
    const doubleSign = lab.dialog("Make a validator double sign");
    await expect(doubleSign).toBeVisible();
    await expect(page.getByTestId("past")).toBeHidden();
    await expect(page.getByTestId("height")).toHaveText("4");
    // Behind the dialog, where no role is found.
    await expect(page.getByLabel("Worlds; this one is val-1 instead")).toBeVisible();
    await doubleSign.getByLabel("Validator", { exact: true }).selectOption("val-1");
    await doubleSign
      .getByRole("button", { name: /double sign|signs twice/i })
      .last()
      .click();
    await expect(doubleSign).toBeHidden();
    for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "One block" }).click();
    const row = (name: string) => page.getByRole("table").getByRole("row", { name });
    await lab.view("Network");
    await expect(row("val-1")).toContainText("tombstoned");
    await expect(row("val-3")).not.toContainText("tombstoned");

    // Its past is as before, and undo leads to before what was done.
    await page.keyboard.press("z");
    await expect(page.getByTestId("past")).toContainText("You are viewing block 3 of ");
    await page.keyboard.press("End");

    await page.keyboard.press("w");
    const worlds = lab.dialog("Worlds");
    const branch = worlds.getByRole("listitem").filter({ hasText: "val-1 instead" });
    await expect(branch).toContainText("branch of “Own” from block 4");
    await expect(branch).toContainText("What if another one signs twice?");
    await branch.getByRole("button", { name: "Change the note of val-1 instead" }).click();
    await branch.getByRole("textbox", { name: "Note of val-1 instead" }).fill("val-1 signs twice");
    await page.keyboard.press("Enter");
    await expect(branch).toContainText("val-1 signs twice");
    // Switched to the first history, which has all of its blocks.
    await worlds.getByRole("button", { name: "Open Own" }).click();
    await expect(page.getByTestId("height")).toHaveText("30");
    await expect(row("val-3")).toContainText("tombstoned");
    await expect(row("val-1")).not.toContainText("tombstoned");
    // The branch can be deleted, and brought back.
    await page.keyboard.press("w");
    await branch.getByRole("button", { name: "Delete val-1 instead" }).click();
    await expect(branch).toContainText("is deleted");
    await branch.getByRole("button", { name: "Restore val-1 instead" }).click();
    await expect(branch).toContainText("branch of “Own” from block 4");
    // So can the one on screen, of which the other takes the place.
    const own = page.url();
    await worlds.getByRole("button", { name: "Delete Own" }).click();
    await expect(branch).toContainText("on screen");
    // An address of a deleted world does not bring it back.
    await expect(page).not.toHaveURL(own);
    await page.goto(own);
    await expect(page.getByText("the world was deleted: restore it first")).toBeVisible();
    await expect(page).not.toHaveURL(own);
    await expect(worlds.getByRole("button", { name: "Restore Own" })).toBeVisible();
    await worlds.getByRole("button", { name: "Restore Own" }).click();
    await expect(worlds.getByRole("button", { name: "Open Own" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(row("val-1")).toContainText("tombstoned");
  });
  await test.step("both are held against one another, at one height", async () => {
    await page.keyboard.press("w");
    await lab.dialog("Worlds").getByRole("button", { name: "Open Own" }).click();
    await expect(page.getByTestId("height")).toHaveText("30");
    await lab.inspector.getByRole("button", { name: "Close the inspector" }).click();
    await page.getByRole("slider", { name: "Blocks" }).focus();
    await page.keyboard.press("Home");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("past")).toContainText("You are viewing block 4 of ");
    await page.keyboard.press("f");
    const form = lab.dialog("Fork at block 4");
    await form.getByLabel("Name").fill("honest");
    await form.getByLabel("Note").fill("What if val-3 had signed once?");
    await form.getByRole("button", { name: "Fork here" }).click();
    await expect(page.getByTestId("past")).toBeHidden();
    await lab.fullSpeed();
    for (let i = 0; i < 16; i++) await page.getByRole("button", { name: "One block" }).click();
    await expect(page.getByTestId("height")).toHaveText("20");

    await page.keyboard.press("w");
    await lab.dialog("Worlds").getByRole("button", { name: "Compare with Own" }).click();
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    const first = compare.getByRole("region", { name: "First difference" });
    await expect(first).toContainText("First difference: block 7.");
    await expect(first).toContainText(
      "A carries no such evidence, B carries evidence: duplicate vote of val-3 at height 6",
    );
    await expect(first).toContainText("1 to 6 are the same.");
    const [a, b] = [
      compare.getByRole("region", { name: "A: honest" }),
      compare.getByRole("region", { name: "B: Own" }),
    ];
    await expect(a).toContainText("branch from 4");
    await expect(a).toContainText("What if val-3 had signed once?");
    await expect(b).toContainText("block 20 of 30");
    await expect(b).toContainText("val-3 tombstoned");
    const differing = compare.getByRole("region", { name: "What differs" });
    await expect(differing.getByRole("row", { name: /validator val-3 tombstoned/ })).toContainText(
      "true",
    );
    await differing
      .getByRole("button", { name: "Why? validator val-3 in A and B" })
      .first()
      .click();
    const why = lab.dialog("Why val-3 is in its state");
    const [ofA, ofB] = [
      why.getByRole("region", { name: "A: honest" }),
      why.getByRole("region", { name: "B: Own" }),
    ];
    await expect(ofA.getByTestId("because")).not.toContainText("tombstoned");
    await expect(ofB.getByTestId("because")).toContainText("tombstoned");
    await expect(ofB).toContainText("double sign");
    await page.keyboard.press("Escape");
    await first.getByRole("button", { name: "Why? block 7 in A and B" }).click();
    const whyBlock = lab.dialog("How block 7 was made");
    await expect(whyBlock.getByRole("region", { name: "B: Own" })).toContainText("val-3");
    await page.keyboard.press("Escape");
    const keys = compare.getByRole("region", { name: "Keys that differ" });
    await expect(keys.getByRole("row", { name: /staking validator val-3/ })).toContainText(
      "jailed",
    );

    // The whole page goes to the heights that are compared.
    await first.getByRole("button", { name: "Go to block 7" }).click();
    await expect(page.getByTestId("past")).toContainText("You are viewing block 7 of ");
    await expect(a).toContainText("block 7 of 20");
    await expect(b).toContainText("block 7 of 30");
    await page.keyboard.press("ArrowLeft");
    await expect(differing.getByRole("heading")).toHaveText("At block 6: nothing differs");
    await expect(keys.getByRole("heading")).toHaveText("The states are the same");
    await page.keyboard.press("n");
    await expect(page.getByTestId("past")).toContainText("You are viewing block 7 of ");
    await expect(first.getByRole("status")).toContainText("Block 7: A carries no such evidence");
    // The result of a search from there does not apply to another height.
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByTestId("past")).toContainText("You are viewing block 6 of ");
    await expect(first.getByRole("status")).toBeEmpty();
    await page.keyboard.press("ArrowRight");
    await expect(first.getByRole("status")).toContainText("Block 7");

    // Above its end the shorter one stays where it ends.
    await compare.getByRole("slider", { name: "Both at block" }).focus();
    await page.keyboard.press("End");
    await expect(a).toContainText("ends at block 20");
    await expect(b).toContainText("block 30 of 30");

    // It is in the address, and goes when it is closed.
    await expect(page).toHaveURL(/#\/compare\?.*with=world%3A/);
    await page.reload();
    await expect(first).toContainText("First difference: block 7.");
    await compare.getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("link", { name: "Compare" })).toBeHidden();
    await expect(page).toHaveURL(/#\/network/);
  });
});

test("a world is held against another height, a story and the form of a branch that begins otherwise", async ({
  lab,
  page,
}) => {
  await test.step("another height of its own, and a story", async () => {
    await lab.open();
    await lab.runScenario("run: 5", "double_sign: { node: val-3 }", "run: { to: 12 }");
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("slider", { name: "Blocks" }).focus();
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Compare with now" }).click();
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    const differing = compare.getByRole("region", { name: "What differs" });
    await expect(differing.getByRole("heading")).toContainText("A at block 1, B at block 12");
    await expect(differing.getByRole("row", { name: /validator val-3 tombstoned/ })).toBeVisible();
    await expect(compare.getByRole("region", { name: "First difference" })).toBeHidden();

    const select = compare.getByRole("combobox");
    await select.selectOption("story:upgrade-halts-and-recovers.yaml");
    const first = compare.getByRole("region", { name: "First difference" });
    await expect(first).toContainText("First difference: how they begin.");
    await expect(first.getByText(/genesis values? differs?/)).toBeVisible();

    // A file of one's own, which an address cannot carry.
    await compare.getByLabel("A file…").setInputFiles({
      name: "longer.yaml",
      mimeType: "application/yaml",
      buffer: Buffer.from(scenarioOf("run: 5", "double_sign: { node: val-3 }", "run: { to: 15 }")),
    });
    await expect(first).toContainText("One is longer.");
    await expect(first).toContainText(
      "Up to block 12 they are the same. A ends there, B goes on to 15.",
    );
    await page.reload();
    await expect(compare.getByRole("alert")).toContainText(
      "Open longer.yaml again: an address does not contain the file.",
    );
  });
  await test.step("the comparison and the form have no violation, light and dark", async () => {
    await page.goto("/");
    await page.keyboard.press("End");
    await page.keyboard.press("f");
    await page.getByRole("button", { name: "replay with one change" }).click();
    const form = lab.dialog("Replay with one change");
    await form.getByLabel("Parameter").selectOption("max evidence age");
    await form.getByLabel("New value").fill("soon");
    await form.getByRole("button", { name: "Begin the branch" }).click();
    await expect(form.getByRole("alert")).toBeVisible();
    await isAccessible(page);
    await form.getByLabel("New value").fill("5s");
    await form.getByRole("button", { name: "Begin the branch" }).click();
    await page.getByRole("button", { name: "Compare with “Own”" }).click();
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    await expect(compare.getByRole("region", { name: "Keys that differ" })).toBeVisible();
    for (const summary of await compare.locator("summary").all()) await summary.click();
    await isAccessible(page);
  });
});

test("a world is held against the file of a world and of a scenario, by height, by time or by command", async ({
  lab,
  page,
}) => {
  await test.step("the file of a world comes among those that are kept", async () => {
    await lab.open();
    await lab.runScenario("run: 5");
    await page.keyboard.press("w");
    const worlds = lab.dialog("Worlds");
    const [exported] = await Promise.all([
      page.waitForEvent("download"),
      worlds
        .getByRole("button", { name: /^Export / })
        .first()
        .click(),
    ]);
    const file = await exported.path();
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    await expect(page.getByTestId("height")).toHaveText("6");
    await page.keyboard.press("v");
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    const given = compare.getByLabel("A file…");
    await given.setInputFiles({
      name: "broken.chainlab",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("no world"),
    });
    await expect(compare.getByRole("alert")).toContainText("broken.chainlab: ");
    await given.setInputFiles({
      name: "earlier.chainlab",
      mimeType: "application/octet-stream",
      buffer: readFileSync(file),
    });
    await expect(compare.getByRole("region", { name: "First difference" })).toContainText(
      "Up to block 5 they are the same. B ends there, A goes on to 6.",
    );
    await expect(compare.getByRole("combobox").first()).toHaveValue(/^world:/);
  });
  await test.step("both are scrubbed by height, by time or by command", async () => {
    await page.getByRole("button", { name: "Leave" }).click();
    const steps = (pause: number): readonly string[] => [
      "run: 4",
      "nodes: { which: [val-3], stop: true }",
      `run: ${pause}`,
      "nodes: { which: [val-3], start: true }",
      "run: 10",
    ];
    await lab.runScenario(...steps(7));
    await page.getByRole("button", { name: "Leave" }).click();
    await page.goto("#/compare?with=height");
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    await compare.getByLabel("A file…").setInputFiles({
      name: "slow.yaml",
      mimeType: "application/yaml",
      buffer: Buffer.from(
        scenarioOf(...steps(3)).replace("validators: 4", "validators: 4, block_time: 10s"),
      ),
    });
    const heights = async (ofA: string, ofB: string): Promise<void> => {
      await expect(compare.getByRole("region", { name: "A: Own" })).toContainText(ofA);
      await expect(compare.getByRole("region", { name: "B: Own" })).toContainText(ofB);
    };
    await heights("block 21 of 21", "ends at block 17");

    // By command: ten blocks after the second one, and then just before it.
    await compare.getByText("same command", { exact: true }).click();
    await heights("block 21 of 21 · after command 2", "ends at block 17 · after command 2");
    await expect(page).toHaveURL(/at=command/);
    const slider = compare.getByRole("slider", { name: "A at block" });
    await slider.focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowLeft");
    await heights("block 12 of 21 · after command 2", "block 8 of 17 · after command 2");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
    await heights("block 9 of 21 · after command 1", "block 6 of 17 · after command 1");
    await expect(
      compare.getByRole("region", { name: "What differs" }).getByRole("heading"),
    ).toContainText("A at block 9, B at block 6");

    // By time: the last block that is not later.
    await compare.getByText("same time", { exact: true }).click();
    await heights("block 9 of 21", "block 5 of 17");
    await expect(page).toHaveURL(/at=time/);
    await compare.getByText("each its own", { exact: true }).click();
    await expect(compare.getByRole("slider", { name: "B at block" })).toHaveValue("9");
    await compare.getByText("same height", { exact: true }).click();
    await heights("block 9 of 21", "block 9 of 17");
    await expect(page).not.toHaveURL(/at=/);
  });
});

test("a branch of a chain that runs begins at the block that its dialog says, and a comparison that takes long is stopped", async ({
  lab,
  page,
}) => {
  await test.step("the dialog's block", async () => {
    await lab.open();
    await page.keyboard.press("f");
    const title = page.getByRole("heading", { name: /^Fork at block/ });
    const named = await page.getByRole("dialog").getByLabel("Name").inputValue();
    const at = Number(/(\d+)$/.exec(named)?.[1]);
    await expect(title).toHaveText(`Fork at block ${at}`);
    await expect
      .poll(async () => Number(await page.getByTestId("height").textContent()))
      .toBeGreaterThan(at + 1);
    await expect(title).toHaveText(`Fork at block ${at}`);
    await page.getByRole("button", { name: "Fork here" }).click();
    await expect(page.getByTestId("height")).toHaveText(String(at));
  });
  await test.step("a comparison is stopped by its button, and asked again by another", async () => {
    await page.keyboard.press("v");
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    await compare.getByLabel("A file…").setInputFiles({
      name: "long.yaml",
      mimeType: "application/yaml",
      buffer: Buffer.from(scenarioOf("run: 1000000")),
    });
    const stop = compare.getByRole("button", { name: "Stop" });
    await stop.click();
    await expect(compare.getByRole("alert")).toContainText("The comparison was stopped.");
    await compare.getByRole("button", { name: "Compare again" }).click();
    await expect(stop).toBeVisible();
    // A comparison stopped with the view does not delay the next one.
    await compare.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("v");
    await compare.getByRole("combobox").selectOption("height");
    await expect(compare.getByRole("region", { name: "What differs" })).toBeVisible();
  });
});

test("the same commands are given again with one thing other, also those of a chain that nothing brings back", async ({
  lab,
  page,
}) => {
  await test.step("what differs is one click away", async () => {
    await lab.open();
    await lab.runScenario(
      "run: 5",
      "misbehavior: { type: duplicate_vote, validators: [val-3], height: 2 }",
      "run: { to: 30 }",
    );
    await page.getByRole("button", { name: "Leave" }).click();
    await page.keyboard.press("f");
    await lab
      .dialog("Fork at block 30")
      .getByRole("button", { name: "replay with one change" })
      .click();
    const form = lab.dialog("Replay with one change");
    await expect(form).toContainText("replays all commands of “Own” up to block 30");
    // Two of the three that people ask for most are a click away.
    await expect(form.getByLabel("Parameter")).toHaveValue("profile");
    await expect(form.getByLabel("New value")).toHaveValue("sdk-0.53");
    await expect(form).toContainText("In this world it is documented.");

    // An invalid value is refused beside its field, before anything has happened.
    await form.getByLabel("Parameter").selectOption("max evidence age");
    await form.getByLabel("New value").fill("soon");
    await form.getByRole("button", { name: "Begin the branch" }).click();
    await expect(form.getByRole("alert")).toContainText("expected a duration");
    await expect(form.getByLabel("New value")).toHaveAttribute("aria-invalid", "true");
    await form.getByLabel("New value").fill("5s");
    await form.getByRole("button", { name: "Begin the branch" }).click();

    const ended = lab.dialog("The branch is on screen");
    await expect(ended).toContainText("1 command was replayed, up to block 30.");
    await expect(ended).toContainText("Same results.");
    await ended.getByRole("button", { name: "Compare with “Own”" }).click();
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    const first = compare.getByRole("region", { name: "First difference" });
    await expect(first).toContainText("First difference: block 6.");
    await expect(first).toContainText("1 genesis value differs");
    await expect(compare.getByRole("region", { name: "B: Own" })).toContainText("val-3 tombstoned");
    const own = compare.getByRole("region", { name: "A: Own, max evidence age 5s" });
    await expect(own).toContainText("branch from its beginning");
    await expect(own).toContainText("The same commands with max_evidence_age 5s instead of 48h.");

    // It is a branch in the tree, and goes on as any other.
    await page.keyboard.press("w");
    await expect(
      lab.dialog("Worlds").getByRole("listitem").filter({ hasText: "max evidence age 5s" }),
    ).toContainText("branch of “Own” from its beginning");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "One block" }).click();
    await expect(page.getByTestId("height")).toHaveText("31");

    // From the palette, with what is refused now.
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Find anything" }).fill("one change");
    await page.keyboard.press("Enter");
    await expect(form).toBeVisible();
  });
  await test.step("a halted chain that nothing brings back goes on in a branch under other rules", async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("s");
    const stories = lab.dialog("Stories");
    await stories.getByRole("searchbox", { name: "Find a story" }).fill("late piece stops");
    await stories.getByRole("button", { name: /^Run: One late piece/ }).click();
    await lab.hurryStory();
    await lab.storyEnds();
    await page.getByRole("button", { name: "Leave" }).click();
    await expect(lab.haltCard).toContainText("Under these rules nothing can restart this chain.");
    await lab.haltCard.getByRole("button", { name: "Begin again under other rules…" }).click();
    const form = lab.dialog("Replay with one change");
    await expect(form.getByLabel("Parameter")).toHaveValue("profile");
    await expect(form.getByLabel("New value")).toHaveValue("documented");
    await form.getByRole("button", { name: "Begin the branch" }).click();
    await lab
      .dialog("The branch is on screen")
      .getByRole("button", { name: "Close" })
      .first()
      .click();
    await expect(page.getByTestId("height")).toHaveText("15");
    await page.getByRole("button", { name: "One block" }).click();
    await expect(page.getByTestId("height")).toHaveText("16");
    await expect(lab.haltCard).toBeHidden();
  });
});
