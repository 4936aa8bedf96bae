import type { Browser, Page } from "@playwright/test";
import { SOAK } from "../tools/test-class.ts";
import { DAMAGE, type DamageKind, type Records, readRecords, writeRecords } from "./database.ts";
import { errorsOf, expect, LabPage, test } from "./helpers.ts";

test.use({
  // It would answer for the page on which nothing runs.
  serviceWorkers: "block",
  // To record some sixty visits takes longer than they do; a failure names its kind of damage.
  trace: "off",
});
// One after the other: the world that all of them damage is made once.
test.describe.configure({ mode: "default" });

const ALL = Object.keys(DAMAGE) as DamageKind[];
/** The kinds that a record is damaged in for each change; in soak it is in all. */
const kindsOr = (...few: readonly DamageKind[]): readonly DamageKind[] => (SOAK ? ALL : few);
/** Pages at once, each with a storage of its own: they wait much of the time. */
const PAGES = SOAK ? 2 : 1;
/** All kinds take longer than the usual time of a test. */
const takesItsTime = (): void => {
  if (SOAK) test.setTimeout(400_000);
};

interface World {
  readonly records: Records;
  readonly height: number;
  /** App hashes of two blocks, and the newest one. */
  readonly hashes: readonly string[];
}

const LOOKED_AT = [5, 300];

/** Damage that leaves the first half of a record as it was. */
const HALF_KEPT = new Set<DamageKind>([
  "cut in half",
  "cut by a byte",
  "with a flipped bit in its middle",
  "with a flipped bit in its last byte",
  "with bytes after its end",
]);

let made: Promise<World> | undefined;

/** A world with a keyframe and actions on both sides of it, which all tests damage. */
const theWorld = (browser: Browser): Promise<World> => {
  made ??= onPage(browser, makeWorld);
  return made;
};

/** Does something on a page with a storage of its own, which must not end with an error on its console. */
async function onPage<T>(browser: Browser, work: (lab: LabPage) => Promise<T>): Promise<T> {
  const page = await browser.newPage();
  const errors = errorsOf(page);
  const result = await work(new LabPage(page));
  expect(errors, "errors on the console").toEqual([]);
  await page.close();
  return result;
}

/** Does something for each kind of damage, on a few pages at once. */
async function forEachKind(
  browser: Browser,
  kinds: readonly DamageKind[],
  work: (lab: LabPage, kind: DamageKind) => Promise<void>,
): Promise<void> {
  const left = [...kinds];
  const workOff = async (lab: LabPage): Promise<void> => {
    for (let kind = left.shift(); kind !== undefined; kind = left.shift()) {
      const next = kind;
      await test.step(next, () => work(lab, next));
    }
  };
  await Promise.all(Array.from({ length: PAGES }, () => onPage(browser, workOff)));
}

async function makeWorld(lab: LabPage): Promise<World> {
  const { page } = lab;
  await lab.open();
  await lab.fullSpeed();
  await lab.reaches(400);
  await lab.pause();
  await lab.select("val-3");
  for (let i = 0; i < 3; i++) {
    await lab.inspector.getByRole("button", { name: "Stop" }).click();
    await expect(lab.inspector).toContainText("stopped");
    await advance(lab);
    await lab.inspector.getByRole("button", { name: "Start with v1" }).click();
    await expect(lab.inspector).toContainText("running");
    await advance(lab);
  }
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  const height = await lab.height();
  const hashes = await hashesOf(page, height);
  return { records: await readRecords(page), height, hashes };
}

async function advance(lab: LabPage): Promise<void> {
  const height = await lab.height();
  await lab.page.keyboard.press("Shift+ArrowRight");
  await lab.reaches(height + 10);
}

/** The app hashes of the blocks that are looked at, up to a height. */
async function hashesOf(page: Page, height: number): Promise<string[]> {
  const hashes: string[] = [];
  for (const block of [...LOOKED_AT.filter((one) => one < height), height]) {
    if (block === 0) break;
    await page.goto(`/#/network/block/${block}`);
    const button = page.getByRole("button", { name: "Copy app hash" });
    const inspector = page.getByRole("region", { name: "Inspector" });
    await expect(inspector).toContainText(`Block ${block}`);
    await expect(inspector.locator("[aria-busy=false]")).toBeVisible();
    hashes.push((await button.getAttribute("title")) ?? "");
  }
  return hashes;
}

/** Opens the page on damaged records. */
async function openOn(lab: LabPage, records: Parameters<typeof writeRecords>[1]): Promise<void> {
  await writeRecords(lab.page, records);
  await lab.page.goto("/");
  // It has come back as far as it does.
  await expect(lab.page.getByTestId("saved")).toHaveText("Saved");
  await expect(lab.status).toHaveText(/Paused|Live/);
}

const ONE_OF = [
  { what: "a beginning", key: /\/beginning-0$/, kinds: kindsOr("cut in half") },
  { what: "the other beginning", key: /\/beginning-1$/, kinds: kindsOr("not bytes at all") },
  {
    what: "a keyframe",
    key: /\/keyframe\//,
    kinds: kindsOr("with a flipped bit in its middle", "missing"),
  },
];

for (const { what, key, kinds } of ONE_OF) {
  test(`${what} that is damaged costs nothing, in whichever way, and is spoken of`, async ({
    browser,
  }) => {
    takesItsTime();
    const { records, height, hashes } = await theWorld(browser);
    const damaged = Object.keys(records).findLast((one) => key.test(one)) as string;
    await forEachKind(browser, kinds, async (lab, kind) => {
      await openOn(lab, { ...records, [damaged]: DAMAGE[kind](records[damaged] as number[]) });
      await expect.poll(() => lab.height()).toBe(height);
      // A keyframe that is not there is not missed: worlds have none at first.
      const unseen = what === "a keyframe" && kind === "missing";
      const notice = lab.page.getByTestId("notice");
      if (unseen) await expect(notice).toBeHidden();
      else await expect(notice).toContainText("the world is as it was");
      expect(await hashesOf(lab.page, height)).toEqual(hashes);
    });
  });
}

for (const [head, kinds] of [
  ["head-0", kindsOr("missing")],
  ["head-1", kindsOr("of a version to come")],
] as const) {
  test(`a damaged ${head} costs no action, and at most the blocks of the last save`, async ({
    browser,
  }) => {
    takesItsTime();
    const { records, height, hashes } = await theWorld(browser);
    const key = Object.keys(records).find((one) => one.endsWith(`/${head}`)) as string;
    await forEachKind(browser, kinds, async (lab, kind) => {
      await openOn(lab, { ...records, [key]: DAMAGE[kind](records[key] as number[]) });
      await expect(lab.page.getByTestId("notice")).toContainText("All actions that were found");
      await lab.select("val-3");
      await expect(lab.inspector).toContainText("running");
      const kept = await lab.height();
      expect(kept).toBeGreaterThanOrEqual(height - 10);
      expect((await hashesOf(lab.page, kept)).slice(0, 2)).toEqual(hashes.slice(0, 2));
    });
  });
}

test("a journal that is damaged keeps what was before the damage, and sets the rest aside", async ({
  browser,
}) => {
  takesItsTime();
  const { records, height, hashes } = await theWorld(browser);
  const segment = Object.keys(records).findLast((key) => /\/journal\//.test(key)) as string;
  const kinds = kindsOr("cut in half", "with a flipped bit in its middle", "missing");
  await forEachKind(browser, kinds, async (lab, kind) => {
    const { page } = lab;
    const damaged = DAMAGE[kind](records[segment] as number[]);
    await openOn(lab, { ...records, [segment]: damaged });
    const notice = page.getByTestId("notice");
    await expect(notice).toContainText(/journal/);
    await expect(notice.getByRole("button")).toHaveText([
      "Continue from here",
      "Export to a file",
      "Start anew",
    ]);
    const kept = await lab.height();
    expect(kept).toBeLessThanOrEqual(height);
    if (HALF_KEPT.has(kind)) expect(kept).toBeGreaterThanOrEqual(400);
    const known = hashes.slice(0, LOOKED_AT.filter((block) => block <= kept).length);
    expect((await hashesOf(page, kept)).slice(0, known.length)).toEqual(known);

    // It plays on from there, and what was damaged is still in the storage.
    await notice.getByRole("button", { name: "Continue from here" }).click();
    await expect(notice).toBeHidden();
    await page.keyboard.press("ArrowRight");
    await lab.reaches(kept + 1);
    await expect(page.getByTestId("saved")).toHaveText("Saved");
    const after = await readRecords(page);
    if (Array.isArray(damaged) && damaged.length > 0)
      expect(Object.values(after)).toContainEqual(damaged);
  });
});

test("a world of which nothing can be read stays as it is beside a new one", async ({
  browser,
}) => {
  takesItsTime();
  const { records } = await theWorld(browser);
  const beginnings = Object.keys(records).filter((key) => /\/beginning-\d$/.test(key));
  expect(beginnings).toHaveLength(2);
  const kinds = SOAK
    ? (["cut in half", "of a version to come", "not bytes at all"] as const)
    : (["of a version to come"] as const);
  await forEachKind(browser, kinds, async (lab, kind) => {
    const damaged = Object.fromEntries(
      beginnings.map((key) => [key, DAMAGE[kind](records[key] as number[])]),
    );
    await openOn(lab, { ...records, ...damaged });
    await expect(lab.page.getByTestId("notice")).toContainText("cannot be opened");
    const after = await readRecords(lab.page);
    const journal = Object.keys(records).filter((key) => /\/journal\//.test(key));
    for (const key of journal) expect(after[key]).toEqual(records[key]);
  });
});

test("what was set aside can be exported, and a new world begun", async ({
  browser,
  lab,
  page,
}) => {
  const { records } = await theWorld(browser);
  const segment = Object.keys(records).findLast((key) => /\/journal\//.test(key)) as string;
  const cut = DAMAGE["cut in half"](records[segment] as number[]);
  await openOn(lab, { ...records, [segment]: cut });
  const notice = page.getByTestId("notice");
  const download = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Export to a file" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.chainlab$/);
  await notice.getByRole("button", { name: "Start anew" }).click();
  await expect(notice).toBeHidden();
  await expect(lab.status).toHaveText("Live");
  await page.keyboard.press("w");
  const list = lab.dialog("Worlds").getByRole("list", { name: "Worlds" });
  await expect(list.getByRole("listitem")).toHaveCount(2);
});
