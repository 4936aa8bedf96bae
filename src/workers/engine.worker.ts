/** The page's worker: wires a tab to the clock, the browser's storage, locks and channels, and the page. */
import type { ToPage, ToWorker } from "../client/wire.ts";
import { accelerateSha256 } from "../engine/primitives/sha256.ts";
import type { Host } from "../session/history/storage.ts";
import { Session } from "../session/session.ts";
import { openBrowserStorage } from "./browser-storage.ts";
import { readEarlier } from "./indexed-db.ts";
import { drive } from "./loop.ts";
import { serve, serveWatcher } from "./serve.ts";
import { Tab } from "./tabs/tab.ts";
import { WorldLocks } from "./tabs/world-locks.ts";

const SAVE_EVERY_MS = 500;

const post = (message: ToPage): void => postMessage(message);

// Without WebAssembly the chain is slower, with the same results.
accelerateSha256().catch(() => {});

const randomId = (): string => Math.random().toString(36).slice(2);

const host: Host = {
  now: Date.now,
  clock: () => performance.now(),
  id: () => `${Date.now().toString(36)}-${randomId()}`,
  // The address of a built script holds a hash of all that it loads.
  build: import.meta.url,
  delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
const browser = {
  // Only secure pages have locks.
  locks: new WorldLocks(navigator.locks as LockManager | undefined),
  openChannel:
    typeof BroadcastChannel === "function"
      ? (name: string) => new BroadcastChannel(name)
      : undefined,
  id: randomId(),
};

// What reads and writes histories loads beside the chain: a new world needs none of it to begin.
const opened = import("../session/open-worlds.ts").then(async ({ openWorlds }) => {
  const session = new Session();
  session.player.pause();
  const play = openWorlds(session, openBrowserStorage(), host, readEarlier);
  const tab = new Tab(play, browser, serveWatcher);
  // Save actions on a paused world at once: the page may be reloaded at any time.
  drive(session.player, play.save);
  setInterval(play.save, SAVE_EVERY_MS);
  // The page names its worker after the world that it showed before it was reloaded.
  await tab.begin(self.name);
  return { play, tab };
});
opened.catch((error: unknown) => post({ fatal: String(error) }));

// Calls before the world is open wait for it and are answered in order.
addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  const { play, tab } = await opened;
  if ("word" in data) await play.save();
  else await serve(tab, data, post);
});
post({ ready: true });
