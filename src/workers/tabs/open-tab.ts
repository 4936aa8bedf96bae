/** Opens a tab: wires the browser's storage, locks and channels to a session. */

import type { Answer, Call } from "../../session/call.ts";
import { MemoryStorage } from "../../session/history/memory-storage.ts";
import type { Host } from "../../session/history/storage.ts";
import { openWorlds } from "../../session/open-worlds.ts";
import type { Searching } from "../../session/searching/searching.ts";
import { serve, serveWatcher } from "../../session/serve.ts";
import type { Session } from "../../session/session.ts";
import { openBrowserStorage } from "../browser-storage.ts";
import { readLegacy } from "../indexed-db.ts";
import { Tab } from "./tab.ts";
import { WorldLocks } from "./world-locks.ts";

const SAVE_EVERY_MS = 500;
/**
 * Slices are shorter during and shortly after requests of other programs, each of which waits for
 * one to end.
 */
const BUDGET_BESIDE_MS = 2;
const BESIDE_MS = 100;
/**
 * In place of a world, for an embedded page: it sees none of this browser's worlds, and stores
 * none.
 */
const EMBEDDED = "embedded";
/** Its worlds are its own: no other tab shares them. */
const ALONE: LockManager = {
  request: async (_: string, ...rest: unknown[]) =>
    (rest.at(-1) as LockGrantedCallback<unknown>)({
      name: "",
      mode: "exclusive",
    }),
  query: async () => ({ held: [], pending: [] }),
};

/** A tab, as used by the worker's entry. */
export interface OpenTab {
  /** Milliseconds of the next slice of blocks; undefined for the default. */
  readonly budget: number | undefined;
  save(): Promise<void>;
  /** Answers a call of the page. Never rejects. */
  serve(call: Call, post: (answer: Answer) => void): Promise<void>;
}

/**
 * Opens the tab's previous world, or the last saved one, or saves the session's own.
 * @param id of this tab
 */
export async function openTab(
  session: Session,
  id: string,
  before: string,
  host: Host,
): Promise<OpenTab> {
  const isEmbedded = before === EMBEDDED;
  const browser = {
    // Only secure pages have locks, and browsers may refuse them within other pages.
    locks: new WorldLocks(isEmbedded ? ALONE : (navigator.locks as LockManager | undefined)),
    openChannel:
      typeof BroadcastChannel === "function" && !isEmbedded
        ? (name: string) => new BroadcastChannel(name)
        : undefined,
    id,
  };
  const play = isEmbedded
    ? openWorlds(session, new MemoryStorage(), host)
    : openWorlds(session, openBrowserStorage(), host, readLegacy);
  session.searching = searchingOf(host);
  const tab = new Tab(play, browser, serveWatcher);
  await tab.begin(before);
  setInterval(play.save, SAVE_EVERY_MS);
  let requestedMs = Number.NEGATIVE_INFINITY;
  return {
    save: play.save,
    serve(call, post) {
      if (call.method === "http") requestedMs = host.clock();
      return serve(tab, call, post);
    },
    get budget() {
      return host.clock() - requestedMs < BESIDE_MS ? BUDGET_BESIDE_MS : undefined;
    },
  };
}

/** The lab of this tab, loaded on demand; a failure to load is retried. */
function searchingOf({ clock }: Host): () => Promise<Searching> {
  let made: Promise<Searching> | undefined;
  const make = async (): Promise<Searching> => {
    const { Searching } = await import("../../session/searching/searching.ts");
    const { CasePool } = await import("../case-workers.ts");
    return new Searching({ clock, workers: (most) => new CasePool(most) });
  };
  return () => {
    made ??= make();
    made.catch(() => {
      made = undefined;
    });
    return made;
  };
}
