import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../base/property.testing.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { MemoryStorage, openTab, settle, type TestTab, until } from "./testing.ts";

type Act = "action" | "blocks" | "save" | "story";

const STORY = "{ scenario: 1, name: told, title: Told, steps: [{ run: 3 }, { run: 2 }] }";

const step = (url: string): string =>
  JSON.stringify({ release: { name: "v1", url, serves: "empty" } });

/** Plays, and records each action by its world when it is acknowledged. */
async function play(tab: TestTab, acts: readonly Act[]): Promise<ReadonlyMap<string, string>> {
  const acknowledged = new Map<string, string>();
  for (const [i, act] of acts.entries()) {
    if (act === "blocks") tab.session.control({ case: "stepBlocks", value: 150 });
    if (act === "save") void tab.save();
    if (act === "story") void tab.session.loadScenario({ text: STORY, file: "told.yaml" });
    if (act === "action") {
      void tab.session.runStep(step(`https://a/${i}`)).then(async ({ ok }) => {
        const world = tab.worlds.current ?? "";
        await tab.saving.settled();
        if (ok) acknowledged.set(`https://a/${i}`, world);
      });
    }
    for (let turns = 0; turns < 6; turns++) {
      settle(tab.session);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return acknowledged;
}

test("no acknowledged action is lost, at whatever write the process is killed", async () => {
  let acknowledgedInAll = 0;
  const runs = propertyRuns(40);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Act>("action", "action", "blocks", "save", "story"), {
        minLength: 4,
        maxLength: 14,
      }),
      fc.integer({ min: 1, max: 20 }),
      async (acts, writes) => {
        const storage = new MemoryStorage();
        storage.writesLeft = writes;
        const tab = openTab(storage);
        const begun = tab.worlds.create(FIRST_ORIGIN);
        const acknowledged = await play(tab, acts);
        await Promise.race([begun, Promise.resolve()]);
        acknowledgedInAll += acknowledged.size;
        const lost: string[] = [];
        for (const world of new Set(acknowledged.values())) {
          const back = openTab(new MemoryStorage(storage.records));
          await back.worlds.open(world);
          await until(back.session, back.session.restored);
          expect(back.saving.notices).toEqual([]);
          // A keyframe restores only the commands after it; a recording also has those before it.
          const recorded = await back.session.record?.();
          for (const [url, of] of acknowledged) {
            if (of === world && !new RegExp(`${url}\\b`).test(recorded?.text ?? "")) lost.push(url);
          }
        }
        expect(lost).toEqual([]);
      },
    ),
    { numRuns: runs },
  );
  expect(acknowledgedInAll).toBeGreaterThan(runs / 2);
});
