/** Key-value storage that outlives the tab. */
export interface SessionStore {
  /** Values in the order of the keys; undefined for a missing one. */
  read(keys: readonly string[]): Promise<readonly unknown[]>;
  /** Writes and removes in one transaction. */
  write(puts: ReadonlyMap<string, unknown>, removals: readonly string[]): Promise<void>;
}

/** Resolves after a number of milliseconds. */
export type Delay = (ms: number) => Promise<void>;

/** Timeout after which the database counts as unavailable. */
const PATIENCE_MS = 2000;

/** Wraps a store so that a read rejects after a timeout. */
export const impatient = (store: SessionStore, delay: Delay): SessionStore => ({
  read: (keys) => Promise.race([store.read(keys), late(delay)]),
  write: (puts, removals) => store.write(puts, removals),
});

async function late(delay: Delay): Promise<never> {
  await delay(PATIENCE_MS);
  throw new Error("the database does not answer");
}
