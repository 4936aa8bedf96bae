/**
 * Reads and writes files named by a person or a scenario: only regular ones, of a limited size, in
 * UTF-8.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorText } from "../base/error-text.ts";
import { checkFileSize, FileError, fileText } from "../base/file-text.ts";
import { INPUT } from "../base/limits.ts";
import type { FileInParts } from "../cli/context.ts";

/** The text of a file. Throws a FileError with the reason if it cannot be read. */
export function readText(path: string): string {
  // Non-blocking, since opening a pipe waits for a writer.
  const file = reasoned(() => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new FileError(`expected a file, found ${kindOf(stats)}`);
    checkFileSize(stats.size);
    return fileText(reasoned(() => allOf(file)));
  } finally {
    closeSync(file);
  }
}

/**
 * All bytes of a regular file within a size limit. Throws a FileError with the reason if it cannot
 * be read.
 */
export function readBytes(path: string, most: number): Uint8Array {
  return reasoned(() => {
    const stats = statSync(path);
    if (!stats.isFile()) throw new FileError(`expected a file, found ${kindOf(stats)}`);
    if (stats.size > most) {
      throw new FileError(`expected at most ${most} bytes, found ${stats.size}`);
    }
    return readFileSync(path);
  });
}

const CHUNK = 1 << 16;

/** All bytes of a file, whatever its reported size: it may grow, and system files report 0. */
function allOf(file: number): Uint8Array {
  const chunks: Buffer[] = [];
  for (let size = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const read = readSync(file, chunk, 0, CHUNK, null);
    size += read;
    chunks.push(chunk.subarray(0, read));
    if (read === 0) return Buffer.concat(chunks);
    if (size > INPUT.fileBytes) checkFileSize(size);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a folder in its path is none",
  EISDIR: "expected a file, found a folder",
  ENXIO: "expected a file, found a socket or a device",
  EACCES: "it may not be read or written",
  EPERM: "it may not be read or written",
  EROFS: "it may not be written",
  ELOOP: "its links lead round in a circle",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "the disk is full",
};

/**
 * Files that a write may replace: only those of the same kind, recognized by their first
 * characters, so that a wrong name destroys no other file.
 */
export interface Replaced {
  readonly begins: string;
  readonly name: string;
}
export const REPORT: Replaced = { begins: "<?xml", name: "a report in XML" };
export const WORLD_FILE: Replaced = { begins: "CLAB", name: "an exported world" };

/** Throws a FileError if a file could not be written now; changes nothing. */
export function checkWritable(path: string, replaced: Replaced): void {
  if (path === "") throw new FileError("expected a file, found an empty name");
  reasoned(() => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new FileError("expected a file, found a folder");
    checkFolder(path);
    accessSync(stats ? path : dirname(path), constants.W_OK);
    if (stats?.isFile() && stats.size > 0 && !begins(path, replaced.begins)) {
      throw new FileError(`there is a file already, which is not ${replaced.name}`);
    }
  });
}

function begins(path: string, text: string): boolean {
  const expected = Buffer.from(text);
  const file = openSync(path, constants.O_RDONLY);
  try {
    const found = Buffer.alloc(expected.length);
    readSync(file, found, 0, found.length, 0);
    return found.equals(expected);
  } finally {
    closeSync(file);
  }
}

/** Writes a file atomically. Throws a FileError with the reason if it cannot. */
export const writeTo = (path: string, content: string | Uint8Array, replaced: Replaced): void =>
  reasoned(() => {
    checkWritable(path, replaced);
    const stats = statSync(path, { throwIfNoEntry: false });
    // A file that is not regular, such as /dev/stdout, is written to directly.
    if (stats && !stats.isFile()) return writeFileSync(path, content);
    const place = stats ? realpathSync(path) : path;
    const half = `${place}.${process.pid}.part`;
    try {
      writeFileSync(half, content, stats && { mode: stats.mode });
      renameSync(half, place);
    } catch (error) {
      rmSync(half, { force: true });
      throw error;
    }
  });

/**
 * Starts a file that is written in parts to a temporary file, which is renamed at the end. A signal
 * that ends the process leaves nothing behind. Throws a FileError with the reason if it cannot.
 */
export function beginFile(path: string, replaced: Replaced): FileInParts {
  return reasoned(() => {
    checkWritable(path, replaced);
    const stats = statSync(path, { throwIfNoEntry: false });
    // A file that is not regular, such as /dev/stdout, is written to directly.
    const place = stats?.isFile() ? realpathSync(path) : path;
    const half = stats && !stats.isFile() ? undefined : `${place}.${process.pid}.part`;
    const file = openSync(half ?? place, "w", stats?.mode);
    const drop = (): void => {
      closeSync(file);
      if (half) rmSync(half, { force: true });
    };
    const stop = (): never => {
      drop();
      process.exit(130);
    };
    process.once("SIGINT", stop);
    return {
      write: async (text) => reasoned(() => writeAll(file, text)),
      async end() {
        process.off("SIGINT", stop);
        closeSync(file);
        if (half) reasoned(() => renameSync(half, place));
      },
      async drop() {
        process.off("SIGINT", stop);
        drop();
      },
    };
  });
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/**
 * Creates a folder and its missing parents. Throws a FileError with the reason if it cannot. Node's
 * own function never returns if the system lets a folder exist but none be created in it, as in
 * /proc.
 */
export const makeFolder = (path: string): void =>
  reasoned(() => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    const above = dirname(path);
    if (!existsSync(above)) makeFolder(above);
    try {
      mkdirSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") throw new FileError("expected a folder, found a file");
      if (code === "ENOENT") throw new FileError(`no folder can be made in ${above}`);
      throw error;
    }
  });

/** Throws a FileError if the folder of a target file does not exist. */
function checkFolder(path: string): void {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new FileError(`there is no folder ${folder}`);
  }
}

/** Runs `act`. Throws a FileError with the reason if the system refuses. */
function reasoned<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof FileError || code === undefined) throw error;
    throw new FileError(REASONS[code] ?? `the system refuses it (${code})`);
  }
}

/** Runs `act`. Throws an Error with the path and the reason if the system refuses. */
export function at<T>(path: string, act: () => T): T {
  try {
    return reasoned(act);
  } catch (error) {
    throw new Error(`${path}: ${errorText(error)}`);
  }
}

/** False if there is none. Throws an Error with the path if it is something else. */
export function isFolder(path: string): boolean {
  const stats = at(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats !== undefined && !stats.isDirectory())
    throw new Error(`${path}: expected a folder, found a file`);
  return stats !== undefined;
}
