import { FIRST_ORIGIN } from "./first-world.ts";
import { MemoryStorage as PlainStorage } from "./history/memory-storage.ts";
import type { Host } from "./history/storage.ts";
// A session loads it with the first step: some tests count turns, which must not include that.
import "./interpreter.ts";
import { openWorlds } from "./open-worlds.ts";
import { Session } from "./session.ts";
import type { SessionOfWorlds } from "./worlds.ts";

/** Timeout without progress, in ms. */
const TIMEOUT_MS = 30_000;

/** A storage in memory that can simulate failures of a real one. */
export class MemoryStorage extends PlainStorage {
  /** Keys of each write, in order. */
  readonly writes: string[][] = [];
  /** Thrown by the next calls, if set. */
  failure: Error | undefined;
  /** True if the next calls are never answered. */
  hangs = false;
  /** Number of writes until the process is killed. */
  writesLeft = Number.POSITIVE_INFINITY;

  override async read(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    await this.#answer();
    return super.read(keys);
  }

  override async keys(prefix: string): Promise<readonly string[]> {
    await this.#answer();
    return super.keys(prefix);
  }

  override async write(
    puts: ReadonlyMap<string, Uint8Array>,
    removals: readonly string[],
  ): Promise<void> {
    await this.#answer();
    this.writesLeft -= 1;
    if (this.writesLeft < 0) {
      this.hangs = true;
      await this.#answer();
    }
    await super.write(puts, removals);
    this.writes.push([...puts.keys()]);
  }

  override async estimate() {
    return { usage: this.records.size, quota: 1000 };
  }

  async #answer(): Promise<void> {
    if (this.hangs) await new Promise(() => {});
    if (this.failure) throw this.failure;
  }
}

let ids = 0;

/** A host whose clock does not advance; only zero delays resolve. */
export const testHost = (over: Partial<Host> = {}): Host => ({
  now: () => 1_000_000,
  clock: () => 0,
  id: () => {
    ids += 1;
    return `id-${String(ids).padStart(4, "0")}`;
  },
  build: "this-build",
  delay: (ms) =>
    ms === 0 ? new Promise((resolve) => setImmediate(resolve)) : new Promise(() => {}),
  reportBug: (error) => console.error(error),
  ...over,
});

/** A tab: a session with the worlds of a storage. */
export interface TestTab extends SessionOfWorlds {
  readonly storage: MemoryStorage;
}

export function openTab(storage = new MemoryStorage(), host = testHost()): TestTab {
  const session = new Session();
  session.player.pause();
  return { ...openWorlds(session, storage, host), storage };
}

/** Runs a session until it has no immediate work. */
export function settle({ player }: Session): void {
  let time = 0;
  const now = (): number => {
    time += 1;
    return time;
  };
  for (let slices = 0; player.slice(10, now) === 0; slices++) {
    if (slices > 100_000) throw new Error("it does not come to rest");
  }
}

/** Runs a session and its dependencies until a promise is settled. */
export async function until<T>(session: Session, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = promise.finally(() => {
    settled = true;
  });
  // It may be rejected while the loop turns.
  done.catch(() => {});
  const { player } = session;
  let { revision } = player;
  // Time, not turns: the first import of a module takes more turns the busier the machine is.
  let end = performance.now() + TIMEOUT_MS;
  while (!settled) {
    const now = performance.now();
    if (player.revision !== revision) end = now + TIMEOUT_MS;
    revision = player.revision;
    if (now > end)
      throw new Error(`it does not come: the session stands at height ${player.sim.height}`);
    settle(session);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

/**
 * Lets the event loop turn until a condition holds. Rejects with its description after a timeout.
 */
export async function turnsUntil(isSo: () => boolean, words: string): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`it does not come: ${words}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Makes a session produce some blocks. */
export function blocks({ session }: Pick<TestTab, "session">, count: number): void {
  session.control({ case: "stepBlocks", value: count });
  settle(session);
}

/** A tab that plays a saved world of some blocks. */
export async function playedFor(count: number): Promise<TestTab & { readonly id: string }> {
  const tab = openTab();
  const id = await tab.worlds.create(FIRST_ORIGIN, "mine");
  tab.session.control({ case: "pause", value: true });
  blocks(tab, count);
  await tab.save();
  return { ...tab, id };
}

/** Another tab on the same storage, in which a world was opened. Throws if there are notices. */
export async function reopened({ storage }: TestTab, id: string): Promise<TestTab> {
  const tab = openTab(new MemoryStorage(storage.records));
  await tab.worlds.open(id);
  await until(tab.session, tab.session.restored);
  const [notice] = tab.saving.notices;
  if (notice !== undefined) throw new Error(notice.text);
  return tab;
}

/** Entry of a world in the list of worlds. */
export const entryOf = async ({ worlds }: TestTab, id: string) =>
  (await worlds.list()).find((entry) => entry.id === id);
