import type { Host } from "../../../src/session/history/storage.ts";
import { openTab, type TestTab } from "../../../src/session/testing.ts";
import { FailingStorage } from "./damage.ts";

/** Turns of the event loop after which what is waited for does not come; the later ones leave time to load code. */
const TIMEOUT_MS = 400;
const QUICK_TURNS = 100;

/** Dates and ids of one case: the same whenever it is run. */
export class Dates {
  #time = 0;
  #ids = 0;

  readonly host: Host = {
    now: () => {
      this.#time += 1;
      return this.#time;
    },
    clock: () => 0,
    id: () => {
      this.#ids += 1;
      return `id-${String(this.#ids).padStart(4, "0")}`;
    },
    build: "this-build",
    delay: (ms) =>
      ms === 0 ? new Promise((resolve) => setImmediate(resolve)) : new Promise(() => {}),
    reportBug: (error) => console.error(error),
  };
}

/** A process that plays worlds of a storage, by a clock of its own. */
export class Process {
  readonly storage: FailingStorage;
  readonly tab: TestTab;
  readonly #dates: Dates;
  /** Milliseconds since it began. */
  #clock = 0;
  readonly #now = (): number => {
    this.#clock += 1;
    return this.#clock;
  };
  /** True after the world was restored, until it has been checked: it does not play meanwhile. */
  #stands = false;

  constructor(dates: Dates, storage = new FailingStorage()) {
    this.#dates = dates;
    this.storage = storage;
    this.tab = openTab(storage, dates.host);
  }

  /** A new process on what this one has written. */
  killed(): Process {
    const storage = new FailingStorage(this.storage.records);
    for (const [key, record] of this.storage.earlier) storage.earlier.set(key, record);
    return new Process(this.#dates, storage);
  }

  /** Lets the session work. Where it plays by itself, no more time passes than that takes. */
  async turns(count: number): Promise<void> {
    const { player } = this.tab.session;
    for (let turn = 0; turn < count; turn++) {
      const wait = this.#stands ? Number.POSITIVE_INFINITY : player.slice(10, this.#now);
      if (Number.isFinite(wait) && !player.playing) this.#clock += wait;
      await anotherTurn();
    }
  }

  /** Opens a world, which stands still from when it has come back until `look` is done with it. */
  async open(id: string, look: (opened: Promise<void>) => Promise<void>): Promise<void> {
    const { player } = this.tab.session;
    let replays = false;
    player.onWake = () => {
      replays ||= player.restoring !== undefined;
      this.#stands = replays && player.restoring === undefined;
    };
    try {
      await look(this.tab.worlds.open(id));
    } finally {
      player.onWake = () => {};
      this.#stands = false;
    }
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.#clock + ms;
    while (this.#clock < end) {
      const wait = this.tab.session.player.slice(10, this.#now);
      this.#clock += Math.min(wait, Math.max(end - this.#clock, 0));
      await anotherTurn();
    }
  }

  /** Lets the session work until something is settled, at most for a while. Resolves to whether it is. */
  async until(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    const done = promise.finally(() => {
      settled = true;
    });
    done.catch(() => {});
    for (let turns = 0; turns < TIMEOUT_MS && !settled; turns++) {
      if (turns > QUICK_TURNS) await new Promise((resolve) => setTimeout(resolve, 2));
      await this.turns(1);
    }
    if (settled) await done;
    return settled;
  }
}

/** Lets go on what waits for no time. */
export async function anotherTurn(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
