import { WORLD_NAME } from "../input/limits.ts";
import { OUTLINE_KEYS, readOutline, type StoredBeginning } from "./history/head.ts";
import { cutSegment } from "./history/journal.ts";
import {
  ASIDE,
  asideKey,
  readKeyframeKey,
  readPageKey,
  segmentFirst,
  worldPrefix,
} from "./history/keys.ts";
import type { Host, Storage } from "./history/storage.ts";
import type { Head } from "./saved.ts";
import {
  checkExport,
  firstOutline,
  readWorldFile,
  type SetAside,
  worldFile,
} from "./world-file.ts";

/** Records that are copied in one transaction. */
const COPIED_AT_ONCE = 64;

const COPY = " (copy)";

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
   * A world as one file, as its head has it: what is saved of it meanwhile is left out. Of one that is damaged the
   * file holds what is there, and always what was set aside of it. Rejects if there is nothing, or if the file could
   * not be imported.
   */
  async toFile(id: string): Promise<Uint8Array> {
    const { entries, head } = await this.#outline(id);
    checkExport(head, head?.bytes ?? 0);
    const records = [...entries];
    let bytes = 0;
    for await (const some of this.#recordsAt(id, head, isSegment)) {
      records.push(...some);
      for (const [, { length }] of some) bytes += length;
      checkExport(head, bytes);
    }
    const aside = `${ASIDE}${id}/`;
    for await (const some of this.#read(await this.#storage.keys(aside))) {
      records.push(
        ...some.map(([key, record]): Entry => [ASIDE + key.slice(aside.length), record]),
      );
      for (const [, { length }] of some) bytes += length;
      checkExport(head, bytes);
    }
    if (records.length === 0) throw new Error("nothing of this world can be read");
    return worldFile(records);
  }

  /** Adds the world of a file, which is not trusted. Resolves to its id. */
  async fromFile(file: Uint8Array, paused: boolean): Promise<string> {
    const { begun, head, segments, aside } = await readWorldFile(file);
    return this.#add(begun, paused ? atRest(head) : head, batchesOf([...segments]), aside);
  }

  /** Copies a world with its history. Resolves to the id of the copy. */
  async duplicate(id: string): Promise<string> {
    const { begun, head } = await this.#outline(id);
    if (begun === undefined || head === undefined) throw new Error("the world cannot be read");
    const name = `${head.name.slice(0, WORLD_NAME - COPY.length)}${COPY}`;
    const isCopied = (key: string): boolean =>
      isSegment(key) || readPageKey(key) !== undefined || isKeyframeAt(key, head);
    return this.#add(begun, { ...head, name }, this.#recordsAt(id, head, isCopied));
  }

  /** Writes the records of a new world, its outline last: without that there is none. */
  async #add(
    begun: StoredBeginning,
    head: Head,
    batches: AsyncIterable<readonly Entry[]> | Iterable<readonly Entry[]>,
    aside: readonly SetAside[] = [],
  ): Promise<string> {
    const id = this.#host.id();
    const prefix = worldPrefix(id);
    const now = this.#host.now();
    const put = (entries: readonly Entry[]): Promise<void> =>
      this.#storage.write(new Map(entries.map(([key, record]) => [prefix + key, record])), []);
    const asides = aside.map(
      ({ now, key, record }): Entry => [asideKey(id, now, record.length, key), record],
    );
    try {
      for await (const some of batches) await put(some);
      for (const some of batchesOf(asides)) await this.#storage.write(new Map(some), []);
      await put([...firstOutline(begun, { ...head, createdMs: now, savedMs: now })]);
    } catch (error) {
      // What cannot be removed now is no world, and in the way of none.
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

  /** Records of a world by their keys in it, those of the journal up to what its head counts. */
  async *#recordsAt(id: string, head: Head | undefined, isWanted: (key: string) => boolean) {
    const prefix = worldPrefix(id);
    const end = head?.entries ?? Number.POSITIVE_INFINITY;
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

  async *#read(keys: readonly string[]): AsyncGenerator<readonly Entry[]> {
    for (const some of batchesOf(keys)) {
      const records = await this.#storage.read(some);
      yield some.flatMap((key, i): Entry[] => {
        const record = records[i];
        return record ? [[key, record]] : [];
      });
    }
  }
}

/** A world that stands still when it is opened. */
const atRest = ({ story, ...head }: Head): Head => ({
  ...head,
  ...{ playing: false, held: true, blocks: 0 },
  ...(story && { story: { ...story, autoplay: false } }),
});

const isSegment = (key: string): boolean => Number.isSafeInteger(segmentFirst(key));

function isKeyframeAt(key: string, { rounds, entries }: Head): boolean {
  const keyframe = readKeyframeKey(key);
  return keyframe !== undefined && keyframe.rounds <= rounds && keyframe.entries <= entries;
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < all.length; i += COPIED_AT_ONCE) yield all.slice(i, i + COPIED_AT_ONCE);
}
