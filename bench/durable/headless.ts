/** A session without a page whose worlds are kept in a folder, as a program of its own would run it. */

import type { WorldSpec } from "../../src/engine/simulation/genesis/world-spec.ts";
import { LevelStorage } from "../../src/node/level-storage.ts";
import type { Host, Storage } from "../../src/session/history/storage.ts";
import { openWorlds } from "../../src/session/open-worlds.ts";
import { Session } from "../../src/session/session.ts";
import type { SessionOfWorlds } from "../../src/session/worlds.ts";

const hostWith = (clock: () => number): Host => ({
  now: Date.now,
  clock,
  id: () => crypto.randomUUID(),
  build: "bench",
  delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  reportBug: (error) => console.error(error),
});

/** Minimum interval between saves of the page's worker. */
export const SAVE_EVERY_MS = 500;

/** Time slice of a session before other events are handled. */
const SLICE_MS = 8;

export interface Headless extends SessionOfWorlds {
  readonly storage: Storage;
  /** Saves a last time and lets go of the folder. */
  close(): Promise<void>;
}

/**
 * Opens the newest world of a folder, or begins one of this spec; resolves when it is where it was.
 * @param clock milliseconds by which keyframes are spaced
 */
export async function openFolder(
  folder: string,
  spec: WorldSpec,
  clock = (): number => performance.now(),
): Promise<Headless> {
  const storage = await LevelStorage.open(folder);
  const session = new Session();
  session.player.pause();
  const opened = openWorlds(session, storage, hostWith(clock));
  const { worlds, saving } = opened;
  const [newest] = await worlds.list();
  if (newest === undefined) await worlds.create(originOf(spec));
  else await opening(session, worlds.open(newest.id));
  session.control({ case: "speed", value: 0 });
  return {
    ...opened,
    storage,
    async close() {
      await worlds.close();
      await saving.settled();
      await storage.close();
    },
  };
}

/** Runs the session's work until a promise is settled: what brings a world back is part of that work. */
async function opening(session: Session, opened: Promise<void>): Promise<void> {
  let done = false;
  const restored = opened
    .then(() => session.restored)
    .finally(() => {
      done = true;
    });
  while (!done) await turn(session);
  await restored;
}

/** One slice of the session's work, then a turn of the event loop, in which writes get on. */
export async function turn({ player }: Session): Promise<void> {
  player.slice(SLICE_MS, () => performance.now());
  await new Promise((resolve) => setImmediate(resolve));
}

export const originOf = (spec: WorldSpec) => ({
  scenario: { name: "bench", title: "A benchmark's world", about: "", steps: [], spec },
  file: "",
  text: "",
});
