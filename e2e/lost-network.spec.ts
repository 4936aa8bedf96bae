import { test as base, expect } from "@playwright/test";
import { LabPage } from "./helpers.ts";

// Without a service worker nothing is kept for a time without a network.
const test = base.extend({ serviceWorkers: "block" });

/** Parts that are not drawn at first. */
const PARTS = /\/assets\/(Charts|Stories)-/;
/** Those of all parts. */
const STYLES = /\/assets\/later-.*\.css$/;

test("without a network a part says that it is missing, the chain lives on, and the part comes when it can", async ({
  page,
}) => {
  const lab = new LabPage(page);
  await page.route(PARTS, (route) => route.abort("internetdisconnected"));
  await lab.open("#/charts");
  const charts = page.getByRole("alert").filter({ hasText: "Charts could not be loaded." });
  await expect(charts).toBeVisible();
  await page.route(/\/$/, (route) => route.abort("internetdisconnected"));
  const height = await lab.height();
  await lab.reaches(height + 1);

  await page.keyboard.press("s");
  const stories = page.getByRole("alert").filter({ hasText: "The stories could not be loaded." });
  await expect(stories).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(stories).toBeHidden();
  await page.keyboard.press("s");
  await stories.getByRole("button", { name: "Try again" }).click();
  await expect(stories).toBeVisible();
  await page.keyboard.press("Escape");
  await charts.getByRole("button", { name: "Try again" }).click();
  await expect(charts).toBeVisible();
  await lab.view("Network");
  await expect(page.getByRole("table").getByRole("link", { name: "val-0" })).toBeVisible();
  await lab.view("Charts");
  await expect(charts).toBeVisible();
  await lab.reaches(height + 2);

  await page.unrouteAll();
  await page.keyboard.press("s");
  await stories.getByRole("button", { name: "Try again" }).click();
  await expect(lab.dialog("Stories")).toBeVisible();
  await page.keyboard.press("Escape");
  // Drawn with its styles, without which it has no size.
  await expect(page.locator("svg.recharts-surface").first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("parts wait for their styles, which are fetched again like a part", async ({ page }) => {
  const lab = new LabPage(page);
  await page.route(STYLES, (route) => route.abort("internetdisconnected"));
  await page.goto("/");
  await lab.reaches(1);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("alert")).toContainText("The timeline could not be loaded.");
  const styled = page.locator("link[rel=stylesheet]");
  await expect(styled).toHaveCount(0);
  await lab.reaches((await lab.height()) + 1);

  await page.unrouteAll();
  await timeline.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(styled).toHaveCount(1);
  const details = page.getByRole("region", { name: "Inspector" });
  await expect(details).toHaveCSS("display", "grid");
});

test("a part that the host has no more comes with the page that it has now, and the chain is back", async ({
  page,
}) => {
  const lab = new LabPage(page);
  await page.route(PARTS, (route) => route.fulfill({ status: 404 }));
  await lab.open("#/charts");
  const charts = page.getByRole("alert").filter({ hasText: "Charts could not be loaded." });
  await expect(charts).toBeVisible();
  await lab.pause();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const height = await lab.height();
  const loaded = page.waitForEvent("load");
  await charts.getByRole("button", { name: "Try again" }).click();
  await page.unrouteAll();
  await loaded;
  await expect(page.getByRole("heading", { name: "Voting power" })).toBeVisible();
  expect(await lab.height()).toBe(height);
});
