import { createStore, getMany } from "idb-keyval";
import type { ReadEarlier } from "../session/earlier.ts";

/** Reads what versions before this one have saved: values, beside which records lie under other keys. */
export const readEarlier: ReadEarlier = (keys) =>
  getMany<unknown>([...keys], createStore("chainlab", "session"));
