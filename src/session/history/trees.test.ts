import { describe, expect, test } from "vitest";
import { readKeyframe, writeKeyframe } from "../../engine/simulation/keyframe/keyframe.ts";
import { FIRST_ORIGIN } from "../first-world.ts";
import { MemoryStorage, openTab, settle, until } from "../testing.ts";
import { KeptWorld } from "../travel.testing.ts";
import { History } from "./history.ts";
import { type CompleteKeyframe, keyframeRecord, readKeyframeRecord } from "./keyframes.ts";
import { keyframeKey, readKeyframeKey, readTreesKey, worldPrefix } from "./keys.ts";
import { frameRecord, RECORD } from "./record.ts";

/** A world with several keyframes, some blocks apart, and its stored records. */
async function kept(keyframes: number, blocks: number) {
  const storage = new MemoryStorage();
  const world = new KeptWorld(undefined, storage);
  for (let i = 0; i < keyframes; i++) {
    const how = { from: "val-0", to: "val-0", how: "delegate", amount: 5n } as const;
    if (i === keyframes >> 1) world.perform([{ do: "stake", who: "alice", ...how }]);
    world.perform([{ do: "run", blocks }]);
    await world.keep(true);
  }
  return { storage, world, prefix: worldPrefix(world.history.id) };
}

const namesIn = (storage: MemoryStorage, prefix: string) => {
  const names = [...storage.records.keys()].map((key) => key.slice(prefix.length));
  return {
    keyframes: names.flatMap((name) => readKeyframeKey(name) ?? []),
    trees: names.flatMap((name) => readTreesKey(name) ?? []),
  };
};

/** The world of the nearest keyframe at or before a round, read anew. */
async function nearest(storage: MemoryStorage, world: KeptWorld, rounds: number) {
  const history = await History.open(storage, world.history.id);
  const make = ({ simulation, pack }: CompleteKeyframe) =>
    readKeyframe(world.live.sim.spec, simulation, {}, undefined, pack);
  const to = { rounds, entries: Number.MAX_SAFE_INTEGER };
  const { at } = await history.seek(to, world.host.build, make);
  return { history, sim: at?.made };
}

describe("what keyframes share", () => {
  test("is there as long as one needs it, and no longer", async () => {
    const storage = new MemoryStorage();
    const world = new KeptWorld(undefined, storage);
    const prefix = worldPrefix(world.history.id);
    let most = 0;
    let removed = 0;
    const seen = new Set<number>();
    const how = { from: "val-0", to: "val-0", how: "delegate", amount: 5n } as const;
    for (let i = 0; i < 120; i++) {
      if (i % 16 === 8) world.perform([{ do: "stake", who: "alice", ...how }]);
      world.perform([{ do: "run", blocks: 40 }]);
      await world.keep(true);
      const { keyframes, trees } = namesIn(storage, prefix);
      for (const { rounds } of trees) seen.add(rounds);
      removed = seen.size - trees.length;
      most = Math.max(most, trees.length);
      const needed = new Set(keyframes.map((one) => one.trees));
      expect(new Set(trees.map(({ rounds }) => rounds))).toEqual(needed);
    }
    expect(most).toBeGreaterThan(1);
    expect(removed).toBeGreaterThan(0);
  });

  test("costs those that need it when it is lost, and no other", async () => {
    const { storage, world, prefix } = await kept(20, 2);
    const { keyframes, trees } = namesIn(storage, prefix);
    const [second, first] = trees.toSorted((a, b) => b.rounds - a.rounds);
    if (first === undefined || second === undefined) throw new Error("all share one");
    const newest = keyframes.at(-1)?.rounds ?? 0;
    expect((await nearest(storage, world, newest)).sim?.rounds).toBe(newest);
    for (const spoil of [
      (records: Map<string, Uint8Array>) => records.delete(prefix + second.key),
      (records: Map<string, Uint8Array>) => {
        const record = records.get(prefix + second.key)?.slice() as Uint8Array;
        record[record.length >> 1] = (record[record.length >> 1] as number) ^ 1;
        records.set(prefix + second.key, record);
      },
      (records: Map<string, Uint8Array>) =>
        records.set(prefix + second.key, frameRecord(RECORD.trees, Uint8Array.of(1, 7))),
      (records: Map<string, Uint8Array>) =>
        records.set(prefix + second.key, records.get(prefix + first.key) as Uint8Array),
    ]) {
      const spoilt = new MemoryStorage(storage.records);
      spoil(spoilt.records);
      const { history, sim } = await nearest(spoilt, world, newest);
      const last = keyframes.findLast((one) => one.trees !== second.rounds);
      expect(sim?.rounds).toBe(last?.rounds);
      expect(history.damage.length).toBeLessThanOrEqual(1);
    }
  });
});

test("a world whose keyframes an earlier version wrote comes back by its journal", async () => {
  const tab = openTab();
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  const { session, save } = tab;
  session.control({ case: "pause", value: true });
  session.control({ case: "stepBlocks", value: 260 });
  settle(session);
  await save();
  const { height, appHash } = session.sim;
  const prefix = worldPrefix(id);
  const { keyframes, trees } = namesIn(tab.storage, prefix);
  expect([keyframes.length, trees.length]).toEqual([1, 1]);
  // As earlier versions wrote them: keys of four numbers, nothing shared, and the previous format.
  const records = new Map(tab.storage.records);
  for (const { key } of [...keyframes, ...trees]) records.delete(prefix + key);
  for (const one of keyframes) {
    const read = readKeyframeRecord(one, tab.storage.records.get(prefix + one.key));
    if ("damage" in read) throw new Error("the keyframe cannot be read");
    const simulation = writeKeyframe(session.sim);
    simulation[7] = 8;
    const record = keyframeRecord({ ...read.keyframe, simulation });
    records.set(prefix + keyframeKey(one, record.length, one.uneven ?? 0).key, record);
  }
  const back = openTab(new MemoryStorage(records));
  await back.worlds.open(id);
  await until(back.session, back.session.restored);
  expect([back.session.sim.height, back.session.sim.appHash]).toEqual([height, appHash]);
  expect(back.saving.notices).toEqual([]);
  // The next keyframe is of this version, beside the existing ones.
  back.session.control({ case: "stepBlocks", value: 260 });
  settle(back.session);
  await back.save();
  expect(namesIn(back.storage, prefix).trees).toHaveLength(1);
});
