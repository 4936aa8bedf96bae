/** The page's worker: wires a tab to the clock, the browser's storage, locks and channels, and the page. */
import type { ToPage, ToWorker } from "../client/wire.ts";
import { accelerateSha256 } from "../engine/primitives/sha256.ts";
import { openIndexedDb } from "./indexed-db.ts";
import { drive } from "./loop.ts";
import { oneWorld } from "./one-world.ts";
import { serve, serveWatcher } from "./serve.ts";
import { Tab } from "./tabs/tab.ts";
import { WorldLocks } from "./tabs/world-locks.ts";

const SAVE_EVERY_MS = 500;

const post = (message: ToPage): void => postMessage(message);

// Without WebAssembly the chain is slower, with the same results.
accelerateSha256().catch(() => {});

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const play = oneWorld(openIndexedDb(), delay);
const browser = {
  // Only secure pages have locks.
  locks: new WorldLocks(navigator.locks as LockManager | undefined),
  openChannel:
    typeof BroadcastChannel === "function"
      ? (name: string) => new BroadcastChannel(name)
      : undefined,
  id: Math.random().toString(36).slice(2),
};
const tab = new Tab(play, browser, serveWatcher);

// The page names its worker after the world that it showed before it was reloaded.
const begun = tab.begin(self.name);
begun.then(
  () => {
    // Save actions on a paused world at once: the page may be reloaded at any time.
    drive(play.session.player, play.save);
    setInterval(play.save, SAVE_EVERY_MS);
  },
  (error: unknown) => post({ fatal: String(error) }),
);

// Calls before the world is open wait for it and are answered in order.
addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  await begun;
  if ("word" in data) await play.save();
  else await serve(tab, data, post);
});
post({ ready: true });
