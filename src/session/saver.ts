import { errorText } from "../engine/framework/errors.ts";
import { writeKeyframe } from "../engine/simulation/keyframe/keyframe.ts";
import { USUAL_RESIDENCE } from "../engine/simulation/world-pages.ts";
import { encode } from "./history/codec.ts";
import { History, LostWorld, type Save } from "./history/history.ts";
import type { Host, Storage } from "./history/storage.ts";
import { CLEARED, FULL, LETTING_GO, LOST, type NoticeDraft, unavailableNotice } from "./notices.ts";
import type { RunningWorld } from "./running-world.ts";
import { beginningOf, savedPlay } from "./save.ts";
import type { SavedPlay } from "./saved.ts";
import type { SaveState } from "./saving.ts";
import type { Session } from "./session.ts";

/** Rounds between two keyframes at least, and while nothing runs. */
const KEYFRAME_ROUNDS = 8192;
const KEYFRAME_ROUNDS_AT_REST = 256;
/** Saving takes a twentieth of the time at most: so much longer than a keyframe takes is the pause after it. */
const KEYFRAME_SHARE = 20;
const { blocks, results } = USUAL_RESIDENCE;
const RESIDENT_BYTES = blocks.residentBytes + results.residentBytes;
/** The part of it that is in use when a person is told. */
const NEARLY_FULL = 0.75;
/** Entries that a simulation holds, at most, of those that are on disk. */
const ENTRIES_IN_MEMORY = 65_536;

/** What is saved of a session: a world that runs, with its history. */
interface Saved {
  readonly live: RunningWorld;
  readonly history: History;
}

/** Writes a session's world into its history: actions at once, rounds in batches. */
export class Saver {
  readonly #session: Session;
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #tell: (notice: NoticeDraft) => void;
  /** Undefined while the session's world is not to be saved. */
  #saved: Saved | undefined;
  /** Worlds that are no longer played and not yet written a last time. */
  readonly #left: Saved[] = [];
  #revision = 0;
  #name = "";
  #failed = false;
  /** The world of which it was said that it lets blocks go. */
  #warned: RunningWorld | undefined;
  /** When the next keyframe may be made. */
  #keyframeAt = 0;
  #last: Promise<void> = Promise.resolve();
  /** A write that has not begun yet; later calls of `save` share it. */
  #next: Promise<void> | undefined;
  #waiting = 0;

  constructor(session: Session, storage: Storage, host: Host, tell: (notice: NoticeDraft) => void) {
    this.#session = session;
    this.#storage = storage;
    this.#host = host;
    this.#tell = tell;
  }

  get state(): SaveState {
    if (this.#saved === undefined || this.#failed) return "unsaved";
    return this.#waiting > 0 ? "saving" : "saved";
  }

  /** Actions that wait to be on disk. */
  get pending(): number {
    return this.#waiting;
  }

  /** The history of the session's world; undefined while that is not saved. */
  get history(): History | undefined {
    return this.#saved?.history;
  }

  /** Saves a world from now on, which is the session's. */
  follow(live: RunningWorld, history: History): void {
    live.past.journal = (from) => {
      addEntries(live, history);
      return history.entriesFrom(from);
    };
    this.#saved = { live, history };
    this.#revision = 0;
    this.#failed = false;
    this.#keyframeAt = 0;
  }

  /** Saves the world as it is before another takes its place. */
  async leave(): Promise<void> {
    do await this.save();
    while (this.#isBehind);
    if (!this.#failed) this.#saved = undefined;
  }

  /** Whether something was done while the last write was under way. */
  get #isBehind(): boolean {
    const { revision } = this.#session.player;
    if (this.#saved === undefined || this.#failed || revision === this.#revision) return false;
    const { live, history } = this.#saved;
    return live === this.#session.player.live && live.sim.journalLength > history.durable;
  }

  /** Saves a last time, then nothing more. */
  async close(): Promise<void> {
    await this.leave();
    this.#saved = undefined;
  }

  /** Saves the session's world, which has taken the place of the one before. */
  enter(): void {
    if (this.#saved !== undefined) this.#left.push(this.#saved);
    this.begin(nameOf(this.#session.player.live));
  }

  /** Saves the session's world as a new one, which is written next. */
  begin(name: string): History {
    const { live } = this.#session.player;
    const history = History.begin(this.#storage, this.#host.id(), beginningOf(live));
    history.name = name;
    history.createdMs = this.#host.now();
    this.follow(live, history);
    return history;
  }

  /** Resolves when all up to now is on disk, or when it is known that it cannot be written. */
  async settled(): Promise<void> {
    if (this.#saved === undefined) return;
    this.#waiting += 1;
    this.#session.player.changed();
    try {
      // What cannot be written now is tried again, and holds up nothing meanwhile.
      if (this.#failed) void this.save();
      else await this.save();
    } finally {
      this.#waiting -= 1;
      this.#session.player.changed();
    }
  }

  /** Writes what has changed since it was last written, after a write that is under way. Never rejects. */
  save(): Promise<void> {
    this.#next ??= this.#last.then(async () => {
      this.#next = undefined;
      await this.#attempt();
    });
    this.#last = this.#next;
    return this.#last;
  }

  async #attempt(): Promise<void> {
    try {
      await this.#writeLeft();
      await this.#write();
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) this.#tell(noticeOf(error));
      this.#failed = true;
      this.#session.player.changed();
    }
    this.#warn();
  }

  /** Says, before it happens, that old blocks are let go of which no copy is kept. */
  #warn(): void {
    const { live } = this.#session.player;
    if (this.state !== "unsaved" || this.#warned === live) return;
    if (live.sim.pages.residentBytes < NEARLY_FULL * RESIDENT_BYTES) return;
    this.#warned = live;
    this.#tell(LETTING_GO);
  }

  /** Writes the worlds a last time whose place another has taken. */
  async #writeLeft(): Promise<void> {
    for (const saved of this.#left.splice(0)) {
      await this.#writeWorld(saved, savedPlay(saved.live, { playing: false, speed: 1, blocks: 0 }));
    }
  }

  async #write(): Promise<void> {
    const saved = this.#saved;
    const { player } = this.#session;
    if (saved === undefined || saved.live !== player.live || player.restoring !== undefined) return;
    const { revision } = player;
    const { history, live } = saved;
    if (revision === this.#revision && history.name === this.#name) return;
    this.#planKeyframe(saved);
    await this.#writeWorld(saved, this.#played(live));
    this.#revision = revision;
    this.#name = history.name;
    const { sim } = live;
    if (sim.journal.length > ENTRIES_IN_MEMORY) sim.releaseJournal(history.durable);
  }

  async #writeWorld({ live, history }: Saved, play: SavedPlay): Promise<void> {
    addEntries(live, history);
    const save = this.#saveOf(live, play);
    if ((await history.write(save)) === "written_again") this.#tell(CLEARED);
    await history.pages.write(live.sim.pages, this.#host.build);
  }

  #saveOf({ sim }: RunningWorld, play: SavedPlay): Save {
    return { play, height: sim.height, appHash: sim.appHash, now: this.#host.now() };
  }

  #played(live: RunningWorld): SavedPlay {
    const { playing, pace, pendingBlocks: blocks } = this.#session.player;
    return savedPlay(live, { playing, speed: pace.speed, blocks });
  }

  /** Reads what is not in memory of the blocks of some heights. What cannot be read comes back by replay. */
  async ready(from: number, to: number): Promise<void> {
    if (this.#saved === undefined) return;
    const { live, history } = this.#saved;
    const { pages } = live.sim;
    const missing = pages.missing(from, to);
    if (missing.length === 0) return;
    try {
      await history.pages.load(pages, missing, this.#host.build);
    } catch {
      // The storage does not answer, which the next save says.
    }
  }

  /** The session's world as records that a file may hold. Throws where there is none, or it was lost. */
  records(): ReadonlyMap<string, Uint8Array> {
    if (this.#saved === undefined) throw new Error("this world is not saved");
    const { live, history } = this.#saved;
    addEntries(live, history);
    return history.records(this.#saveOf(live, this.#played(live)));
  }

  /** Has a keyframe written when enough has happened since the last one, for what it takes. */
  #planKeyframe({ live, history }: Saved): void {
    const { playing } = this.#session.player;
    const atRest = !playing && (!live.tasks.busy || live.tasks.held);
    const rounds = live.sim.rounds - history.newestKeyframe;
    const now = this.#host.clock();
    if (rounds < (atRest ? KEYFRAME_ROUNDS_AT_REST : KEYFRAME_ROUNDS)) return;
    if (!atRest && now < this.#keyframeAt) return;
    addEntries(live, history);
    const at = { rounds: live.sim.rounds, entries: live.sim.journalLength };
    history.plan(at, this.#host.build, writeKeyframe(live.sim), encode(live.observer.state()));
    const end = this.#host.clock();
    this.#keyframeAt = end + KEYFRAME_SHARE * (end - now);
  }
}

/** A name for a world that has none yet. */
export const nameOf = ({ origin }: RunningWorld): string =>
  origin.scenario.title || origin.scenario.name || origin.file || "World";

function addEntries({ sim }: RunningWorld, history: History): void {
  for (const entry of sim.journal.slice(history.entries - sim.journalStart)) history.add(entry);
}

function noticeOf(error: unknown): NoticeDraft {
  if (error instanceof LostWorld) return LOST;
  const full = error instanceof Error && error.name === "QuotaExceededError";
  return full ? FULL : unavailableNotice(errorText(error));
}
