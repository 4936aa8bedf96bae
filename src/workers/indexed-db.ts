import { createStore, getMany, promisifyRequest, type UseStore } from "idb-keyval";
import type { SessionStore } from "../session/session-store.ts";

/**
 * The browser's database as a session's store. It is opened at first use, which rejects where there is
 * none.
 */
export function openIndexedDb(): SessionStore {
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
