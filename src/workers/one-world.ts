import { Autosave, readParts } from "../session/autosave.ts";
import { bringBack } from "../session/open-session.ts";
import { RunningWorld } from "../session/running-world.ts";
import type { Saving } from "../session/saving.ts";
import { Session } from "../session/session.ts";
import { type Delay, impatient, type SessionStore } from "../session/session-store.ts";
import type { SessionOfWorlds, WorldEntry, Worlds } from "../session/worlds.ts";

const ID = "world";

/** A session with the only world that the store keeps. */
export function oneWorld(given: SessionStore, delay: Delay): SessionOfWorlds {
  const session = new Session();
  session.player.pause();
  const store = impatient(given, delay);
  let autosave: Autosave | undefined;
  const save = async (): Promise<void> => autosave?.save();
  const none = (): never => {
    throw new Error("there is one world only");
  };
  const worlds: Worlds = {
    get current() {
      return autosave && ID;
    },
    get name() {
      return session.player.live.origin.scenario.title;
    },
    async list() {
      const parts = await readParts(store);
      const entry: WorldEntry = {
        id: ID,
        name: worlds.name,
        createdMs: 0,
        savedMs: 0,
        bytes: 0,
        height: 0,
        rounds: 0,
      };
      return parts === undefined ? [] : [entry];
    },
    async open() {
      await bringBack(store, session);
      autosave = new Autosave(store, session);
    },
    async create(origin) {
      session.player.begin(new RunningWorld(origin));
      session.player.play();
      autosave ??= new Autosave(store, session);
      return ID;
    },
    async close() {
      await save();
      autosave = undefined;
      session.player.pause();
    },
    rename: none,
    duplicate: none,
    remove: none,
    restore: none,
    exportFile: none,
    importFile: none,
    usage: async () => undefined,
  };
  const saving: Saving = {
    get state() {
      return session.note === "" ? "saved" : "unsaved";
    },
    pending: 0,
    notices: [],
    settled: save,
    answer: none,
  };
  return { session, worlds, saving, save };
}
