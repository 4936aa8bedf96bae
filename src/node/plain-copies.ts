/** Copies in plain files, beside a database that may be lost as a whole. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { utf8 } from "../base/bytes.ts";
import { crc32c } from "../base/crc32c.ts";
import { OUTLINE_KEYS } from "../session/history/head.ts";
import { WORLDS } from "../session/history/keys.ts";

const FOLDER = "plain";
/** Empty file beside the folder. */
const MARK = "CHAINLAB.plain";
/** File with the number of writes of the database. */
const WRITES = "WRITES";

/** File name of a record: the genesis or the last head of a world; undefined for other records. */
function fileOf(key: string): string | undefined {
  const [id = "", name, ...more] = key.startsWith(WORLDS)
    ? key.slice(WORLDS.length).split("/")
    : [];
  const isOutline = more.length === 0 && OUTLINE_KEYS.some((one) => one === name);
  return isOutline && /^[\w-]{1,80}$/.test(id) ? `${id}.${name}` : undefined;
}

const keyOf = (file: string): string => WORLDS + file.replace(".", "/");

const countText = (writes: number): string => `writes ${writes}`;
const checksum = (text: string): string => crc32c(utf8(text)).toString(16).padStart(8, "0");

/** A path that is not a plain file; the message says why. */
export class PlainFileError extends Error {}

/**
 * Copies of records, which have checksums, and the number of writes. They are written after the
 * database: files newer than the database reveal that it has lost writes.
 */
export class PlainCopies {
  readonly #folder: string;
  /** Says that there are copies: a folder of earlier versions has none, and is not missing any. */
  readonly #mark: string;
  #isMarked = false;
  /** True if there were copies before they were opened. */
  isExpected = false;
  #files = new Set<string>();
  /** The files to be written; undefined for one to be removed. */
  #pending = new Map<string, Uint8Array | string | undefined>();
  #writing: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, FOLDER);
    this.#mark = join(folder, MARK);
  }

  get counted(): string {
    return join(this.#folder, WRITES);
  }

  /**
   * Resolves to the number of writes of the database; undefined if unknown. Rejects with a
   * PlainFileError.
   */
  async open(): Promise<number | undefined> {
    const files = await withFolderErrors(this.#folder, "a folder", () => readdir(this.#folder));
    this.#isMarked = await stat(this.#mark).then(
      () => true,
      () => false,
    );
    this.isExpected = this.#isMarked || files !== undefined;
    this.#files = new Set(files);
    const text = await withFolderErrors(this.counted, "a file", () =>
      readFile(this.counted, "utf8"),
    );
    const [, count = "", sum] = /^(writes \d{1,15}) ([0-9a-f]{8})\s*$/.exec(text ?? "") ?? [];
    return sum === checksum(count) ? Number(count.slice("writes ".length)) : undefined;
  }

  /** Keys of the records that have a file. */
  get keys(): readonly string[] {
    return [...this.#files].map(keyOf).filter(PlainCopies.isCopied);
  }

  /** Records without a file, of the worlds that some keys belong to. */
  lacking(keys: Iterable<string>): readonly string[] {
    const own = [...keys].filter(PlainCopies.isCopied);
    const worlds = new Set(own.map((key) => key.slice(0, key.lastIndexOf("/") + 1)));
    return [...worlds]
      .flatMap((world) => OUTLINE_KEYS.map((name) => world + name))
      .filter((key) => !own.includes(key) && !this.#files.has(fileOf(key) ?? ""));
  }

  static isCopied = (key: string): boolean => fileOf(key) !== undefined;

  pathOf(key: string): string {
    return join(this.#folder, fileOf(key) ?? "");
  }

  /** The copy of a record; undefined if there is none. Rejects with a PlainFileError. */
  async read(key: string): Promise<Uint8Array | undefined> {
    const path = this.pathOf(key);
    const bytes = await withFolderErrors(path, "a file", () => readFile(path));
    return bytes && new Uint8Array(bytes);
  }

  /**
   * Updates the files after a write of the database. Resolves when they are updated, or cannot be
   * written.
   */
  follow(
    puts: ReadonlyMap<string, Uint8Array>,
    removals: readonly string[],
    writes: number,
  ): Promise<void> {
    for (const key of removals) this.#add(key, undefined);
    for (const [key, record] of puts) this.#add(key, record);
    const count = countText(writes);
    // Last: everything that it counts is on disk.
    this.#pending.delete(WRITES);
    this.#pending.set(WRITES, `${count} ${checksum(count)}\n`);
    this.#writing ??= this.#write();
    return this.#writing;
  }

  /** Resolves when nothing is left to write. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #add(key: string, record: Uint8Array | undefined): void {
    const file = fileOf(key);
    if (file === undefined) return;
    this.#pending.set(file, record);
    if (record === undefined) this.#files.delete(file);
    else this.#files.add(file);
  }

  async #write(): Promise<void> {
    while (this.#pending.size > 0) {
      const files = this.#pending;
      this.#pending = new Map();
      try {
        if (!this.#isMarked) await writeFile(this.#mark, "");
        this.#isMarked = true;
        await mkdir(this.#folder, { recursive: true });
        for (const [name, content] of files)
          await this.#writeOne(join(this.#folder, name), content);
      } catch {
        // The database has everything; an older copy is harmless.
      }
    }
    // Immediately, so that a later write is not taken for a part of this one.
    this.#writing = undefined;
  }

  async #writeOne(path: string, content: Uint8Array | string | undefined): Promise<void> {
    if (content === undefined) return rm(path, { force: true });
    // Renamed when complete. The head is written often; the genesis, once.
    await writeFile(`${path}.part`, content, { flush: basename(path).startsWith("beginning") });
    await rename(`${path}.part`, path);
  }
}

/** The content; undefined if it is missing. Rejects with a PlainFileError. */
async function withFolderErrors<T>(
  path: string,
  wanted: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const found = code === "EISDIR" ? "a folder" : code === "ENOTDIR" ? "a file" : undefined;
    throw new PlainFileError(
      found ? `${path}: expected ${wanted}, found ${found}` : `${path}: cannot be read (${code})`,
    );
  }
}
