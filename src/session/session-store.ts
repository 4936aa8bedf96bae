import { createStore, getMany, promisifyRequest, type UseStore } from "idb-keyval";

/** A place that outlives the tab. */
export interface SessionStore {
  /** One answer per key, undefined where there is nothing. */
  read(keys: readonly string[]): Promise<readonly unknown[]>;
  /** All of it or nothing. */
  write(puts: ReadonlyMap<string, unknown>, removals: readonly string[]): Promise<void>;
}

/** The browser's own database. */
export function openIndexedDb(): SessionStore {
  // Opened at first use: where there is no database at all, reading and writing say so.
  let opened: UseStore | undefined;
  const store: UseStore = (mode, use) => {
    opened ??= createStore("chainlab", "session");
    return opened(mode, use);
  };
  return {
    read: (keys) => getMany<unknown>([...keys], store),
    write: (puts, removals) =>
      store("readwrite", (objects) => {
        for (const [key, value] of puts) objects.put(value, key);
        for (const key of removals) objects.delete(key);
        return promisifyRequest(objects.transaction);
      }),
  };
}
