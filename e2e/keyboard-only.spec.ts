import type { Page } from "@playwright/test";
import { firstMinute } from "./first-minute.ts";
import { expect, test } from "./helpers.ts";
import { Person } from "./person.ts";

test("the first minute's tasks are done with the keyboard alone, and the focus is always seen", async ({
  lab: _,
  page,
}) => {
  await page.goto("/");
  await firstMinute(
    new Person({
      press: (key) => page.keyboard.press(key),
      evaluate: (act, text) => page.evaluate(act, text),
    }),
  );
});

/** Playwright's own word, where it keeps the page from installing one. */
const BLOCKED = /^Service Worker registration blocked by Playwright$/;

test("a dialog keeps Tab and a screen reader inside and the pointer outside, is closed in every way, and nothing is warned of", async ({
  lab,
  page,
}) => {
  await test.step("it is closed by Escape, by its button and by the browser, gives the focus back, and nothing is warned of", async () => {
    const warnings: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "warning" && !BLOCKED.test(message.text()))
        warnings.push(message.text());
    });
    await lab.open();
    await lab.pause();
    const opener = page.getByRole("button", { name: "Run until…" });
    const dialog = lab.dialog("Run until");
    const ways: readonly (() => Promise<void>)[] = [
      () => page.keyboard.press("Escape"),
      () => dialog.getByRole("button", { name: "Close" }).click(),
      // As the back gesture of a phone does.
      () => dialog.evaluate((cover: HTMLElement) => cover.hidePopover()),
    ];
    for (const close of ways) {
      await opener.click();
      await expect(dialog).toBeVisible();
      await close();
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
      // The keys of the page are heard again.
      await page.keyboard.press("?");
      await expect(lab.dialog("Keys and terms")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    expect(warnings).toEqual([]);
  });
  await test.step("a screen reader finds it alone, and the page again once it is closed", async () => {
    const opener = page.getByRole("button", { name: "Run until…" });
    // Wait for the parts beside the first screen.
    await expect(
      page.getByRole("button", { name: "Save as a picture: The newest round" }),
    ).toBeVisible();
    const before = await readAloud(page);
    expect(before.map(({ role }) => role)).toEqual(
      expect.arrayContaining(["heading", "link", "table", "slider"]),
    );
    const places = (all: readonly Read[]) =>
      all.filter(({ role }) => PLACES.test(role)).map(({ role, name }) => `${role} ${name}`);
    for (const way of ["Escape", "Close"] as const) {
      await opener.click();
      const dialog = lab.dialog("Run until");
      await expect(dialog.getByRole("heading", { name: "Run until" })).toBeVisible();
      await expect.poll(() => readAloud(page).then((all) => all.filter(isOutside))).toEqual([]);
      expect((await readAloud(page)).map(({ name }) => name)).toContain("Close");
      if (way === "Escape") await page.keyboard.press("Escape");
      else await dialog.getByRole("button", { name: "Close" }).click();
      await expect(dialog).toBeHidden();
      await expect(opener).toBeFocused();
      await expect.poll(async () => places(await readAloud(page))).toEqual(places(before));
    }
  });
  await test.step("Tab stays in it both ways, and the pointer reaches nothing behind it", async () => {
    await page.keyboard.press("r");
    const dialog = lab.dialog("Run until");
    await expect(dialog).toBeVisible();
    const close = dialog.getByRole("button", { name: "Close" });
    const isInside = () =>
      page.evaluate(() => document.activeElement?.closest("[role=dialog]") !== null);
    for (const key of ["Tab", "Shift+Tab"]) {
      let rounds = 0;
      for (let press = 0; press < 60 && rounds < 2; press += 1) {
        await page.keyboard.press(key);
        expect(await isInside(), `${key}, ${press}`).toBe(true);
        if (await close.evaluate((button) => button === document.activeElement)) rounds += 1;
      }
      expect(rounds, key).toBe(2);
    }
    const place = page.url();
    await page.mouse.click(40, 120);
    await expect(dialog).toBeVisible();
    expect(page.url()).toBe(place);
  });
});

interface Read {
  readonly role: string;
  readonly name: string;
  readonly inDialog: boolean;
}

const isOutside = ({ inDialog }: Read): boolean => !inDialog;

/** Returns the readable and operable elements, as the browser exposes them to a screen reader. */
async function readAloud(page: Page): Promise<readonly Read[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send("Accessibility.getFullAXTree");
  await devtools.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const isInDialog = (node: (typeof nodes)[number] | undefined): boolean =>
    node !== undefined &&
    (node.role?.value === "dialog" || isInDialog(byId.get(node.parentId ?? "")));
  return nodes
    .filter(({ ignored, role }) => !ignored && READ.test(role?.value ?? ""))
    .map((node) => ({
      role: node.role?.value ?? "",
      name: node.name?.value ?? "",
      inDialog: isInDialog(node),
    }));
}

/** Roles that do not change while the chain is paused. */
const PLACES = /^(heading|link|button|table|combobox|textbox)$/;
const READ = /^(heading|link|button|table|row|cell|slider|combobox|textbox|tab|StaticText)$/;
