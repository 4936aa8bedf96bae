/** Kills a browser again and again while a person acts in the page, and looks for actions that are gone. */
import { expect, type Page } from "@playwright/test";
import { KillableBrowser } from "./killable-browser.ts";
import { OldBlocks } from "./old-blocks.ts";

export interface KillResult {
  readonly kills: number;
  /** Actions that the page had said were done. */
  readonly acknowledged: number;
  /** Those of them that the page no longer knew when it was opened again. */
  readonly lost: readonly string[];
}

/** Each action plans a fault of its own, far above any height that is reached, so that it is seen in a list. */
const FAR = 500_000_000;
/** Acknowledged actions before a kill are one to so many. */
const MOST_ACTIONS = 3;
const TIMEOUT_MS = { timeout: 30_000 };

/**
 * @param origin where the page is served
 * @param profile an empty folder for the browser's data, the same in all of its lives
 * @param random from 0 to below 1, for the old blocks that are asked about
 */
export async function killWhileActing(
  origin: string,
  profile: string,
  kills: number,
  random: () => number,
  progress: (line: string) => void,
): Promise<KillResult> {
  const acknowledged = new Set<string>();
  const lost = new Set<string>();
  const oldBlocks = new OldBlocks(random);
  let height = FAR;
  let browser = await KillableBrowser.start(profile);
  try {
    let page = await openLab(browser, origin);
    await page.getByLabel("Speed").selectOption("full speed");
    for (let kill = 1; kill <= kills; kill++) {
      for (let i = 0; i <= kill % MOST_ACTIONS; i++) {
        height += 1;
        acknowledged.add(await planFault(page, height));
      }
      // Every other kill comes while one more action is on its way, which may be kept or not.
      if (kill % 2 === 0) {
        height += 1;
        await beginFault(page, height);
      }
      await browser.kill();
      browser = await KillableBrowser.start(profile);
      page = await openLab(browser, origin);
      const known = await plannedFaults(page);
      for (const one of acknowledged) if (!known.has(one)) lost.add(one);
      const changed = await oldBlocks.changed(await heightOf(page), (at) => blockAt(page, at));
      for (const one of changed) lost.add(one);
      progress(`${kill} kills: ${acknowledged.size} actions acknowledged, ${lost.size} lost`);
    }
  } finally {
    await browser.kill();
  }
  return { kills, acknowledged: acknowledged.size, lost: [...lost] };
}

/** Opens the page; resolves when its world is there and runs, also one that has to be brought back. */
export async function openLab(browser: KillableBrowser, origin: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS.timeout);
  await page.goto(new URL("#/network", origin).href);
  await page
    .getByTestId("status")
    .filter({ hasText: /^Live$/ })
    .waitFor(TIMEOUT_MS);
  return page;
}

const heightOf = async (page: Page): Promise<number> =>
  Number((await page.getByTestId("height").innerText(TIMEOUT_MS)).replaceAll(",", ""));

/** All that the tab's REST says of one height, once a service worker hands on what is asked. */
async function blockAt(page: Page, height: number): Promise<string> {
  // Not waitForFunction, whose text the page's policy refuses to run.
  const answers = () => page.evaluate<boolean>("navigator.serviceWorker.controller !== null");
  await expect.poll(answers, TIMEOUT_MS).toBe(true);
  return page.evaluate(async (at) => {
    const answers: unknown[] = [];
    for (const what of ["blocks", "validatorsets"]) {
      const answer = await fetch(`cosmos/base/tendermint/v1beta1/${what}/${at}`);
      if (!answer.ok) throw new Error(`${what}: ${await answer.text()}`);
      answers.push(await answer.json());
    }
    return JSON.stringify(answers);
  }, height);
}

/** Plans a fault from a height on; resolves to the height as the page writes it, once the page says that it is done. */
async function planFault(page: Page, height: number): Promise<string> {
  const notices = page.getByRole("region", { name: "Notices" });
  const done = notices.getByText(/^The fault of \S+ is to begin with block /);
  // All at once: one that fades by itself before it is its turn would be waited for.
  await notices
    .getByRole("button", { name: "Dismiss" })
    .evaluateAll((buttons: readonly { click(): void }[]) => {
      for (const button of buttons) button.click();
    });
  await done.first().waitFor({ ...TIMEOUT_MS, state: "detached" });
  await beginFault(page, height);
  await done.waitFor(TIMEOUT_MS);
  return height.toLocaleString("en");
}

async function beginFault(page: Page, height: number): Promise<void> {
  await page.keyboard.press("i");
  const dialog = page.getByRole("dialog", { name: "Inject a fault" });
  await dialog.getByLabel("What happens").selectOption("mute");
  await dialog.getByLabel("From height").fill(String(height));
  await dialog.getByRole("button", { name: "Inject", exact: true }).click();
}

/** The heights of all planned faults, once the page lists any. */
async function plannedFaults(page: Page): Promise<ReadonlySet<string>> {
  const list = page.getByRole("region", { name: "Planned faults" });
  await list.waitFor(TIMEOUT_MS);
  const text = (await list.textContent()) ?? "";
  return new Set([...text.matchAll(/from height ([\d,]+)/g)].map(([, height = ""]) => height));
}
