import { WORLD_NAME } from "../base/limits.ts";
import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { WorldPages } from "../engine/simulation/world-pages.ts";
import { OUTLINE_KEYS, readOutline, type StoredGenesis } from "./history/head.ts";
import { cutSegment, journalBytes, linkAfter, readSegment, storedLink } from "./history/journal.ts";
import {
  HEADS,
  QUARANTINE,
  quarantineKey,
  readKeyframeKey,
  readPageKey,
  readTreesKey,
  segmentFirst,
  worldPrefix,
} from "./history/keys.ts";
import type { Host, Storage } from "./history/storage.ts";
import { StoredHistory } from "./history/stored-history.ts";
import type { Head, Position } from "./saved.ts";
import {
  checkExport,
  firstOutline,
  type Quarantined,
  readWorldFile,
  worldFile,
} from "./world-file.ts";
import { listWorlds } from "./world-list.ts";

/** Records that are copied in one transaction. */
const COPIED_AT_ONCE = 64;

/** The same for keyframes and pages, beside a played world. */
const CACHES_AT_ONCE = 8;

/** Suffix for the name of a copy, and of a world whose name is already taken. */
const copyMark = (number: number): string => (number === 1 ? " (copy)" : ` (copy ${number})`);
const sameMark = (number: number): string => (number === 1 ? "" : ` (${number})`);

/** The head of a branch, without its playing state. */
type BranchHead = Pick<Head, "entries" | "rounds" | "height" | "appHash" | "name" | "parent"> & {
  readonly note: string;
  readonly impossible: boolean;
};

type Entry = readonly [key: string, record: Uint8Array];

/** Copies worlds within a storage, to files and from files. */
export class WorldCopies {
  readonly #storage: Storage;
  readonly #host: Host;

  constructor(storage: Storage, host: Host) {
    this.#storage = storage;
    this.#host = host;
  }

  /**
   * Exports a world as one file, as of its head: later saves are left out. If the last head is
   * lost, the file contains the complete journal. For a damaged world it contains the readable
   * records, and always the quarantined ones. Rejects if there is nothing to export, or if the file
   * could not be imported.
   */
  async toFile(id: string): Promise<Uint8Array> {
    const { entries, head } = await this.#outline(id);
    checkExport(head, head?.bytes ?? 0);
    const records = [...entries];
    let bytes = 0;
    for await (const some of this.#recordsAt(id, await this.#endOf(id, head), isSegment)) {
      records.push(...some);
      for (const [, { length }] of some) bytes += length;
      checkExport(head, bytes);
    }
    const quarantined = `${QUARANTINE}${id}/`;
    for await (const some of this.#read(await this.#storage.keys(quarantined))) {
      records.push(
        ...some.map(([key, record]): Entry => [QUARANTINE + key.slice(quarantined.length), record]),
      );
      for (const [, { length }] of some) bytes += length;
      checkExport(head, bytes);
    }
    if (records.length === 0)
      throw new StatusError(STATUS.notFound, "nothing of this world can be read");
    return worldFile(records);
  }

  /** Imports the world of a file, which is untrusted. Resolves to its id. */
  async fromFile(file: Uint8Array, paused: boolean): Promise<string> {
    const { genesis, head, segments, quarantined } = await readWorldFile(file);
    const named = { ...head, name: await this.#nameFor(head.name, sameMark) };
    return this.#add(
      genesis,
      paused ? atRest(named) : named,
      batchesOf([...segments]),
      quarantined,
    );
  }

  /** A unique name within the length limit. */
  async #nameFor(name: string, mark: (number: number) => string): Promise<string> {
    const taken = new Set((await listWorlds(this.#storage)).map((world) => world.name));
    for (let number = 1; ; number++) {
      const end = mark(number);
      const named = `${name.slice(0, WORLD_NAME - end.length)}${end}`;
      if (!taken.has(named)) return named;
    }
  }

  /** Copies a world with its history. Resolves to the id of the copy. */
  async duplicate(id: string): Promise<string> {
    const { genesis, head } = await this.#outline(id);
    if (genesis === undefined || head === undefined)
      throw new StatusError(STATUS.notFound, "the world cannot be read");
    const name = await this.#nameFor(head.name, copyMark);
    const isCopied = (key: string): boolean =>
      isSegment(key) || readPageKey(key) !== undefined || isOfKeyframeAt(key, head);
    return this.#add(
      genesis,
      { ...head, name },
      this.#recordsAt(id, await this.#endOf(id, head), isCopied),
    );
  }

  /**
   * Copies the stored records of a world up to a moment, without its caches.
   * @param id of the copy; @param as its head
   */
  async branch(from: string, id: string, as: BranchHead): Promise<void> {
    const { genesis, head } = await this.#outline(from);
    if (genesis === undefined || head === undefined) throw new Error("the world cannot be read");
    const { entries, rounds, height, appHash, name, note, parent, impossible } = as;
    let bytes = 0;
    let segments = 0;
    let { hash: chain } = genesis;
    for await (const some of this.#recordsAt(from, entries, isSegment)) {
      for (const [key, record] of some) {
        const link = storedLink(key, record);
        if (link !== undefined) chain = linkAfter(readSegment(record, link, 0).segment).chain;
        bytes += record.length;
        segments += 1;
      }
      await this.#put(id, some);
    }
    const { began: _, story: __, impossible: ___, ...rest } = head;
    const waits = { playing: false, held: false, blocks: 0, results: [], steps: [] };
    const now = this.#host.now();
    const outline = firstOutline(genesis, {
      ...{ ...rest, ...waits, name, note, rounds, entries, height, appHash, chain },
      ...(parent && { parent }),
      ...(impossible && { impossible }),
      ...{ bytes: bytes - journalBytes(0, segments), createdMs: now, savedMs: now },
    });
    await this.#put(id, [...outline]);
  }

  /**
   * Copies the keyframes, with their trees, and pages of a world up to a moment to another, batch
   * by batch, as long as the target exists.
   */
  async *copyCaches(
    from: string,
    to: string,
    at: Position,
    sealed: WorldPages["sealed"],
  ): AsyncGenerator<readonly string[]> {
    const prefix = worldPrefix(from);
    const wanted = (await this.#storage.keys(prefix)).filter((full) => {
      const key = full.slice(prefix.length);
      const page = readPageKey(key);
      return page === undefined ? isOfKeyframeAt(key, at) : page.index < sealed[page.kind];
    });
    // Most recent records are read first. Trees are read before the keyframes that need them: their
    // keys are greater.
    for await (const some of this.#read(wanted.toReversed(), CACHES_AT_ONCE)) {
      const [head] = await this.#storage.read([worldPrefix(to) + HEADS[0]]);
      if (head === undefined) return;
      const copied = some.map(([full, record]): Entry => [full.slice(prefix.length), record]);
      await this.#put(to, copied);
      yield copied.map(([key]) => key);
    }
  }

  #put(id: string, entries: readonly Entry[]): Promise<void> {
    const prefix = worldPrefix(id);
    return this.#storage.write(new Map(entries.map(([key, record]) => [prefix + key, record])), []);
  }

  /** Writes the records of a new world, its outline last: without it there is no world. */
  async #add(
    genesis: StoredGenesis,
    head: Head,
    batches: AsyncIterable<readonly Entry[]> | Iterable<readonly Entry[]>,
    quarantined: readonly Quarantined[] = [],
  ): Promise<string> {
    const id = this.#host.id();
    const prefix = worldPrefix(id);
    const now = this.#host.now();
    const put = (entries: readonly Entry[]): Promise<void> => this.#put(id, entries);
    const asides = quarantined.map(
      ({ now, key, record }): Entry => [quarantineKey(id, now, record.length, key), record],
    );
    try {
      for await (const some of batches) await put(some);
      for (const some of batchesOf(asides)) await this.#storage.write(new Map(some), []);
      await put([...firstOutline(genesis, { ...head, createdMs: now, savedMs: now })]);
    } catch (error) {
      // Leftovers that cannot be removed now are not a world, and block none.
      const keys = asides.map(([key]) => key);
      await this.#storage
        .keys(prefix)
        .then((own) => this.#storage.write(new Map(), [...own, ...keys]))
        .catch(() => {});
      throw error;
    }
    return id;
  }

  async #outline(id: string) {
    const records = await this.#storage.read(OUTLINE_KEYS.map((key) => worldPrefix(id) + key));
    const entries = OUTLINE_KEYS.flatMap((key, i): Entry[] => {
      const record = records[i];
      return record ? [[key, record]] : [];
    });
    return { entries, ...readOutline(records) };
  }

  /**
   * The number after the last entry of a copy: the head's count, or all if the last head is lost.
   */
  async #endOf(id: string, head: Head | undefined): Promise<number> {
    if (head === undefined) return Number.POSITIVE_INFINITY;
    const stored = await StoredHistory.open(this.#storage, id);
    await stored.checkHead();
    return stored.isOutdated ? Number.POSITIVE_INFINITY : head.entries;
  }

  /** Records of a world by their keys in it; those of the journal up to an entry. */
  async *#recordsAt(id: string, end: number, isWanted: (key: string) => boolean) {
    const prefix = worldPrefix(id);
    const keys = (await this.#storage.keys(prefix)).filter((full) => {
      const key = full.slice(prefix.length);
      return isWanted(key) && !(segmentFirst(key) >= end);
    });
    const last = keys.findLast((key) => isSegment(key.slice(prefix.length)));
    for await (const some of this.#read(keys)) {
      yield some.map(([full, record]): Entry => {
        const key = full.slice(prefix.length);
        return [key, full === last ? cutSegment(key, record, end) : record];
      });
    }
  }

  async *#read(keys: readonly string[], atOnce = COPIED_AT_ONCE): AsyncGenerator<readonly Entry[]> {
    for (const some of batchesOf(keys, atOnce)) {
      const records = await this.#storage.read(some);
      yield some.flatMap((key, i): Entry[] => {
        const record = records[i];
        return record ? [[key, record]] : [];
      });
    }
  }
}

/** The head of a world that is paused when it is opened. */
const atRest = ({ story, ...head }: Head): Head => ({
  ...head,
  ...{ playing: false, held: true, blocks: 0 },
  ...(story && { story: { ...story, autoplay: false } }),
});

const isSegment = (key: string): boolean => Number.isSafeInteger(segmentFirst(key));

function isOfKeyframeAt(key: string, { rounds, entries }: Position): boolean {
  const trees = readTreesKey(key);
  if (trees !== undefined) return trees.rounds <= rounds;
  const keyframe = readKeyframeKey(key);
  return keyframe !== undefined && keyframe.rounds <= rounds && keyframe.entries <= entries;
}

function* batchesOf<T>(all: readonly T[], atOnce = COPIED_AT_ONCE): Generator<readonly T[]> {
  for (let i = 0; i < all.length; i += atOnce) yield all.slice(i, i + atOnce);
}
