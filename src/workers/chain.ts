/** The page's chain: runs a session, and loads the storage of worlds at the same time. */
import { CODE } from "../client/client.ts";
import type { ToPage, ToWorker } from "../client/wire.ts";
import { errorText } from "../engine/framework/errors.ts";
import type { LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Call } from "../session/call.ts";
import type { Host } from "../session/history/storage.ts";
import { Session } from "../session/session.ts";
import { driveHere } from "./loop.ts";
import type { OpenTab } from "./tabs/open-tab.ts";

const AFTER_A_FAILURE_MS = 1000;
/** A storage returns a saved world within a second; after this time, in ms, a delay is reported. */
const LATE_MS = 7000;
const LATE =
  "The browser’s storage has not given the saved worlds yet. Another tab of Chainlab may hold it up: close the others, " +
  "or start the browser again. If it does not answer within half a minute, a new world begins here; what is saved " +
  "stays as it is.";
/** Starts one round, however long that takes. */
const FIRST_BLOCK_MS = 1;

const post = (message: ToPage): void => postMessage(message);

const randomId = (): string => Math.random().toString(36).slice(2);

const host: Host = {
  now: Date.now,
  clock: () => performance.now(),
  id: () => `${Date.now().toString(36)}-${randomId()}`,
  // The address of a built script contains a hash of everything that it loads.
  build: import.meta.url,
  namespace: "both",
  delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  reportBug: (error) => console.error(error),
};

/** Creates the first world, loads the storage, and notifies the page that it can be called. */
export function serveChain(): void {
  const id = randomId();
  const session = new Session();
  session.player.pause();
  let tab: OpenTab | undefined;
  let opening: Promise<OpenTab> | undefined;
  let late = (): void => {};
  /** Rejects if the saved world was not loaded in time. */
  const isLate = new Promise<never>((_, reject) => {
    late = () => reject(new Error(LATE));
  });
  isLate.catch(() => {});

  // Save actions on a paused world at once: the page may be reloaded at any time.
  driveHere(
    session.player,
    () => void tab?.save(),
    () => tab?.budget,
  );
  /**
   * Without a database no world is saved: the session's own runs before the storage scripts are
   * loaded.
   */
  const playing = playFirst(session);

  /** Rejects if the scripts cannot be loaded; a call a second later retries. */
  function open(): Promise<OpenTab> {
    if (opening !== undefined) return opening;
    opening = tryToOpen();
    opening.catch((error: unknown) => {
      session.note = `What saves worlds cannot be loaded, and is tried again: ${errorText(error)}.`;
      session.player.changed();
      setTimeout(() => {
        opening = undefined;
      }, AFTER_A_FAILURE_MS);
    });
    return opening;
  }

  async function tryToOpen(): Promise<OpenTab> {
    const { openTab } = await import("./tabs/open-tab.ts");
    await playing;
    void host.delay(LATE_MS).then(() => {
      if (tab !== undefined) return;
      session.note = LATE;
      session.player.changed();
      late();
    });
    // The page passes the world from before its reload as the worker's name.
    tab = await openTab(session, id, self.name, host);
    session.note = "";
    session.player.changed();
    return tab;
  }

  /**
   * Frames are available at once; other calls wait until the world is open, and are answered in
   * order.
   */
  async function answer(call: Call): Promise<void> {
    const opened = open();
    const isFrame = call.method === "lab.getFrame";
    try {
      if (isFrame && (await playing) && tab === undefined) {
        const frame = session.getFrame(call.request as LabRequest<"getFrame">);
        post({ call: call.call, response: { ...frame, world: `${id} ${frame.world}` } });
      } else {
        // A late storage is reported in place of a frame.
        const wanted = isFrame && tab === undefined ? Promise.race([opened, isLate]) : opened;
        await (await wanted).serve(call, post);
      }
    } catch (error) {
      const message = session.note || errorText(error);
      post({ call: call.call, error: { code: CODE.internal, message, path: "" } });
    }
  }

  addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
    if ("word" in data) await tab?.save();
    else await answer(data);
  });
  void open();
  post({ ready: true });
}

async function playFirst({ player }: Session): Promise<boolean> {
  const isFirst = await isFirstVisit();
  if (isFirst) {
    player.play();
    // The first frame has a block: the next one is requested only some time later.
    player.slice(FIRST_BLOCK_MS, host.clock);
  }
  player.changed();
  return isFirst;
}

async function isFirstVisit(): Promise<boolean> {
  try {
    return (await indexedDB.databases()).length === 0;
  } catch {
    // The browser does not list them, or stores nothing.
    return false;
  }
}
