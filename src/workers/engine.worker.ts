/** The page's worker: wires a session to the clock, the browser's storage and the page's messages. */
import type { ToPage, ToWorker } from "../client/wire.ts";
import { accelerateSha256 } from "../engine/primitives/sha256.ts";
import { openSession } from "../session/open-session.ts";
import { openIndexedDb } from "./indexed-db.ts";
import { drive } from "./loop.ts";
import { serve } from "./serve.ts";
import { takeSingleWriterLock } from "./single-writer-lock.ts";

const SAVE_EVERY_MS = 500;

const post = (message: ToPage): void => postMessage(message);

// Without WebAssembly the chain is slower, with the same results.
accelerateSha256().catch(() => {});

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const opened = takeSingleWriterLock(navigator.locks, "chainlab").then((own) =>
  openSession(openIndexedDb(), own, delay),
);

opened.then(
  ({ session, save }) => {
    // Save actions on a paused world at once: the page may be reloaded at any time.
    drive(session.player, save);
    setInterval(save, SAVE_EVERY_MS);
  },
  (error: unknown) => post({ fatal: String(error) }),
);

// Calls before the session is open wait for it and are answered in order.
addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  const { session, save } = await opened;
  if ("word" in data) await save();
  else await serve(session, data, post);
});
post({ ready: true });
