/** The commands of a world's past, in order. */
import type { JournalEntry } from "../engine/simulation/command.ts";
import type { EntryFeed } from "./history/entry-feed.ts";
import type { EntrySource } from "./replay.ts";

/** A journal from one entry on: as it is stored, and what is in memory beyond that. */
export class PastEntries implements EntrySource {
  onReady: () => void = () => {};
  readonly #feed: EntryFeed | undefined;
  readonly #entriesFrom: (from: number) => Iterable<JournalEntry>;
  readonly #length: () => number;
  #taken: number;
  #rest: Iterator<JournalEntry> | undefined;
  #next: JournalEntry | undefined;
  /** Entries read since the mark, and those of them to be read again. */
  #since: JournalEntry[] | undefined;
  #again: JournalEntry[] = [];

  /** @param length how many entries there are now */
  constructor(
    first: number,
    entriesFrom: (from: number) => Iterable<JournalEntry>,
    length: () => number,
    feed: EntryFeed | undefined,
  ) {
    this.#length = length;
    this.#taken = first;
    this.#entriesFrom = entriesFrom;
    this.#feed = feed;
  }

  get waiting(): boolean {
    return this.#again.length === 0 && (this.#feed?.waiting ?? false);
  }

  get next(): JournalEntry | undefined {
    if (this.#again[0] !== undefined) return this.#again[0];
    const stored = this.#feed?.next;
    if (stored !== undefined || this.waiting) return stored;
    if (this.#next === undefined && this.#taken < this.#length()) {
      this.#rest = this.#entriesFrom(this.#taken)[Symbol.iterator]();
      this.#next = this.#rest.next().value;
    }
    return this.#next;
  }

  take(): void {
    const { next } = this;
    if (next !== undefined) this.#since?.push(next);
    if (this.#again.length > 0) {
      this.#again.shift();
      return;
    }
    this.#taken += 1;
    if (this.#feed?.next !== undefined) this.#feed.take();
    else this.#next = this.#rest?.next().value;
  }

  /** Takes note of a place to which `rewind` goes back. */
  mark(): void {
    this.#since = [];
  }

  /** Has what was taken since the mark come again. */
  rewind(): void {
    this.#again = [...(this.#since ?? []), ...this.#again];
    this.forget();
  }

  /** Lets go of the mark, and of what was taken since. */
  forget(): void {
    this.#since = undefined;
  }

  async ready(): Promise<void> {
    if (this.waiting) await this.#feed?.ready();
  }
}
