/** Shows and queries the played world as of the end of a height, while it continues. */
import { errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { Past } from "../gen/lab/v1/lab_plain.ts";
import { type Asker, checkThere } from "./asker.ts";
import type { History } from "./history/history.ts";
import type { Host } from "./history/storage.ts";
import { copyOf, isNearest, type Kept, type Mark, type Passing, startPassing } from "./passing.ts";
import { PastReader } from "./past.ts";
import { roundsTo } from "./replay.ts";
import type { RunningWorld } from "./running-world.ts";

/** Time slice per iteration, in ms: a frame is requested thirty times a second. */
const SLICE_MS = 16;
/** Rounds between two checks of the clock. */
const ROUNDS_AT_ONCE = 32;
/** A replay that takes longer, in ms, is dropped for a newer requested height. */
const PATIENCE_MS = 250;
/** Replayed worlds that are cached at their position for further queries. */
const KEPT_WORLDS = 3;
/** Maximum ends of heights that are cached. */
const ENDS_KEPT = 65_536;

/** Reasons for which a replay stops. */
const GIVEN_UP = {
  height: "another height is looked at",
  world: "another world has taken its place meanwhile",
} as const;

/** A moment in the history of a world; without entries it is before the next round. */
interface Moment {
  readonly rounds: number;
  readonly entries?: number;
}

/** A world in the history of the played one. */
interface Led {
  passing: Passing;
  /** The height at whose end it is; undefined while it is being replayed. */
  at?: number | undefined;
  /** True if no more can happen at that height: the played world was above it. */
  ended: boolean;
  /** Pending queries, which need it to stay at its position. */
  asked: number;
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
  readonly #reader: PastReader;
  #live: RunningWorld | undefined;
  /** In order of use; the last one is the most recent. */
  #led: readonly Led[] = [];
  /** The last moments at heights where finding them required one step too many. */
  readonly #ends = new Map<number, Moment>();
  #last: Promise<unknown> = Promise.resolve();
  #wish: Wish | undefined;
  #isGoing = false;
  /** The last world for which a frame was requested. */
  #shown: Led | undefined;

  constructor(host: Host, played: () => Played) {
    this.#host = host;
    this.#played = played;
    this.#reader = new PastReader(host);
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
      this.#shown = this.#keep(ready);
      return {
        world: ready.passing.world,
        past: { ...past, shown: height, progress: 1, problem: "" },
      };
    }
    const world = this.#shown?.passing.world;
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
    this.#led = [];
    this.#ends.clear();
  }

  /**
   * Queries the played world as of the end of a height. Rejects with a StatusError if it has no
   * such height, or once the caller has gone.
   */
  async ask<T>(
    height: number,
    ask: (world: RunningWorld) => Promise<T>,
    gone?: Asker["gone"],
  ): Promise<T> {
    const led = await this.#inTurn(async () => {
      const goOn = (): true => {
        checkThere({ steers: false, gone });
        return true;
      };
      goOn();
      const asked = await this.#to({ height, progress: 0, problem: "" }, goOn);
      asked.asked += 1;
      return asked;
    });
    try {
      return await ask(led.passing.world as RunningWorld);
    } finally {
      led.asked -= 1;
    }
  }

  /** The world at the end of a height, to be continued as another one. */
  async take(height: number): Promise<RunningWorld> {
    const { live } = this.#played();
    if (height === live.sim.height) return copyOf(live);
    return this.#inTurn(async () => {
      const taken = await this.#to({ height, progress: 0, problem: "" }, () => true);
      this.#led = this.#led.filter((one) => one !== taken);
      if (this.#shown === taken) this.#shown = undefined;
      const world = taken.passing.world as RunningWorld;
      // Queries under way need it to stay at its position.
      return taken.asked > 0 ? copyOf(world) : world;
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
    if (!this.#isGoing) void this.#go();
    return wish;
  }

  /** Replays to the requested height, until there is no newer request. */
  async #go(): Promise<void> {
    this.#isGoing = true;
    let gone: Wish | undefined;
    while (this.#wish !== gone) {
      try {
        const led = await this.#inTurn(async () => {
          // Takes the newest request; its timeout starts now, as it may have waited long.
          const wish = this.#wish;
          gone = wish;
          const began = this.#host.clock();
          const goOn = () => this.#wish === wish || this.#host.clock() < began + PATIENCE_MS;
          return wish && this.#to(wish, goOn);
        });
        if (led?.passing.of === this.#played().live) this.#shown = led;
      } catch (error) {
        if (gone !== undefined) gone.problem = errorText(error);
      }
    }
    this.#isGoing = false;
  }

  /** The world at the end of a height, if it is there. */
  #ready(live: RunningWorld, height: number): Led | undefined {
    return this.#led.find(({ passing, at, ended }) => {
      if (passing.of !== live || at !== height) return false;
      return ended || isAt(passing, momentOf(live.sim));
    });
  }

  /** Replays to the end of a height, in slices. Rejects if cancelled, or without such a height. */
  async #to(wish: Wish, goOn: () => boolean): Promise<Led> {
    const { height } = wish;
    const { live, history } = this.#played();
    const ready = this.#ready(live, height);
    if (ready !== undefined) return this.#keep(ready);
    const absence = absent(live.sim, height);
    if (absence !== "") throw new StatusError(STATUS.invalidArgument, absence);
    const wanted = () => this.#played().live === live && goOn();
    const kept: Kept = { live, history, wanted, progress: () => {} };
    const led = this.#near(kept, wish) ?? {
      passing: await this.#start(kept, height),
      ended: false,
      asked: 0,
    };
    led.at = undefined;
    this.#keep(led);
    const marks: Mark[] = [];
    try {
      await this.#lead(led, marks, kept, wish);
    } finally {
      for (const mark of marks) mark.forget();
    }
    led.at = height;
    led.ended = live.sim.height > height;
    return led;
  }

  /** @param marks receives the moments to which the world may be rewound, even on failure */
  async #lead(led: Led, marks: Mark[], kept: Kept, wish: Wish): Promise<void> {
    const { live, wanted } = kept;
    const { height } = wish;
    const from = led.passing.sim.rounds;
    const all = Math.max(roundsTo(live.sim, height) - from, 1);
    let slice = this.#host.clock() + SLICE_MS;
    let before: Moment | undefined;
    let ends: { readonly uneven: number; readonly end: Moment | undefined } | undefined;
    for (let i = 1; ; i++) {
      const { passing } = led;
      const { sim } = passing;
      if (sim.height > height) {
        if (before !== undefined) this.#noteEnd(height, before);
        led.passing = marks.pop()?.back() ?? (await this.#start(kept, height));
        ends = undefined;
        continue;
      }
      if (passing.waiting) await passing.ready();
      if (ends?.uneven !== sim.uneven) {
        ends = { uneven: sim.uneven, end: this.#endOf(kept, sim, height) };
      }
      const { end } = ends;
      if (isAt(passing, end ?? momentOf(live.sim))) return;
      const crosses = end === undefined && live.sim.height > height;
      if (crosses && sim.height === height && marks.length === 0) marks.push(passing.mark());
      before = momentOf(sim);
      const going = this.#reader.advance(kept, passing);
      if (going !== undefined) await going;
      if (i % ROUNDS_AT_ONCE > 0 || this.#host.clock() < slice) continue;
      wish.progress = Math.min((sim.rounds - from) / all, 1);
      await this.#host.delay(0);
      if (!wanted()) throw new Error(GIVEN_UP[this.#played().live === live ? "height" : "world"]);
      slice = this.#host.clock() + SLICE_MS;
    }
  }

  /** The nearest cached world, unless a keyframe is nearer; the shown one only for `#wish`. */
  #near(kept: Kept, wish: Wish): Led | undefined {
    const { height } = wish;
    const { live } = kept;
    const near = this.#led
      .filter((led) => led !== this.#shown || wish === this.#wish)
      .filter(({ passing: { of, sim }, asked }) => {
        return of === live && asked === 0 && sim.height <= height;
      })
      .sort((a, b) => b.passing.sim.rounds - a.passing.sim.rounds)[0];
    const rounds = this.#lastRound(live, height);
    return near && isNearest(near.passing, kept, rounds) ? near : undefined;
  }

  #start(kept: Kept, height: number): Promise<Passing> {
    return startPassing(kept, this.#host.build, {
      rounds: this.#lastRound(kept.live, height),
      recorded: true,
      usable: (sim) => sim.height <= height,
    });
  }

  #lastRound({ sim }: RunningWorld, height: number): number {
    return this.#ends.get(height)?.rounds ?? roundsTo(sim, height);
  }

  /** The last moment at a height; undefined if it is unknown until the next block exists. */
  #endOf({ live, history }: Kept, sim: Simulation, height: number): Moment | undefined {
    const known = this.#ends.get(height);
    if (known !== undefined) return known;
    // True as far as each round made one block.
    const rounds = sim.rounds + height - sim.height;
    const isEven = sim.uneven === live.sim.uneven || sim.uneven === history?.unevenFrom(rounds + 1);
    return isEven ? { rounds } : undefined;
  }

  #noteEnd(height: number, moment: Moment): void {
    if (this.#ends.size >= ENDS_KEPT) this.#ends.clear();
    this.#ends.set(height, moment);
  }

  /** Caches a world as the most recently used, and evicts the least recently used. */
  #keep(led: Led): Led {
    const others = this.#led.filter((one) => one !== led);
    const last = others.slice(-(KEPT_WORLDS - 1));
    this.#led = [...others.filter((one) => one.asked > 0 || last.includes(one)), led];
    return led;
  }
}

const momentOf = ({ rounds, journalLength }: Simulation): Required<Moment> => ({
  rounds,
  entries: journalLength,
});

/** True if a world is at a moment, and its next entry is known. */
const isAt = ({ sim, isCommandDue }: Passing, { rounds, entries }: Moment): boolean =>
  sim.rounds === rounds && (entries === undefined ? !isCommandDue : sim.journalLength === entries);

/** Reason why a world has no such height, in a sentence; empty if it has. */
function absent(sim: Simulation, height: number): string {
  const isThere = height >= sim.initialHeight - 1 && height <= sim.height;
  return isThere ? "" : `there is no height ${height}: ${sim.extent(height)}`;
}
