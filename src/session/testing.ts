import type { SessionStore } from "./session-store.ts";

/** A store in memory that keeps clones, as a database does. */
export class MemoryStore implements SessionStore {
  readonly values = new Map<string, unknown>();
  /** Keys of each write, in order. */
  readonly writes: string[][] = [];
  /** Thrown by the next calls, if there is one. */
  failure: Error | undefined;

  async read(keys: readonly string[]): Promise<readonly unknown[]> {
    if (this.failure) throw this.failure;
    return keys.map((key) => structuredClone(this.values.get(key)));
  }

  async write(puts: ReadonlyMap<string, unknown>, removals: readonly string[]): Promise<void> {
    if (this.failure) throw this.failure;
    const cloned = structuredClone(puts);
    for (const [key, value] of cloned) this.values.set(key, value);
    for (const key of removals) this.values.delete(key);
    this.writes.push([...puts.keys()]);
  }
}
