import type { JournalEntry } from "../engine/simulation/command.ts";
import { History } from "./history/history.ts";
import { worldPrefix } from "./history/keys.ts";
import type { Host, Storage } from "./history/storage.ts";
import type { RunningWorld } from "./running-world.ts";
import type { Parent, Position } from "./saved.ts";
import type { Branch } from "./saver.ts";
import type { WorldCopies } from "./world-copies.ts";
import { beginHistory } from "./world-writer.ts";

/** The parent branch, and the note of the new one. */
interface ParentWorld {
  readonly note: string;
  readonly parent: RunningWorld;
  /** The saved history of the parent; undefined if it is not saved. */
  readonly from: History | undefined;
}

/**
 * Saves a branch as a world of its own: first its journal, then the caches that save replay time.
 */
export class Branching {
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #copies: WorldCopies;
  readonly #branch: Branch;
  readonly #from: ParentWorld;
  /** Position, height and app hash at which the branch started. */
  readonly #at: Position & { readonly height: number; readonly appHash: Uint8Array };
  readonly #sealed: RunningWorld["sim"]["pages"]["sealed"];
  readonly #impossible: boolean;
  #history: History | undefined;

  constructor(
    storage: Storage,
    host: Host,
    copies: WorldCopies,
    branch: Branch,
    parent: ParentWorld,
  ) {
    this.#storage = storage;
    this.#host = host;
    this.#copies = copies;
    this.#branch = branch;
    this.#from = parent;
    const { sim } = branch.live;
    const { rounds, journalLength: entries, lastBlock } = sim;
    this.#at = { rounds, entries, height: lastBlock.height, appHash: lastBlock.appHash };
    this.#sealed = sim.pages.sealed;
    this.#impossible = sim.tampered.length > 0;
  }

  /**
   * Lets the branch read its history from the memory of itself and its parent until it has a stored
   * history.
   */
  bridge(): void {
    const { historySource } = this.#branch.live;
    historySource.journal = (from) => this.#journal(from);
    delete historySource.below;
  }

  /**
   * Commands up to the branch point, and those issued in the branch. @param from number of the
   * first
   */
  *#journal(from: number): Generator<JournalEntry> {
    const { sim } = this.#branch.live;
    let next = from;
    if (from < this.#at.entries) {
      for (const entry of this.#common(from)) {
        yield entry;
        next += 1;
      }
    }
    yield* sim.entriesInMemory(next);
  }

  /** The commands that the branch and its parent share. */
  *#common(from: number): Generator<JournalEntry> {
    const { historySource, sim } = this.#from.parent;
    let next = from;
    for (const entry of historySource.journal?.(from) ?? sim.entriesInMemory(from)) {
      if (next === this.#at.entries) return;
      yield entry;
      next += 1;
    }
  }

  /**
   * Starts the history of the branch.
   * @param isStored whether all of the parent is in storage
   */
  async begin(isStored: boolean): Promise<History> {
    // If the storage rejects the branch now, it is written later.
    const copy = isStored ? await this.#copied().catch(() => this.#erase()) : undefined;
    const history = copy ?? this.#made();
    const { from, note } = this.#from;
    const { name } = this.#branch;
    history.name = name;
    history.note = note;
    history.parent = this.#parent;
    if (from !== undefined) history.recent.share(this.#at, from.recent);
    this.#history = history;
    return history;
  }

  get #parent(): Parent | undefined {
    const { from } = this.#from;
    return from && { world: from.id, height: this.#at.height };
  }

  /** Builds a history from the stored records of the parent. */
  async #copied(): Promise<History | undefined> {
    const { from, note } = this.#from;
    if (from === undefined) return undefined;
    const { id, name } = this.#branch;
    const parent = this.#parent;
    await this.#copies.branch(from.id, id, {
      ...{ ...this.#at, name, note, impossible: this.#impossible },
      ...(parent && { parent }),
    });
    const history = await History.open(this.#storage, id);
    await history.cutAt(this.#at.entries, this.#sealed);
    if (history.entries !== this.#at.entries) throw new Error("the journal ends before the branch");
    return history;
  }

  /** Removes the copied records; any that cannot be removed now are overwritten later. */
  async #erase(): Promise<undefined> {
    const keys = this.#storage.keys(worldPrefix(this.#branch.id));
    await keys.then((own) => this.#storage.write(new Map(), own)).catch(() => {});
  }

  /** Builds a history from the commands in memory. */
  #made(): History {
    const { id, live, name } = this.#branch;
    const history = beginHistory(live, name, this.#storage, { ...this.#host, id: () => id });
    for (const entry of this.#common(0)) history.add(entry);
    return history;
  }

  /**
   * Copies keyframes and pages of the parent: without them the history of the branch is replayed.
   */
  async copyCaches(): Promise<void> {
    const { from } = this.#from;
    const { id } = this.#branch;
    if (from === undefined || this.#history === undefined) return;
    try {
      for await (const keys of this.#copies.copyCaches(from.id, id, this.#at, this.#sealed)) {
        this.#history.adopt(keys);
        await this.#host.delay(0);
      }
    } catch {
      // They are caches: whatever the storage rejects is restored by replay.
    }
  }
}
