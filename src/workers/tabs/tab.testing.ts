/** Tabs of one browser for tests: their storage, locks and channels are shared. */

import type { ToPage } from "../../client/wire.ts";
import { STATUS } from "../../engine/framework/errors.ts";
import "../../session/answers.testing.ts";
import { FIRST_ORIGIN } from "../../session/first-world.ts";
import { RunningWorld } from "../../session/running-world.ts";
import type { Notice, NoticeAction } from "../../session/saving.ts";
import { serve, serveWatcher } from "../../session/serve.ts";
import { Session } from "../../session/session.ts";
import {
  DeletedWorld,
  type SessionOfWorlds,
  type WorldEntry,
  type Worlds,
} from "../../session/worlds.ts";
import "./answer-watchers.ts";
import { Tab } from "./tab.ts";
import type { Channel } from "./world-channel.ts";
import { WorldLocks } from "./world-locks.ts";

type Hold = (lock: { name: string } | null) => Promise<void> | undefined;

/** The locks of a browser, without shared ones and stealing. */
class Locks {
  readonly #held = new Set<string>();
  readonly #queues = new Map<string, (() => void)[]>();

  /** The lock manager of one tab, which releases everything when `gone` resolves. */
  managerOf(gone: Promise<void>): LockManager {
    const query = async () => ({ held: [...this.#held].map((name) => ({ name })) });
    const request = async (
      name: string,
      { ifAvailable = false, signal }: { ifAvailable?: boolean; signal?: AbortSignal },
      hold: Hold,
    ): Promise<void> => {
      if (this.#held.has(name)) {
        if (ifAvailable) return hold(null);
        await this.#turn(name, signal);
      }
      this.#held.add(name);
      await Promise.race([hold({ name }), gone]);
      this.#held.delete(name);
      this.#queues.get(name)?.shift()?.();
    };
    return { query, request } as unknown as LockManager;
  }

  #turn(name: string, signal: AbortSignal | undefined): Promise<void> {
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    return new Promise((resolve, reject) => {
      queue.push(resolve);
      signal?.addEventListener("abort", () => {
        if (queue.includes(resolve)) queue.splice(queue.indexOf(resolve), 1);
        reject(signal.reason);
      });
    });
  }
}

interface Stored {
  readonly entry: WorldEntry;
  rounds: number;
}

/** Contents of a browser's disk. */
export type Disk = Map<string, Stored>;

/** A session whose worlds are in memory; of a world only the number of its rounds is stored. */
function playOn(disk: Disk, list: () => Worlds["list"] | undefined): SessionOfWorlds {
  const session = new Session();
  session.player.pause();
  const notices: Notice[] = [
    { id: "n", kind: "moved", text: "It has moved.", actions: ["continue", "start_anew"] },
  ];
  let current: string | undefined;
  const save = async (): Promise<void> => {
    const stored = current === undefined ? undefined : disk.get(current);
    if (stored) stored.rounds = session.sim.rounds;
  };
  const entryOf = (id: string): WorldEntry => ({
    id,
    name: `World ${id}`,
    createdMs: 0,
    savedMs: disk.size,
    bytes: 1,
    height: 0,
    rounds: 0,
  });
  const change = (id: string, over: Partial<WorldEntry>): void => {
    const stored = disk.get(id);
    if (stored === undefined) throw new Error(`there is no world ${id}`);
    disk.set(id, { ...stored, entry: { ...stored.entry, ...over } });
  };
  const worlds: Worlds = {
    get current() {
      return current;
    },
    get name() {
      return disk.get(current ?? "")?.entry.name ?? "";
    },
    list: async () =>
      list()?.() ??
      [...disk.values()].map(({ entry }) => entry).sort((a, b) => b.savedMs - a.savedMs),
    async open(id) {
      const stored = disk.get(id);
      if (stored === undefined || stored.entry.removedMs !== undefined)
        throw new DeletedWorld(STATUS.notFound, `there is no world ${id}`);
      if (stored.entry.problem !== undefined) {
        notices.push({ id, kind: "damaged", text: stored.entry.problem, actions: ["continue"] });
        throw new Error(stored.entry.problem);
      }
      await save();
      session.player.begin(new RunningWorld(FIRST_ORIGIN));
      while (session.sim.rounds < stored.rounds) session.sim.advance();
      session.player.live.observer.observe();
      current = id;
    },
    openToRead: (id) => worlds.open(id),
    async create(origin) {
      await save();
      session.player.begin(new RunningWorld(origin));
      return worlds.saveCopy();
    },
    async saveCopy() {
      current = `w${disk.size + 1}`;
      disk.set(current, { entry: entryOf(current), rounds: 0 });
      return current;
    },
    async close() {
      await save();
      current = undefined;
    },
    async fork() {
      throw new Error("there is nothing to fork");
    },
    annotate: async (id, note) => change(id, { note }),
    rename: async (id, name) => change(id, { name }),
    async duplicate(id) {
      const copy = `w${disk.size + 1}`;
      disk.set(copy, { entry: entryOf(copy), rounds: disk.get(id)?.rounds ?? 0 });
      return copy;
    },
    remove: async (id) => change(id, { removedMs: 1 }),
    restore: async (id) => void disk.delete(`${id} nothing`),
    async erase(id) {
      disk.delete(id);
      if (id === current) current = undefined;
    },
    exportFile: async () => new Uint8Array([1, 2, 3]),
    exportNamed: async (id) => ({
      name: disk.get(id)?.entry.name ?? "",
      content: await worlds.exportFile(id),
    }),
    async importFile(bytes) {
      if (bytes[0] !== 1) throw new Error("byte 0: expected 1");
      return worlds.duplicate("file");
    },
    usage: async () => ({ usage: 10, quota: 100 }),
  };
  return {
    session,
    worlds,
    saving: {
      state: "saved",
      pending: 0,
      failure: undefined,
      notices,
      settled: save,
      async answer(_: string, action: NoticeAction) {
        if (action === "start_anew") await worlds.create(FIRST_ORIGIN);
        return action === "export" ? { name: "n", content: new Uint8Array([1]) } : undefined;
      },
    },
    look: () => undefined,
    save,
    settled: async () => {},
  };
}

interface Lacks {
  readonly channels?: boolean;
  readonly locks?: boolean;
}

/** A browser in which tabs are opened. */
export class FakeBrowser {
  readonly disk: Disk = new Map();
  /** Replaces the list of worlds on its disk. */
  list: Worlds["list"] | undefined;
  /** All tests run in one process, each in a browser of its own. */
  readonly #name = String(Math.random());
  readonly #locks = new Locks();
  #tabs = 0;

  channel(name: string): BroadcastChannel {
    return new BroadcastChannel(this.#name + name);
  }

  /** Opens a tab; `before` is its world before a reload. */
  async open(before = "", { channels = true, locks = true }: Lacks = {}): Promise<FakeTab> {
    this.#tabs += 1;
    const opened: Channel[] = [];
    const openChannel = (name: string): Channel => {
      const channel = this.channel(name);
      opened.push(channel);
      return channel;
    };
    let kill = (): void => {};
    const gone = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const browser = {
      locks: new WorldLocks(locks ? this.#locks.managerOf(gone) : undefined),
      openChannel: channels ? openChannel : undefined,
      id: `tab-${this.#tabs}`,
    };
    const play = playOn(this.disk, () => this.list);
    const tab = new Tab(play, browser, serveWatcher);
    const begun = play.session.world;
    await tab.begin(before);
    return {
      tab,
      play,
      begun,
      call: (method, request = {}) => callOf(tab, method, request),
      close: async () => {
        await play.save();
        for (const channel of opened) channel.close();
        kill();
      },
    };
  }
}

export interface FakeTab {
  readonly tab: Tab;
  readonly play: SessionOfWorlds;
  /** The initial world of its session. */
  readonly begun: string;
  /** Calls a method as the page does. Rejects with the error's message. */
  call<T = unknown>(method: string, request?: object): Promise<T>;
  /** As when the user closes it. */
  close(): Promise<void>;
}

async function callOf<T>(tab: Tab, method: string, request: object): Promise<T> {
  const answer = await new Promise<ToPage>((resolve) => {
    void serve(tab, { call: 1, method, request }, resolve);
  });
  if ("error" in answer) throw new Error(answer.error.message);
  return (answer as { response: T }).response;
}
