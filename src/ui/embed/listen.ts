/** Messages between this page and the page that embeds it. */
import { errorText } from "../../base/error-text.ts";
import type { Page } from "../store/page.ts";
import { liveHeight } from "../store/travel.ts";
import { API, perform } from "./commands.ts";
import { summaryOf } from "./frame-summary.ts";

/** Maximum number of unanswered commands. */
const MOST_WAITING = 64;

/** The embedding window. */
export interface Around {
  readonly window: Pick<Window, "postMessage"> | null;
  listen(heard: (event: MessageEvent) => void): () => void;
}

const PARENT: Around = {
  window: globalThis.parent === globalThis.window ? null : globalThis.parent,
  listen(heard) {
    addEventListener("message", heard);
    return () => removeEventListener("message", heard);
  },
};

/**
 * Handles commands of the embedding page from now on, and announces that. Returns a function that
 * stops it.
 * @param onOrigin called with the origin of the first valid message
 */
export function listenToEmbedder(
  page: Page,
  onOrigin: (origin: string) => void,
  { window, listen } = PARENT,
): () => void {
  if (window === null) return () => {};
  let waiting = 0;
  let stopFrames = (): void => {};

  /** A page without an origin (a file, a sandbox) can only be reached by `*`. */
  const post = (origin: string, message: object): void =>
    window.postMessage({ chainlab: API, ...message }, origin === "null" ? "*" : origin);

  const sendFrames = (origin: string): void => {
    stopFrames();
    const send = (): void => {
      const state = page.frames.getState();
      if (!state.frame?.chain) return;
      post(origin, { event: "frame", frame: summaryOf(state.frame, liveHeight(state)) });
    };
    stopFrames = page.frames.subscribe(({ frame }, before) => {
      if (frame !== before.frame) send();
    });
    send();
  };

  const answer = async (
    origin: string,
    id: unknown,
    message: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    try {
      if (waiting >= MOST_WAITING) throw new Error(`${MOST_WAITING} commands wait already`);
      waiting += 1;
      try {
        const value = await perform(page, message, (on) =>
          on ? sendFrames(origin) : stopFrames(),
        );
        post(origin, { id, ok: true, value });
      } finally {
        waiting -= 1;
      }
    } catch (error) {
      post(origin, { id, ok: false, error: errorText(error) });
    }
  };

  const stop = listen(({ source, origin, data }) => {
    // Messages of other frames, and of this page's own scripts, are ignored.
    if (source !== window || typeof data !== "object" || data === null) return;
    const { chainlab, id } = data as { chainlab?: unknown; id?: unknown };
    if (chainlab === undefined) return;
    const named =
      typeof id === "number" || (typeof id === "string" && id.length <= 100) ? id : null;
    if (chainlab !== API) {
      const error = `chainlab: expected ${API}, the version of these messages`;
      post(origin, { id: named, ok: false, error });
      return;
    }
    onOrigin(origin);
    if (named === null)
      post(origin, { id: null, ok: false, error: "id: expected a number or a short text" });
    else void answer(origin, named, data);
  });
  window.postMessage({ chainlab: API, event: "ready" }, "*");
  return () => {
    stop();
    stopFrames();
  };
}
