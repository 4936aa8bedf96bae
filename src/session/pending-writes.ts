import { LostWorld, TakenOverError } from "./history/history.ts";
import type { Host, Storage } from "./history/storage.ts";
import { pendingWriteCopiedNotice, pendingWriteLostNotice, pendingWriteNotice } from "./notices.ts";
import type { SavedPlay } from "./saved.ts";
import {
  addEntries,
  beginHistory,
  type Notify,
  recordsOf,
  type Saved,
  writeWorld,
} from "./world-writer.ts";

/** A world that is no longer played, and its playing state at that time. */
interface PendingWrite extends Saved {
  readonly play: SavedPlay;
  /** True once the failed write has been reported. */
  reported: boolean;
}

/**
 * Worlds that are no longer played and not written yet: writes are retried as long as the session
 * lives.
 */
export class PendingWrites {
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #notify: Notify;
  readonly #worlds = new Map<string, PendingWrite>();
  #waiting: (() => void)[] = [];

  constructor(storage: Storage, host: Host, tell: Notify) {
    this.#storage = storage;
    this.#host = host;
    this.#notify = tell;
  }

  /** Worlds whose last write failed, or that were not tried yet. */
  get unwritten(): readonly Saved[] {
    return [...this.#worlds.values()];
  }

  /** True if a write was tried and failed. */
  get failed(): boolean {
    return [...this.#worlds.values()].some(({ reported }) => reported);
  }

  add(saved: Saved, play: SavedPlay): void {
    this.#worlds.set(saved.history.id, { ...saved, play, reported: false });
  }

  /** A world that is not completely written. */
  get(id: string): Saved | undefined {
    return this.#worlds.get(id);
  }

  /** Removes a world that is played again. */
  adopt(id: string): void {
    const left = this.#worlds.get(id);
    if (left !== undefined) this.#drop(left);
  }

  /** A world as records for a file; undefined if all of it is written. */
  records(id: string): ReadonlyMap<string, Uint8Array> | undefined {
    const left = this.#worlds.get(id);
    return left && recordsOf(left, left.play, this.#host);
  }

  /** Resolves when nothing of a world is waiting here to be written. */
  async settledWrite(id: string): Promise<void> {
    while (this.#worlds.has(id)) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** Tries to write all of them. Never rejects. */
  async write(): Promise<void> {
    for (const left of [...this.#worlds.values()]) {
      try {
        await writeWorld(left, left.play, this.#host, this.#notify);
        this.#drop(left);
      } catch (error) {
        this.#failed(left, error);
      }
    }
  }

  #failed(left: PendingWrite, error: unknown): void {
    const { id, name } = left.history;
    if (error instanceof LostWorld) {
      this.#drop(left);
      this.#notify(pendingWriteLostNotice(name), id);
    } else if (error instanceof TakenOverError) this.#copy(left);
    else if (!left.reported) {
      left.reported = true;
      this.#notify(pendingWriteNotice(name, error), id);
    }
  }

  /**
   * Writes a world as a new one, since another tab, which no lock prevented, has written to the
   * original.
   */
  #copy(left: PendingWrite): void {
    const { live, history, play } = left;
    this.#drop(left);
    try {
      addEntries(left);
      const copy = beginHistory(
        live,
        `${history.name} (of another tab)`,
        this.#storage,
        this.#host,
      );
      for (const entry of history.entriesFrom(0)) copy.add(entry);
      this.add({ live, history: copy }, play);
      this.#notify(pendingWriteCopiedNotice(history.name, copy.name), copy.id);
    } catch {
      this.#notify(pendingWriteLostNotice(history.name), history.id);
    }
  }

  #drop({ history }: PendingWrite): void {
    this.#worlds.delete(history.id);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
