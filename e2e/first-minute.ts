/** The first minute of a user with the keyboard alone, the same in every browser. */
import { expect } from "@playwright/test";
import { OFTEN, type Person } from "./person.ts";

const STATUS = "[data-testid=status]";
const DIALOG = "[role=dialog]";
const VIEW = "#view";
const DETAILS = "#details";

export async function firstMinute(person: Person): Promise<void> {
  await person.sees("[data-testid=height]", /[1-9]/);
  await person.press("Tab");
  await person.isAt("Skip to the view");
  await person.press("Enter");
  await person.isAt("Network");
  await person.press("Space");
  await person.sees(STATUS, "Paused");

  await signTwice(person);
  await seeWhyTombstoned(person);
  const due = await scheduleUpgrade(person, "v2");
  await seeTheHalt(person, due);
  await bringBack(person, due);
  await cancelInTime(person);
}

async function signTwice(person: Person): Promise<void> {
  await person.press("d");
  await person.sees(DIALOG, "Make a validator double sign");
  await person.isAt(/^It signs two conflicting votes/);
  await person.sees(`${DIALOG} [data-testid=preview]`, "val-3");
  await submit(person);
  await person.sees(VIEW, "Evidence, and what the chain did with it");
  // The focus is where it was, though another view is there.
  await person.isAt("Evidence");
  await stepUntil(person, "ArrowRight", DETAILS, "tombstoned");
}

async function seeWhyTombstoned(person: Person): Promise<void> {
  await person.sees(DETAILS, /because\s+it signed twice at block/);
  await person.tabTo("the evidence");
  await person.press("Enter");
  await person.sees(VIEW, /slashed and tombstoned/);
  await person.sees(VIEW, "tombstoned");
}

/** Comes to the height of the plan, which the form proposed. */
async function scheduleUpgrade(person: Person, name: string): Promise<string> {
  await person.press("u");
  await person.sees(DIALOG, "Propose an upgrade");
  await person.isAt("A software upgrade");
  await person.tabTo("At height");
  await person.sees(`${DIALOG} [data-testid=preview]`, name);
  await submit(person);
  await stepUntil(person, "Shift+ArrowRight", VIEW, `Plan ${name}, due at height`);
  const [, due = ""] = /due at height ([\d,]+)/.exec(await person.read(VIEW)) ?? [];
  return due;
}

async function seeTheHalt(person: Person, due: string): Promise<void> {
  await stepUntil(person, "Shift+ArrowRight", STATUS, "Halted");
  await person.sees("[data-testid=halt-card]", `UPGRADE "v2" NEEDED at height: ${due}`);
}

async function bringBack(person: Person, due: string): Promise<void> {
  // In Firefox a driver's Tab does not come back from the browser's bars, which follow the notice of the halt.
  await person.toTheTop();
  await person.tabTo(/^Switch all/);
  await person.press("Enter");
  await person.sees(STATUS, /Live|Paused/);
  await stepUntil(person, "ArrowRight", VIEW, `v2 at height ${due}`);
}

async function cancelInTime(person: Person): Promise<void> {
  await scheduleUpgrade(person, "v3");
  await person.tabTo("Cancel it…");
  await person.press("Enter");
  await person.sees(DIALOG, "Propose to cancel the upgrade");
  await person.sees(`${DIALOG} [data-testid=preview]`, "v3");
  await submit(person);
  await stepUntil(person, "Shift+ArrowRight", VIEW, "No upgrade is planned");
  await person.sees(VIEW, /v3 at [\d,]+, cancelled in block/);
}

async function submit(person: Person): Promise<void> {
  await person.press("Enter");
  await person.sees(DIALOG, /^$/);
}

/** Presses a key that makes blocks, each time when those of the last time are there, until something is shown. */
async function stepUntil(
  person: Person,
  key: string,
  selector: string,
  text: string,
): Promise<void> {
  const height = async () => Number((await person.read("[data-testid=height]")).replace(",", ""));
  const blocks = key === "ArrowRight" ? 1 : 10;
  const isShown = async () => (await person.read(selector)).includes(text);
  for (let tries = 0; tries < 20 && !(await isShown()); tries++) {
    const wanted = (await height()) + blocks;
    await person.press(key);
    await expect
      .poll(async () => (await height()) >= wanted || (await isShown()), {
        message: `there is block ${wanted}, or ${selector} shows ${text}`,
        ...OFTEN,
      })
      .toBe(true);
  }
  await person.sees(selector, text);
}
