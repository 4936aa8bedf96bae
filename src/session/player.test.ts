import { describe, expect, test, vi } from "vitest";
import { CommandError } from "../engine/framework/errors.ts";
import type { HistoryRanges, OpenedHistory } from "../engine/simulation/history-range.ts";
import type { HistoryPart } from "../engine/simulation/world-history.ts";
import type { StepResult } from "../scenario/runner.ts";
import type { ScenarioStep } from "../scenario/scenario.ts";
import { Player, type Restore } from "./player.ts";
import type { RunningWorld } from "./running-world.ts";
import type { Story } from "./story.ts";
import { TaskQueue } from "./tasks.ts";

/** A world that only counts its rounds and blocks. */
class CountedSim {
  rounds = 0;
  height = 0;
  halted = false;
  /** Thrown by the next rounds, one after the other. */
  readonly failures: unknown[] = [];
  /** A part of the history that each round reads, and that is not in memory. */
  reads: HistoryPart | undefined;
  /** The opened history of each round. */
  readonly openIn: unknown[][] = [];
  #opened: OpenedHistory = new Map();

  with(opened: OpenedHistory, act: () => unknown): unknown {
    this.#opened = opened;
    try {
      return act();
    } finally {
      this.#opened = new Map();
    }
  }
  *readBy(): HistoryRanges {
    if (this.reads !== undefined) yield { kind: "state", height: this.reads.height };
  }
  partsOf(): readonly HistoryPart[] {
    return this.reads === undefined ? [] : [this.reads];
  }
  advance(): void {
    this.openIn.push([...this.#opened.values()]);
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    this.rounds += 1;
    if (!this.halted) this.height += 1;
  }
}

/** State of a story, as a player queries it. */
interface Stands {
  running: boolean;
  continues: boolean;
  autoplay: boolean;
  tempo: number;
}

const storyOf = (over: Partial<Stands> = {}) => ({
  ...{ running: true, continues: true, autoplay: false, tempo: 0 },
  wait: vi.fn((_: number): number | undefined => undefined),
  playBeat: vi.fn(),
  rest: vi.fn(),
  leave: vi.fn(),
  ...over,
});

/** A step that reads the same history as its world. */
const stepOf = (rounds: number): ScenarioStep =>
  ({
    verb: `${rounds}`,
    action: { reads: ({ sim }: { readonly sim: CountedSim }) => sim.readBy() },
  }) as unknown as ScenarioStep;

/** A player of such a world, and its clock. */
function played(speed = 0) {
  const worldOf = () => {
    const sim = new CountedSim();
    const tasks: TaskQueue = new TaskQueue(
      function* ({ verb }, index): Generator<void, StepResult> {
        for (let i = 0; i < Number(verb); i++) {
          sim.advance();
          yield;
        }
        return { index, verb, ok: true, height: sim.height, message: "" };
      },
      () => ({ rounds: sim.rounds, entries: 0 }),
    );
    const observer = { observe: vi.fn(), addNote: vi.fn() };
    const live = { sim, tasks, observer, context: { sim } } as unknown as RunningWorld;
    return { sim, tasks, observer, live };
  };
  const world = worldOf();
  const player = new Player(world.live);
  player.pace.speed = speed;
  const clock = { time: 1000, step: 0 };
  const now = (): number => {
    clock.time += clock.step;
    return clock.time;
  };
  const slice = (budget = 10): number => player.slice(budget, now);
  const ended: StepResult[] = [];
  /** A step of some rounds, and one without rounds that ends it. */
  const step = (rounds: number, ofStory = false): void =>
    world.tasks.add({
      ofStory,
      steps: [{ text: "", step: stepOf(rounds), index: 0 }],
      stepEnded() {},
      ended: (result) => ended.push(result),
    });
  const tell = (over?: Partial<Stands>) => {
    const story = storyOf(over);
    world.live.story = story as unknown as Story;
    return story;
  };
  const woken = vi.fn();
  player.onWake = woken;
  return { ...world, worldOf, player, clock, slice, step, ended, tell, woken };
}

const NEVER = Number.POSITIVE_INFINITY;

describe("a slice", () => {
  test("works until its time is over, and says that there is more to do at once", () => {
    const { sim, clock, slice, player, observer } = played();
    clock.step = 1;
    expect(slice(10)).toBe(0);
    expect([sim.rounds, observer.observe.mock.calls.length]).toEqual([9, 9]);
    expect(player.revision).toBe(10);
  });

  test("works until nothing is due, and says when something is", () => {
    const { sim, clock, slice } = played(4);
    expect([slice(), sim.rounds]).toEqual([250, 1]);
    clock.time += 100;
    expect([slice(), sim.rounds]).toEqual([150, 1]);
    clock.time += 150;
    expect([slice(), sim.rounds]).toEqual([250, 2]);
  });

  test("is told of after each, also where there was nothing to do", () => {
    const { player, slice } = played();
    player.sliced = vi.fn();
    player.pause();
    expect([slice(), slice()]).toEqual([NEVER, NEVER]);
    expect(player.sliced).toHaveBeenCalledTimes(2);
  });

  test("changes nothing of what is shown where nothing is done", () => {
    const { player, sim, slice } = played();
    player.pause();
    const { revision } = player;
    slice();
    expect([sim.rounds, player.revision]).toEqual([0, revision]);
  });

  test("shows the rate that it measures, and that it is nothing at rest", () => {
    const { player, clock, slice } = played(10);
    for (let i = 0; i < 500; i++) {
      slice();
      clock.time += 10;
    }
    expect(player.pace.rate).toBe(10);
    player.playing = false;
    const { revision } = player;
    slice();
    expect([player.pace.rate, player.revision]).toEqual([0, revision + 1]);
    slice();
    expect(player.revision).toBe(revision + 1);
  });

  test("shows a rate that has changed though no round was run", () => {
    const { player, sim, clock, slice } = played();
    player.stepBlocks(1);
    player.playing = false;
    vi.spyOn(player.pace, "measure").mockReturnValue(true);
    const { revision } = player;
    slice();
    // Two measurements, and one block.
    expect([sim.rounds, player.revision, clock.time]).toEqual([1, revision + 3, 1000]);
  });
});

describe("a halted chain", () => {
  test("has two rounds a second at most from the fourth on, until a block comes", () => {
    const { sim, clock, slice } = played();
    sim.halted = true;
    expect([slice(), sim.rounds]).toEqual([500, 3]);
    clock.time += 500;
    expect([slice(), sim.rounds]).toEqual([500, 4]);
    sim.halted = false;
    clock.time += 500;
    clock.step = 1;
    expect(slice(5)).toBe(0);
    expect([sim.height, sim.rounds > 6]).toEqual([sim.rounds - 4, true]);
  });

  test("has as few rounds as before where it is slower than that", () => {
    const { sim, clock, slice } = played(1);
    sim.halted = true;
    for (let i = 0; i < 5; i++) {
      expect(slice()).toBe(1000);
      clock.time += 1000;
    }
    expect(sim.rounds).toBe(5);
  });

  test("fails a step that waits for its block as soon as can be, from the third round on", () => {
    const { sim, slice, step, ended, player, clock } = played(1);
    player.pause();
    sim.halted = true;
    step(9);
    expect([slice(), sim.rounds]).toEqual([1000, 1]);
    clock.time += 1000;
    expect([slice(), sim.rounds]).toEqual([1000, 2]);
    clock.time += 1000;
    expect([slice(), sim.rounds, ended.length]).toEqual([NEVER, 9, 1]);
  });

  test("counts its rounds anew in another world", () => {
    const { sim, slice, player, worldOf } = played();
    sim.halted = true;
    slice();
    const other = worldOf();
    player.begin(other.live);
    other.sim.halted = true;
    slice();
    expect(other.sim.rounds).toBe(3);
  });
});

describe("blocks that are asked for", () => {
  test("are made at once, while all else stands", () => {
    const { sim, slice, player } = played(1);
    player.pause();
    player.stepBlocks(2);
    player.stepBlocks(1);
    expect(player.pendingBlocks).toBe(3);
    expect([slice(), sim.height, player.pendingBlocks]).toEqual([NEVER, 3, 0]);
  });

  test("are given up one by one where the chain is halted", () => {
    const { sim, slice, player } = played();
    player.pause();
    sim.halted = true;
    player.stepBlocks(2);
    expect(slice()).toBe(NEVER);
    // The fourth round is for the second one.
    expect([sim.rounds, player.pendingBlocks]).toEqual([5, 0]);
  });

  test("are those of a step that is held, and none follows once it has ended", () => {
    const { sim, slice, player, step, tasks } = played(1);
    player.pause();
    step(2);
    slice();
    player.pause();
    expect([sim.rounds, tasks.isPaused]).toEqual([1, true]);
    player.stepBlocks(1);
    expect([slice(), sim.rounds, tasks.busy]).toEqual([NEVER, 2, true]);
  });

  test("begin the next beat of a story, whose step is held unless it goes on by itself", () => {
    const { slice, player, tell, step, tasks, sim } = played();
    player.playing = false;
    const story = tell({ continues: false });
    story.playBeat.mockImplementation(() => step(3, true));
    player.stepBlocks(1);
    slice();
    expect([story.playBeat.mock.calls.length, tasks.isPaused, sim.height]).toEqual([1, true, 1]);
    const next = played();
    next.player.playing = false;
    const goingOn = next.tell({ continues: true });
    goingOn.playBeat.mockImplementation(() => next.step(3, true));
    next.player.stepBlocks(1);
    next.slice();
    expect(next.tasks.isPaused).toBe(false);
  });

  test("do not hold a step of a story that is being told", () => {
    const { slice, player, tell, step, tasks, sim } = played(1);
    tell({ continues: false, tempo: 1 });
    step(5, true);
    slice();
    player.stepBlocks(1);
    slice();
    expect([sim.height, tasks.isPaused]).toEqual([2, false]);
  });

  test("are none any more once the story is over", () => {
    const { slice, player, tell, step, sim } = played();
    player.playing = false;
    const story = tell();
    story.playBeat.mockImplementation(() => {
      story.running = false;
      step(0, true);
    });
    player.stepBlocks(4);
    slice();
    expect([player.pendingBlocks, sim.rounds]).toEqual([0, 0]);
  });

  test("go on where there is no story that is told", () => {
    const { slice, player, tell, sim } = played();
    player.playing = false;
    tell({ running: false });
    player.stepBlocks(2);
    slice();
    expect(sim.height).toBe(2);
  });
});

describe("a step", () => {
  test("starts at once, and runs at the speed of the world, which stands beside it", () => {
    const { sim, slice, step, clock, ended } = played(4);
    slice();
    step(2);
    expect([slice(), sim.rounds]).toEqual([250, 2]);
    clock.time += 250;
    expect([slice(), sim.rounds, ended]).toEqual([250, 3, []]);
    clock.time += 250;
    // It ends, and the world continues.
    expect([slice(), sim.rounds, ended.length]).toEqual([250, 4, 1]);
  });

  test("that is held does not go on before it is let, nor does the world", () => {
    const { sim, slice, step, player, tasks } = played();
    player.pause();
    step(2);
    tasks.isPaused = true;
    expect([slice(), sim.rounds]).toEqual([NEVER, 0]);
    player.playing = true;
    expect([slice(), sim.rounds]).toEqual([NEVER, 0]);
    player.playing = false;
    player.play();
    expect([player.playing, tasks.isPaused]).toEqual([true, false]);
  });
});

describe("a story", () => {
  test("is told at its own speed while its steps run", () => {
    const { sim, slice, step, player, tell } = played(1);
    tell({ tempo: 8 });
    step(4, true);
    slice();
    expect([player.pace.storySpeed, sim.rounds]).toEqual([8, 1]);
    expect(slice()).toBe(125);
    player.live.tasks.abandon("", 0);
    slice();
    expect(player.pace.storySpeed).toBeUndefined();
  });

  test("has its next beat when it says, and no rounds between", () => {
    const { sim, slice, tell } = played();
    const story = tell();
    story.wait.mockReturnValue(700);
    expect([slice(), sim.rounds, story.playBeat.mock.calls.length]).toEqual([700, 0, 0]);
    expect(story.wait).toHaveBeenCalledWith(1000);
    story.wait.mockReturnValueOnce(0);
    expect(slice()).toBe(700);
    expect([sim.rounds, story.playBeat.mock.calls.length]).toEqual([0, 1]);
  });

  test("that waits for a person has the world stand still, also where it plays", () => {
    const { sim, slice, tell, player } = played();
    tell().wait.mockReturnValue(NEVER);
    expect([player.playing, slice(), sim.rounds]).toEqual([true, NEVER, 0]);
  });

  test("that waits for a person shows no rate of blocks", () => {
    const { slice, tell, player } = played();
    tell().wait.mockReturnValue(NEVER);
    player.pace.rate = 5;
    const { revision } = player;
    slice();
    expect([player.pace.rate, player.revision]).toEqual([0, revision + 1]);
  });

  test("that is over leaves the world to itself", () => {
    const { sim, slice, tell, clock } = played();
    tell({ running: false });
    clock.step = 1;
    expect([slice(5), sim.rounds > 0]).toEqual([0, true]);
  });

  test("is not asked when its next beat comes while a step runs", () => {
    const { slice, tell, step } = played(1);
    const story = tell();
    step(2);
    slice();
    expect(story.wait).not.toHaveBeenCalled();
  });

  test("rests with a pause, goes on by itself with play, and is left with a stop", () => {
    const { tell, player } = played();
    const story = tell();
    player.pause();
    expect([story.rest.mock.calls.length, player.playing]).toEqual([1, false]);
    player.play();
    expect([story.autoplay, player.playing]).toEqual([true, false]);
    player.stop();
    expect(story.leave).toHaveBeenCalledTimes(1);
    story.running = false;
    player.play();
    expect(player.playing).toBe(true);
  });
});

describe("a pause and a stop", () => {
  test("drop the blocks that were asked for; a pause holds a step, and a stop abandons it", () => {
    const { player, step, tasks, ended } = played();
    player.stepBlocks(3);
    step(3);
    player.pause();
    expect([player.pendingBlocks, player.playing, tasks.isPaused]).toEqual([0, false, true]);
    player.stepBlocks(3);
    player.stop();
    expect([player.pendingBlocks, player.stops, tasks.busy]).toEqual([0, 1, false]);
    expect(ended).toMatchObject([{ ok: false, message: "stopped", height: 0 }]);
    player.pause();
    expect(tasks.isPaused).toBe(false);
    player.stop();
    expect(player.stops).toBe(2);
  });
});

describe("an error of the engine", () => {
  test("is said, ends what runs and was asked for, and pauses", () => {
    const { player, sim, slice, step, ended, observer, woken } = played();
    slice(0);
    sim.failures.push(new CommandError("it does not go on"));
    player.stepBlocks(3);
    step(3);
    expect(slice()).toBe(NEVER);
    const text = "engine error: it does not go on";
    expect(ended).toMatchObject([{ ok: false, message: text }]);
    expect(observer.addNote.mock.calls).toEqual([[text, "error"]]);
    expect([player.playing, player.pendingBlocks, sim.rounds]).toEqual([false, 0, 0]);
    expect(woken).toHaveBeenCalled();
  });

  test("of a round that had begun counts as one", () => {
    const { player, sim, slice } = played();
    vi.spyOn(sim, "advance").mockImplementation(() => {
      sim.rounds += 1;
      throw new TypeError("a bug");
    });
    const took = vi.spyOn(player.pace, "took");
    slice();
    expect(took).toHaveBeenCalledTimes(1);
  });

  test("is no round where none was run", () => {
    const { player, sim, slice } = played();
    sim.failures.push(new TypeError("a bug"));
    const took = vi.spyOn(player.pace, "took");
    slice();
    expect(took).not.toHaveBeenCalled();
  });

  test("is other than a message, which is said as what it is", () => {
    const { player, observer, woken } = played();
    const { revision } = player;
    player.addNote("hello");
    player.addNote("no", "error");
    expect(observer.addNote.mock.calls).toEqual([
      ["hello", "info"],
      ["no", "error"],
    ]);
    expect([player.revision, woken.mock.calls.length]).toEqual([revision + 2, 2]);
  });
});

describe("a past that is read", () => {
  const part = { key: "block 3", height: 3, resident: () => undefined } as unknown as HistoryPart;
  const found = { block: 3 };

  /** A player whose rounds read history, and the loader of that. */
  function reading() {
    const all = played();
    all.player.playing = false;
    all.sim.reads = part;
    let resolve: (found: object) => void = () => {};
    let reject: (reason: object) => void = () => {};
    const loaded = new Promise<object>((...both) => {
      [resolve, reject] = both;
    });
    const load = vi.fn((_: HistoryPart) => loaded);
    all.player.load = load;
    all.player.stepBlocks(1);
    return { ...all, load, resolve, reject };
  }
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 8; i++) await Promise.resolve();
  };

  test("is opened, nothing done meanwhile, and stays open for one piece of work", async () => {
    const { player, sim, slice, load, resolve, woken } = reading();
    expect(slice()).toBe(NEVER);
    expect(slice()).toBe(NEVER);
    expect([sim.rounds, player.pendingBlocks, load.mock.calls]).toEqual([0, 1, [[part]]]);
    expect(woken).not.toHaveBeenCalled();
    const { revision } = player;
    resolve(found);
    await settled();
    expect([woken.mock.calls.length, player.revision]).toEqual([1, revision + 1]);
    player.stepBlocks(1);
    expect(slice()).toBe(NEVER);
    expect([sim.openIn, sim.rounds, player.pendingBlocks]).toEqual([[[found]], 1, 1]);
    expect(load).toHaveBeenCalledTimes(2);
    await settled();
    slice();
    expect([sim.openIn, sim.rounds, player.pendingBlocks]).toEqual([[[found], [found]], 2, 0]);
  });

  test("that cannot be loaded is not waited for: the next work is done without, and it alone", async () => {
    const { player, sim, slice, load, reject, woken } = reading();
    slice();
    reject(new Error("gone"));
    await settled();
    expect(woken).toHaveBeenCalledTimes(1);
    player.stepBlocks(1);
    expect(slice()).toBe(NEVER);
    expect([sim.openIn, sim.rounds, load.mock.calls.length]).toEqual([[[]], 1, 2]);
  });

  test.each(["resolve", "reject"] as const)(
    "is of no use to another world that has taken its place: %s",
    async (how) => {
      const { player, worldOf, woken, slice, ...rest } = reading();
      slice();
      const other = worldOf();
      player.begin(other.live);
      woken.mockClear();
      rest[how](found);
      await settled();
      expect(woken).not.toHaveBeenCalled();
      player.stepBlocks(1);
      slice();
      expect(other.sim.openIn).toEqual([[]]);
    },
  );

  test("is opened for a step before it begins, and for each of its rounds", async () => {
    const { player, sim, slice, step, load, resolve } = reading();
    player.stepBlocks(-1);
    resolve(found);
    step(2);
    expect([slice(), load.mock.calls.length]).toEqual([NEVER, 1]);
    for (let i = 0; i < 3; i++) {
      await settled();
      slice();
    }
    expect([sim.openIn, load.mock.calls.length]).toEqual([[[found], [found]], 3]);
  });

  test("is not opened where nothing loads it", () => {
    const { player, sim, slice } = reading();
    player.load = undefined;
    slice();
    expect(sim.openIn).toEqual([[]]);
  });
});

describe("a world that is brought back", () => {
  /** A replay of some rounds, which may wait for its entries. */
  function restoring(rounds: number, catchUpTo = 0) {
    const all = played();
    const { sim, live } = all.worldOf();
    const source = { waiting: false, ready: () => {}, done: 0 };
    const replay = {
      get waiting() {
        return source.waiting;
      },
      get done() {
        return source.done >= rounds;
      },
      get progress() {
        return source.done / rounds;
      },
      onReady: (ready: () => void) => {
        source.ready = ready;
      },
      step: vi.fn(() => {
        sim.advance();
        source.done += 1;
      }),
    };
    const restore = { replay, catchUpTo, replayed: vi.fn(), restored: vi.fn(), failed: vi.fn() };
    const begin = () => all.player.restore(live, restore as unknown as Restore);
    return { ...all, sim, live, source, replay, restore, begin };
  }

  test("is replayed at once, then stands still until it is released", () => {
    const { player, slice, sim, restore, begin, clock, live, woken } = restoring(3);
    expect(player.restoring).toBeUndefined();
    begin();
    expect([player.live, player.restoring, restore.replayed.mock.calls.length]).toEqual([
      live,
      0,
      0,
    ]);
    clock.step = 1;
    expect(slice(3)).toBe(0);
    expect(player.restoring).toBeCloseTo(2 / 3);
    expect(slice(20)).toBe(NEVER);
    expect([player.restoring, sim.rounds, player.playing]).toEqual([undefined, 3, true]);
    expect([restore.replayed, restore.restored].map(({ mock }) => mock.calls.length)).toEqual([
      1, 1,
    ]);
    expect(restore.failed).not.toHaveBeenCalled();
    player.stepBlocks(1);
    expect([slice(), sim.rounds]).toEqual([NEVER, 3]);
    woken.mockClear();
    player.release();
    expect(woken).toHaveBeenCalledTimes(1);
    expect([slice(5), sim.rounds > 3]).toEqual([0, true]);
  });

  test("waits while its journal is read, and goes on when that is there", () => {
    const { player, slice, sim, begin, source, woken } = restoring(2);
    begin();
    source.waiting = true;
    expect([slice(), sim.rounds]).toEqual([NEVER, 0]);
    woken.mockClear();
    source.waiting = false;
    source.ready();
    expect(woken).toHaveBeenCalledTimes(1);
    expect([slice(), sim.rounds, player.restoring]).toEqual([NEVER, 2, undefined]);
  });

  test("runs the step that was interrupted again, as fast as can be, up to where it was", () => {
    const { player, slice, sim, begin, restore, live, source } = restoring(2, 5);
    player.pace.speed = 1;
    const add = () =>
      live.tasks.add({
        ofStory: false,
        steps: [{ text: "", step: { verb: "9" } as ScenarioStep, index: 0 }],
        stepEnded() {},
        ended() {},
      });
    restore.replayed.mockImplementation(() => {
      add();
      // Reads for it no longer matter.
      source.waiting = true;
    });
    begin();
    expect(slice()).toBe(NEVER);
    expect([sim.rounds, live.tasks.busy]).toEqual([5, true]);
    expect(restore.restored).toHaveBeenCalledTimes(1);
  });

  test("is where it was though the step ends before", () => {
    const { slice, sim, begin, restore } = restoring(2, 5);
    begin();
    expect([slice(), sim.rounds, restore.restored.mock.calls.length]).toEqual([NEVER, 2, 1]);
  });

  test("that fails says so, and is not said to be an error of the engine", () => {
    const { player, slice, sim, begin, restore, live } = restoring(3);
    begin();
    const bug = new TypeError("a bug");
    restore.failed.mockImplementation(() => player.pause());
    sim.failures.push(bug);
    slice();
    expect(restore.failed.mock.calls).toEqual([[bug]]);
    expect(player.restoring).toBeUndefined();
    expect(live.observer.addNote).not.toHaveBeenCalled();
  });

  test("is given up where another world takes its place, as are its steps and what was asked for", () => {
    const { player, begin, restore, worldOf, slice, step, ended, woken } = restoring(3);
    player.stepBlocks(2);
    step(1);
    const { revision } = player;
    begin();
    const text = "another world has taken the place of this one";
    expect(ended).toMatchObject([{ ok: false, message: text }]);
    expect(player.pendingBlocks).toBe(0);
    expect(player.revision).toBe(revision + 2);
    slice(0);
    const other = worldOf();
    woken.mockClear();
    player.begin(other.live);
    expect(restore.failed.mock.calls).toEqual([[new Error(text)]]);
    expect([player.restoring, player.sim, woken.mock.calls.length]).toEqual([
      undefined,
      other.sim,
      1,
    ]);
    player.stepBlocks(1);
    player.playing = false;
    slice();
    expect(other.sim.height).toBe(1);
  });

  test("may stand, and another that begins does not", () => {
    const { player, begin, worldOf, slice } = restoring(1);
    begin();
    expect(slice()).toBe(NEVER);
    const other = worldOf();
    player.begin(other.live);
    player.playing = false;
    player.stepBlocks(1);
    slice();
    expect(other.sim.height).toBe(1);
  });

  test("reads its past for a piece of the replay, which is opened before", () => {
    const { player, begin, slice, sim } = restoring(2);
    const load = vi.fn((_: HistoryPart) => new Promise<object>(() => {}));
    begin();
    sim.reads = { key: "x", height: 1, resident: () => undefined } as unknown as HistoryPart;
    player.load = load;
    expect([slice(), load.mock.calls.length, sim.rounds]).toEqual([NEVER, 1, 0]);
  });
});
