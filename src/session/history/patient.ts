import type { Host, Storage } from "./storage.ts";

/** Milliseconds after which a storage that has not answered counts as unavailable: a busy disk takes seconds. */
const PATIENCE_MS = 30_000;

/** A storage whose promises reject when they are not settled in time. */
export function patient(storage: Storage, { delay }: Pick<Host, "delay">): Storage {
  const late = async (): Promise<never> => {
    await delay(PATIENCE_MS);
    throw new Error("the storage does not answer");
  };
  const inTime = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, late()]);
  return {
    read: (keys) => inTime(storage.read(keys)),
    keys: (prefix) => inTime(storage.keys(prefix)),
    write: (...write) => inTime(storage.write(...write)),
    estimate: () => inTime(storage.estimate()),
  };
}
