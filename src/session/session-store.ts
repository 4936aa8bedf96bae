/** Key-value storage that outlives the tab. */
export interface SessionStore {
  /** One answer per key, undefined where there is nothing. */
  read(keys: readonly string[]): Promise<readonly unknown[]>;
  /** All of it or nothing. */
  write(puts: ReadonlyMap<string, unknown>, removals: readonly string[]): Promise<void>;
}

/** Resolves after so many milliseconds. */
export type Delay = (ms: number) => Promise<void>;

/** A database that does not answer for so long is treated as none. */
const PATIENCE_MS = 2000;

/** The same store, but a read that takes too long rejects. */
export const impatient = (store: SessionStore, delay: Delay): SessionStore => ({
  read: (keys) => Promise.race([store.read(keys), late(delay)]),
  write: (puts, removals) => store.write(puts, removals),
});

async function late(delay: Delay): Promise<never> {
  await delay(PATIENCE_MS);
  throw new Error("the database does not answer");
}
