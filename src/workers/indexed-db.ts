import { getMany } from "idb-keyval";
import type { ReadEarlier } from "../session/earlier.ts";
import { OBJECTS, openDatabase } from "./database.ts";

/** Reads what versions before this one have saved: values, beside which records lie under other keys. */
export const readEarlier: ReadEarlier = async (keys) => {
  const db = await openDatabase();
  try {
    return await getMany<unknown>([...keys], async (mode, get) =>
      get(db.transaction(OBJECTS, mode).objectStore(OBJECTS)),
    );
  } finally {
    // A connection that stays open would keep the database from being deleted.
    db.close();
  }
};
