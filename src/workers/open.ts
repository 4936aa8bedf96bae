import { errorText } from "../engine/framework/errors.ts";
import { Autosave, readParts } from "../session/autosave.ts";
import { Session } from "../session/session.ts";
import type { SessionStore } from "../session/session-store.ts";

/** A database that does not answer for so long is treated as none. */
const PATIENCE_MS = 2000;

export interface Opened {
  readonly session: Session;
  /** Writes what has changed; does nothing in a tab that is not saved. */
  save(): Promise<void>;
}

const ANOTHER_TAB = "Another tab keeps the saved world; what happens in this one is not saved.";

/**
 * The session of a tab: what an earlier tab left, or a new one. Never rejects: whatever is wrong with
 * what was left is told within the new one.
 * @param own whether this tab alone may write
 */
export async function openSession(store: SessionStore, own: boolean): Promise<Opened> {
  const session = new Session();
  try {
    await bringBack(store, session);
  } catch (error) {
    // Perhaps there is a world that cannot be reached now: it must not be written over.
    session.note = `This tab is not saved: ${errorText(error)}.`;
    return { session, save: async () => {} };
  }
  if (!own) {
    session.note = ANOTHER_TAB;
    return { session, save: async () => {} };
  }
  const autosave = new Autosave(store, session);
  return { session, save: () => autosave.save() };
}

/** Rejects if it cannot be known whether there is something to bring back. */
async function bringBack(store: SessionStore, session: Session): Promise<void> {
  const parts = await inTime(readParts(store));
  if (parts === undefined) return;
  const { readSession } = await import("../session/saved-schema.ts");
  try {
    const saved = readSession(parts);
    if (saved === undefined) throw new Error("it is not one of this version");
    await session.restore(saved);
  } catch (error) {
    const text = `The saved world could not be read (${errorText(error)}); this is a new one.`;
    session.player.say(text, "error");
  }
}

function inTime<T>(promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("the database does not answer")), PATIENCE_MS);
  });
  return Promise.race([promise, late]);
}
