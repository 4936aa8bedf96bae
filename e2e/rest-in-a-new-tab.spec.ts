/** What a node answers, the running tab answers: in another tab, and to whatever a page of this origin asks. */
import type { Page } from "@playwright/test";
import { expect, test } from "./helpers.ts";

test("REST in a new tab shows what the running chain says", async ({ page, context, lab }) => {
  await lab.open();
  await isAnswered(page);
  await lab.reaches(3);
  await lab.pause();
  const height = await lab.height();

  const asked = await context.newPage();
  const answer = await asked.goto("/chain/evidence/v1beta1/evidence");
  expect(answer?.status()).toBe(200);
  expect(answer?.fromServiceWorker()).toBe(true);
  expect(answer?.headers()).toMatchObject({
    "content-type": "application/json",
    "x-cosmos-block-height": String(height),
  });
  expect(await asked.evaluate(() => document.body.innerText)).toBe(
    '{"evidence":[],"pagination":{"next_key":null,"total":"0"}}',
  );
});

/** Waits until requests go through the service worker. */
async function isAnswered(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe("activated");
}
