/** The worker behind the page: a session, driven, kept, and asked through the port. */
import type { ToPage, ToWorker } from "../client/wire.ts";
import { accelerateSha256 } from "../engine/primitives/sha256.ts";
import { openIndexedDb } from "../session/session-store.ts";
import { drive } from "./loop.ts";
import { openSession } from "./open.ts";
import { serve } from "./serve.ts";
import { soleTab } from "./sole-tab.ts";

const SAVE_EVERY_MS = 500;

const post = (message: ToPage): void => postMessage(message);

// Where there is no WebAssembly the chain is slower and the same.
accelerateSha256().catch(() => {});

const opened = soleTab("chainlab").then((own) => openSession(openIndexedDb(), own));

opened.then(
  ({ session, save }) => {
    // What a person did while the world stands still is kept at once: they may reload at once.
    drive(session.player, save);
    setInterval(save, SAVE_EVERY_MS);
  },
  (error: unknown) => post({ fatal: String(error) }),
);

// Calls that come before the session is there wait for it; they are answered in order.
addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  const { session, save } = await opened;
  if ("word" in data) await save();
  else await serve(session, data, post);
});
post({ ready: true });
