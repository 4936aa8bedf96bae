import { errorText, STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Frame, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import type { Notice } from "../../gen/lab/v1/worlds_plain.ts";
import type { Serve } from "../../session/call.ts";
import { FIRST_ORIGIN } from "../../session/first-world.ts";
import {
  DELETED,
  type NoticeDraft,
  notMigratedNotice,
  notShownNotice,
} from "../../session/notices.ts";
import type { ExportedWorld } from "../../session/saving.ts";
import { SessionFrames } from "../../session/session-frames.ts";
import type { SessionHost } from "../../session/session-host.ts";
import { DeletedWorld, type SessionOfWorlds } from "../../session/worlds.ts";
import { type Channel, channelName, type OpenChannel } from "./world-channel.ts";
import type { Release, WorldLocks } from "./world-locks.ts";

/** Browser features of a tab besides storage. */
export interface Browser {
  readonly locks: WorldLocks;
  readonly openChannel: OpenChannel;
  /** A random id of this tab. */
  readonly id: string;
}

/** This tab plays a world and answers tabs that watch it. */
interface Playing {
  readonly role: "owner";
  readonly world: string;
  readonly release: Release;
  readonly channel: Channel | undefined;
}

/** Another tab plays a world; this one watches it until the lock of that world is free. */
interface Watching {
  readonly role: "watching";
  readonly world: string;
  /** Calls the tab that plays it. */
  call(method: string, request: object, height?: number): Promise<unknown>;
  end(): void;
}

type Role = Playing | Watching;

/** Loaded once: a repeated import would wait behind a slice of blocks. */
let answerHttp: typeof import("./answer-http.ts").answerHttp | undefined;

const NO_LOCKS: Notice = {
  id: "no-locks",
  kind: "no_locks",
  text:
    "At this address the browser cannot keep tabs apart (that needs https or localhost). Open each world in one tab " +
    "only: a second one would overwrite it.",
  actions: ["continue"],
};

/** Id of the notice that another world is on screen than requested. */
const UNOPENED = "unopened";

/**
 * One tab of the browser: the world that it shows, which it either plays or watches in another tab.
 */
export class Tab implements SessionHost {
  readonly play: SessionOfWorlds;
  readonly browser: Browser;
  readonly #serveWatcher: Serve;
  #role: Role | undefined;
  /** Locks of worlds that this tab no longer plays and has not written yet. */
  readonly #pendingLocks = new Map<string, Release>();
  readonly #frames: SessionFrames;
  /** Notices about this tab, in addition to its world's. */
  #notices: readonly Notice[];
  /** The world that could not be opened; empty for the last saved one. */
  #unopened = "";

  /** @param serveWatcher answers calls of tabs that watch this one's world */
  constructor(
    play: SessionOfWorlds,
    browser: Browser,
    serveWatcher: (tab: Tab, ...served: Parameters<Serve>) => Promise<void>,
  ) {
    this.play = play;
    this.browser = browser;
    this.#serveWatcher = (...served) => serveWatcher(this, ...served);
    this.#frames = new SessionFrames(play, browser.id);
    this.#notices = browser.locks.exist ? [] : [NO_LOCKS];
  }

  readonly isShared = false;

  get locks(): WorldLocks {
    return this.browser.locks;
  }

  /** Id of the world on screen; empty while it is not saved. */
  get world(): string {
    return this.#role?.world ?? "";
  }

  get watching(): Watching | undefined {
    return this.#role?.role === "watching" ? this.#role : undefined;
  }

  /**
   * Shows the tab's world from before its reload, or the last saved one, or the session's initial
   * one. Never rejects.
   */
  async begin(before: string): Promise<void> {
    const { session, worlds } = this.play;
    const started = session.player.live;
    let failure: NoticeDraft | undefined;
    try {
      if (await this.#openSaved(before)) return;
    } catch (error) {
      failure = notShownNotice(errorText(error));
    }
    if (session.player.live !== started) await this.createNew();
    else {
      session.player.play();
      const copy = worlds.saveCopy();
      // A storage that has not answered may not answer now either: the world runs meanwhile.
      if (failure === undefined) await copy;
      await this.follow();
    }
    if (failure !== undefined) this.#notify(failure, before);
  }

  /** Shows a world, or the last saved one. Resolves to true if there is one. */
  async #openSaved(before: string): Promise<boolean> {
    const { worlds } = this.play;
    const saved = (await worlds.list()).filter(
      ({ id, removedMs }) => removedMs === undefined && id !== this.world,
    );
    const wanted = saved.find(({ id }) => id === before) ?? saved[0];
    const sound = saved.filter(({ problem }) => problem === undefined);
    const opened = wanted?.problem === undefined ? wanted : sound[0];
    // A failed attempt to open it creates the notice that says so.
    if (wanted && wanted !== opened) await worlds.open(wanted.id).catch(() => {});
    if (opened) await this.open(opened.id);
    return opened !== undefined;
  }

  #notify(draft: NoticeDraft, unopened: string): void {
    this.#unopened = unopened;
    this.#notices = [...this.#notices, { ...draft, id: UNOPENED, actions: [...draft.actions] }];
    this.play.session.player.changed();
  }

  /** Creates another first world, beside the others. */
  async createNew(): Promise<void> {
    await this.play.worlds.create(FIRST_ORIGIN);
    await this.follow();
  }

  /** Shows a world: plays it, or watches it if another tab plays it. */
  async open(world: string): Promise<void> {
    if (world === this.world) return;
    const release = await this.#acquire(world);
    if (release) return this.#open(world, release);
    const { openChannel } = this.browser;
    if (openChannel === undefined) {
      const text = "another tab plays it, and this browser cannot show it here";
      throw new StatusError(STATUS.failedPrecondition, text);
    }
    await this.play.worlds.close();
    await this.#watch(world, openChannel);
  }

  /** Takes the lock of a world, which this tab may still hold from before. */
  #acquire(world: string): Promise<Release | undefined> {
    const pending = this.#pendingLocks.get(world);
    this.#pendingLocks.delete(world);
    return pending ? Promise.resolve(pending) : this.browser.locks.acquire(world);
  }

  async #open(world: string, release: Release): Promise<void> {
    try {
      await this.play.worlds.open(world);
    } catch (error) {
      release();
      throw error;
    }
    const { current } = this.play.worlds;
    // Another world was created or opened meanwhile.
    if (current !== undefined && current !== world) return release();
    this.#own(world, release);
  }

  /** Called when the session plays another world, e.g. a scenario's. */
  async follow(): Promise<void> {
    const { current } = this.play.worlds;
    if (current === undefined || (current === this.world && !this.watching)) return;
    const release = await this.#acquire(current);
    const { openChannel } = this.browser;
    if (release || openChannel === undefined) return this.#own(current, release);
    // As soon as the new world was written, another tab has listed and opened it.
    await this.play.worlds.close();
    await this.#watch(current, openChannel);
  }

  #own(world: string, release: Release = () => {}): void {
    const channel = this.browser.openChannel?.(channelName(world));
    if (channel) {
      channel.onmessage = async ({ data }: MessageEvent) => {
        const { answerWatcher } = await import("./answer-watchers.ts");
        await answerWatcher(channel, data, this.#serveWatcher);
      };
    }
    this.#change({ role: "owner", world, release, channel });
  }

  async #watch(world: string, openChannel: NonNullable<OpenChannel>): Promise<void> {
    const { Watch } = await import("./watch.ts");
    const watch = new Watch(openChannel(channelName(world)), this.browser.id);
    const gone = new AbortController();
    this.#change({
      role: "watching",
      world,
      call: (...called) => watch.call(...called),
      end() {
        gone.abort();
        watch.close();
      },
    });
    const role = this.#role;
    void this.browser.locks.wait(world, gone.signal).then(async (release) => {
      if (release === undefined) return;
      if (this.#role !== role) return release();
      await this.#open(world, release).catch(async (error: unknown) => {
        await this.createNew();
        const isDeleted = error instanceof DeletedWorld;
        this.#notify(isDeleted ? DELETED : notMigratedNotice(errorText(error)), world);
      });
    });
  }

  #change(role: Role): void {
    const before = this.#role;
    this.#role = role;
    // It refers to the previous world.
    this.#notices = this.#notices.filter(({ id }) => id !== UNOPENED);
    if (before?.role === "watching") before.end();
    if (before?.role !== "owner") return;
    before.channel?.close();
    void this.#release(before);
  }

  /** Lets other tabs play a world as soon as it is written. */
  async #release({ world, release }: Playing): Promise<void> {
    this.#pendingLocks.set(world, release);
    await this.play.settled(world);
    if (this.#pendingLocks.get(world) !== release) return;
    this.#pendingLocks.delete(world);
    release();
  }

  /** Builds a frame of the session, including its save state. */
  getFrame(request: LabRequest<"getFrame">): Frame {
    // If nothing can be saved either, only that is reported.
    const isSaved = this.play.saving.failure === undefined;
    const notices = isSaved ? this.#notices : this.#notices.filter(({ id }) => id !== UNOPENED);
    return this.#frames.build(request, { notices });
  }

  async answerHttp(request: unknown, control: Serve): Promise<unknown> {
    answerHttp ??= (await import("./answer-http.ts")).answerHttp;
    return answerHttp(this, request, control);
  }

  settled(): Promise<void> {
    return this.play.saving.settled();
  }

  reportBug(error: unknown): void {
    console.error(error);
  }

  /** Runs one of the actions of a notice; `export` returns the file. */
  async answerNotice(notice: string, action: string): Promise<ExportedWorld | undefined> {
    const own = this.#notices.find(({ id, actions }) => id === notice && actions.includes(action));
    const found = this.play.saving.notices.find(({ id }) => id === notice);
    const known = found?.actions.find((one) => one === action);
    if (own !== undefined) {
      if (action === "retry") await this.#openSaved(this.#unopened);
      this.#notices = this.#notices.filter((one) => one !== own);
      this.play.session.player.changed();
    } else if (known === undefined)
      throw new StatusError(STATUS.notFound, "this has been answered already");
    else {
      const file = await this.play.saving.answer(notice, known);
      await this.follow();
      return file;
    }
    return undefined;
  }
}
