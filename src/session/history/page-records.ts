import { concat, equal, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import type { PageKey, WorldPages } from "../../engine/simulation/world-pages.ts";
import { pageKey, readPageKey } from "./keys.ts";
import { frameRecord, RECORD, readRecord } from "./record.ts";
import type { Storage } from "./storage.ts";

const BUILD_SIZE = 32;
/** Pages that are written in one transaction. */
const AT_ONCE = 16;

/**
 * The pages of a world in its storage. They are caches: one that cannot be read is restored by
 * replay.
 */
export class PageRecords {
  readonly #storage: Storage;
  readonly #prefix: string;
  /** Keys by the names of pages. */
  readonly #stored = new Map<string, string>();

  /** @param keys of the world, including those of pages */
  constructor(storage: Storage, prefix: string, keys: readonly string[]) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.adopt(keys);
  }

  /** Registers the stored pages among the given keys. */
  adopt(keys: readonly string[]): void {
    for (const key of keys) {
      const page = readPageKey(key);
      if (page !== undefined) this.#stored.set(nameOf(page), key);
    }
  }

  /** Forgets the stored pages after the given number of each kind, and returns their keys. */
  forget(first: WorldPages["sealed"] = { blocks: 0, results: 0 }): readonly string[] {
    const beyond = [...this.#stored].filter(([, key]) => {
      const page = readPageKey(key);
      return page === undefined || page.index >= first[page.kind];
    });
    for (const [name] of beyond) this.#stored.delete(name);
    return beyond.map(([, key]) => key);
  }

  /** Writes the pages that are not stored yet. */
  async write(pages: Pick<WorldPages, "sealed" | "bytes">, build: string): Promise<void> {
    let puts = new Map<string, Uint8Array>();
    for (const page of this.#unwritten(pages)) {
      const bytes = pages.bytes(page);
      if (bytes === undefined) continue;
      const record = frameRecord(RECORD.page, concat(hashOf(build), bytes));
      puts.set(pageKey(page, record.length), record);
      if (puts.size === AT_ONCE) {
        await this.#put(puts);
        puts = new Map();
      }
    }
    if (puts.size > 0) await this.#put(puts);
  }

  #unwritten({ sealed }: Pick<WorldPages, "sealed">): readonly PageKey[] {
    return (["blocks", "results"] as const).flatMap((kind) => {
      const pages: PageKey[] = [];
      // They are written in order, so the first stored page ends the search.
      for (let index = sealed[kind] - 1; index >= 0; index--) {
        if (this.#stored.has(nameOf({ kind, index }))) break;
        pages.unshift({ kind, index });
      }
      return pages;
    });
  }

  async #put(puts: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await this.#storage.write(
      new Map([...puts].map(([key, record]) => [this.#prefix + key, record])),
      [],
      "relaxed",
    );
    for (const key of puts.keys()) {
      const page = readPageKey(key);
      if (page !== undefined) this.#stored.set(nameOf(page), key);
    }
  }

  /**
   * Reads pages, as far as they can be read.
   * @param use receives each; if it throws, the page is foreign, and is restored by replay
   */
  async read(
    wanted: readonly PageKey[],
    build: string,
    use: (page: PageKey, bytes: Uint8Array) => void,
  ): Promise<void> {
    const stored = wanted.flatMap((page) => {
      const key = this.#stored.get(nameOf(page));
      return key === undefined ? [] : [{ page, key }];
    });
    const records = await this.#storage.read(stored.map(({ key }) => this.#prefix + key));
    for (const [i, { page, key }] of stored.entries()) {
      const read = readRecord(RECORD.page, key, records[i]);
      // It may have been forgotten meanwhile.
      if (!("payload" in read) || this.#stored.get(nameOf(page)) !== key) continue;
      if (!equal(read.payload.subarray(0, BUILD_SIZE), hashOf(build))) continue;
      try {
        use(page, read.payload.slice(BUILD_SIZE));
      } catch {
        // Restored by replay.
      }
    }
  }
}

const hashOf = (build: string): Uint8Array => sha256(utf8(build));

const nameOf = ({ kind, index }: PageKey): string => `${kind} ${index}`;
