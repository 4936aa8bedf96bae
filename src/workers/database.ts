import { promisifyRequest } from "idb-keyval";

const NAME = "chainlab";
export const OBJECTS = "session";

/**
 * Opens the browser's database with its object store. A database without it, which any script of
 * this origin can leave, gets a higher version: browsers create stores only then. Rejects with an
 * Error if there is no database.
 */
export async function openDatabase(version?: number): Promise<IDBDatabase> {
  // Some browsers have none if they must not store anything.
  const factory = globalThis.indexedDB as IDBFactory | null | undefined;
  if (!factory) throw new Error("this browser has no database");
  const request = factory.open(NAME, version);
  request.onupgradeneeded = () => {
    const { result: db } = request;
    if (!isWhole(db)) db.createObjectStore(OBJECTS);
  };
  const db = await promisifyRequest(request);
  if (isWhole(db)) return db;
  db.close();
  return openDatabase(db.version + 1);
}

const isWhole = ({ objectStoreNames }: IDBDatabase): boolean => objectStoreNames.contains(OBJECTS);
