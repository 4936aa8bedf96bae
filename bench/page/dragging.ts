/** Rate of page updates while a person drags along the history, and number of heights shown. */
import type { Browser, Page } from "@playwright/test";
import { beginWorld, reaches } from "../durable/page.ts";
import { type Row, said } from "../durable/report.ts";
import type { Extent } from "./sessions.ts";
import { PAST } from "./travels.ts";

/** Blocks of the history that is dragged along. */
const BLOCKS = 5000;
/** The pointer is somewhere else so often, as a mouse tells it, and so many times. */
const EVERY_MS = 16;
const MOVES = 240;
/** Thirty times a second. */
const PAINT_EVERY_MS = 1000 / 30;

interface Drag {
  /** Milliseconds from one frame in which the page has changed to the next, in ascending order. */
  readonly gaps: readonly number[];
  readonly seconds: number;
  readonly heights: number;
  /** Frames of a height that was not the one under the pointer, without the page saying so. */
  readonly unlabelled: number;
}

/** Drags along the timeline, height by height, and along the overview, through the whole history, while the chain goes on. */
export async function dragging(browser: Browser, origin: string, extent: Extent): Promise<Row[]> {
  const rows: Row[] = [];
  for (const validators of extent.validators) {
    console.error(`${validators} validators: dragging`);
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    try {
      const page = await context.newPage();
      await page.goto(origin);
      await reaches(page, 1);
      await beginWorld(page, validators);
      await reaches(page, BLOCKS);
      await page.keyboard.press("ArrowLeft");
      await page.locator(PAST).waitFor();
      for (const [name, place] of [
        ["the timeline", "[role=slider][aria-label=Blocks]"],
        ["the overview", "[data-testid=overview]"],
      ] as const) {
        // Load the scripts that the first drag needs.
        await dragAlong(page, place);
        const drag = await dragAlong(page, place);
        rows.push(...said(rowsOf(`${validators} validators, dragging along ${name}`, drag)));
      }
    } finally {
      await context.close();
    }
  }
  return rows;
}

function rowsOf(where: string, { gaps, seconds, heights, unlabelled }: Drag): Row[] {
  const gap = gaps[Math.floor(gaps.length * 0.95)] ?? Number.POSITIVE_INFINITY;
  const mean = (1000 * seconds) / gaps.length;
  return [
    {
      ...{ what: `${where}: time between frames that change, mean`, value: mean, unit: "ms" },
      limit: PAINT_EVERY_MS,
      note: `${(gaps.length / seconds).toFixed(0)} of them a second`,
    },
    { what: `${where}: of these times, 95 % are shorter`, value: gap, unit: "ms" },
    { what: `${where}: heights shown in a second`, value: heights / seconds, unit: "" },
    {
      ...{ what: `${where}: another height than the one pointed at, not said`, value: unlabelled },
      unit: "",
      limit: 0,
    },
  ];
}

async function dragAlong(page: Page, place: string): Promise<Drag> {
  const box = await page.locator(place).boundingBox();
  if (!box) throw new Error(`${place} is not drawn`);
  const y = box.y + box.height / 2;
  const [from, to] = [box.x + box.width * 0.95, box.x + box.width * 0.05];
  await page.mouse.move(from, y);
  await page.mouse.down();
  await page.mouse.move(from - 10, y);
  await page.evaluate(WATCH);
  const begin = performance.now();
  for (let move = 1; move <= MOVES; move += 1) {
    // Back and forth, so that it is never where it was led already.
    const part = Math.abs(Math.sin((move / MOVES) * Math.PI * 1.5));
    await page.mouse.move(from + (to - from) * part, y);
    const wait = begin + move * EVERY_MS - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  const seconds = (performance.now() - begin) / 1000;
  const seen = await page.evaluate<Omit<Drag, "seconds">>("window.watched()");
  await page.mouse.up();
  return { ...seen, seconds };
}

/**
 * Notes the frames in which something of the page has changed, the heights that are shown, and whether the page says so
 * where it is on its way to another one.
 */
const WATCH = `{
  const heights = new Set();
  const gaps = [];
  let unlabelled = 0;
  let looking = true;
  let changed = false;
  let painted;
  const observer = new MutationObserver(() => {
    changed = true;
  });
  observer.observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
  requestAnimationFrame(function look(time) {
    if (changed) {
      if (painted !== undefined) gaps.push(time - painted);
      painted = time;
      changed = false;
    }
    const past = document.querySelector("${PAST}");
    const shown = document.querySelector("[data-testid=height]").textContent;
    const asked = document.querySelector("[role=slider][aria-label=Blocks]").ariaValueNow;
    heights.add(shown);
    if (past !== null && shown.replaceAll(",", "") !== asked && !past.textContent.includes("Going to")) unlabelled += 1;
    if (looking) requestAnimationFrame(look);
  });
  window.watched = () => {
    looking = false;
    observer.disconnect();
    return { heights: heights.size, unlabelled, gaps: gaps.sort((a, b) => a - b) };
  };
}`;
