import { LostWorld, TakenOver } from "./history/history.ts";
import type { Host, Storage } from "./history/storage.ts";
import { leftCopiedNotice, leftLostNotice, leftNotice } from "./notices.ts";
import type { SavedPlay } from "./saved.ts";
import {
  addEntries,
  beginHistory,
  recordsOf,
  type Saved,
  type Tell,
  writeWorld,
} from "./world-writer.ts";

/** A world that is no longer played, and its playing state at that time. */
interface Left extends Saved {
  readonly play: SavedPlay;
  /** True once the failed write has been reported. */
  reported: boolean;
}

/**
 * Worlds that are no longer played and not written yet: writes are retried as long as the session
 * lives.
 */
export class LeftWorlds {
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #tell: Tell;
  readonly #worlds = new Map<string, Left>();
  #waiting: (() => void)[] = [];

  constructor(storage: Storage, host: Host, tell: Tell) {
    this.#storage = storage;
    this.#host = host;
    this.#tell = tell;
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
  take(id: string): void {
    const left = this.#worlds.get(id);
    if (left !== undefined) this.#drop(left);
  }

  /** A world as records for a file; undefined if all of it is written. */
  records(id: string): ReadonlyMap<string, Uint8Array> | undefined {
    const left = this.#worlds.get(id);
    return left && recordsOf(left, left.play, this.#host);
  }

  /** Resolves when nothing of a world is waiting here to be written. */
  async written(id: string): Promise<void> {
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
        await writeWorld(left, left.play, this.#host, this.#tell);
        this.#drop(left);
      } catch (error) {
        this.#failed(left, error);
      }
    }
  }

  #failed(left: Left, error: unknown): void {
    const { id, name } = left.history;
    if (error instanceof LostWorld) {
      this.#drop(left);
      this.#tell(leftLostNotice(name), id);
    } else if (error instanceof TakenOver) this.#copy(left);
    else if (!left.reported) {
      left.reported = true;
      this.#tell(leftNotice(name, error), id);
    }
  }

  /**
   * Writes a world as a new one, since another tab, which no lock prevented, has written to the
   * original.
   */
  #copy(left: Left): void {
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
      this.#tell(leftCopiedNotice(history.name, copy.name), copy.id);
    } catch {
      this.#tell(leftLostNotice(history.name), history.id);
    }
  }

  #drop({ history }: Left): void {
    this.#worlds.delete(history.id);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
