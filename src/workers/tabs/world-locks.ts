/** Releases a lock. */
export type Release = () => void;

const PREFIX = "chainlab world ";

/**
 * One lock per world, among all tabs of this browser: its holder plays the world and writes it.
 * Without a lock manager, which only secure pages have, every lock can be taken.
 */
export class WorldLocks {
  readonly #manager: LockManager | undefined;

  constructor(manager: LockManager | undefined) {
    this.#manager = manager;
  }

  /** True if there is a lock manager, which excludes other tabs. */
  get exist(): boolean {
    return this.#manager !== undefined;
  }

  /** Takes the lock of a world at once; undefined if another tab holds it. */
  acquire(world: string): Promise<Release | undefined> {
    return this.#request(world, { ifAvailable: true });
  }

  /** Takes the lock of a world as soon as its holder releases it; undefined if aborted before. */
  wait(world: string, signal: AbortSignal): Promise<Release | undefined> {
    return this.#request(world, { signal });
  }

  /** Worlds that are played by any tab. */
  async locked(): Promise<ReadonlySet<string>> {
    const { held = [] } = (await this.#manager?.query()) ?? {};
    const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? name : []));
    return new Set(names.map((name) => name.slice(PREFIX.length)));
  }

  #request(world: string, options: LockOptions): Promise<Release | undefined> {
    const manager = this.#manager;
    if (manager === undefined) return Promise.resolve(() => {});
    return new Promise((resolve) => {
      const hold = (lock: Lock | null): Promise<void> | undefined => {
        if (lock === null) return void resolve(undefined);
        return new Promise((release) => resolve(release));
      };
      manager.request(PREFIX + world, options, hold).catch(() => resolve(undefined));
    });
  }
}
