import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { RunningWorld } from "../../src/session/running-world.ts";
import { Session } from "../../src/session/session.ts";
import { median } from "../engine/clock.ts";
import { busyBlocks, TXS_PER_BLOCK, worldSpec } from "../engine/world.ts";
import { openFolder, originOf, SAVE_EVERY_MS, turn } from "./headless.ts";

const VALIDATORS = 100;
/** Long enough for a keyframe and its pause. */
const WINDOW_MS = 4_000;
const BLOCKS_PER_SAVE = 64;

/** What saving costs: the share of the block rate of a world without it, both in turn in one process. */
export async function savingCost(folder: string, windows: number): Promise<number> {
  const { session: saved, save, close } = await openFolder(folder, worldSpec(VALIDATORS));
  const plain = new Session();
  plain.player.begin(new RunningWorld(originOf(worldSpec(VALIDATORS))));
  plain.control({ case: "speed", value: 0 });
  const shares: number[] = [];
  for (const session of [saved, plain]) session.control({ case: "play", value: true });
  for (let i = -1; i < windows; i++) {
    const without = await blockRate(plain, async () => {});
    const withSaving = await blockRate(saved, save);
    // The first is a warm-up.
    if (i >= 0) shares.push(1 - withSaving / without);
  }
  await close();
  return median(shares);
}

/** Blocks per second of processor time, which other programs on the host do not take. */
async function blockRate(session: Session, save: () => Promise<void>): Promise<number> {
  const from = { height: session.sim.height, used: process.cpuUsage(), time: performance.now() };
  let saveAt = from.time + SAVE_EVERY_MS;
  let saving: Promise<void> = Promise.resolve();
  for (let time = from.time; time < from.time + WINDOW_MS; time = performance.now()) {
    await turn(session);
    if (time < saveAt) continue;
    saveAt = time + SAVE_EVERY_MS;
    saving = save();
  }
  await saving;
  const { user, system } = process.cpuUsage(from.used);
  return ((session.sim.height - from.height) * 1e6) / (user + system);
}

/** Bytes in the folder for each of many transactions, 20 in a block. */
export async function bytesPerTransaction(folder: string, transactions: number): Promise<number> {
  const { session, save, close } = await openFolder(folder, worldSpec(4));
  const makeBlock = busyBlocks(session.sim);
  for (let blocks = 1; blocks * TXS_PER_BLOCK <= transactions; blocks++) {
    makeBlock();
    session.player.live.observer.observe();
    if (blocks % BLOCKS_PER_SAVE !== 0) continue;
    session.player.changed();
    await save();
  }
  session.player.changed();
  await close();
  return (await sizeOf(folder)) / transactions;
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name));
      return found.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
