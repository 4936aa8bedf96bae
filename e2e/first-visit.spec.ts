import { expect, test } from "./helpers.ts";

/** What saves worlds. */
const SCRIPT = "**/open-tab-*.js";

test("blocks are made before what saves worlds is there, and the same world is saved then", async ({
  lab,
  page,
}) => {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.context().route(SCRIPT, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto("/");
  await lab.reaches(3);
  await expect(page.getByTestId("saved")).toHaveCount(0);
  const height = await lab.height();
  arrive();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  expect(await lab.height()).toBeGreaterThanOrEqual(height);
  await page.reload();
  await lab.reaches(height);
});

test("what saves worlds and cannot be loaded is said, and loaded when it can be", async ({
  lab,
  page,
}) => {
  await page.context().route(SCRIPT, (route) => route.abort());
  await page.goto("/");
  await lab.reaches(2);
  await expect(page.getByText("What saves worlds cannot be loaded")).toBeVisible();
  await page.context().unroute(SCRIPT);
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await expect(page.getByText("What saves worlds cannot be loaded")).toHaveCount(0);
});
