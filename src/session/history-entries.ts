/** The commands of a world's history, in order. */
import type { JournalEntry } from "../engine/simulation/command.ts";
import type { EntryFeed } from "./history/entry-feed.ts";
import type { EntrySource } from "./replay.ts";

/** A journal from one entry on: the stored entries, then those in memory. */
export class HistoryEntries implements EntrySource {
  onReady: () => void = () => {};
  readonly #feed: EntryFeed | undefined;
  readonly #entriesFrom: (from: number) => Iterable<JournalEntry>;
  readonly #length: () => number;
  #consumed: number;
  #rest: Iterator<JournalEntry> | undefined;
  #next: JournalEntry | undefined;
  /** Entries read since the mark, and those of them to be read again. */
  #since: JournalEntry[] | undefined;
  #again: JournalEntry[] = [];

  /** @param length returns the current number of entries */
  constructor(
    first: number,
    entriesFrom: (from: number) => Iterable<JournalEntry>,
    length: () => number,
    feed: EntryFeed | undefined,
  ) {
    this.#length = length;
    this.#consumed = first;
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
    if (this.#next === undefined && this.#consumed < this.#length()) {
      this.#rest = this.#entriesFrom(this.#consumed)[Symbol.iterator]();
      this.#next = this.#rest.next().value;
    }
    return this.#next;
  }

  advance(): void {
    const { next } = this;
    if (next !== undefined) this.#since?.push(next);
    if (this.#again.length > 0) {
      this.#again.shift();
      return;
    }
    this.#consumed += 1;
    if (this.#feed?.next !== undefined) this.#feed.advance();
    else this.#next = this.#rest?.next().value;
  }

  /** Records the position to which `rewind` returns. */
  mark(): void {
    this.#since = [];
  }

  /** Returns the entries consumed since the mark again. */
  rewind(): void {
    this.#again = [...(this.#since ?? []), ...this.#again];
    this.forget();
  }

  /** Releases the mark and the entries recorded since. */
  forget(): void {
    this.#since = undefined;
  }

  async ready(): Promise<void> {
    if (this.waiting) await this.#feed?.ready();
  }
}
