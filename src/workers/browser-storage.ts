import { getMany, promisifyRequest } from "idb-keyval";
import type { Storage } from "../session/history/storage.ts";
import { OBJECTS, openDatabase } from "./database.ts";
import { openWriteDate } from "./write-date.ts";

/** Placeholder for a value that is not bytes: no record starts with these. */
const FOREIGN = new Uint8Array(16);

/** A readable error of the database; that of a full storage keeps its name, which identifies it. */
function storageError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  const { name } = error;
  if (name !== "QuotaExceededError")
    return new Error(`the browser’s storage cannot be used (${name})`, { cause: error });
  return Object.assign(new Error("the storage is full", { cause: error }), { name });
}

/**
 * The browser's database as storage. It is opened at first use, which rejects if there is none, and
 * again after it was deleted: then it is empty.
 */
export function openBrowserStorage(): Storage {
  let opened: Promise<IDBDatabase> | undefined;
  const source = openWriteDate();
  const connect = async (): Promise<IDBDatabase> => {
    const db = await openDatabase();
    db.onclose = () => {
      opened = undefined;
    };
    // Another tab deletes the database: it waits until this connection is closed.
    db.onversionchange = () => {
      opened = undefined;
      db.close();
    };
    return db;
  };
  const use = async <T>(
    work: (objects: IDBObjectStore) => T | PromiseLike<T>,
    mode: IDBTransactionMode = "readonly",
    options?: IDBTransactionOptions,
  ): Promise<T> => {
    try {
      opened ??= connect();
      opened.catch(() => {
        opened = undefined;
      });
      const db = await opened;
      return await work(db.transaction(OBJECTS, mode, options).objectStore(OBJECTS));
    } catch (error) {
      throw storageError(error);
    }
  };
  return {
    async read(keys) {
      const values = await use((objects) =>
        getMany<unknown>([...keys], async (_, get) => get(objects)),
      );
      return values.map((value) =>
        value === undefined || value instanceof Uint8Array ? value : FOREIGN,
      );
    },
    async keys(prefix) {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const keys = await use((objects) => promisifyRequest(objects.getAllKeys(range)));
      return keys.filter((key) => typeof key === "string");
    },
    async write(puts, removals, durability = "strict") {
      // The library writes or deletes in a transaction each, and sets no durability: a save needs
      // both in one.
      await use(
        (objects) => {
          for (const [key, value] of puts) objects.put(value, key);
          for (const key of removals) objects.delete(key);
          return promisifyRequest(objects.transaction);
        },
        "readwrite",
        { durability },
      );
      void source.set();
    },
    writtenMs: source.read,
    async estimate() {
      // Only secure pages have a storage manager.
      const manager = navigator.storage as StorageManager | undefined;
      const { usage, quota } = (await manager?.estimate()) ?? {};
      return usage === undefined || quota === undefined ? undefined : { usage, quota };
    },
  };
}
