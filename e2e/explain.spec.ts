import { expect, test, violationsOf } from "./helpers.ts";
import { isKept } from "./site.ts";

const SIZES = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];

/** A double sign, a downtime-free chain, a plan that is voted on and passes, and a refused transaction. */
const STEPS = [
  "run: 5",
  "double_sign: { node: val-3 }",
  "run: 4",
  "upgrade: { name: v2, at: 60 }",
  `tx: { from: val-1, msgs: [{ '@type': /chain.slashing.v1beta1.MsgUnjail, validator_addr: '\${val-1.valoper}' }], expect: { code: 5 } }`,
  "run: 2",
] as const;

test("every kind of thing says why, decision by decision, with the rule of each", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario(...STEPS);
  const last = await lab.height();

  for (const viewport of SIZES) {
    await page.getByRole("button", { name: "Decisions" }).click();
    await page.setViewportSize(viewport);

    await test.step(`${viewport.width} px: a validator that is tombstoned`, async () => {
      await page.goto("#/network/node/val-3");
      await page.getByRole("button", { name: "Why? val-3" }).click();
      const why = lab.dialog("Why val-3 is in its state");
      await expect(why.getByTestId("because")).toContainText("val-3 is tombstoned and unbonding");
      const age = why.getByRole("listitem").filter({ has: page.getByText("age", { exact: true }) });
      await age.getByText(/^rule evidence 5\.5: Age$/).click();
      await expect(age).toContainText("too old only if duration and number of blocks both exceed");
      await expect(age.getByRole("link", { name: "Among the rules" })).toHaveAttribute(
        "href",
        "rules/evidence.html#5.5",
      );
      expect(await violationsOf(page, "[role=dialog]")).toEqual([]);
      // A name leads to what it names, which lies behind the dialog.
      await why.getByRole("link", { name: "block 7", exact: true }).first().click();
      await expect(why).toBeHidden();
      await expect(lab.inspector).toContainText("Block 7");
    });

    await test.step(`${viewport.width} px: a block, and the events that it emitted`, async () => {
      await page.getByRole("button", { name: "Why? block 7" }).click();
      const why = lab.dialog("How block 7 was made");
      await expect(why.getByTestId("because")).toContainText("power signed it");
      await expect(why).toContainText("rule consensus 4.2");
      await why.getByRole("button", { name: "events of block 7" }).click();
      await expect(why).toBeHidden();
      await expect(page.getByRole("button", { name: "Events", exact: true })).toHaveAttribute(
        "aria-pressed",
        "true",
      );
    });

    await test.step(`${viewport.width} px: evidence, a proposal and its plan`, async () => {
      await page.goto("#/evidence");
      const pieces = page.getByRole("button", { name: "Why? evidence against val-3" });
      const piece = page.locator("#view details", { hasText: "val-3" });
      await piece.waitFor();
      if ((await piece.getAttribute("open")) === null) await piece.locator("summary").click();
      await pieces.click();
      await expect(lab.dialog("What became of this evidence, and why")).toContainText(
        "val-3 signed two blocks in one round",
      );
      await page.keyboard.press("Escape");
      await page.goto("#/governance");
      await page.getByRole("button", { name: "Why? proposal 1" }).first().click();
      await expect(lab.dialog("What became of proposal 1, and why")).toContainText("rule gov 6.2");
      await page.keyboard.press("Escape");
      await page.goto("#/upgrades");
      await page.getByRole("button", { name: "Why? plan v2" }).click();
      const why = lab.dialog("What became of plan v2, and why");
      await expect(why.getByTestId("because")).toContainText("It is scheduled for height 60.");
      await expect(why).toContainText("rule upgrade 3.2");
      await page.keyboard.press("Escape");
    });

    await test.step(`${viewport.width} px: a transaction that was refused, in the list of its block`, async () => {
      await page.goto(`#/network/block/${last - 2}`);
      await lab.inspector.getByRole("button", { name: "Why? transaction 1" }).click();
      const why = lab.dialog("What became of this transaction, and why");
      await expect(why.getByTestId("because")).toContainText("Refused with slashing 5 in block");
      await expect(why).toContainText("rule slashing 6.1: Checks, in order");
      await page.keyboard.press("Escape");
    });

    await test.step(`${viewport.width} px: the past is explained as it was, by a key too`, async () => {
      await page.goto("#/network/node/val-3");
      await expect(lab.inspector).toContainText("tombstoned");
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press("Home");
      await expect(page.getByTestId("height")).toHaveText("1");
      await expect(lab.inspector).not.toContainText("tombstoned");
      await page.keyboard.press("y");
      const why = lab.dialog("Why val-3 is in its state");
      await expect(why.getByTestId("because")).toContainText("At block 1, val-3 is bonded.");
      await expect(why).toContainText("The page shows block 1.");
      await page.keyboard.press("Escape");
      await page.keyboard.press("End");
      await expect(page.getByTestId("height")).toHaveText(String(last));
    });
  }
});

test("an open explanation follows the chain while it runs, and one that stands still says why its next block does not come", async ({
  lab,
  page,
}) => {
  await lab.open("#/network/node/val-1");
  await page.getByLabel("Speed").selectOption("5 blocks/s");
  await page.getByRole("button", { name: "Why? val-1" }).click();
  const why = lab.dialog("Why val-1 is in its state");
  const because = why.getByTestId("because");
  await expect(because).toContainText(/At block \d+, val-1 is bonded\./);
  // A rule that was unfolded stays so.
  await why.getByText(/^rule staking 5\.3/).click();
  const text = why.locator("details[open]");
  await expect(text).toContainText("Among the rules");
  const heightIn = async () => Number(/block (\d+)/.exec(await because.innerText())?.[1]);
  const first = await heightIn();
  await expect.poll(heightIn).toBeGreaterThan(first + 1);
  await expect(text).toHaveCount(1);
  await page.keyboard.press("Escape");
  await lab.pause();

  await test.step("a chain that stands still", async () => {
    await lab.runScenario("run: 5", "nodes: { which: [val-0, val-1], stop: true }");
    await lab.isHalted();
    await lab.haltCard.getByRole("button", { name: /^Why\? block \d+ is missing$/ }).click();
    const halted = page.getByRole("dialog", { name: /^Why block \d+ has not come$/ });
    await expect(halted.getByTestId("because")).toContainText("val-0, val-1 are stopped");
    await expect(halted).toContainText("rule consensus 5.1: Quorum");
  });
});

test.describe("kept by the service worker", () => {
  test.use({ serviceWorkers: "allow" });
  test("the rules and what is left out are pages that need no script, and no network", async ({
    lab,
    page,
    context,
  }) => {
    await lab.open();
    await isKept(page);
    await page.keyboard.press("?");
    const link = lab
      .dialog("Keys and terms")
      .getByRole("link", { name: "What this model leaves out" });
    await context.setOffline(true);
    const [leftOut] = await Promise.all([context.waitForEvent("page"), link.click()]);
    await expect(leftOut.getByRole("heading", { level: 1 })).toHaveText(
      "What this model leaves out",
    );
    await expect(leftOut.getByRole("heading", { name: /No inflation/ })).toBeVisible();
    await leftOut.getByRole("link", { name: "rules/consensus 9.3" }).first().click();
    await expect(leftOut).toHaveURL(/rules\/consensus\.html#9\.3$/);
    await expect(leftOut.locator("[id='9.3']")).toBeInViewport();
    for (const scheme of ["light", "dark"] as const) {
      await leftOut.emulateMedia({ colorScheme: scheme });
      expect(await violationsOf(leftOut), scheme).toEqual([]);
    }
    // Every link of every page leads to something that is there.
    await context.setOffline(false);
    const names = await leftOut
      .locator("header nav a")
      .evaluateAll((links) => links.map((each) => each.getAttribute("href") ?? ""));
    expect(names.length).toBeGreaterThan(9);
    const ids = new Map<string, ReadonlySet<string>>();
    const wanted: string[] = [];
    for (const name of names) {
      // As it is sent: to draw each of them takes seconds, and changes no link.
      const text = await (await page.request.get(`rules/${name}`)).text();
      const all = (pattern: RegExp): string[] =>
        [...text.matchAll(pattern)].map(([, value = ""]) => value);
      ids.set(name, new Set(all(/<[a-z][^>]* id="([^"]*)"/g)));
      const links = all(/<a [^>]*href="([^"]*)"/g);
      wanted.push(...links.map((href) => (href.startsWith("#") ? name + href : href)));
    }
    expect(wanted.length).toBeGreaterThan(300);
    const broken = wanted.filter((href) => {
      const [file = "", id] = href.split("#");
      return file !== "../" && !(ids.has(file) && (id === undefined || ids.get(file)?.has(id)));
    });
    expect(broken).toEqual([]);
  });
});
