/** A person at the page: opens every view and every dialog in turn while the chain runs. */
import type { Page } from "@playwright/test";

/** A user's actions on the page; `opens` is called with each subject's name before it opens. */
export type Tour = (page: Page, opens: (what: string) => Promise<void>) => Promise<void>;

/** Number of new heights shown while a view or a dialog is open: at most ten per second. */
const LOOK = 6;

const DIALOG_KEYS = {
  "the double sign": "d",
  "the faults": "i",
  "the upgrade": "u",
  "run until": "r",
  "the stories": "s",
  "the worlds": "w",
  "the keys": "?",
} as const;

/** A chain with a proposal that stays in voting: what is about one is there. */
export const WITH_A_PROPOSAL = {
  gov: { voting_period: "100000h" },
  steps: [
    {
      propose: { from: "val-0", title: "A remark", messages: [], metadata: "ipfs://remark" },
      as: "p",
    },
    { run: 1 },
    { vote: { proposal: "$p", option: "yes", by: ["val-0"] } },
    { run: 1 },
  ],
};

/** Addresses of the views, in the order of their tabs. */
export const viewsOf = (page: Page): Promise<string[]> =>
  page
    .locator("nav[aria-label=Views] a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));

/**
 * Opens each view by its tab, each dialog by its key or button and the presenter, looks at each,
 * and closes it again. After the presenter the complete page is rendered again.
 */
export const tour: Tour = async (page, opens) => {
  const press = (key: string) => page.keyboard.press(key);
  // Found by their text: to tell the roles and names of all elements is work of the page's main thread too.
  const button = (text: string) => page.locator("button", { hasText: text }).first().click();
  const shown = page.locator("[role=dialog]");
  const dialog = async (name: string, open: () => Promise<void>): Promise<void> => {
    await opens(name);
    await open();
    await shown.locator("h2").waitFor();
    await page.evaluate(shows(LOOK));
    await press("Escape");
    await shown.waitFor({ state: "detached" });
  };
  const links = await viewsOf(page);
  const view = async (href: string): Promise<void> => {
    await opens(`the view ${href}`);
    await page.locator(`nav a[href="${href}"]`).click();
    await page.evaluate(drawn(href));
    await page.evaluate(shows(LOOK));
  };

  for (const href of links) {
    await view(href);
    if (!href.endsWith("governance")) continue;
    await dialog("a proposal of words", () => button("Propose a text…"));
    await dialog("one account's vote", () => button("One account: vote, deposit, withdraw…"));
  }
  await view(links[0] ?? "");
  for (const [name, key] of Object.entries(DIALOG_KEYS)) await dialog(name, () => press(key));
  await dialog("a chain of one's own", async () => {
    await press("s");
    await button("A chain of your own…");
  });

  await opens("a validator");
  await page.locator("[data-part=validators] tbody a").first().click();
  await dialog("a stake", () => button("Delegate, undelegate, send…"));
  await press("Escape");

  await opens("the presenter");
  await press("p");
  // The view comes a task after what is around it.
  await page.locator("[data-presenting] #ring").waitFor();
  await page.evaluate(shows(LOOK));
  await opens("the page again");
  await press("Escape");
  await page.locator("main:has(nav) #ring").waitFor();
  await page.evaluate(shows(LOOK));
};

/** Resolves when the view of an address is there, and each of its charts, which draw one after another. */
export const drawn = (href: string): string => `new Promise((resolve) => {
  const isDrawn = () => {
    const view = document.getElementById("view");
    const link = document.querySelector("nav [aria-current=page]");
    const charts = view.ariaLabel === "Charts"
      ? [...view.querySelectorAll("section:has(> header):not([data-empty])")]
      : [];
    return link?.getAttribute("href") === ${JSON.stringify(href)} &&
      link.firstChild.textContent === view.ariaLabel &&
      view.textContent !== "" &&
      charts.every((chart) => chart.querySelector("svg path, canvas") !== null);
  };
  const look = () => (isDrawn() ? resolve() : setTimeout(look, 50));
  look();
})`;

/** Resolves when the page has shown so many more heights, the presenter in the middle of its ring; waits five minutes. */
const shows = (heights: number): string => `new Promise((resolve, reject) => {
  let left = ${heights};
  const patience = setTimeout(() => reject(new Error("no new block is shown")), 300_000);
  const observer = new MutationObserver(() => {
    left -= 1;
    if (left > 0) return;
    observer.disconnect();
    clearTimeout(patience);
    resolve();
  });
  const height = document.querySelector("[data-testid=height], #ring > :last-child");
  observer.observe(height, { characterData: true, childList: true, subtree: true });
})`;
