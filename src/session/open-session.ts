import { errorText } from "../engine/framework/errors.ts";
import { Autosave, readParts } from "./autosave.ts";
import { Session } from "./session.ts";
import { type Delay, impatient, type SessionStore } from "./session-store.ts";

export interface Opened {
  readonly session: Session;
  /** Writes what has changed; does nothing in a tab that is not saved. */
  save(): Promise<void>;
}

const ANOTHER_TAB = "Another tab keeps the saved world; what happens in this one is not saved.";

/**
 * Opens the session of a tab: the one that an earlier tab saved, or a new one with a note of what was
 * wrong with that. Never rejects.
 * @param own whether this tab holds the single-writer lock
 */
export async function openSession(
  store: SessionStore,
  own: boolean,
  delay: Delay,
): Promise<Opened> {
  const session = new Session();
  try {
    await bringBack(impatient(store, delay), session);
  } catch (error) {
    // A world that cannot be read now must not be overwritten.
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

/** Reads the saved session. Rejects if the store cannot be read. */
export async function bringBack(store: SessionStore, session: Session): Promise<void> {
  const parts = await readParts(store);
  if (parts === undefined) return;
  const { readSession } = await import("./saved-schema.ts");
  try {
    const saved = readSession(parts);
    if (saved === undefined) throw new Error("it is not one of this version");
    await session.restore(saved);
  } catch (error) {
    const text = `The saved world could not be read (${errorText(error)}); this is a new one.`;
    session.player.say(text, "error");
  }
}
