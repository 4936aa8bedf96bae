import { expect, test } from "vitest";
import { toHex } from "../base/bytes.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { openWorlds } from "./open-worlds.ts";
import { savedPlay } from "./save.ts";
import type { SavedStory } from "./saved.ts";
import { Session } from "./session.ts";
import { MemoryStorage, testHost, until } from "./testing.ts";

const STORY = "{ scenario: 1, name: told, title: Told, steps: [{ run: 3 }, { run: 2 }] }";

/** A played session, and its save by an earlier version: values in one database. */
async function legacyTab(text = "") {
  const session = new Session();
  if (text !== "") await session.loadScenario({ text, file: "told.yaml" });
  session.control({ case: "pause", value: true });
  session.control({ case: "play", value: true });
  for (let i = 0; i < 600; i++) {
    const kind = i % 2 ? "start" : "stop";
    session.sim.apply({ type: "node", node: "val-3", action: { kind } });
  }
  session.control({ case: "speed", value: 0 });
  // One unit of work at a time, so that a story is left in the middle of a step.
  let time = 0;
  while (session.sim.height < 4) session.player.slice(2, () => time++);
  session.control({ case: "pause", value: true });
  const { live } = session.player;
  const {
    story,
    began,
    blocks: _,
    ...play
  } = savedPlay(live, { playing: true, speed: 4, blocks: 0 });
  const { spec, journal } = live.sim;
  const values = new Map<string, unknown>([
    [
      "head",
      {
        ...{ ...play, format: 1, entries: journal.length },
        ...(story ? { story: { ...told(story), text, file: "told.yaml" } } : {}),
        ...(began ? { began: { rounds: began.rounds, journal: began.entries } } : {}),
      },
    ],
    ["spec", spec],
    ["journal-0", journal.slice(0, 512)],
    ["journal-1", journal.slice(512)],
  ]);
  return { session, values };
}

const told = ({ state, current, message }: SavedStory) => ({ state, current, message });

const place = ({ sim }: Session) => [sim.rounds, toHex(sim.appHash), sim.journalLength];

function start(values: ReadonlyMap<string, unknown>, storage = new MemoryStorage()) {
  const requested: (readonly string[])[] = [];
  const read = async (keys: readonly string[]) => {
    requested.push(keys);
    return keys.map((key) => structuredClone(values.get(key)));
  };
  const session = new Session();
  session.player.pause();
  return { ...openWorlds(session, storage, testHost(), read), storage, asked: requested };
}

test.each([
  ["", 0],
  [STORY, 0],
])(
  "a session that an earlier version saved is a world, and comes back where it was (%#)",
  async (text) => {
    const { session, values } = await legacyTab(text);
    const { worlds, saving, storage, asked: requested, ...tab } = start(values);
    const [world] = await worlds.list();
    expect(saving.notices).toMatchObject([{ kind: "moved" }]);
    await worlds.open(world?.id ?? "");
    await until(tab.session, tab.session.restored);
    expect(place(tab.session)).toEqual(place(session));
    expect(saving.notices).toHaveLength(1);
    expect(tab.session.player).toMatchObject({ playing: true, pace: { speed: 4 } });
    expect(tab.session.player.live.story?.state).toBe(session.player.live.story?.state);
    // Only once: the world that it was migrated to may have been removed since.
    const { length } = requested;
    const again = start(values, storage);
    expect(await again.worlds.list()).toHaveLength(1);
    expect([length, again.asked.length]).toEqual([2, 0]);
  },
);

test.each([
  ["of which a part is missing", "journal-1", undefined],
  ["of another genesis", "spec", { ...FIRST_ORIGIN.scenario.spec, blockTime: 0n }],
  ["whose journal has no length", "head", { format: 1 }],
])("a session %s stays as it is, which is said", async (_, key, value) => {
  const { values } = await legacyTab();
  values.set(key, value);
  const { worlds, saving } = start(values);
  expect(await worlds.list()).toEqual([]);
  expect(saving.notices).toMatchObject([{ kind: "moved" }]);
  expect(saving.notices[0]?.text).toContain("cannot be taken over");
});

test("where nothing was saved, nothing is said", async () => {
  const { worlds, saving } = start(new Map());
  expect(await worlds.list()).toEqual([]);
  expect(saving.notices).toEqual([]);
});
