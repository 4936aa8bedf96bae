/** Calls of pages to tabs that play or watch the worlds of one browser, as its worker answers them. */
import { assertInvariant } from "../../src/engine/simulation/invariants.testing.ts";
import { soundsLikeLanguageError } from "../../src/engine/simulation/world-invariants.testing.ts";
import type { Frame } from "../../src/gen/lab/v1/lab_plain.ts";
import { FakeBrowser, type FakeTab } from "../../src/workers/tabs/tab.testing.ts";
import type { Draw } from "./draw.ts";
import { mutateText } from "./mutate.ts";
import { type Target, tried } from "./target.ts";

const METHODS: Readonly<Record<string, (draw: Draw) => object>> = {
  "lab.getFrame": (draw) => ({
    revision: draw.pick([0, 1, 5, 2 ** 40]),
    blocksAfter: draw.pick([0, 3, -1, 1e9]),
    activityAfter: draw.pick([0, 3, -1]),
    samples: draw.chance(0.3),
  }),
  "lab.control": (draw) => ({
    action: draw.pick([
      { case: "play", value: true },
      { case: "pause", value: true },
      { case: "stop", value: true },
      { case: "startOver", value: true },
      { case: "speed", value: draw.pick(NUMBERS) },
      { case: "stepBlocks", value: draw.pick(NUMBERS) },
      { case: undefined },
    ]),
  }),
  "lab.runStep": (draw) => ({ step: stepText(draw) }),
  "lab.preview": (draw) => ({ step: stepText(draw) }),
  "lab.loadScenario": (draw) => ({
    text: mutated(draw, "{ scenario: 1, name: a, steps: [{ run: 3 }, { run: { for: 10s } }] }"),
    file: "a.yaml",
  }),
  "lab.listWorlds": () => ({}),
  "lab.openWorld": (draw) => ({ world: draw.pick(WORLDS) }),
  "lab.renameWorld": (draw) => ({
    world: draw.pick(WORLDS),
    name: draw.pick(["", " ", "a", "x".repeat(81)]),
  }),
  "lab.duplicateWorld": (draw) => ({ world: draw.pick(WORLDS) }),
  "lab.deleteWorld": (draw) => ({ world: draw.pick(WORLDS) }),
  "lab.exportWorld": (draw) => ({ world: draw.pick(WORLDS) }),
  "lab.answerNotice": (draw) => ({
    notice: draw.pick(["n", "no-locks", ""]),
    action: draw.pick(["continue", "export", "start_anew", "retry", ""]),
  }),
  query: (draw) => ({ name: draw.pick(["block", "validators", ""]), request: {}, height: 0 }),
  rest: (draw) => ({ method: "GET", path: draw.pick(["/lab/v1/block/1", "/", "//x"]) }),
  other: () => ({}),
};

const NUMBERS = [
  -1,
  0,
  0.5,
  1,
  3,
  50,
  10_000,
  10_001,
  100_001,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];
const WORLDS = ["w1", "w2", "w3", "", "__proto__"];
const STEPS = ['{"run":3}', '[{"run":2},{"run":1}]', '{"double_sign":{"node":"val-1"}}', "{}", "["];

const mutated = (draw: Draw, text: string): string =>
  draw.chance(0.4) ? mutateText(draw, text) : text;
const stepText = (draw: Draw): string => mutated(draw, draw.pick(STEPS));

interface Act {
  readonly tab: number;
  readonly method?: string;
  readonly request?: object;
  /** The tab is closed, or another one opened, which had a world before. */
  readonly close?: true;
  readonly open?: string;
}

const MOST_TABS = 3;
/** Turns of the event loop after which an answer does not come. */
const TIMEOUT_MS = 3000;

function drawAct(draw: Draw): Act {
  const tab = draw.between(0, MOST_TABS - 1);
  if (draw.chance(0.1)) return { tab, close: true };
  if (draw.chance(0.15)) return { tab, open: draw.pick(["", "w1", "w2"]) };
  const [method, request] = draw.pick(Object.entries(METHODS));
  return { tab, method, request: request(draw) };
}

/** Lets all tabs work. */
async function turn(tabs: readonly FakeTab[], times: Map<FakeTab, number>): Promise<void> {
  for (const tab of tabs) {
    let time = times.get(tab) ?? 0;
    tab.play.session.player.slice(2, () => {
      time += 1;
      return time;
    });
    times.set(tab, time + 500);
  }
  await new Promise((resolve) => setImmediate(resolve));
}

async function play(acts: readonly Act[]): Promise<void> {
  const browser = new FakeBrowser();
  const tabs = [await browser.open()];
  const times = new Map<FakeTab, number>();
  try {
    for (const act of acts) {
      const tab = tabs[act.tab % tabs.length];
      if (act.open !== undefined) {
        if (tabs.length < MOST_TABS) tabs.push(await browser.open(act.open));
      } else if (tab && act.close) {
        if (tabs.length === 1) continue;
        tabs.splice(tabs.indexOf(tab), 1);
        await tab.close();
      } else if (tab && act.method) await call(tab, tabs, times, act.method, act.request ?? {});
      await turn(tabs, times);
      checkTabs(tabs);
    }
  } finally {
    for (const tab of tabs) {
      tab.tab.watching?.end();
      await tab.close();
    }
  }
}

async function call(
  tab: FakeTab,
  tabs: readonly FakeTab[],
  times: Map<FakeTab, number>,
  method: string,
  request: object,
): Promise<void> {
  let [answered, text] = [false, ""];
  const watched = tab.tab.watching !== undefined;
  const answer = tab.call(method, request).then(
    (response) => {
      answered = true;
      if (method === "lab.getFrame") checkFrame(response as Frame);
    },
    (error: Error) => {
      [answered, text] = [true, error.message];
    },
  );
  for (let turns = 0; turns < TIMEOUT_MS && !answered; turns++) {
    await turn(tabs, times);
    if (turns > 100) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  // A step may wait for what does not come, and be held.
  const waits = ["lab.runStep", "lab.loadScenario"].includes(method);
  assertInvariant("a call is answered", answered || waits || watched, () => method);
  if (answered) await answer;
  assertInvariant(
    "texts are for people",
    !soundsLikeLanguageError(text),
    () => `${method}: ${text}`,
  );
}

function checkFrame({ revision, player }: Frame): void {
  assertInvariant("a frame has its revision", Number.isSafeInteger(revision), () => `${revision}`);
  if (player === undefined) return;
  const { rate, speed } = player;
  const numbers = [rate, speed].every(Number.isFinite);
  assertInvariant("the pace is a number", numbers, () => `${rate}, ${speed}`);
}

/** No two tabs play one world. */
function checkTabs(tabs: readonly FakeTab[]): void {
  const played = tabs.flatMap(({ tab }) => (tab.watching || tab.world === "" ? [] : tab.world));
  const once = new Set(played).size === played.length;
  assertInvariant("one tab plays a world", once, () => played.join(", "));
}

export const calls: Target = {
  name: "calls",
  about: "calls of pages to tabs that play and watch worlds, and take over from one another",

  async draw(draw: Draw) {
    const acts = Array.from({ length: draw.between(1, 25) }, () => drawAct(draw));
    await tried(calls, { acts });
  },

  async run(given) {
    await play(Object(given).acts ?? []);
  },
};
