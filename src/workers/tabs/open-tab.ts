/** What keeps worlds and answers the page: the browser's storage, locks and channels, wired to a session. */

import type { Answer, Call } from "../../session/call.ts";
import type { Host } from "../../session/history/storage.ts";
import { openWorlds } from "../../session/open-worlds.ts";
import { serve, serveWatcher } from "../../session/serve.ts";
import type { Session } from "../../session/session.ts";
import { openBrowserStorage } from "../browser-storage.ts";
import { readEarlier } from "../indexed-db.ts";
import { Tab } from "./tab.ts";
import { WorldLocks } from "./world-locks.ts";

const SAVE_EVERY_MS = 500;

/** A tab, as the worker's entry uses it. */
export interface OpenTab {
  save(): Promise<void>;
  /** Answers a call of the page. Never rejects. */
  serve(call: Call, post: (answer: Answer) => void): Promise<void>;
}

/**
 * Opens the world that the tab showed before, or the one that was saved last, or saves the session's own.
 * @param id of this tab
 */
export async function openTab(
  session: Session,
  id: string,
  before: string,
  host: Host,
): Promise<OpenTab> {
  const browser = {
    // Only secure pages have locks.
    locks: new WorldLocks(navigator.locks as LockManager | undefined),
    openChannel:
      typeof BroadcastChannel === "function"
        ? (name: string) => new BroadcastChannel(name)
        : undefined,
    id,
  };
  const play = openWorlds(session, openBrowserStorage(), host, readEarlier);
  const tab = new Tab(play, browser, serveWatcher);
  await tab.begin(before);
  setInterval(play.save, SAVE_EVERY_MS);
  return { save: play.save, serve: (call, post) => serve(tab, call, post) };
}
