import type { Locator, Page } from "@playwright/test";
import { SOAK } from "../tools/test-class.ts";
import { expect, LabPage, TWO_CHAINS, test } from "./helpers.ts";

const SIZES = [
  [360, 740],
  [390, 844],
  [768, 1024],
  [900, 700],
  ...(SOAK
    ? ([
        [1100, 700],
        [1200, 800],
      ] as const)
    : []),
  [1280, 720],
  [1920, 1080],
] as const;

/** As long as a name can be while a second node still gets one of its own. */
const LONG = "a-validator-whose-name-is-as-long-as-names-can-be-in-it-".padEnd(58, "x");
const PLAN = "plan".padEnd(64, "-and-more");

/** Long words everywhere, two chains that meet again, and a step that fails. */
const WORLD = JSON.stringify({
  scenario: 1,
  name: "long",
  title: `A title with ${"W".repeat(120)} in it`,
  genesis: { validators: [0, 1, 2, 3].map((n) => ({ name: `${LONG}-${n}`, stake: 1e8 })) },
  binaries: { ["binary".padEnd(60, "-long")]: { handlers: [PLAN] } },
  steps: [
    { run: 2, note: `A note with ${"x".repeat(300)}` },
    { upgrade: { name: PLAN, at: 60 } },
    { run: 3 },
    { nodes: { which: [`${LONG}-2`, `${LONG}-3`], twin: true } },
    {
      partition: [
        [`${LONG}-0`, `${LONG}-2`, `${LONG}-3`],
        [`${LONG}-1`, `${LONG}-2-twin`, `${LONG}-3-twin`],
      ],
    },
    { run: { to: 20 } },
    { partition: "heal" },
    { run: 1 },
    { expect: { tokens: `${LONG}-2`, is: "1" } },
  ],
});

const CONTROLS = [
  "Play",
  "One block",
  "Ten blocks",
  "Run until…",
  "Keys and terms",
  "Double sign…",
  "Upgrade…",
] as const;

test("from a phone to a large screen nothing is cut and nothing overlaps, whatever the names", async ({
  page,
}) => {
  const lab = new LabPage(page);
  await lab.open();
  await lab.fullSpeed();
  await page.keyboard.press("s");
  const stories = lab.dialog("Stories");
  await stories.getByText(/^Run a scenario .*of your own/).click();
  await stories.getByLabel("…or its text").fill(WORLD);
  await stories.getByRole("button", { name: "Check and run" }).click();
  await expect(stories).toBeHidden();
  await lab.hurryStory();
  await lab.storyEnds("check failed");

  for (const [width, height] of SIZES) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height });
      for (const name of CONTROLS) {
        const box = await page.getByRole("button", { name, exact: true }).boundingBox();
        expect(box, name).not.toBeNull();
        expect(box?.x, name).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(width);
      }
      for (const view of ["network", "evidence", "upgrades", "governance", "charts"]) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `/${view}`);
        await expect(page.locator(`nav a[href*="/${view}"]`)).toHaveAttribute(
          "aria-current",
          "page",
        );
        expect(await faultsOfLayout(page), view).toEqual([]);
      }
    });
  }

  await test.step("names of the ring stay in its card in the presenter", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.evaluate(() => {
      location.hash = "/present/network";
    });
    await expect(page.locator("[data-presenting]").first()).toBeVisible();
    const card = page.locator(".card", { has: page.locator("#ring") });
    const { x = 0, width = 0 } = (await card.boundingBox()) ?? {};
    const names = page.locator("#ring text");
    await expect(names.first()).toBeVisible();
    const boxes = await names.evaluateAll((texts) =>
      texts.map((text) => text.getBoundingClientRect().toJSON() as DOMRect),
    );
    expect(Math.min(...boxes.map(({ left }) => left))).toBeGreaterThanOrEqual(x);
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(x + width);
  });
});

test("with 1, 175 or 1,000 validators nothing is cut, the table scrolls to its last row, and one is found by typing", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.fullSpeed();
  for (const [count, steps] of [
    [1, "run: 3"],
    [175, "upgrade: { name: v2, at: 20 }\n  - run: { until: halted }"],
    [1000, "run: 3"],
  ] as const)
    await test.step(`${count} validators`, async () => {
      if (count > 1) await page.getByRole("button", { name: "Leave", exact: true }).click();
      await page.keyboard.press("s");
      const stories = lab.dialog("Stories");
      await stories.getByText(/^Run a scenario .*of your own/).click();
      const genesis = `scenario: 1\nname: many\ntitle: Many\ngenesis: { validators: ${count} }`;
      const binaries = "binaries: { v2: { handlers: [v2] } }";
      await stories
        .getByLabel("…or its text")
        .fill(`${genesis}\n${binaries}\nsteps:\n  - run: 3\n  - ${steps}`);
      await stories.getByRole("button", { name: "Check and run" }).click();
      await lab.hurryStory();
      await lab.storyEnds();
      if (count === 1)
        await expect(page.getByText("val-0 alone signed the last block.")).toBeVisible();
      for (const [width, height] of [
        [360, 740],
        ...(SOAK ? [[1100, 700] as const] : []),
        [1280, 720],
        [2560, 1440],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await faultsOfLayout(page), `${width} px`).toEqual([]);
      }
      const last = page.getByRole("row", { name: new RegExp(`^val-${count - 1}\\b`) });
      await expect(async () => {
        await page.getByRole("region", { name: "Validators" }).evaluate((region) => {
          region.scrollTop = region.scrollHeight;
        });
        await expect(last).toBeInViewport({ timeout: 500 });
      }).toPass();
      if (count === 175) {
        await showsVotesToARoom(page);
        await page.keyboard.press("Escape");
      }
      if (count > 1) return;
      // The only account there is, is its own.
      await page.keyboard.press("g");
      await lab.dialog("Stake of val-0").getByRole("button", { name: "Delegate" }).click();
      await expect(page.getByText("val-0 has delegated 1,000,000 stake")).toBeVisible();
    });
  await test.step("of a thousand validators one is found by typing", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.keyboard.press("/");
    const palette = lab.dialog("Palette");
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("val-");
    await expect(palette.getByRole("status")).toHaveText(
      // And the stories that speak of one.
      /^The first 60 of 1,0\d\d: type more to see the others\.$/,
    );
    await page.keyboard.type("777");
    await expect(palette.getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(lab.inspector).toContainText("val-777");
  });
});

/** Before a room no column of the table is cut off. */
async function showsVotesToARoom(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.evaluate(() => {
    location.hash = "/present/network";
  });
  await expect(page.locator("[data-presenting]").first()).toBeVisible();
  const table = page.getByRole("region", { name: "Validators" });
  await expect(table.getByRole("columnheader", { name: "Votes" })).toBeVisible();
  await expect(table.getByText("unbonded").first()).toBeVisible();
  // Of one moment: the view is drawn anew for the room.
  const beyond = (): Promise<number> =>
    table.evaluate((region) => {
      const rights = [...region.querySelectorAll("th")].map(
        (th) => th.getBoundingClientRect().right,
      );
      return Math.max(...rights) - region.getBoundingClientRect().right;
    });
  await expect.poll(beyond).toBeLessThanOrEqual(0);
}

/** Returns the lines in the ring's circle that reach beyond it. */
const beyondTheCircle = (page: Page): Promise<string[]> =>
  page.locator("#ring").evaluate((ring) => {
    const circle = ring.querySelector("g > circle")?.getBoundingClientRect() ?? new DOMRect();
    const [x, y] = [circle.x + circle.width / 2, circle.y + circle.height / 2];
    return [...ring.querySelectorAll("span")].flatMap((line) => {
      const range = document.createRange();
      range.selectNodeContents(line);
      const box = range.getBoundingClientRect();
      const seen = line.getBoundingClientRect();
      // Overflowing lines are hidden.
      if (line.textContent === "" || box.top >= seen.bottom - 1) return [];
      if (box.left < seen.left - 1 || box.right > seen.right + 1)
        return [`${line.textContent} is cut`];
      const reach = Math.hypot(
        Math.max(x - box.left, box.right - x),
        Math.max(y - box.top, box.bottom - y) - 4,
      );
      return reach > circle.width / 2 ? [line.textContent ?? ""] : [];
    });
  });

/** Returns the elements outside the page's width, and the cards that overlap. */
const faultsOfLayout = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} px wide`);
    const view = document.getElementById("view");
    if (view && view.scrollWidth > view.clientWidth)
      faults.push(`the view is ${view.scrollWidth} px wide in ${view.clientWidth}`);
    // Elements positioned relative to the page would make it as long as the view's scrolled
    // content.
    for (const text of document.querySelectorAll<HTMLElement>("#view .hidden"))
      if (!view?.contains(text.offsetParent)) faults.push(`outside the view: ${text.textContent}`);
    const cuts = (element: Element): boolean => getComputedStyle(element).overflowX !== "visible";
    const named = (element: Element): string =>
      `${element.tagName} ${element.textContent?.slice(0, 40)}`;
    for (const element of document.querySelectorAll("#root *")) {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width < 2 || height < 2 || (left >= -1 && right <= innerWidth + 1)) continue;
      let above: Element | null = element.parentElement;
      while (above && !cuts(above)) above = above.parentElement;
      if (!above) faults.push(`${named(element)} from ${left} to ${right}`);
    }
    const boxesOf = (selector: string) =>
      [...document.querySelectorAll(selector)]
        .map((part) => [part, part.getBoundingClientRect()] as const)
        .filter(([, { width, height }]) => width > 2 && height > 2);
    const cards = boxesOf("main .card");
    const text = boxesOf("header :is(h1, dd, button, select, [data-testid])");
    for (const boxes of [cards, text])
      for (const [i, [a, one]] of boxes.entries())
        for (const [b, other] of boxes.slice(i + 1)) {
          if (a.contains(b)) continue;
          const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          if (across > 1 && down > 1) faults.push(`${named(a)} overlaps ${named(b)}`);
        }
    return faults;
  });

/** Begins a story, stops it and goes to one of its beats. */
async function toldTo(lab: LabPage, title: string, beat: number): Promise<Locator> {
  const { page } = lab;
  await page.keyboard.press("s");
  const stories = lab.dialog("Stories");
  await stories.getByRole("searchbox", { name: "Find a story" }).fill(title);
  await stories.getByRole("button", { name: `Run: ${title}` }).click();
  const story = page.getByRole("region", { name: "Story" });
  await expect(story).toContainText("1 of");
  await lab.pause();
  await lab.fullSpeed();
  // It told itself until then, on a busy machine further than this.
  let told = Number(/(\d+) of \d+/.exec((await story.textContent()) ?? "")?.[1]);
  while (told !== beat) {
    const on = told < beat;
    told += on ? 1 : -1;
    await page.keyboard.press(on ? "ArrowRight" : "ArrowLeft");
    await expect(story).toContainText(`${told} of `);
  }
  return story;
}

test("the page is reached by its keys, and no dialog, list, tab or name of a new chain is cut, whatever the width and the theme", async ({
  lab,
  page,
}) => {
  await test.step("the page is reached by its keys, an address that is none is said, and the title says what is so", async () => {
    await lab.open("#/nonsense");
    await expect(page.getByRole("alert")).toHaveText(/There is no view “nonsense” here/);
    await page.goto("#/network/planet/9");
    const alert = page.getByRole("alert");
    await expect(alert).toHaveText("There is no “planet/9” in this world. This is Network.");
    await page.getByRole("button", { name: "OK" }).click();
    await expect(alert).toBeHidden();
    const inspector = page.getByRole("region", { name: "Inspector" });
    await page.goto("#/evidence/00");
    await expect(inspector).toContainText("No evidence with this hash is stored on this chain.");
    await page.goto("#/governance/77");
    await expect(inspector).toContainText("There is no proposal 77 on this chain.");
    await page.getByRole("button", { name: "Close the inspector" }).click();
    await page.keyboard.press("3");
    await expect(page).toHaveURL(/#\/upgrades(\?|$)/);
    await expect(page.getByRole("alert")).toBeHidden();
    await expect(page).toHaveTitle(/^Block \d+ · Chainlab$/);
    await page.keyboard.press("s");
    await expect(lab.dialog("Stories").getByRole("searchbox")).toBeFocused();
    await page.keyboard.type("fork");
    await page.keyboard.press("Escape");
    await expect(lab.dialog("Stories")).toBeHidden();
    await page.keyboard.press("1");
    await expect(page).toHaveURL(/#\/network(\?|$)/);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Skip to the view" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("region", { name: "Network" })).toBeFocused();
  });
  await test.step("between a phone and a desk every tab and every story to begin with is whole", async () => {
    for (const width of [768, 800, 900, 955]) {
      await page.setViewportSize({ width, height: 800 });
      const stories = await page.getByRole("button", { name: "All stories…" }).boundingBox();
      expect((stories?.x ?? width) + (stories?.width ?? 0), `${width} px`).toBeLessThanOrEqual(
        width,
      );
      const tabs = page.getByRole("navigation", { name: "Views" });
      const hidden = await tabs.evaluate(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      );
      expect(hidden, `${width} px`).toBeLessThanOrEqual(0);
    }
  });
  await lab.pause();
  await test.step("the list of a store's keys takes the room of a large screen, and ends above the drawer", async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await lab.view("State");
    const list = page.getByRole("region", { name: "List of keys" });
    await expect(list.getByRole("row")).not.toHaveCount(1);
    const box = await list.boundingBox();
    const drawer = await page.getByRole("region", { name: "What happened" }).boundingBox();
    expect(box?.height).toBeGreaterThan(480);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(drawer?.y ?? 0);
  });
  await test.step("nothing of the longest form for an upgrade lies under its buttons", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole("button", { name: "Upgrade…", exact: true }).click();
    const dialog = lab.dialog("Propose an upgrade");
    await dialog.getByLabel("Name of the plan").fill("no-binary-carries-it");
    await expect(dialog.getByText("Make a binary for it")).toBeVisible();
    const preview = dialog.getByTestId("preview");
    await expect(preview).toContainText("no-binary-carries-it");
    const last = dialog.getByText("Only propose it");
    const gap = async (): Promise<number> => {
      const [above, below] = [await last.boundingBox(), await preview.boundingBox()];
      return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
    };
    await expect.poll(gap).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });
  await test.step("no word in the name of an endpoint is broken or cut, whatever the width", async () => {
    await page.getByRole("button", { name: "API", exact: true }).click();
    const list = page.getByRole("region", { name: "List of endpoints" });
    await expect(
      list.getByRole("button", { name: "DelegatorUnbondingDelegations" }),
    ).toBeAttached();
    for (const width of [360, 768, 900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const faults = await list.evaluate((region) => {
        const { right } = region.getBoundingClientRect();
        const words = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
        const found: (string | null)[] = [];
        while (words.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(words.currentNode);
          const boxes = [...range.getClientRects()];
          if (boxes.length !== 1 || boxes.some((box) => box.right > right))
            found.push(words.currentNode.textContent);
        }
        return found;
      });
      expect(faults, `${width} px`).toEqual([]);
    }
  });
  await test.step("in the projector theme all that the inspector says is inside it", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole("button", { name: "Events", exact: true }).click();
    for (const name of ["light", "dark", "projector"]) {
      await page.keyboard.press("t");
      await expect(page.getByText(`Theme: ${name}.`)).toBeVisible();
    }
    await lab.select("val-1");
    for (const width of [1280, 1024]) {
      await page.setViewportSize({ width, height: 720 });
      await expect(lab.inspector).toContainText("consensus address");
      const beside = await lab.inspector.evaluate((it) => it.scrollWidth - it.clientWidth);
      expect(beside, `${width} px`).toBe(0);
    }
  });
});

test("at 1280 px ring, rows, round strip and head of a halted chain are whole, also where the system has the colours", async ({
  lab,
  page,
}) => {
  await test.step("the ring, four rows and the round strip are whole, halted or not", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const whole = async (): Promise<void> => {
      const drawer = await page.getByRole("region", { name: "What happened" }).boundingBox();
      const end = drawer?.y ?? 0;
      const parts = [
        page.locator("#ring"),
        ...["val-0", "val-1", "val-2", "val-3"].map((name) => page.getByRole("row", { name })),
        page.getByRole("region", { name: "The newest round" }),
      ];
      let above = 0;
      for (const part of parts) {
        const box = await part.boundingBox();
        expect(box?.y, String(part)).toBeGreaterThanOrEqual(part === parts[0] ? 0 : above);
        expect((box?.y ?? 0) + (box?.height ?? 0), String(part)).toBeLessThanOrEqual(end);
        if (part !== parts[0]) above = (box?.y ?? 0) + (box?.height ?? 0) - 1;
      }
    };
    await lab.open();
    await lab.reaches(2);
    await whole();
    const beyond = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect(beyond, "nothing of the page to scroll to").toBe(0);
    await lab.runScenario("run: 3", "upgrade: { name: v2, at: 20 }", "run: { until: halted }");
    await lab.isHalted();
    await whole();
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await test.step("the head of a halted chain is whole, however many rounds have failed", async () => {
    const stopped = "nodes: { which: [val-1, val-2], stop: true }";
    await lab.runScenario("run: 11", stopped, "run: { rounds: 300 }");
    await lab.isHalted();
    await expect(page.getByRole("banner").getByRole("button").last()).toBeInViewport({ ratio: 1 });
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await test.step("where the system has the colours, a halt's power is still a bar and the chosen tab is marked", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await lab.runScenario(
      "run: 3",
      "upgrade: { name: v2, at: 20 }",
      "run: { until: halted }",
      "nodes: { which: [val-0, val-1], binary: v2 }",
    );
    await lab.isHalted();
    await expect(page).toHaveTitle("Halted at 20 · 200 of 400, needs 267 · Chainlab");
    const parts = lab.haltCard.getByRole("img").locator("span");
    const looks = await parts.evaluateAll((all) =>
      all.map((part) => {
        const { backgroundColor, backgroundImage } = getComputedStyle(part);
        return backgroundColor + backgroundImage;
      }),
    );
    expect(new Set(looks).size).toBe(looks.length - 1);
    const play = page.getByRole("button", { name: "Play" });
    await expect(play).toHaveCSS("forced-color-adjust", "none");
    const lines = await lab.views.evaluateAll((all) =>
      all.map((link) => getComputedStyle(link).borderBottomColor),
    );
    expect(new Set(lines).size).toBe(2);
    const round = page.getByRole("region", { name: "The newest round" });
    await expect(round).toContainText("Block 20: decided by all, applied by 50 %.");
  });
});

test("what stands in the ring is inside its circle, and names are in its card, at any size", async ({
  lab,
  page,
}) => {
  await lab.open();
  await test.step("on a new chain, and with long names in a split", async () => {
    const faults = async (): Promise<string[]> => {
      const card = page.locator(".card", { has: page.locator("#ring") });
      const { x = 0, width = 0 } = (await card.boundingBox()) ?? {};
      const out = await page.locator("#ring text").evaluateAll(
        (names, [from = 0, to = 0]) =>
          names
            .filter((name) => {
              const { left, right } = name.getBoundingClientRect();
              return left < from || right > to;
            })
            .map(({ textContent }) => textContent ?? ""),
        [x, x + width],
      );
      const low = await page
        .locator("#ring text")
        .evaluateAll((names) =>
          names.filter((name) => name.getBoundingClientRect().height < 11).map(() => "too small"),
        );
      return [...(await beyondTheCircle(page)), ...out, ...low];
    };
    const atEachSize = async (): Promise<void> => {
      for (const [width, height] of [
        [390, 844],
        [700, 720],
        [800, 720],
        [900, 720],
        [1280, 720],
        [1920, 1080],
        [2560, 1300],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect.poll(faults, `${width} px`).toEqual([]);
      }
    };
    await atEachSize();
    // With the lines of the drawer below it, and with three twins and long names in a split.
    const names = [0, 1, 2, 3].map((n) => `${LONG}-${n}`);
    const twins = names.slice(1).map((name) => `${name}-twin`);
    const split = {
      scenario: 1,
      name: "torn",
      title: "Torn",
      genesis: { validators: names.map((name) => ({ name, stake: 1e8 })) },
      steps: [
        { run: 3 },
        { nodes: { which: names.slice(1), twin: true } },
        { partition: [names, twins] },
        { run: { to: 8 } },
      ],
    };
    await lab.fullSpeed();
    await page.keyboard.press("s");
    const stories = lab.dialog("Stories");
    await stories.getByText(/^Run a scenario .*of your own/).click();
    await stories.getByLabel("…or its text").fill(JSON.stringify(split));
    await stories.getByRole("button", { name: "Check and run" }).click();
    await lab.hurryStory();
    await lab.storyEnds();
    await expect(lab.status).toContainText("Split");
    await atEachSize();
    // However much of them is cut, no two read alike.
    const ends = await page.locator("td a[data-long] > span:last-child").allTextContents();
    expect(ends).toHaveLength(names.length + twins.length);
    expect(new Set(ends).size).toBe(ends.length);
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await test.step("however many faults are planned", async () => {
    const planned = [90, 95, 99].map((at, i) => `fault: { node: val-${i}, kind: mute, at: ${at} }`);
    await lab.runScenario(...planned, "run: 1");
    await expect(page.getByRole("region", { name: "Planned faults" })).toContainText("val-2: mute");
    for (const [width, height] of [
      [390, 844],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      // The circle that shows how much votes, and what stands in it, of one moment.
      const outside = (): Promise<string[]> =>
        page.locator("#ring").evaluate((ring) => {
          const hole = ring.querySelector("g > circle")?.getBoundingClientRect() ?? new DOMRect();
          return [...ring.querySelectorAll("span")]
            .filter(({ textContent }) => textContent !== "")
            .filter((text) => {
              const { top, bottom } = text.getBoundingClientRect();
              return top < hole.top || bottom > hole.bottom;
            })
            .map(({ textContent }) => textContent ?? "");
        });
      await expect(page.locator("#ring")).toContainText("100 % votes");
      await expect.poll(outside, `${width} px`).toEqual([]);
    }
  });
});

test("a story's sentence stands above the view, with its steps on request", async ({
  lab,
  page,
}) => {
  await page.setViewportSize({ width: 900, height: 700 });
  await lab.open();
  await lab.fullSpeed();
  await page.getByRole("button", { name: "A double sign", exact: true }).click();
  const line = page.getByTestId("story-line");
  await lab.hurryStory();
  await lab.storyEnds();
  await expect(page.getByText("Begin with a story")).toBeHidden();
  const [sentence, ring] = [await line.boundingBox(), await page.locator("#ring").boundingBox()];
  expect((sentence?.y ?? 0) + (sentence?.height ?? 0)).toBeLessThanOrEqual(ring?.y ?? 0);
  const story = page.getByRole("region", { name: "Story" });
  await story.getByText(/^\d+ of \d+$/).click();
  await expect(story.getByRole("listitem").last()).toBeVisible();
});

test("beside a halt, a split and a line of the drawer a story's sentence, the head, ring and rows are whole", async ({
  lab,
  page,
}) => {
  await test.step("where a split leaves little room the page scrolls, and ring and four rows are whole in the view", async () => {
    await page.setViewportSize({ width: 900, height: 700 });
    await lab.open();
    await lab.runScenario(...TWO_CHAINS);
    await expect(page.getByTestId("fork-card")).toBeVisible();
    const drawer = page.getByRole("region", { name: "What happened" });
    await expect(drawer).toHaveAttribute("data-open", "true");
    for (const [width, height] of [
      [900, 700],
      [1024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      const view = await page.locator("#view").boundingBox();
      const end = (view?.y ?? 0) + (view?.height ?? 0);
      for (const part of [page.locator("#ring"), page.locator("tbody tr").nth(3)]) {
        const box = await part.boundingBox();
        expect(box?.y, `${width} px: ${part}`).toBeGreaterThanOrEqual(view?.y ?? 0);
        expect((box?.y ?? 0) + (box?.height ?? 0), `${width} px: ${part}`).toBeLessThanOrEqual(end);
      }
      await page.mouse.move(width / 2, 20);
      await page.mouse.wheel(0, 2000);
      await expect(drawer).toBeInViewport({ ratio: 0.98 });
      await page.mouse.wheel(0, -2000);
      await expect(page.getByRole("banner")).toBeInViewport({ ratio: 1 });
    }
  });
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.getByLabel("Speed").selectOption("1 block/s");
  await test.step("its sentence is whole beside what a halt and a split say, with ring and rows below", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const [title, text, beats] of [
      ["Two chains, and who made them", "Split: two chains", 1],
      ["A migration that comes out differently everywhere", "Halted at 21", 2],
    ] as const) {
      const story = await toldTo(lab, title, beats + 1);
      await expect(lab.status).toContainText(text);
      // The way on in the story is what there is to do; remedies are there beside it.
      const filled = page.getByRole("region", { name: "Situation" }).locator("[data-primary]");
      await expect(filled).toHaveText(["Next"]);
      const sentence = story.locator("> p");
      expect((await sentence.boundingBox())?.width, title).toBeGreaterThan(600);
      const cut = await sentence.evaluate((line) => line.scrollWidth > line.clientWidth);
      expect(cut, title).toBe(false);
      await expect(async () => {
        expect((await page.locator("#ring").boundingBox())?.height).toBeGreaterThan(170);
        const strip = await page.getByRole("region", { name: "The newest round" }).boundingBox();
        const last = await page.locator("tbody tr").nth(3).boundingBox();
        expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((strip?.y ?? 0) + 1);
      }).toPass();
    }
  });
  await test.step("while it speaks of a line of the drawer, the page's head stays in sight above it, also at a halt", async () => {
    await toldTo(lab, "Upgrade night by hand", 3);
    await lab.isHalted();
    const drawer = page.getByRole("region", { name: "What happened" });
    await expect(drawer).toContainText("CONSENSUS FAILURE");
    for (const part of [
      page.getByRole("banner"),
      page.getByRole("region", { name: "Timeline" }),
      drawer,
    ])
      await expect(part).toBeInViewport({ ratio: 0.99 });
  });
});

test("with an upgrade planned every node's readiness is whole on a phone, and a notice covers nothing", async ({
  lab,
  page,
}) => {
  await test.step("on a phone the readiness of every node and the hint of the palette are whole, and the ways of all stories in one line", async () => {
    await lab.planUpgrade(40);
    await lab.view("Upgrades");
    await expect(page.getByText("no handler").first()).toBeVisible();
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 780 });
      const beside = await page
        .getByRole("region", { name: "Every node" })
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(beside, `${width} px`).toBeLessThanOrEqual(0);
    }
    await page.keyboard.press("/");
    const hint = await lab
      .dialog("Palette")
      .getByRole("combobox")
      .evaluate((field: HTMLInputElement) => {
        const letters = document.createElement("canvas").getContext("2d");
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        if (letters) letters.font = font;
        const room =
          field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return room - (letters?.measureText(field.placeholder).width ?? 0);
      });
    expect(hint).toBeGreaterThanOrEqual(0);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.keyboard.press("s");
    const runs = lab.dialog("Stories").getByRole("button", { name: /^Run: / });
    await expect(runs.first()).toBeVisible();
    const lefts = await runs.evaluateAll((all) =>
      all.slice(0, 5).map((one) => Math.round(one.getBoundingClientRect().left)),
    );
    expect(new Set(lefts).size).toBe(1);
  });
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await test.step("a notice covers neither the timeline, what the band says, a control of the page, nor on a phone the sheet", async () => {
    const notices = page.getByRole("region", { name: "Notices" });
    const stands = [
      page.getByRole("banner"),
      page.getByRole("region", { name: "Timeline" }),
      page.getByRole("region", { name: "Situation" }),
      page.getByRole("navigation", { name: "Views" }),
      page.getByRole("button", { name: "Upgrade…", exact: true }),
    ];
    const drawer = page.getByRole("region", { name: "What happened" });
    const lap = async (): Promise<string[]> => {
      const notice = await notices.getByRole("listitem").first().boundingBox();
      if (!notice) return ["no notice"];
      const wide = (page.viewportSize()?.width ?? 0) > 760;
      const beside = wide ? [...stands, drawer] : stands;
      const details = page.getByRole("complementary", { name: "Details" });
      if (!wide) beside.push(details);
      const found: string[] = [];
      for (const part of beside) {
        const box = await part.boundingBox();
        if (!box) continue;
        const across =
          Math.min(box.x + box.width, notice.x + notice.width) - Math.max(box.x, notice.x);
        const down =
          Math.min(box.y + box.height, notice.y + notice.height) - Math.max(box.y, notice.y);
        if (across > 0 && down > 0) found.push(String(part));
      }
      return found;
    };
    await lab.select("val-1");
    await page.getByRole("button", { name: "Stop", exact: true }).first().click();
    // The notice of the votes may stand there until then.
    const undo = notices.getByRole("listitem").filter({ hasText: "val-1" }).getByRole("button", {
      name: "Undo",
    });
    await expect(undo).toBeVisible();
    // With the focus on it, it stays.
    await undo.focus();
    for (const [width, height] of [
      [1280, 720],
      [800, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(lap, `${width} px`).toEqual([]);
      await expect(undo).toBeFocused();
      if (width < 1280) continue;
      const close = page.getByRole("button", { name: "Close the drawer" });
      await close.click();
      await expect(close).toBeHidden();
      await undo.focus();
      await expect.poll(lap, "with the drawer closed").toEqual([]);
    }
  });
});
