import { setAddressPrefix } from "../base/bech32.ts";
import { equal } from "../base/bytes.ts";
import { errorText } from "../engine/framework/errors.ts";
import { readKeyframe } from "../engine/simulation/keyframe/keyframe.ts";
import type { HistorySource, Simulation } from "../engine/simulation/simulation.ts";
import type { EntryFeed } from "./history/entry-feed.ts";
import type { History } from "./history/history.ts";
import { endOf } from "./history/journal.ts";
import type { CompleteKeyframe } from "./history/keyframes.ts";
import { costs } from "./history/keys.ts";
import type { Start } from "./history/stored-history.ts";
import { observerState } from "./observer-bytes.ts";
import type { Player } from "./player.ts";
import { Replay } from "./replay.ts";
import { type Observed, type Origin, RunningWorld } from "./running-world.ts";
import { restoredResults } from "./save.ts";
import type { Head, Position, RewindTarget, WorldGenesis } from "./saved.ts";

/**
 * Blocks before a keyframe that are loaded before the world continues, and maximum pages of each
 * kind.
 */
const LOOKED_BACK = 20_000;
const PAGES_LOOKED_BACK = 8;

/** The result of restoring a world. */
export interface Restored {
  readonly live: RunningWorld;
  /**
   * True if the world's app hash differs from the saved one, or this version refuses its journal.
   */
  readonly differs: boolean;
  /** Reason why this version refuses an action of its journal; undefined if it refuses none. */
  readonly refused: string | undefined;
}

type Interpreter = typeof import("./interpreter.ts");

/**
 * Loads the parser for a world's file and its running steps; undefined for a world that has
 * neither.
 */
async function interpreterFor({ genesis, head }: History): Promise<Interpreter | undefined> {
  const needed = genesis.text !== "" || (head !== undefined && head.steps.length > 0);
  return needed ? import("./interpreter.ts") : undefined;
}

/** Purpose of restoring a world: to play it, or to query it in its saved state. */
export type Use = "play" | "read";

/**
 * Parses a scenario's file and the position in it; a file that no longer parses is dropped, as the
 * world does not need it.
 */
function originOf(
  { spec, text, file }: WorldGenesis,
  interpreter: Interpreter | undefined,
  until: number | undefined,
): Origin {
  const read = text === "" ? undefined : interpreter?.parseScenario(text, file);
  if (read === undefined || "problems" in read) {
    const scenario = { name: "", title: "", about: "", steps: [], spec };
    return { scenario, file: "", text: "" };
  }
  const steps = read.scenario.steps.slice(0, until);
  const scenario = { ...read.scenario, spec, steps };
  return { scenario, file, text, ...(until !== undefined && { until }) };
}

/**
 * Restores a stored world into a player: from the nearest keyframe that leads to the saved app
 * hash, otherwise from an older one or the genesis. Its history is then continued. Undefined if
 * another world was started meanwhile. Rejects if the storage fails.
 * @param wanted returns false once the world is no longer needed
 * @param back an earlier moment to rewind to, paused; later entries are removed
 */
export async function restoreWorld(
  player: Player,
  history: History,
  build: string,
  use: Use,
  wanted: () => boolean,
  back?: RewindTarget,
): Promise<Restored | undefined> {
  let shown = player.live;
  await history.checkHead();
  const plan = planOf(history, await interpreterFor(history), use, back);
  const without = new Set<string>();
  for (;;) {
    const start = await history.seek(
      plan.to,
      build,
      (keyframe) => observed(history, keyframe),
      without,
    );
    // Another world may have been active while this one was read.
    setAddressPrefix(plan.origin.scenario.spec.prefix);
    const live = new RunningWorld(
      plan.origin,
      restoredResults(plan.head?.results ?? []),
      start.at?.made,
    );
    live.restoredFrom = history;
    if (plan.interpreter && plan.origin.text !== "") live.story = new plan.interpreter.Story(live);
    const { height, pages } = live.sim;
    // The next blocks read history up to the maximum evidence age, and must not wait for a replay.
    if (start.at) {
      const near = (["blocks", "results"] as const).flatMap((kind) =>
        live.sim
          .missingPages({ kind, from: height - LOOKED_BACK, to: height })
          .slice(-PAGES_LOOKED_BACK),
      );
      await history.pages.read(near, build, (page, bytes) => pages.load(page, bytes));
    }
    if (player.live !== shown || !wanted()) return undefined;
    shown = live;
    const error = await play(player, live, plan, start, history);
    if (player.live !== live || !wanted()) return undefined;
    start.feed.check();
    const sound = error === undefined && isAsSaved(live.sim, plan, start.feed);
    if (!sound && start.at !== undefined) {
      without.add(start.at.key);
      continue;
    }
    if (start.feed.damage) history.damage.push(start.feed.damage);
    if (error === undefined) {
      const again = plan.again || back !== undefined;
      const last = back?.rounds;
      history.resume(start.feed.tail, pages.sealed, again && !start.feed.damage, last);
    } else await history.cutAt(live.sim.journalLength, pages.sealed);
    settle(player, live, plan, sound && !history.damage.some(costs));
    const refused = error === undefined ? undefined : errorText(error);
    return { live, differs: !sound, refused };
  }
}

interface Plan {
  readonly interpreter: Interpreter | undefined;
  readonly origin: Origin;
  readonly head: Head | undefined;
  /** End position of the replay. */
  readonly to: Position;
  /** True if a step runs again after the replay, up to its saved position. */
  readonly again: boolean;
  readonly use: Use;
}

function planOf(
  history: History,
  interpreter: Interpreter | undefined,
  use: Use,
  back: RewindTarget | undefined,
): Plan {
  const { genesis, head: newest, isOutdated } = history;
  const origin = originOf(genesis, interpreter, newest?.story?.until);
  // An outdated head does not contain the playing state after the last actions.
  const last = isOutdated ? undefined : newest;
  const head = back && newest ? headAt(newest, back) : last;
  const everything = {
    rounds: history.roundsWith(Number.POSITIVE_INFINITY),
    entries: Number.MAX_SAFE_INTEGER,
  };
  if (head === undefined) return { interpreter, origin, head, to: everything, again: false, use };
  const again = use === "play" && head.began !== undefined && canRunAgain(head, origin);
  const { rounds, entries } = again && head.began ? head.began : head;
  return { interpreter, origin, head, to: { rounds, entries }, again, use };
}

/** The head of a world as of an earlier moment. */
function headAt({ began: _, ...head }: Head, back: RewindTarget): Head {
  const waits = { playing: false, held: false, blocks: 0, steps: [], appHash: new Uint8Array() };
  return { ...head, ...waits, ...back };
}

/** True if the step that was running is still available: the story's, or one from a file. */
const canRunAgain = ({ story, steps }: Head, origin: Origin): boolean =>
  steps.length > 0 || (story?.state === "running" && origin.text !== "");

function observed({ genesis }: History, keyframe: CompleteKeyframe): Observed {
  const { simulation, observer, pack } = keyframe;
  const past: HistorySource = {};
  const sim = readKeyframe(genesis.spec, simulation, past, undefined, pack);
  return { sim, historySource: past, state: observerState(observer) };
}

/** Replays a world to its saved position. Resolves to the error if that fails. */
function play(
  player: Player,
  live: RunningWorld,
  plan: Plan,
  { feed }: Start<Observed>,
  history: History,
): Promise<unknown> {
  const { head, to, again, use } = plan;
  const rounds = (): number => {
    const { tail, damage, failed } = feed;
    // The page reads the progress at any time; the error is thrown at the end of the replay.
    if (failed) return 0;
    return damage ? history.roundsWith(endOf(tail)) : to.rounds;
  };
  return new Promise((resolve) => {
    player.restore(live, {
      replay: new Replay(live.sim, feed, rounds),
      catchUpTo: again ? (head?.rounds ?? 0) : 0,
      replayed: () => {
        feed.check();
        if (use === "read") return;
        const whole = feed.damage === undefined && (again || head?.began === undefined);
        if (!head || !whole || to.entries === Number.MAX_SAFE_INTEGER) return;
        if (again && head.began) live.tasks.runAgain(head.began);
        resumeSteps(live, head, plan);
      },
      restored() {
        // The world is paused until it was compared with its save.
        player.playing = false;
        live.tasks.isPaused = live.tasks.busy;
        resolve(undefined);
      },
      failed: (error) => resolve(error ?? new Error("it failed")),
    });
  });
}

/** Runs the story and the steps that were running or waiting again. */
function resumeSteps(live: RunningWorld, { story, steps }: Head, { interpreter }: Plan): void {
  if (story) live.story?.resume(story);
  const sound = steps.flatMap((text) => {
    const read = interpreter?.readSteps(text, live.context);
    return read && "steps" in read ? read.steps : [];
  });
  live.runSteps(sound, () => {});
}

function isAsSaved(sim: Simulation, { head, to }: Plan, feed: EntryFeed): boolean {
  if (feed.damage !== undefined || head === undefined) return true;
  if (to.entries === Number.MAX_SAFE_INTEGER) return true;
  if (sim.rounds !== head.rounds) return false;
  // Saves of earlier versions have neither.
  return (
    head.appHash.length === 0 || (sim.height === head.height && equal(sim.appHash, head.appHash))
  );
}

/**
 * Restores speed and pause. A world that differs from its save stays paused until the user has seen
 * that.
 */
function settle(player: Player, live: RunningWorld, { head }: Plan, asSaved: boolean): void {
  player.playing = asSaved && (head?.playing ?? false);
  player.pace.speed = head?.speed ?? player.pace.speed;
  if (asSaved && head && head.blocks > 0) player.stepBlocks(head.blocks);
  live.tasks.isPaused = live.tasks.busy && (!asSaved || (head?.held ?? false));
  player.changed();
}
