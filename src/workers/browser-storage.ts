import { createStore, getMany, promisifyRequest, type UseStore } from "idb-keyval";
import type { Storage } from "../session/history/storage.ts";

/** What stands for a value that is not bytes: no record begins so. */
const FOREIGN = new Uint8Array(16);

/** An error of the database as a person reads it; that of a full storage is known by its name. */
const inWords = (error: unknown): unknown =>
  error instanceof DOMException && error.name !== "QuotaExceededError"
    ? new Error(`the browser’s storage cannot be used (${error.message || error.name})`, {
        cause: error,
      })
    : error;

/**
 * The browser's database as storage. It is opened at first use, which rejects where there is none, and
 * again after it was deleted: then it is empty.
 */
export function openBrowserStorage(): Storage {
  let opened: UseStore | undefined;
  const use = async <T>(work: (objects: IDBObjectStore) => T | PromiseLike<T>): Promise<T> => {
    opened ??= createStore("chainlab", "session");
    const store = opened;
    // A browser that keeps nothing for this site throws at once.
    const done = Promise.resolve().then(() =>
      store("readonly", (objects) => {
        const { db } = objects.transaction;
        // Another tab deletes the database: it waits until this one is closed.
        db.onversionchange = () => {
          opened = undefined;
          db.close();
        };
        return work(objects);
      }),
    );
    return done.catch((error: unknown) => {
      throw inWords(error);
    });
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
    write: (puts, removals, durability = "strict") =>
      // The library opens transactions without options: one that does nothing gives the database.
      use(({ name, transaction: { db } }) => {
        const objects = db.transaction(name, "readwrite", { durability }).objectStore(name);
        for (const [key, value] of puts) objects.put(value, key);
        for (const key of removals) objects.delete(key);
        return promisifyRequest(objects.transaction);
      }),
    async estimate() {
      // Only secure pages have a storage manager.
      const manager = navigator.storage as StorageManager | undefined;
      const { usage, quota } = (await manager?.estimate()) ?? {};
      return usage === undefined || quota === undefined ? undefined : { usage, quota };
    },
  };
}
