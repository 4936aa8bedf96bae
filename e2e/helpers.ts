/**
 * The page as a person uses it. Every test starts with an empty browser and fails on any error that
 * reaches the console. Nothing here sleeps: every wait is for something that a person could see.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Frame, type Locator, type Page } from "@playwright/test";
import { whileProgressing } from "../tools/progress.ts";

export { expect };

export const test = base.extend<{ lab: LabPage }>({
  lab: async ({ page }, use) => {
    const errors = errorsOf(page);
    await use(new LabPage(page));
    expect(errors, "errors on the console").toEqual([]);
  },
});

/** Collects errors of a page's console from now on. */
export function errorsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

/** Drops files onto the page together. */
export const dropFiles = (page: Page, files: readonly (readonly [string, Buffer])[]) =>
  page.evaluate(
    (dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of dropped) {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      document.body.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
      );
    },
    files.map(([name, content]) => ({ name, base64: content.toString("base64") })),
  );

/** The script of axe, which finds the faults. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules whose answer depends on colours. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Faults of accessibility in the page as it is, or in a part of it. It asks axe within the page: the builder of
 * Playwright's opens a page of its own for each answer and needs five times the processor.
 */
export async function violationsOf(
  page: Page | Frame,
  part?: string,
  rules?: readonly string[],
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ([within, only]) => {
      // A line out of sight whose content is skipped has a height that is not its own.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { content-visibility: visible !important }");
      document.adoptedStyleSheets.push(sheet);
      const { axe } = window as unknown as {
        axe: {
          run(part: string | Document, options: object): Promise<{ violations: Violation[] }>;
        };
      };
      if (within && !document.querySelector(within)) throw new Error(`there is no ${within}`);
      const { violations } = await axe.run(within ?? document, {
        resultTypes: ["violations"],
        // A frame is asked by itself: axe in one page does not reach into that of another origin.
        iframes: false,
        ...(only ? { runOnly: { type: "rule", values: only } } : {}),
      });
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`,
      );
    },
    [part, rules] as const,
  );
}

/**
 * Asserts that the page or a part of it has no accessibility violations: all rules in the light
 * scheme, colours in the dark one.
 */
export async function isAccessible(page: Page, part?: string): Promise<void> {
  // A colour that is still on its way from one scheme to the other has no contrast of its own.
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  expect(await violationsOf(page, part), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await violationsOf(page, part, OF_COLOURS), "dark").toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** Steps after which there are two forks: two keys are in both partitions. */
export const TWO_CHAINS = [
  "run: 5",
  "nodes: { which: [val-2, val-3], twin: true }",
  "partition: [[val-0, val-2, val-3], [val-1, val-2-twin, val-3-twin]]",
  "run: { to: 10 }",
] as const;

/** Steps after which every view has something to show: evidence, a plan, a vote, sidecars. */
export const SOMETHING_EVERYWHERE = [
  "run: 5",
  "double_sign: { node: val-3 }",
  "run: 4",
  "nodes: { which: [val-1, val-2], sidecar: { mode: staged } }",
  "upgrade: { name: v2, at: 60 }",
  "upgrade: { name: v3, at: 90, until: proposed }",
  "run: 2",
] as const;

/** Waits for what may take long; it ends 30 s after the text of `progress` last changed. */
export const expectWhile = (
  progress: Locator,
  attempt: (within: { readonly timeout: number }) => Promise<void>,
): Promise<void> =>
  whileProgressing(
    async () => (await progress.allTextContents()).join(),
    () => attempt({ timeout: 1_000 }),
  );

const HEAD = [
  "scenario: 1",
  "name: own",
  "title: Own",
  "genesis: { validators: 4 }",
  "binaries:",
  "  v2: { modules: { bank: 5 }, handlers: [v2] }",
  "  odd: { from: v2, migration: nondeterministic }",
].join("\n");

/** The file of a scenario with these steps. */
export const scenarioOf = (...steps: readonly string[]): string =>
  [HEAD, "steps:", ...steps.map((step) => `  - ${step}`)].join("\n");

export class LabPage {
  readonly page: Page;
  readonly views: Locator;
  readonly status: Locator;
  readonly haltCard: Locator;
  readonly inspector: Locator;

  constructor(page: Page) {
    this.page = page;
    this.views = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    this.status = page.getByTestId("status");
    this.haltCard = page.getByTestId("halt-card");
    this.inspector = page.getByRole("region", { name: "Inspector" });
  }

  /** Opens the page and waits until its chain has made a block, and it hears keys. */
  async open(place = ""): Promise<void> {
    await this.page.goto(`/${place}`);
    await this.reaches(1);
    await expect(this.page.locator("html[data-keys]")).toBeAttached();
  }

  async height(): Promise<number> {
    const text = await this.page.getByTestId("height").textContent();
    return Number(text?.replaceAll(",", ""));
  }

  async reaches(height: number): Promise<void> {
    await this.#whileChainRuns((within) =>
      expect.poll(() => this.height(), within).toBeGreaterThanOrEqual(height),
    );
  }

  /** Waits until the story that is told is over. */
  async storyEnds(text: string | RegExp = "All checks passed"): Promise<void> {
    const end = this.page.getByTestId("story-end");
    await this.#whileChainRuns((within) => expect(end).toContainText(text, within));
  }

  #whileChainRuns(attempt: Parameters<typeof expectWhile>[1]): Promise<void> {
    return expectWhile(this.page.getByTestId("height"), attempt);
  }

  async fullSpeed(): Promise<void> {
    await this.page.getByLabel("Speed").selectOption("full speed");
  }

  /** Has the story that is told go on at full speed; it has begun at its own. */
  async hurryStory(): Promise<void> {
    await expect(this.page.getByRole("progressbar", { name: "Steps shown" })).toBeVisible();
    await this.fullSpeed();
  }

  async pause(): Promise<void> {
    await this.page.getByRole("button", { name: "Pause" }).click();
    // The status may also name a problem of the chain.
    await expect(this.status).toHaveText(/^Paused/);
  }

  async view(name: string): Promise<void> {
    await this.views.and(this.page.getByRole("link", { name })).click();
    // The tab is marked at once; until the view is drawn the one before stands there.
    await expect(this.page.locator("#view")).toHaveAttribute("aria-label", name);
  }

  async select(validator: string): Promise<void> {
    await this.view("Network");
    await this.page.getByRole("table").getByRole("link", { name: validator, exact: true }).click();
    await expect(this.inspector).toContainText(validator);
  }

  async isHalted(): Promise<void> {
    await this.#whileChainRuns((within) => expect(this.status).toContainText("Halted", within));
    await expect(this.haltCard).toBeVisible();
  }

  async isLive(): Promise<void> {
    await expect(this.status).toHaveText("Live");
  }

  /** Runs a scenario of one's own to its end at full speed. */
  async runScenario(...steps: readonly string[]): Promise<void> {
    await this.fullSpeed();
    await this.#beginScenario(steps);
    await this.hurryStory();
    await this.storyEnds();
  }

  /** Runs a scenario of one's own to its end, where the chain stays. */
  async tellScenario(...steps: readonly string[]): Promise<void> {
    await this.#beginScenario(steps);
    await expect(this.page.getByRole("progressbar", { name: "Steps shown" })).toBeVisible();
    await this.pause();
    await this.page.getByRole("button", { name: "Skip to end" }).click();
    await this.storyEnds();
    // The status may also name a problem of the chain.
    await expect(this.status).toHaveText(/^Paused/);
  }

  async #beginScenario(steps: readonly string[]): Promise<void> {
    const stories = this.dialog("Stories");
    // The key listener is loaded beside the first blocks.
    await expect(async () => {
      await this.page.keyboard.press("s");
      await expect(stories).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await stories.getByText(/^Run a scenario .*of your own/).click();
    await stories.getByLabel("…or its text").fill(scenarioOf(...steps));
    await stories.getByRole("button", { name: "Check and run" }).click();
    await expect(stories).toBeHidden();
  }

  /** Opens a paused chain at full speed whose validators vote for an upgrade that is so many blocks away; its height. */
  async planUpgrade(blocks: number): Promise<number> {
    await this.open();
    await this.pause();
    await this.fullSpeed();
    await this.page.keyboard.press("u");
    const form = this.dialog("Propose an upgrade");
    const due = (await this.height()) + blocks;
    await form.getByLabel("At height").fill(String(due));
    await form.getByRole("button", { name: "Propose, all vote yes" }).click();
    await expect(this.page.getByTestId("countdown")).toContainText("blocks");
    return due;
  }

  /** The dialog that cancels the upgrade that is planned. */
  async cancelDialog(): Promise<Locator> {
    await this.page.getByRole("button", { name: "Cancel it…" }).click();
    return this.dialog("Propose to cancel the upgrade");
  }

  dialog(name: string): Locator {
    return this.page.getByRole("dialog", { name });
  }
}
