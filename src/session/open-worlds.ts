import type { ReadEarlier } from "./earlier.ts";
import { FIRST_ORIGIN } from "./first-world.ts";
import { patient } from "./history/patient.ts";
import type { Host, Storage } from "./history/storage.ts";
import type { NoticeDraft } from "./notices.ts";
import { SavedWorlds } from "./saved-worlds.ts";
import { Saver } from "./saver.ts";
import type { Notice, NoticeAction, Saving } from "./saving.ts";
import type { Session } from "./session.ts";
import type { SessionOfWorlds } from "./worlds.ts";

/**
 * Connects a session to the worlds of a storage. None is played yet.
 * @param earlier reads what a version without histories has saved
 */
export function openWorlds(
  session: Session,
  storage: Storage,
  host: Host,
  earlier?: ReadEarlier,
): SessionOfWorlds {
  const inTime = patient(storage, host);
  const notices: (Notice & { readonly world: string | undefined })[] = [];
  let told = 0;
  const tell = (draft: NoticeDraft, world = worlds.current): void => {
    told += 1;
    // What is said again has not become more true.
    const known = notices.findIndex(({ text }) => text === draft.text);
    if (known >= 0) notices.splice(known, 1);
    notices.push({ ...draft, id: `notice-${told}`, world });
    session.player.changed();
  };
  const saver = new Saver(session, inTime, host, tell);
  const worlds = new SavedWorlds(session, inTime, host, saver, tell, earlier);
  session.leaving = () => saver.leave();
  session.ready = (from, to) => saver.ready(from, to);
  session.entered = () => saver.enter();

  const drop = (id: string): void => {
    notices.splice(
      notices.findIndex((notice) => notice.id === id),
      1,
    );
    session.player.changed();
  };
  const saving: Saving = {
    get state() {
      return saver.state;
    },
    get pending() {
      return saver.pending;
    },
    get notices() {
      return notices;
    },
    settled: () => saver.settled(),
    async answer(id: string, action: NoticeAction) {
      const notice = notices.find((one) => one.id === id);
      if (notice === undefined || !notice.actions.includes(action)) {
        throw new Error(`there is no notice ${id} with the action ${action}`);
      }
      const { kind, world } = notice;
      if (action === "export") {
        const aside = kind === "damaged" && world !== undefined;
        return aside ? worlds.exportAside(world) : worlds.exportFile(world ?? "");
      }
      drop(id);
      if (action === "retry") await saver.save();
      if (action === "start_anew") await worlds.create(FIRST_ORIGIN);
      return undefined;
    },
  };
  return {
    session,
    worlds,
    saving,
    save: () => saver.save(),
    written: (world) => saver.left.written(world),
  };
}
