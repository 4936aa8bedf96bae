import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { RunningWorld } from "../../src/session/running-world.ts";
import { Session } from "../../src/session/session.ts";
import { busyBlocks, TXS_PER_BLOCK, worldSpec } from "../engine/world.ts";
import { openFolder, originOf, SAVE_EVERY_MS, turn } from "./headless.ts";

const VALIDATORS = 100;
/** Until the code of both worlds is compiled. */
const WARM_UP_MS = 8_000;
const BLOCKS_PER_SAVE = 64;

/**
 * Cost of saving, as a share of the block rate of a world without it. Both run in one process, in
 * turns of some milliseconds each, so that other load on the host affects both alike. A rate is per
 * processor time, which includes that of other threads.
 */
export async function savingCost(folder: string, seconds: number): Promise<number> {
  /** Milliseconds of the plain world, which space no saves and keyframes of the other. */
  let others = 0;
  const clock = (): number => performance.now() - others;
  const spec = worldSpec(VALIDATORS);
  const { session: saved, save, close } = await openFolder(folder, spec, clock);
  const plain = new Session();
  plain.player.begin(new RunningWorld(originOf(spec)));
  plain.control({ case: "speed", value: 0 });
  for (const session of [saved, plain]) session.control({ case: "play", value: true });
  let saveAt = 0;
  const turnAndSave = async (): Promise<void> => {
    await turn(saved);
    const now = clock();
    if (now < saveAt) return;
    saveAt = now + SAVE_EVERY_MS;
    await save();
  };
  const runBoth = async (ms: number): Promise<number> => {
    const from = { saved: saved.sim.height, plain: plain.sim.height };
    const end = performance.now() + ms;
    const used = { saved: 0, plain: 0 };
    while (performance.now() < end) {
      const begin = performance.now();
      used.plain += await using(() => turn(plain));
      others += performance.now() - begin;
      used.saved += await using(turnAndSave);
    }
    const rate = (saved.sim.height - from.saved) / used.saved;
    return 1 - rate / ((plain.sim.height - from.plain) / used.plain);
  };
  await runBoth(WARM_UP_MS);
  const share = await runBoth(seconds * 1000);
  await close();
  return share;
}

/** Processor time of a piece of work, in microseconds. */
async function using(work: () => Promise<void>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  return microseconds(process.cpuUsage(from));
}

const microseconds = ({ user, system }: NodeJS.CpuUsage): number => user + system;

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
