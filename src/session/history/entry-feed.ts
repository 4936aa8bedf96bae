import type { JournalEntry } from "../../engine/simulation/command.ts";
import type { Link, Segment } from "./journal.ts";
import type { Batch } from "./journal-reader.ts";
import type { Damage } from "./record.ts";

/** Batches that are read ahead of the consumer. */
const AHEAD = 4;

/** Entries of a stored journal in order, read ahead while they are consumed. */
export class EntryFeed {
  /** Called after `waiting` was true, when an entry or the end is there. */
  onReady: () => void = () => {};
  readonly #batches: AsyncGenerator<Batch, Damage | undefined>;
  readonly #skip: number;
  readonly #to: number;
  #queue: JournalEntry[][] = [];
  #next = 0;
  #reading = false;
  #read: number;
  #ended = false;
  #tail: Segment;
  #damage: Damage | undefined;
  #failure: unknown;

  /**
   * @param batches from the segment at `from` on
   * @param skip number of the first entry to return; @param to the number after the last one
   */
  constructor(
    batches: AsyncGenerator<Batch, Damage | undefined>,
    from: Link,
    skip: number,
    to: number,
  ) {
    this.#batches = batches;
    this.#read = from.entries;
    this.#tail = { ...from, frames: [] };
    this.#skip = skip;
    this.#to = to;
    this.#readOn();
  }
  /** The next entry; undefined if there is none, or none yet. */
  get next(): JournalEntry | undefined {
    return this.#queue[0]?.[this.#next];
  }

  /** True while the next entry, if there is one, is still being read. */
  get waiting(): boolean {
    return this.#queue.length === 0 && !this.#ended;
  }

  /** Damage found so far: the journal may end early. */
  get damage(): Damage | undefined {
    return this.#damage;
  }

  /** The last segment read; defined once everything was read. */
  get tail(): Segment {
    return this.#tail;
  }

  advance(): void {
    this.#next += 1;
    if (this.#next === this.#queue[0]?.length) {
      this.#queue.shift();
      this.#next = 0;
      this.#readOn();
    }
  }

  /** Resolves when an entry is available or the end was reached. */
  async ready(): Promise<void> {
    while (this.waiting) {
      await new Promise<void>((resolve) => {
        this.onReady = resolve;
      });
    }
  }

  async #readOn(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    while (!this.#ended && this.#queue.length < AHEAD) {
      try {
        await this.#readBatch();
      } catch (error) {
        this.#failure = error;
        this.#ended = true;
      }
      this.onReady();
    }
    this.#reading = false;
  }

  /** True if the storage failed: its records stay as they are, and cannot be read now. */
  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Throws the error of the storage, if it failed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #readBatch(): Promise<void> {
    if (this.#read >= this.#to) {
      this.#ended = true;
      return;
    }
    const { done, value } = await this.#batches.next();
    if (done) {
      this.#damage = value;
      this.#ended = true;
      return;
    }
    const { segment, entries, damage } = value;
    this.#damage = damage;
    const frames = segment.frames.slice(0, this.#to - segment.entries);
    this.#tail = { ...segment, frames };
    this.#read = segment.entries + frames.length;
    const wanted = entries.slice(Math.max(this.#skip - segment.entries, 0), frames.length);
    if (wanted.length > 0) this.#queue.push([...wanted]);
  }
}
