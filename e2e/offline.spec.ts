import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, LabPage } from "./helpers.ts";
import { isKept, test } from "./site.ts";

test("after the first visit the page runs without a network, from its own folder", async ({
  site,
  page,
  context,
}) => {
  const lab = new LabPage(page);
  const address = await site.start();
  await page.goto(address);
  await isKept(page);
  expect(await page.evaluate(scope)).toBe(address);
  await lab.reaches(3);
  await lab.pause();
  const height = await lab.height();

  await site.stop();
  await context.setOffline(true);
  await page.goto(`${address}index.html?again#/governance`);
  await lab.reaches(height);
  await expect(page.getByRole("link", { name: "Governance" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await lab.view("Charts");
  await expect(page.locator("svg.recharts-surface").first()).toBeVisible();

  await lab.fullSpeed();
  await page.keyboard.press("s");
  await lab
    .dialog("Stories")
    .getByRole("button", { name: /^Run: .*two.thirds/i })
    .first()
    .click();
  await lab.hurryStory();
  await lab.storyEnds();
});

test("a new version is taken when it is whole and asked for, in each tab for itself, and then the old one's files go", async ({
  site,
  page,
  context,
}) => {
  const lab = new LabPage(page);
  const address = await site.start();
  await page.goto(address);
  await isKept(page);

  await test.step("a version that is not whole is never taken, and the one before runs on", async () => {
    await site.publish("A version in the middle of being copied");
    const scenario = join(site.dist, "scenarios/index.json");
    const whole = readFileSync(scenario, "utf8");
    writeFileSync(scenario, `${whole} `);
    expect(await page.evaluate(outcomeOfUpdate)).toBe("redundant");
    expect(await page.evaluate(cacheCount)).toBe(1);
    await expect(page.getByText("A new version is there")).toBeHidden();
    await site.stop();
    await page.reload();
    await expect(page).toHaveTitle(/Chainlab$/);
    await lab.reaches(1);
    writeFileSync(scenario, whole);
    expect(await site.start()).toBe(address);
  });

  await lab.reaches(3);
  await site.publish("The new version");
  await page.reload();
  const offer = page.getByText("A new version is there: reload to use it.").last();
  await expect(offer).toBeVisible();
  await expect(page).toHaveTitle(/Chainlab$/);
  await lab.reaches((await lab.height()) + 2);
  expect(await page.evaluate(cacheCount)).toBe(2);

  await test.step("where the browser leaves the new version waiting, the page is loaded again until that serves it", async () => {
    await page.evaluate(() => {
      ServiceWorker.prototype.postMessage = () => {};
    });
    await page.getByRole("button", { name: "Reload", exact: true }).click();
    await expect(page).toHaveTitle(/The new version$/);
  });
  await lab.reaches(3);
  await expect(offer).toBeHidden();

  await expect.poll(() => page.evaluate(cacheCount)).toBe(1);

  await test.step("another tab keeps its version until it is reloaded, and is offered the new one", async () => {
    const other = await context.newPage();
    await other.goto(address);
    await isKept(other);
    await site.publish("The newest version");
    // A page behind another one draws rarely, and a click waits until it has drawn.
    await page.bringToFront();
    await page.reload();
    await page.getByRole("button", { name: "Reload", exact: true }).click();
    await expect(page).toHaveTitle(/The newest version$/);

    await expect(other).toHaveTitle(/The new version$/);
    expect(await other.evaluate(cacheCount)).toBe(2);
    await other.bringToFront();
    await other.getByRole("button", { name: "Reload", exact: true }).click();
    await expect(other).toHaveTitle(/The newest version$/);
  });
});

const scope = async () => (await navigator.serviceWorker.ready).scope;
const cacheCount = async () => (await caches.keys()).length;

/** The state that the new service worker ends in. */
async function outcomeOfUpdate(): Promise<string> {
  const registration = await navigator.serviceWorker.ready;
  await registration.update();
  const { installing } = registration;
  if (!installing) return "none";
  return new Promise((resolve) => {
    installing.addEventListener("statechange", () => resolve(installing.state));
  });
}
