import type { Estimate, Storage } from "./storage.ts";

/** A storage that is lost with the process. */
export class MemoryStorage implements Storage {
  readonly records: Map<string, Uint8Array>;

  constructor(records: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.records = new Map(records);
  }

  async read(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return keys.map((key) => this.records.get(key)?.slice());
  }

  async keys(prefix: string): Promise<readonly string[]> {
    return [...this.records.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  async write(puts: ReadonlyMap<string, Uint8Array>, removals: readonly string[]): Promise<void> {
    for (const [key, record] of puts) this.records.set(key, record.slice());
    for (const key of removals) this.records.delete(key);
  }

  async estimate(): Promise<Estimate | undefined> {
    return undefined;
  }
}
