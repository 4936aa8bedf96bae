/** Shows and queries the played world as of the end of a height, while it continues. */
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { Past } from "../gen/lab/v1/lab_plain.ts";
import { type Caller, checkThere } from "./caller.ts";
import type { History } from "./history/history.ts";
import type { Host } from "./history/storage.ts";
import { HistoryLoader } from "./history-loader.ts";
import { roundsTo } from "./replay.ts";
import {
  copyOf,
  isNearest,
  type Mark,
  type ReplayCursor,
  type ReplaySource,
  startReplay,
} from "./replay-cursor.ts";
import type { RunningWorld } from "./running-world.ts";

/** Time slice per iteration, in ms: a frame is requested thirty times a second. */
const SLICE_MS = 16;
/** Rounds between two checks of the clock. */
const ROUNDS_AT_ONCE = 32;
/** A replay that takes longer, in ms, is dropped for a newer requested height. */
const TIMEOUT_MS = 250;
/** Replayed worlds that are cached at their position for further queries. */
const MAX_WORLDS = 3;
/** Maximum ends of heights that are cached. */
const MAX_ENDS = 65_536;

/** Reasons for which a replay stops. */
const CANCELLED = {
  height: "another height is looked at",
  world: "another world has taken its place meanwhile",
} as const;

/** A moment in the history of a world; without entries it is before the next round. */
interface Moment {
  readonly rounds: number;
  readonly entries?: number;
}

/** A world in the history of the played one. */
interface PastWorld {
  cursor: ReplayCursor;
  /** The height at whose end it is; undefined while it is being replayed. */
  at?: number | undefined;
  /** True if no more can happen at that height: the played world was above it. */
  ended: boolean;
  /** Pending queries, which need it to stay at its position. */
  pendingQueries: number;
}

/** The historical state that a frame shows. */
export interface Shown {
  /** Undefined if no historical state is ready: the played world is shown. */
  readonly world: RunningWorld | undefined;
  readonly past: Past;
}

/** The requested height. */
interface Wish {
  readonly height: number;
  /** Progress of the replay, 0 to 1. */
  progress: number;
  /** Reason why it cannot be shown; otherwise empty. */
  problem: string;
}

/** The session's played world. */
export interface Played {
  readonly live: RunningWorld;
  /** Undefined while it is not saved. */
  readonly history: History | undefined;
  /** True if it is at its position: a saved world must be restored first, and a branch stored. */
  readonly isThere: boolean;
}

/** Replays worlds one after the other through the played one's history, and caches the last. */
export class Traveller {
  readonly #host: Host;
  readonly #played: () => Played;
  readonly #reader: HistoryLoader;
  #live: RunningWorld | undefined;
  /** In order of use; the last one is the most recent. */
  #worlds: readonly PastWorld[] = [];
  /** The last moments at heights where finding them required one step too many. */
  readonly #ends = new Map<number, Moment>();
  #last: Promise<unknown> = Promise.resolve();
  #wish: Wish | undefined;
  #isGoing = false;
  /** The last world for which a frame was requested. */
  #shown: PastWorld | undefined;

  constructor(host: Host, played: () => Played) {
    this.#host = host;
    this.#played = played;
    this.#reader = new HistoryLoader(host);
  }

  /** Returns the world at a height, or the last one that was ready while the replay runs. */
  look(height: number): Shown {
    this.rest();
    const { live, isThere } = this.#played();
    const { sim } = live;
    this.#live = live;
    const past = { asked: height, liveHeight: sim.height };
    const ready = this.#ready(live, height);
    if (ready !== undefined) {
      this.#shown = this.#addWorld(ready);
      return {
        world: ready.cursor.world,
        past: { ...past, shown: height, progress: 1, problem: "" },
      };
    }
    const world = this.#shown?.cursor.world;
    const shown = (world?.sim ?? sim).height;
    const absence = isThere ? absent(sim, height) : "";
    if (absence !== "" || !isThere) {
      return { world, past: { ...past, shown, progress: 0, problem: absence } };
    }
    const { progress, problem } = this.#wishFor(height);
    return { world, past: { ...past, shown, progress, problem } };
  }

  /** Releases worlds in the history of a world that is no longer played. */
  rest(): void {
    if (this.#live === this.#played().live) return;
    this.#live = this.#wish = this.#shown = undefined;
    this.#worlds = [];
    this.#ends.clear();
  }

  /**
   * Queries the played world as of the end of a height. Rejects with a StatusError if it has no
   * such height, or once the caller has gone.
   */
  async query<T>(
    height: number,
    ask: (world: RunningWorld) => Promise<T>,
    gone?: Caller["gone"],
  ): Promise<T> {
    const past = await this.#inTurn(async () => {
      const goOn = (): true => {
        checkThere({ mayControl: false, gone });
        return true;
      };
      goOn();
      const requested = await this.#to({ height, progress: 0, problem: "" }, goOn);
      requested.pendingQueries += 1;
      return requested;
    });
    try {
      return await ask(past.cursor.world as RunningWorld);
    } finally {
      past.pendingQueries -= 1;
    }
  }

  /** The world at the end of a height, to be continued as another one. */
  async takeWorldAt(height: number): Promise<RunningWorld> {
    const { live } = this.#played();
    if (height === live.sim.height) return copyOf(live);
    return this.#inTurn(async () => {
      const taken = await this.#to({ height, progress: 0, problem: "" }, () => true);
      this.#worlds = this.#worlds.filter((one) => one !== taken);
      if (this.#shown === taken) this.#shown = undefined;
      const world = taken.cursor.world as RunningWorld;
      // Queries under way need it to stay at its position.
      return taken.pendingQueries > 0 ? copyOf(world) : world;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Requests a height to be shown, instead of the previous request. */
  #wishFor(height: number): Wish {
    const before = this.#wish;
    if (before?.height === height && (this.#isGoing || before.problem !== "")) return before;
    const wish = { height, progress: 0, problem: "" };
    this.#wish = wish;
    if (!this.#isGoing) void this.#replayLoop();
    return wish;
  }

  /** Replays to the requested height, until there is no newer request. */
  async #replayLoop(): Promise<void> {
    this.#isGoing = true;
    let gone: Wish | undefined;
    while (this.#wish !== gone) {
      try {
        const past = await this.#inTurn(async () => {
          // Takes the newest request; its timeout starts now, as it may have waited long.
          const wish = this.#wish;
          gone = wish;
          const startMs = this.#host.clock();
          const goOn = () => this.#wish === wish || this.#host.clock() < startMs + TIMEOUT_MS;
          return wish && this.#to(wish, goOn);
        });
        if (past?.cursor.of === this.#played().live) this.#shown = past;
      } catch (error) {
        if (gone !== undefined) gone.problem = errorText(error);
      }
    }
    this.#isGoing = false;
  }

  /** The world at the end of a height, if it is there. */
  #ready(live: RunningWorld, height: number): PastWorld | undefined {
    return this.#worlds.find(({ cursor, at, ended }) => {
      if (cursor.of !== live || at !== height) return false;
      return ended || isAt(cursor, momentOf(live.sim));
    });
  }

  /** Replays to the end of a height, in slices. Rejects if cancelled, or without such a height. */
  async #to(wish: Wish, goOn: () => boolean): Promise<PastWorld> {
    const { height } = wish;
    const { live, history } = this.#played();
    const ready = this.#ready(live, height);
    if (ready !== undefined) return this.#addWorld(ready);
    const absence = absent(live.sim, height);
    if (absence !== "") throw new StatusError(STATUS.invalidArgument, absence);
    const wanted = () => this.#played().live === live && goOn();
    const source: ReplaySource = { live, history, wanted, progress: () => {} };
    const past = this.#near(source, wish) ?? {
      cursor: await this.#start(source, height),
      ended: false,
      pendingQueries: 0,
    };
    past.at = undefined;
    this.#addWorld(past);
    const marks: Mark[] = [];
    try {
      await this.#replayTo(past, marks, source, wish);
    } finally {
      for (const mark of marks) mark.forget();
    }
    past.at = height;
    past.ended = live.sim.height > height;
    return past;
  }

  /** @param marks receives the moments to which the world may be rewound, even on failure */
  async #replayTo(past: PastWorld, marks: Mark[], source: ReplaySource, wish: Wish): Promise<void> {
    const { live, wanted } = source;
    const { height } = wish;
    const from = past.cursor.sim.rounds;
    const all = Math.max(roundsTo(live.sim, height) - from, 1);
    let slice = this.#host.clock() + SLICE_MS;
    let before: Moment | undefined;
    let ends: { readonly uneven: number; readonly end: Moment | undefined } | undefined;
    for (let i = 1; ; i++) {
      const { cursor } = past;
      const { sim } = cursor;
      if (sim.height > height) {
        if (before !== undefined) this.#noteEnd(height, before);
        past.cursor = marks.pop()?.back() ?? (await this.#start(source, height));
        ends = undefined;
        continue;
      }
      if (cursor.waiting) await cursor.ready();
      if (ends?.uneven !== sim.uneven) {
        ends = { uneven: sim.uneven, end: this.#endOf(source, sim, height) };
      }
      const { end } = ends;
      if (isAt(cursor, end ?? momentOf(live.sim))) return;
      const crosses = end === undefined && live.sim.height > height;
      if (crosses && sim.height === height && marks.length === 0) marks.push(cursor.mark());
      before = momentOf(sim);
      const going = this.#reader.advance(source, cursor);
      if (going !== undefined) await going;
      if (i % ROUNDS_AT_ONCE > 0 || this.#host.clock() < slice) continue;
      wish.progress = Math.min((sim.rounds - from) / all, 1);
      await this.#host.delay(0);
      if (!wanted()) throw new Error(CANCELLED[this.#played().live === live ? "height" : "world"]);
      slice = this.#host.clock() + SLICE_MS;
    }
  }

  /** The nearest cached world, unless a keyframe is nearer; the shown one only for `#wish`. */
  #near(source: ReplaySource, wish: Wish): PastWorld | undefined {
    const { height } = wish;
    const { live } = source;
    const near = this.#worlds
      .filter((past) => past !== this.#shown || wish === this.#wish)
      .filter(({ cursor: { of, sim }, pendingQueries: requested }) => {
        return of === live && requested === 0 && sim.height <= height;
      })
      .sort((a, b) => b.cursor.sim.rounds - a.cursor.sim.rounds)[0];
    const rounds = this.#lastRound(live, height);
    return near && isNearest(near.cursor, source, rounds) ? near : undefined;
  }

  #start(source: ReplaySource, height: number): Promise<ReplayCursor> {
    return startReplay(source, this.#host.build, {
      rounds: this.#lastRound(source.live, height),
      recorded: true,
      usable: (sim) => sim.height <= height,
    });
  }

  #lastRound({ sim }: RunningWorld, height: number): number {
    return this.#ends.get(height)?.rounds ?? roundsTo(sim, height);
  }

  /** The last moment at a height; undefined if it is unknown until the next block exists. */
  #endOf({ live, history }: ReplaySource, sim: Simulation, height: number): Moment | undefined {
    const known = this.#ends.get(height);
    if (known !== undefined) return known;
    // True as far as each round made one block.
    const rounds = sim.rounds + height - sim.height;
    const isEven = sim.uneven === live.sim.uneven || sim.uneven === history?.unevenFrom(rounds + 1);
    return isEven ? { rounds } : undefined;
  }

  #noteEnd(height: number, moment: Moment): void {
    if (this.#ends.size >= MAX_ENDS) this.#ends.clear();
    this.#ends.set(height, moment);
  }

  /** Caches a world as the most recently used, and evicts the least recently used. */
  #addWorld(past: PastWorld): PastWorld {
    const others = this.#worlds.filter((one) => one !== past);
    const last = others.slice(-(MAX_WORLDS - 1));
    this.#worlds = [...others.filter((one) => one.pendingQueries > 0 || last.includes(one)), past];
    return past;
  }
}

const momentOf = ({ rounds, journalLength }: Simulation): Required<Moment> => ({
  rounds,
  entries: journalLength,
});

/** True if a world is at a moment, and its next entry is known. */
const isAt = ({ sim, isCommandDue }: ReplayCursor, { rounds, entries }: Moment): boolean =>
  sim.rounds === rounds && (entries === undefined ? !isCommandDue : sim.journalLength === entries);

/** Reason why a world has no such height, in a sentence; empty if it has. */
function absent(sim: Simulation, height: number): string {
  const isThere = height >= sim.initialHeight - 1 && height <= sim.height;
  return isThere ? "" : `there is no height ${height}: ${sim.extent(height)}`;
}
