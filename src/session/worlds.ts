import { StatusError } from "../engine/framework/errors.ts";
import type { TamperCommand } from "../engine/simulation/command.ts";
import type { Estimate } from "./history/storage.ts";
import type { Origin } from "./running-world.ts";
import type { Parent } from "./saved.ts";
import type { ExportedWorld, Saving } from "./saving.ts";
import type { Session } from "./session.ts";
import type { Shown } from "./travel.ts";

/** A world was deleted, or is not there any more. */
export class DeletedWorld extends StatusError {}

/** A session with the worlds that it can play. */
export interface SessionOfWorlds {
  readonly session: Session;
  readonly worlds: Worlds;
  readonly saving: Saving;
  /** Returns the world to show for a height; undefined for 0, which is the current world. */
  look(height: number): Shown | undefined;
  /** Writes what has changed now. Never rejects: `saving` says what went wrong. */
  save(): Promise<void>;
  /** Resolves when nothing of a world that was left waits to be written: another tab may play it. */
  written(world: string): Promise<void>;
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
  /** 0 if that cannot be read. */
  readonly createdMs: number;
  /** Time of the last write; 0 if it cannot be read. */
  readonly savedMs: number;
  /** All that is kept of it: also caches, and what was set aside. */
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
  /** Why it cannot be opened; absent if it can be. */
  readonly problem?: string;
}

/**
 * The saved worlds of a storage, one of which is played by the session. Before the first `open` or
 * `create`, and after `close`, the session's world is one that is never written: the tab shows a world that
 * another tab plays, and does not run this one.
 */
export interface Worlds {
  /** Id of the world that is played; undefined while that one is not saved. */
  readonly current: string | undefined;
  /** Name of the world that is played. */
  readonly name: string;
  /** Every saved world, removed ones included, the last written first. */
  list(): Promise<readonly WorldEntry[]>;
  /** Saves the played world and plays another. Rejects, nothing changed, with DeletedWorld or if that cannot be read at all. */
  open(id: string): Promise<void>;
  /** The same for a world that is only asked: its steps do not go on, and nothing of it is written. */
  openToRead(id: string): Promise<void>;
  /** Begins a world and plays it; the one played before stays in the list. Resolves to its id. */
  create(origin: Origin, name?: string, about?: About): Promise<string>;
  /** Saves the session's world as a new one from now on, and plays on. Resolves to its id. */
  keep(name?: string): Promise<string>;
  /**
   * Plays the world as it was at the end of a height, paused, and saves it as a new one beside the one that it came
   * from. Resolves to its id as soon as it is played. Rejects with a StatusError if there is no such height.
   * @param height 0: as it is now
   * @param tamper what is changed by hand first; rejects with a CommandError, nothing changed, if that cannot be
   */
  fork(height: number, name: string, note: string, tamper?: TamperCommand): Promise<string>;
  /** Saves the played world and lets go of it, so that another tab may play it. */
  close(): Promise<void>;
  rename(id: string, name: string): Promise<void>;
  annotate(id: string, note: string): Promise<void>;
  /** Copies a world with its history. Resolves to the id of the copy. */
  duplicate(id: string): Promise<string>;
  /** Removes a world, which stays restorable until it is erased. The played one is played on until another takes its place. */
  remove(id: string): Promise<void>;
  /** Removes a world for good, which frees what it takes. After the played one, the session's world is not saved. */
  erase(id: string): Promise<void>;
  /** Takes back a removal. */
  restore(id: string): Promise<void>;
  /** A world as one file: spec, journal, story and head, without caches. */
  exportFile(id: string): Promise<Uint8Array>;
  /** The same with its name. */
  exportNamed(id: string): Promise<ExportedWorld>;
  /**
   * Adds the world of an exported file, which is not trusted. Resolves to its id.
   * @param paused whether it stands still when it is opened, however it was played
   */
  importFile(bytes: Uint8Array, paused?: boolean): Promise<string>;
  /** Bytes used and available, for all data of this site. */
  usage(): Promise<Estimate | undefined>;
}
