import { StatusError } from "../engine/framework/errors.ts";
import type { TamperCommand } from "../engine/simulation/command.ts";
import type { Estimate } from "./history/storage.ts";
import type { Origin } from "./running-world.ts";
import type { Parent } from "./saved.ts";
import type { ExportedWorld, Saving } from "./saving.ts";
import type { Session } from "./session.ts";
import type { Shown } from "./travel.ts";

/** A world was deleted, or no longer exists. */
export class DeletedWorld extends StatusError {}

/** A session and its saved worlds. */
export interface SessionOfWorlds {
  readonly session: Session;
  readonly worlds: Worlds;
  readonly saving: Saving;
  /** Returns the world to show for a height; undefined for 0, which is the current world. */
  look(height: number): Shown | undefined;
  /** Writes pending changes. Never rejects: `saving` reports failures. */
  save(): Promise<void>;
  /**
   * Resolves when nothing of a world that is no longer played is waiting to be written: another tab
   * may play it.
   */
  settled(world: string): Promise<void>;
}

/** Description of a new world. */
export interface About {
  readonly note: string;
  /** Branch point; absent unless the world is a branch. */
  readonly parent?: Parent;
}

/** A saved world in a list of them. */
export interface WorldEntry {
  readonly id: string;
  readonly name: string;
  /** 0 if it cannot be read. */
  readonly createdMs: number;
  /** Time of the last write; 0 if it cannot be read. */
  readonly savedMs: number;
  /** Bytes of all its records, including caches and quarantined ones. */
  readonly bytes: number;
  readonly height: number;
  readonly rounds: number;
  /** Branch point; absent unless the world is a branch. */
  readonly parent?: Parent;
  /** A person's note about the world; absent if there is none. */
  readonly note?: string;
  /** True if a value was changed by hand in the world; absent if none was. */
  readonly impossible?: boolean;
  /**
   * Time of removal; absent unless it was removed. A removed world can be restored until it is
   * erased.
   */
  readonly removedMs?: number;
  /** Reason why it cannot be opened; absent if it can be. */
  readonly problem?: string;
}

/**
 * The saved worlds of a storage, one of which is played by the session. Before the first `open` or
 * `create`, and after `close`, the session's world is never written: the tab shows a world that
 * another tab plays.
 */
export interface Worlds {
  /** Id of the played world; undefined while it is not saved. */
  readonly current: string | undefined;
  /** Name of the played world. */
  readonly name: string;
  /** Every saved world, removed ones included, the last written first. */
  list(): Promise<readonly WorldEntry[]>;
  /**
   * Saves the played world and plays another. Rejects with DeletedWorld, or if the world cannot be
   * read, and changes nothing.
   */
  open(id: string): Promise<void>;
  /**
   * The same for a world that is only queried: its steps do not continue, and nothing of it is
   * written.
   */
  openToRead(id: string): Promise<void>;
  /** Creates a world and plays it; the previous one stays in the list. Resolves to its id. */
  create(origin: Origin, name?: string, about?: About): Promise<string>;
  /** Saves the session's world as a new one from now on, and continues it. Resolves to its id. */
  saveCopy(name?: string): Promise<string>;
  /**
   * Branches from the played world at the end of a height, paused, and saves the branch as a new
   * world. Resolves to its id as soon as it is played. Rejects with a StatusError if there is no
   * such height.
   * @param height 0: the current height
   * @param tamper a manual change to apply first; rejects with a CommandError, and changes nothing,
   * if it is refused
   */
  fork(height: number, name: string, note: string, tamper?: TamperCommand): Promise<string>;
  /** Saves and releases the played world, so that another tab may play it. */
  close(): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  annotate(id: string, note: string): Promise<void>;
  /** Copies a world with its history. Resolves to the id of the copy. */
  duplicate(id: string): Promise<string>;
  /**
   * Removes a world, which stays restorable until it is erased. The played one continues until
   * another replaces it.
   */
  remove(id: string): Promise<void>;
  /**
   * Erases a world, which frees its space. After the played one, the session's world is not saved.
   */
  erase(id: string): Promise<void>;
  /** Undoes a removal. */
  restore(id: string): Promise<void>;
  /** Exports a world as one file: genesis, journal, story and head, without caches. */
  exportFile(id: string): Promise<Uint8Array>;
  /** The same, with its name. */
  exportNamed(id: string): Promise<ExportedWorld>;
  /**
   * Imports the world of an exported file, which is untrusted. Resolves to its id.
   * @param paused true to open it paused, however it was played
   */
  importFile(bytes: Uint8Array, paused?: boolean): Promise<string>;
  /** Bytes used and available, for all data of this site. */
  usage(): Promise<Estimate | undefined>;
}
