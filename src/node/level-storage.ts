import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import type { ClassicLevel } from "classic-level";
import { equal } from "../base/bytes.ts";
import { WORLDS } from "../session/history/keys.ts";
import type { Durability, Estimate, Storage } from "../session/history/storage.ts";
import { makeFolder } from "./files.ts";
import { PlainCopies, PlainFileError } from "./plain-copies.ts";

/** Identifies the folder. Its second word is the format. */
const MARK = "CHAINLAB";
/**
 * Name of the mark until there is a database: a folder with the final mark and without a database
 * has lost it.
 */
const STARTED_MARK = `${MARK}.part`;
const FORMAT = 1;
/** LevelDB's own files. */
const DATABASE = "db";
/**
 * Key prefix of an entry without content. LevelDB reads the values that it iterates over, so
 * iterating over the records themselves would read all of them to list their keys.
 */
const LISTED = "!";
const NOTHING = new Uint8Array();

/** Loaded with the first folder: it includes a native library. */
const leveldb = () => import("classic-level");

type Level = ClassicLevel<string, Uint8Array>;

/** Key of the database's write counter. No record has such a key. */
const COUNT = "#writes";

/** A folder that cannot be used; the message says why. */
export class FolderError extends Error {}

/** A folder that another process uses. */
export class FolderInUse extends FolderError {}

/**
 * Stores records in a folder, in LevelDB: a write is atomic, and a strict one is on disk when it
 * resolves. Only one process at a time can open the folder. A database that LevelDB cannot read is
 * quarantined unchanged, and replaced by a repaired copy. Logs of its last writes are quarantined
 * too if it has skipped a part of them. Plain files also contain the genesis and the last heads of
 * the worlds, and the number of writes: they reveal that a database is lost or truncated, and
 * supply those of the records that it lacks.
 */
export class LevelStorage implements Storage {
  /** Sentences about the damage found and the quarantined files. */
  readonly damages: string[] = [];
  readonly #folder: string;
  readonly #plain: PlainCopies;
  /** True if there was a database when the folder was opened. */
  readonly #wasThere: boolean;
  /** Number of writes to the database. */
  #writes = 0;
  /** Settled when no write is pending. */
  #pendingWrites: Promise<unknown> = Promise.resolve();
  #level: Level;
  /** A pending repair: everything that finds the damage waits for it. */
  #repairing: Promise<void> | undefined;
  /** Damage whose repair failed, e.g. because the disk is full: the next call retries. */
  #unrepaired: unknown;

  /**
   * Opens a data folder; `add` creates a missing one. Rejects with a FolderError that says why it
   * cannot be used.
   */
  static async open(folder: string, use: "add" | "use" = "add"): Promise<LevelStorage> {
    const found = await claim(folder, use);
    const storage = await LevelStorage.#opened(folder);
    try {
      if (found !== "marked") await markMade(folder);
      await storage.#compare(found !== "new");
      if (found === "unmarked")
        storage.damages.push(`${folder}: the file ${MARK} was missing, and is written anew`);
      return storage;
    } catch (error) {
      await storage.close();
      throw error instanceof PlainFileError ? new FolderError(error.message) : error;
    }
  }

  static async #opened(folder: string): Promise<LevelStorage> {
    const path = join(folder, DATABASE);
    const logs = await logsIn(path);
    const found = await stat(path).catch(() => undefined);
    if (found && !found.isDirectory())
      throw new FolderError(`${path}: expected a folder, found a file`);
    let level: Level;
    try {
      level = await openLevel(path);
    } catch (error) {
      if (!isDamage(error)) throw storageError(folder, error);
      const { level: rest, damage } = await repaired(folder, error);
      const storage = new LevelStorage(folder, rest, true);
      storage.damages.push(damage);
      return storage;
    }
    const storage = new LevelStorage(folder, level, found !== undefined);
    const dropped = await droppedWrites(path);
    if (dropped !== undefined) storage.damages.push(await quarantine(folder, logs, dropped));
    return storage;
  }

  private constructor(folder: string, level: Level, wasThere: boolean) {
    this.#folder = folder;
    this.#level = level;
    this.#wasThere = wasThere;
    this.#plain = new PlainCopies(folder);
  }

  /**
   * Compares the database with the plain files, and restores what one lacks from the other.
   * @param isClaimed true if the folder was a data folder before
   */
  async #compare(isClaimed: boolean): Promise<void> {
    const count = await this.#plain.open();
    const isMissing = isClaimed && !this.#wasThere;
    // Earlier versions wrote neither copies nor a count.
    if (!this.#plain.isExpected && !isMissing) return;
    const [text] = await this.read([COUNT]);
    const had = text === undefined ? 0 : Number(Buffer.from(text).toString());
    if (had === 0 && count === undefined && this.#plain.keys.length === 0 && !isMissing) return;
    this.#writes = Math.max(had, count ?? 0);
    const lost = count === undefined ? had === 0 && this.#plain.keys.length > 0 : count > had;
    // A damaged database is compared too: its repair may have dropped some records.
    if (!lost && !isMissing && this.damages.length === 0) return this.#renewFiles(had, count);
    if (this.damages.length === 0)
      this.damages.push(lostText(this.#folder, isMissing, had, count, lost && this.#plain.counted));
    const there = new Set(await this.keys(WORLDS));
    const puts = new Map<string, Uint8Array>();
    for (const key of this.#plain.keys) {
      if (there.has(key) && !(lost && key.includes("/head-"))) continue;
      const record = await this.#plain.read(key);
      if (record !== undefined) puts.set(key, record);
    }
    await this.write(puts, []);
  }

  /** Writes plain files anew that are not as the database has them, and names those that were lost. */
  async #renewFiles(had: number, count: number | undefined): Promise<void> {
    const copied = this.#plain.keys;
    // It was killed before the files had followed.
    const isBehind = count !== undefined && count < had;
    const lost = count === undefined ? [this.#plain.counted] : [];
    const puts = new Map<string, Uint8Array>();
    for (const key of (await this.keys(WORLDS)).filter(PlainCopies.isCopied)) {
      const [record] = await this.read([key]);
      const copy = await this.#plain.read(key);
      if (record === undefined || (copy && equal(copy, record))) continue;
      puts.set(key, record);
      // Worlds of earlier versions have no copies until they are written again.
      const world = key.slice(0, key.lastIndexOf("/") + 1);
      const wasCopied = copied.length === 0 || copied.some((one) => one.startsWith(world));
      if (wasCopied && !isBehind) lost.push(this.#plain.pathOf(key));
    }
    // Reading has met damage: a repaired database may lack what the files have.
    if (this.damages.length > 0) return this.#compare(true);
    const [first] = lost;
    if (first !== undefined) {
      const more = lost.length > 1 ? ` and ${lost.length - 1} more beside it` : "";
      this.damages.push(`${first}${more}: missing or damaged, and written anew from the database`);
    }
    if (first !== undefined || puts.size > 0) await this.write(puts, []);
  }

  async read(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const values = await this.#mending(() => this.#level.getMany([...keys]));
    // They come as Buffers.
    return values.map(
      (value) => value && new Uint8Array(value.buffer, value.byteOffset, value.length),
    );
  }

  async keys(prefix: string): Promise<readonly string[]> {
    const range = { gte: LISTED + prefix, lt: `${LISTED}${prefix}\u{10FFFF}` };
    const found = await this.#mending(() => this.#level.keys(range).all());
    // LevelDB sorts by bytes.
    return found.map((key) => key.slice(LISTED.length)).sort();
  }

  async write(
    puts: ReadonlyMap<string, Uint8Array>,
    removals: readonly string[],
    durability: Durability = "strict",
  ): Promise<void> {
    const batch = [
      ...removals.flatMap((key) => [deletion(key), deletion(LISTED + key)]),
      ...Array.from(puts).flatMap(([key, value]) => [put(key, value), put(LISTED + key, NOTHING)]),
    ];
    // A folder without worlds has nothing to copy.
    const isCopied = this.#writes > 0 || [...puts.keys(), ...removals].some(PlainCopies.isCopied);
    // In sequence: the count in the database is that of the last write, and the files follow in the
    // same order.
    const text = this.#pendingWrites.then(async () => {
      if (isCopied) this.#writes += 1;
      if (isCopied) batch.push(put(COUNT, Buffer.from(String(this.#writes))));
      await this.#mending(() => this.#level.batch(batch, { sync: durability === "strict" }));
      if (!isCopied) return {};
      // Earlier versions wrote none.
      const found = await this.#found(this.#plain.lacking(puts.keys()));
      return { copied: this.#plain.follow(new Map([...puts, ...found]), removals, this.#writes) };
    });
    this.#pendingWrites = text.catch(() => {});
    const { copied } = await text;
    if (durability === "strict") await copied;
  }

  async #found(keys: readonly string[]): Promise<readonly (readonly [string, Uint8Array])[]> {
    if (keys.length === 0) return [];
    const records = await this.read(keys);
    return keys.flatMap((key, i) => (records[i] ? [[key, records[i]] as const] : []));
  }

  /** Bytes used by the folder, and bytes free on the disk. */
  async estimate(): Promise<Estimate> {
    const [usage, disk] = await Promise.all([sizeOf(this.#folder), statfs(this.#folder)]);
    return { usage, quota: usage + disk.bavail * disk.bsize };
  }

  async close(): Promise<void> {
    await this.#pendingWrites;
    await this.#plain.settled();
    await this.#level.close();
  }

  /** Runs it, and again on the repaired database if it found damage. */
  async #mending<T>(work: () => Promise<T>): Promise<T> {
    const level = this.#level;
    try {
      return await work();
    } catch (error) {
      const underRepair = this.#repairing !== undefined || this.#level !== level;
      const damage = isDamage(error) ? error : this.#unrepaired;
      if (!underRepair && damage === undefined) throw storageError(this.#folder, error);
      if (!underRepair) {
        this.#repairing = this.#repair(damage).finally(() => {
          this.#repairing = undefined;
        });
      }
      await this.#repairing;
      return work();
    }
  }

  async #repair(cause: unknown): Promise<void> {
    this.#unrepaired = cause;
    await this.#level.close().catch(() => {});
    try {
      const { level, damage } = await repaired(this.#folder, cause);
      this.#level = level;
      this.damages.push(damage);
    } catch (error) {
      throw storageError(this.#folder, error);
    }
    this.#unrepaired = undefined;
  }
}

/** Quarantines a database unchanged, and opens LevelDB's repair of a copy, or an empty one. */
async function repaired(
  folder: string,
  cause: unknown,
): Promise<{ readonly level: Level; readonly damage: string }> {
  const place = join(folder, DATABASE);
  const quarantined = await freePath(folder);
  // Until the copy is complete, the database stays at its path: the disk may be full.
  const half = `${quarantined}-copying`;
  await rm(half, { recursive: true, force: true });
  await cp(place, half, { recursive: true, filter: (path) => !path.endsWith("LOCK") });
  await rename(half, quarantined);
  const found = `the database in ${folder} is damaged (${textOf(cause)}); it lies in ${quarantined} as it was`;
  let level: Level | undefined;
  try {
    await (await leveldb()).ClassicLevel.repair(place);
    level = await openLevel(place);
    await listAnew(level);
    return { level, damage: `${found}, and what could be read of it is used` };
  } catch (error) {
    await level?.close().catch(() => {});
    if (NO_SPACE.test(textOf(error))) {
      // Everything is unchanged, and the next call retries.
      await rm(place, { recursive: true, force: true });
      await rename(quarantined, place);
      throw error;
    }
    await rename(place, await freePath(folder));
    const damage = `${found}, and nothing of it could be read`;
    return { level: await openLevel(place), damage };
  }
}

/**
 * The logs of a closed database, by name: opening it converts them to tables and deletes them. An
 * unreadable one is omitted, since opening will report it.
 */
async function logsIn(path: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = await readdir(path).catch((): string[] => []);
  const logs = files.filter((name) => name.endsWith(".log"));
  const read = async (name: string) =>
    [name, await readFile(join(path, name)).catch(() => undefined)] as const;
  const found = await Promise.all(logs.map(read));
  return new Map(found.flatMap(([name, bytes]) => (bytes ? [[name, bytes] as const] : [])));
}

/**
 * Describes the part of its logs that LevelDB could not read when it opened a database: it
 * continues, and reports this only in `LOG`.
 */
async function droppedWrites(path: string): Promise<string | undefined> {
  const notes = await readFile(join(path, "LOG"), "utf8").catch(() => "");
  const lines = [...notes.matchAll(/\.log: dropping (\d+) bytes; (.+)$/gm)];
  const [first] = lines;
  if (first === undefined) return undefined;
  const bytes = lines.reduce((sum, [, dropped]) => sum + Number(dropped), 0);
  return `${first[2]}: ${bytes} bytes of what was written last could not be read`;
}

/** Quarantines logs unchanged; returns a description of the damage. */
async function quarantine(
  folder: string,
  logs: ReadonlyMap<string, Uint8Array>,
  dropped: string,
): Promise<string> {
  const damage = `the database in ${folder} is damaged (${dropped})`;
  try {
    const quarantined = await freePath(folder);
    await mkdir(quarantined);
    for (const [name, bytes] of logs)
      await writeFile(join(quarantined, name), bytes, { flush: true });
    return `${damage}; its log lies in ${quarantined} as it was, and what could be read of it is used`;
  } catch (error) {
    return `${damage}; its log could not be set aside: ${textOf(error)}`;
  }
}

/** Error texts of LevelDB and the system for a full disk. */
const NO_SPACE = /ENOSPC|No space left/;

const put = (key: string, value: Uint8Array) => ({ type: "put" as const, key, value });
const deletion = (key: string) => ({ type: "del" as const, key });

/** Lists the existing records only. Rejects if some cannot be read. */
async function listAnew(level: Level): Promise<void> {
  const keys = await level.keys().all();
  const listed = new Set(keys.filter((key) => key.startsWith(LISTED)));
  const records = keys
    .filter((key) => !key.startsWith(LISTED) && key !== COUNT)
    .map((key) => LISTED + key);
  for (const key of records) listed.delete(key);
  await level.batch([...records.map((key) => put(key, NOTHING)), ...[...listed].map(deletion)]);
}

/** LevelDB opens a database as soon as there is an object for it. */
async function levelAt(path: string): Promise<Level> {
  const { ClassicLevel } = await leveldb();
  return new ClassicLevel(path, { keyEncoding: "utf8", valueEncoding: "view" });
}

async function openLevel(path: string): Promise<Level> {
  const files = await readdir(path).catch((): string[] => []);
  // Without this file LevelDB would start anew and delete the existing tables.
  if (files.some((name) => /\.(ldb|sst|log)$/.test(name)) && !files.includes("CURRENT")) {
    throw new Error("Corruption: CURRENT is missing");
  }
  const level = await levelAt(path);
  await level.open();
  return level;
}

/**
 * Describes a missing or truncated database.
 * @param had number of its writes
 * @param count the same by the plain files; undefined if unknown
 * @param counted the path of that number, if any file is left
 */
function lostText(
  folder: string,
  isMissing: boolean,
  had: number,
  count: number | undefined,
  counted: string | false,
): string {
  const loss = count === undefined ? "is empty" : "has lost its last writes";
  const what = `the database in ${folder} ${isMissing ? "is missing" : loss}`;
  if (counted === false) return `${what}, and no copy of its worlds is left`;
  const why =
    count === undefined
      ? `, and ${counted} does not say how many writes it has had`
      : `: it has had ${had} writes, and ${count} by ${counted}`;
  return `${what}${why}; how its worlds began and were saved last is read beside it, and what else was lost is not`;
}

/**
 * Turns an empty folder into a data folder, and resolves to its previous state: a data folder that
 * has only lost its mark, or none. Rejects if it belongs to another program or a later version.
 */
async function claim(folder: string, use: "add" | "use"): Promise<"marked" | "unmarked" | "new"> {
  let files: string[];
  try {
    if (use === "add") makeFolder(folder);
    files = await readdir(folder);
  } catch (error) {
    if (use === "use" && causeOf(error).code === "ENOENT") throw new FolderError(noFolder(folder));
    throw new FolderError(`${folder}: cannot be used: ${textOf(error)}`);
  }
  const mark = join(folder, MARK);
  if (!files.includes(MARK)) {
    if (files.length > 0 && !files.includes(STARTED_MARK)) {
      const hasDatabase = files.includes(DATABASE);
      if (hasDatabase && (await isCounted(folder))) return "unmarked";
      const way = hasDatabase
        ? `: if the database is Chainlab's, write "chainlab ${FORMAT}" into ${join(folder, MARK)}`
        : "";
      throw new FolderError(
        `${folder}: expected an empty folder or a data folder of Chainlab, found ${hasDatabase ? DATABASE : files[0]} and no file ${MARK}${way}`,
      );
    }
    if (use === "use") throw new FolderError(noFolder(folder));
    await writeFile(join(folder, STARTED_MARK), "");
    return "new";
  }
  const text = await readFile(mark, "utf8").catch((error: unknown) => {
    const { code } = causeOf(error);
    const found = code === "EISDIR" ? "a folder" : `what cannot be read (${code})`;
    throw new FolderError(`${mark}: expected a file with "chainlab ${FORMAT}", found ${found}`);
  });
  const format = /^chainlab (\d{1,6})\s*$/.exec(text)?.[1];
  if (format === undefined) {
    throw new FolderError(`${mark}: expected "chainlab ${FORMAT}"`);
  }
  if (Number(format) > FORMAT) {
    throw new FolderError(
      `${folder}: a later version of Chainlab made this folder (format ${format}; this one reads ${FORMAT})`,
    );
  }
  return "marked";
}

/** True if plain files beside a database count its writes, which no other program has. */
const isCounted = (folder: string): Promise<boolean> =>
  new PlainCopies(folder).open().then(
    (count) => count !== undefined,
    () => false,
  );

/** Marks a data folder, which now has a database. */
async function markMade(folder: string): Promise<void> {
  const started = join(folder, STARTED_MARK);
  await writeFile(started, `chainlab ${FORMAT}\n`, { flush: true });
  await rename(started, join(folder, MARK));
}

const noFolder = (folder: string): string =>
  `${folder}: expected a data folder of Chainlab, found none; chainlab run FILE --data DIR makes one`;

/** The first free name for a damaged database. */
async function freePath(folder: string): Promise<string> {
  const names = await readdir(folder);
  let i = 1;
  while (names.includes(`${DATABASE}-damaged-${i}`)) i += 1;
  return join(folder, `${DATABASE}-damaged-${i}`);
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    // LevelDB deletes old files at any time.
    .map(
      async (file) => (await stat(join(file.parentPath, file.name)).catch(() => undefined))?.size,
    );
  return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

const causeOf = (error: unknown): { readonly code?: string; readonly message: string } => {
  const { cause } = Object(error);
  return cause instanceof Error ? cause : Object(error);
};

const textOf = (error: unknown): string => causeOf(error).message ?? String(error);

/** True if LevelDB found files that are missing, truncated or corrupted. */
function isDamage(error: unknown): boolean {
  const { code, message } = causeOf(error);
  return (
    code === "LEVEL_CORRUPTION" ||
    /corrupt|checksum|no such file|does not exist|non-existent|too short|truncated/i.test(
      message,
    ) ||
    /\.(ldb|sst): Invalid argument/.test(message)
  );
}

function storageError(folder: string, error: unknown): Error {
  const { code } = causeOf(error);
  if (code === "LEVEL_LOCKED") {
    return new FolderInUse(`${folder}: another process uses this folder; only one can at a time`);
  }
  return new FolderError(`${folder}: cannot be used: ${textOf(error)}`);
}
