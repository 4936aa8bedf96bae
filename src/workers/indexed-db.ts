import { createStore, getMany } from "idb-keyval";
import type { ReadEarlier } from "../session/earlier.ts";

/** Reads what versions before this one have saved: values, beside which records lie under other keys. */
export const readEarlier: ReadEarlier = async (keys) => {
  const store = createStore("chainlab", "session");
  const values = await getMany<unknown>([...keys], store);
  // A connection that stays open would keep the database from being deleted.
  await store("readonly", ({ transaction }) => transaction.db.close());
  return values;
};
