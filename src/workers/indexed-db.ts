import { getMany } from "idb-keyval";
import type { ReadLegacy } from "../session/legacy-save.ts";
import { OBJECTS, openDatabase } from "./database.ts";

/** Reads the saves of versions before this one: values, stored beside records under other keys. */
export const readLegacy: ReadLegacy = async (keys) => {
  const db = await openDatabase();
  try {
    return await getMany<unknown>([...keys], async (mode, get) =>
      get(db.transaction(OBJECTS, mode).objectStore(OBJECTS)),
    );
  } finally {
    // An open connection would prevent the database from being deleted.
    db.close();
  }
};
