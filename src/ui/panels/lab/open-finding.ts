/** Opens a finding outside the lab: plays its scenario, or compares it with the case that holds. */
import { loadScenario } from "../../store/new-worlds.ts";
import type { Page } from "../../store/page.ts";
import { FIRST_VIEW, goTo } from "../../store/route.ts";
import { travelTo } from "../../store/travel.ts";
import type { FindingView } from "../../store/types.ts";
import { count } from "../../widgets/format.ts";
import { storeFile } from "../compare/other.ts";

/**
 * The name of a finding's scenario file: its property, in characters that every file system
 * accepts.
 */
export function fileOf({ property }: Pick<FindingView, "property">): string {
  const name = property
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return `${name || "finding"}.yaml`;
}

/** The world in which a scenario was last played. */
const playing = new WeakMap<Page, { readonly scenario: string; readonly world: string }>();

const worldOf = ({ frames }: Page): string => {
  const { travel, frame } = frames.getState();
  return (travel?.live.frame ?? frame)?.world ?? "";
};

/** True if the world on screen is the one in which a scenario was last played. */
export function isPlayedHere(page: Page, scenario: string): boolean {
  const known = playing.get(page);
  return known?.scenario === scenario && known.world === worldOf(page);
}

/**
 * Plays a scenario to its end, unless it is on screen, and shows a height of it. Rejects with its
 * problem.
 */
export async function playScenario(
  page: Page,
  scenario: string,
  file: string,
  height: number,
): Promise<void> {
  if (!isPlayedHere(page, scenario)) {
    const [first] = await loadScenario(page, scenario, file, true);
    if (first) throw new Error(`line ${first.line}: ${first.message}`);
    const { story, world } = await page.client.lab.getFrame({});
    const index = (story?.beats.length ?? 0) - 1;
    if (index >= 0)
      await page.client.lab.control({ action: { case: "beat", value: { index, done: true } } });
    await playedThrough(page, world);
    playing.set(page, { scenario, world });
  }
  travelTo(page, height);
}

/** Resolves when the story of a world has ended and is on screen. */
const playedThrough = ({ frames }: Page, world: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      const { frame, lost } = frames.getState();
      const state = frame?.world === world ? frame.story?.state : undefined;
      if (lost === undefined && (state === undefined || state === "running")) return;
      stop();
      resolve();
    };
    const stop = frames.subscribe(look);
    look();
  });

/** Plays the story of a finding, and leaves the lab for its world at a height. */
export async function openFinding(page: Page, finding: FindingView, height: number): Promise<void> {
  await playScenario(page, finding.scenario, fileOf(finding), height);
  goTo({ view: FIRST_VIEW });
}

/** Plays a scenario to its end, and compares it with another one at its newest height. */
export async function compareScenario(
  page: Page,
  { text, file }: { readonly text: string; readonly file: string },
  other: string,
): Promise<void> {
  await playScenario(page, text, file, Number.POSITIVE_INFINITY);
  page.dialog.setState({ compared: { other, at: 0 } });
  goTo({ view: "compare" });
}

/** Compares the story with the nearest one that holds, at the height of the violation. */
export async function compareFinding(page: Page, finding: FindingView): Promise<void> {
  await playScenario(page, finding.scenario, fileOf(finding), finding.height);
  const other = storeFile(`holds-${fileOf(finding)}`, finding.counterfactualScenario);
  page.dialog.setState({ compared: { other, at: 0 } });
  goTo({ view: "compare" });
}

/** Returns the name of a case: its number, after those of its ancestors if it is a mutant. */
export const caseName = ({ ancestors, number }: FindingView): string =>
  ancestors.length === 0 ? count(number) : [...ancestors, number].join("/");
