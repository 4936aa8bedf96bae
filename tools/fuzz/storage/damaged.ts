import { equal } from "../../../src/base/bytes.ts";
import { OUTLINE_KEYS, readOutline } from "../../../src/session/history/head.ts";
import { endOf, readSegment, storedLink } from "../../../src/session/history/journal.ts";
import {
  BEGINNINGS,
  bytesOfCache,
  HEADS,
  QUARANTINE,
  removedAt,
  segmentFirst,
  segmentKey,
  worldPrefix,
} from "../../../src/session/history/keys.ts";
import { splitRecords } from "../../../src/session/history/record.ts";
import type { Position } from "../../../src/session/saved.ts";
import { type FailingStorage, HEADER, SOUND } from "./damage.ts";

interface Spoilt {
  readonly how: string;
  /** The sound record, and what is there instead. */
  readonly sound: Uint8Array;
  readonly by: Uint8Array | undefined;
}

/** Records that are damaged at present. */
export class Damaged {
  readonly #records = new Map<string, Spoilt>();

  /**
   * Takes note that a record was damaged, perhaps once more; not of the mark that a world was removed, which is empty:
   * without it the world is there again, as it was.
   */
  note(key: string, how: string, before: Uint8Array, by: Uint8Array | undefined): void {
    if (removedAt(key.split("/").slice(2).join("/")) !== undefined) return;
    const known = this.#records.get(key);
    const sound = known?.by && equal(known.by, before) ? known.sound : before;
    if (by && equal(by, sound)) this.#records.delete(key);
    else this.#records.set(key, { how, sound, by });
  }

  /** Takes note that a world was copied as it is, but for its outline. */
  copied(storage: FailingStorage, id: string, copy: string): void {
    for (const [name, spoilt] of this.#of(storage, id)) {
      if (!OUTLINE.includes(name)) this.#records.set(worldPrefix(copy) + name, spoilt);
    }
  }

  /** Takes note that a world was imported from a file of which records of the journal were damaged. */
  imported(copy: string, sound: Uint8Array, file: Uint8Array): void {
    const found = recordsIn(file);
    for (const [key, record] of recordsIn(sound)) {
      const by = found.get(key);
      if (OUTLINE.includes(key) || key.startsWith(QUARANTINE) || (by && equal(by, record)))
        continue;
      this.note(worldPrefix(copy) + key, "imported", record, by);
    }
  }

  /**
   * Takes note that a world was written without what was damaged, but for what a keyframe made up for: that lies
   * before the newest segment, or is the newest.
   */
  repaired(storage: FailingStorage, id: string): void {
    const prefix = worldPrefix(id);
    const { entries = 0 } = this.#headOf(storage, id) ?? {};
    const firsts = [...storage.records.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => segmentFirst(key.slice(prefix.length)))
      .filter(Number.isSafeInteger);
    const newest = firsts.length > 0 ? Math.max(...firsts) : entries;
    for (const name of this.#of(storage, id).keys()) {
      const record = storage.records.get(prefix + name);
      const stays = segmentFirst(name) < newest || record !== undefined;
      // An older copy of the newest segment is all of it once the journal was cut to where it ends.
      const isAll = segmentFirst(name) === newest && segmentEnd(name, record) === entries;
      if (!stays || isAll) this.#records.delete(prefix + name);
    }
  }

  /** Takes note that a world goes on as another one, whose head and beginning are its own from then on. */
  isAnother(id: string): void {
    for (const name of OUTLINE) this.#records.delete(worldPrefix(id) + name);
  }

  of(storage: FailingStorage, id: string): Found {
    return new Found(this.#of(storage, id), this.#headOf(storage, id)?.began?.entries);
  }

  #headOf(storage: FailingStorage, id: string) {
    const records = OUTLINE_KEYS.map((key) => storage.records.get(worldPrefix(id) + key));
    return readOutline(records).head;
  }

  #of(storage: FailingStorage, id: string): ReadonlyMap<string, Spoilt> {
    const prefix = worldPrefix(id);
    const still = [...this.#records].filter(([key, { by }]) => {
      const now = storage.records.get(key);
      return key.startsWith(prefix) && (by && now ? equal(by, now) : by === now);
    });
    return new Map(still.map(([key, spoilt]) => [key.slice(prefix.length), spoilt]));
  }
}

const recordsIn = (file: Uint8Array): ReadonlyMap<string, Uint8Array> =>
  new Map(splitRecords(file.subarray(HEADER)));

/** The number of entries up to the end of a sound segment; undefined of any other record. */
function segmentEnd(key: string, record: Uint8Array | undefined): number | undefined {
  const link = storedLink(key, record);
  const read = link && readSegment(record, link, 0);
  return read && !read.damage ? endOf(read.segment) : undefined;
}

const OUTLINE: readonly string[] = [...BEGINNINGS, ...HEADS];

/** The damaged records of one world, and what follows from them. */
export class Found {
  readonly #records: ReadonlyMap<string, Spoilt>;
  readonly #again: number;

  /** @param again the first entry that a step which was running gives again: what is stored from there on is not read */
  constructor(records: ReadonlyMap<string, Spoilt>, again = Number.POSITIVE_INFINITY) {
    this.#records = records;
    this.#again = again;
  }

  get any(): boolean {
    return this.#records.size > 0;
  }

  get text(): string {
    return [...this.#records].map(([name, { how }]) => `${name} ${how}`).join(", ");
  }

  #among(names: readonly string[]): readonly Spoilt[] {
    return names.flatMap((name) => this.#records.get(name) ?? []);
  }

  /** Both of a pair are damaged. */
  get mayRefuse(): boolean {
    return [BEGINNINGS, HEADS].some((pair) => this.#among(pair).length === pair.length);
  }

  /** There is no beginning that can be relied on. */
  get mayNotBegin(): boolean {
    return this.#among(BEGINNINGS).length === BEGINNINGS.length;
  }

  /** A sound beginning of another world may be taken for this one's. @param has whether a record is there */
  mayBeAnother(has: (name: string) => boolean): boolean {
    const first = segmentKey(0);
    const known = has(first) && !this.#records.has(first);
    const sound = this.#among(BEGINNINGS).some(({ how }) => SOUND.includes(how));
    return sound && !known && this.#among(HEADS).length === HEADS.length;
  }

  /** Nothing is said of keyframes, which are caches, nor of one copy that is older than the other. */
  get toBeSaid(): boolean {
    return [...this.#records.keys()].some(
      (name) =>
        bytesOfCache(name) === undefined &&
        !this.#isOlder(name) &&
        !this.#comesAgain(name) &&
        !this.#isUnknown(name),
    );
  }

  /** Without a last save nobody knows of a segment that is gone. */
  #isUnknown(name: string): boolean {
    const isGone = this.#records.get(name)?.by === undefined;
    const heads = this.#among(HEADS);
    const isOlder = heads.length === HEADS.length && heads.some(({ how }) => how === "earlier");
    return isGone && isOlder && Number.isSafeInteger(segmentFirst(name));
  }

  #comesAgain(name: string): boolean {
    return segmentFirst(name) >= this.#again;
  }

  #isOlder(name: string): boolean {
    return OUTLINE.includes(name) && this.#records.get(name)?.how === "earlier";
  }

  /** Returns the minimum of a saved position that must be restored. */
  least({ rounds, entries }: Position = { rounds: 0, entries: 0 }): Position {
    const firsts = [...this.#records.keys()].map(segmentFirst).filter(Number.isSafeInteger);
    const heads = this.#among(HEADS);
    // Two heads that are sound and another's do not say what they leave out; beyond older ones the journal is read.
    if (heads.length === 2 && heads.some(({ how }) => how !== "earlier" && SOUND.includes(how))) {
      return { rounds: 0, entries: 0 };
    }
    return {
      rounds: firsts.length > 0 || heads.length === 2 ? 0 : rounds,
      entries: Math.min(entries, ...firsts),
    };
  }

  /**
   * True if a record must be there, or quarantined, after the next save. This excludes the head of
   * another world that is mistaken for this world's, as this world continues from it.
   * @param cut the journal was cut
   */
  mustStay(name: string, { cut, isAnother }: { cut: boolean; isAnother: boolean }): boolean {
    if (this.#comesAgain(name) || (isAnother && OUTLINE.includes(name))) return false;
    if (Number.isSafeInteger(segmentFirst(name))) return cut || this.#records.has(name);
    return this.#records.has(name) && OUTLINE.includes(name) && !this.#isOlder(name);
  }
}
