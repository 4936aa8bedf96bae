/** Begins branches, which dialogs do: no part of the first screen. */
import type { OpenDialog } from "./dialog.ts";
import { undoOf } from "./new-worlds.ts";
import type { Page } from "./page.ts";
import { backToLive } from "./travel.ts";
import type { ForkWorldResponse, OtherValue } from "./types.ts";

/**
 * Begins a second history at the end of a height: it is played here, paused, and the world on screen waits where it is.
 * Resolves when it is on screen; rejects with why there is none.
 * @param tamper what is changed by hand there
 */
export const fork = (
  page: Page,
  height: number,
  name: string,
  note: string,
  tamper?: OpenDialog["tamper"],
): Promise<ForkWorldResponse> => begun(page, { height, name, note, ...(tamper && { tamper }) });

/** The same for a branch that begins otherwise, in which all is done again up to a height. */
export const forkOtherwise = (
  page: Page,
  height: number,
  other: OtherValue,
): Promise<ForkWorldResponse> => begun(page, { height, name: "", note: "", other });

async function begun(
  page: Page,
  request: Parameters<Page["client"]["lab"]["forkWorld"]>[0],
): Promise<ForkWorldResponse> {
  const { client, frames } = page;
  const { travel } = frames.getState();
  const before = travel?.live.frame?.world ?? frames.getState().frame?.world;
  const offer = undoOf(page);
  const forked = await client.lab.forkWorld(request);
  backToLive(page);
  await new Promise<void>((shown) => {
    const look = (): void => {
      if (frames.getState().frame?.world === before) return;
      stop();
      shown();
    };
    const stop = frames.subscribe(look);
    look();
  });
  offer();
  return forked;
}
