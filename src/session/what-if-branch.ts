/** A what-if branch: replays the commands of a world in one that differs in a single value. */

import { WORLD_NAME, WORLD_NOTE } from "../base/limits.ts";
import { CommandError, errorText, STATUS, StatusError } from "../engine/framework/errors.ts";
import type { Command, JournalEntry } from "../engine/simulation/command.ts";
import type { HistoryRanges } from "../engine/simulation/history-range.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { changeableValues, changedGenesis } from "../scenario/changed-genesis.ts";
import { commandText } from "../scenario/format-command.ts";
import { offeredValues } from "./beginning-values.ts";
import { beside, type Open } from "./comparing/opened-world.ts";
import type { History } from "./history/history.ts";
import type { Host, Storage } from "./history/storage.ts";
import type { OpenHistory } from "./open-history.ts";
import { openHistory } from "./open-history.ts";
import type { RunningWorld } from "./running-world.ts";
import { nameOf } from "./saver.ts";
import type { SessionOfWorlds } from "./worlds.ts";

/** Time slice per iteration, and interval of saves, in ms. */
const SLICE_MS = 8;
const SAVED_EVERY_MS = 500;
/** Maximum commands with a different result that are listed, and that are listed in the note. */
const NAMED = 200;
const NAMED_IN_NOTE = 5;
const INTERRUPTED = "It was left before all commands were given again.";

type Forked = LabAnswer<"forkWorld">;
type Refused = Forked["refused"][number];

/** The parent world. */
export interface ParentWorld {
  readonly live: RunningWorld;
  readonly history: History | undefined;
  /** The world at the end of the height up to which its commands are replayed. */
  readonly at: Simulation;
  /** All of its commands, from the first on. */
  readonly commands: AsyncIterable<JournalEntry>;
  /** The history of the world at that height. */
  readonly opened: OpenHistory;
}

export interface Tools {
  readonly storage: Storage;
  readonly host: Host;
  readonly open: Open;
  /** @param done progress, 0 to 1 */
  readonly progress: (done: number) => void;
  /** Returns true while the caller waits for it. */
  readonly wanted: () => boolean;
}

/** Genesis settings that a branch of a world can override, with their current values. */
export function genesisAnswer({ sim }: RunningWorld): LabAnswer<"getBeginning"> {
  return { values: offeredValues(sim.spec, sim.binaries()) };
}

/**
 * Creates a world with one changed value, replays the commands of its parent, and saves it. Rejects
 * with a StatusError, and leaves no world behind, if the value is refused, it cannot be saved, or
 * the caller has gone.
 */
export async function branchWhatIf(
  from: ParentWorld,
  { name = "", note = "", other }: LabRequest<"forkWorld">,
  tools: Tools,
): Promise<Forked> {
  const { storage, host, open, wanted } = tools;
  checkWanted(wanted);
  const { sim, origin } = from.live;
  const value = { name: "", value: "", ...other };
  const origin2 = changedWorld();
  const play = beside(storage, host, open);
  const { session, worlds } = play;
  const before = changeableValues(sim.spec).find((one) => one.name === value.name)?.value ?? "";
  const whole = from.history?.name || nameOf(from.live);
  const suffix = `, ${value.name.replace(/^.*\./, "").replaceAll("_", " ")} ${value.value}`;
  const parent = from.history && { world: from.history.id, height: sim.initialHeight - 1 };
  const world = await worlds.create(
    origin2,
    name || whole.slice(0, Math.max(0, WORLD_NAME - suffix.length)) + suffix.slice(0, WORLD_NAME),
    { note: INTERRUPTED, ...(parent && { parent }) },
  );
  try {
    session.player.pause();
    const { live } = session.player;
    const input = new CommandReplay(live, from.at, () => openHistory(session, live));
    await replayCommands(input, from, play, tools);
    const { height } = session.sim;
    const { refused, refusals, commands } = await from.opened.read(() => input.ended());
    const told = noteOf(value.name, value.value, before, height, from.at.height, refused, refusals);
    await worlds.annotate(world, `${note === "" ? "" : `${note}\n`}${told}`.slice(0, WORLD_NOTE));
    await save(play);
    await worlds.close();
    return { world, height, commands, refused: [...refused], refusals };
  } catch (error) {
    // The first failure is the one reported.
    await worlds.close().catch(() => {});
    await worlds.erase(world).catch(() => {});
    throw error;
  }

  function changedWorld() {
    try {
      const { text, file, scenario } = origin;
      const began = { spec: sim.spec, text, file, title: scenario.title };
      return changedGenesis(began, sim.binaries(), value);
    } catch (error) {
      throw new StatusError(STATUS.invalidArgument, errorText(error));
    }
  }
}

/** Throws a StatusError once the caller no longer waits for the branch. */
function checkWanted(wanted: () => boolean): void {
  if (!wanted()) throw new StatusError(STATUS.cancelled, "the branch was given up: there is none");
}

/** Replays all commands up to the parent's position, and runs on to its height, in slices. */
async function replayCommands(
  input: CommandReplay,
  { at, commands }: ParentWorld,
  play: SessionOfWorlds,
  { host: { clock, delay }, progress, wanted }: Tools,
): Promise<void> {
  const { player } = play.session;
  let [end, savedAt] = [clock() + SLICE_MS, clock()];
  const rest = async (): Promise<void> => {
    if (clock() < end) return;
    progress(input.progress);
    if (clock() >= savedAt + SAVED_EVERY_MS) {
      player.changed();
      await save(play);
      savedAt = clock();
    }
    await delay(0);
    checkWanted(wanted);
    end = clock() + SLICE_MS;
  };
  let taken = 0;
  if (at.journalLength > 0) {
    for await (const entry of commands) {
      for await (const _ of input.replay(entry)) await rest();
      taken += 1;
      if (taken === at.journalLength) break;
    }
  }
  if (taken < at.journalLength) {
    throw new Error(`only ${taken} of the ${at.journalLength} things done can be read`);
  }
  for await (const _ of input.runOn()) await rest();
  player.changed();
}

async function save({ save: write, saving }: SessionOfWorlds): Promise<void> {
  await write();
  if (saving.state !== "unsaved") return;
  throw new StatusError(
    STATUS.unavailable,
    saving.notices.at(-1)?.text ?? "the branch cannot be saved",
  );
}

/** Position of a world at the time of an action. */
interface Moment {
  readonly height: number;
  /** Rounds since its last block. */
  readonly idle: number;
}

interface Sent {
  readonly height: number;
  readonly command: Command;
  readonly hash: Uint8Array;
}

/**
 * A world that replays the commands of another one: each at its original height, after the same
 * number of rounds without a block; if the world is behind, in the same round.
 */
class CommandReplay {
  readonly #live: RunningWorld;
  readonly #parent: Simulation;
  readonly #open: () => OpenHistory;
  /** Follows the parent where heights do not follow from rounds. */
  readonly #followed: Simulation | undefined;
  #followedIdle = 0;
  #idle = 0;
  #commands = 0;
  #refusals = 0;
  readonly #refused: Refused[] = [];
  readonly #sent: Sent[] = [];

  /** @param open opens the history of `live` for one change */
  constructor(live: RunningWorld, parent: Simulation, open: () => OpenHistory) {
    this.#live = live;
    this.#parent = parent;
    this.#open = open;
    this.#followed = parent.uneven === 0 ? undefined : Simulation.create(parent.spec, {});
  }

  /** 0 to 1. */
  get progress(): number {
    const { rounds } = this.#live.sim;
    return this.#parent.rounds === 0 ? 1 : Math.min(1, rounds / this.#parent.rounds);
  }

  /** Runs to the position of a command, and applies it. Yields after every round. */
  async *replay({ at, command }: JournalEntry): AsyncGenerator<void, void> {
    yield* this.#follow(at);
    yield* this.#runTo(at, this.#momentAt(at));
    const { sim, observer } = this.#live;
    const { height } = sim;
    this.#commands += 1;
    orBug(() => this.#followed?.apply(command));
    // Skipped if the world's genesis already has that binary.
    if (command.type === "binary" && sim.binaries().some(isNamed(command.binary.name))) return;
    const history = await this.#opened(command);
    try {
      const { txHash: hash } = history.with(() => orBug(() => sim.apply(command))) ?? {};
      if (hash !== undefined) this.#sent.push({ height, command, hash });
    } catch (error) {
      this.#refuse(height, command, errorText(error));
    }
    observer.observe();
  }

  /** Runs to the parent's position. Yields after every round. */
  async *runOn(): AsyncGenerator<void, void> {
    const { rounds, height } = this.#parent;
    yield* this.#runTo(rounds, { height, idle: 0 });
  }

  /** Counts the commands, and lists the refused ones. */
  *ended(): HistoryRanges<{ refused: readonly Refused[]; refusals: number; commands: number }> {
    for (const { height, command, hash } of this.#sent) {
      const now = this.#live.sim.tx(hash, height);
      if (now?.code === 0) continue;
      const then = yield* this.#parent.searchTx(hash);
      if (then?.code === now?.code && then?.codespace === now?.codespace) continue;
      this.#refuse(height, command, now?.log ?? "it came into no block");
    }
    const refused = this.#refused.toSorted((a, b) => a.height - b.height).slice(0, NAMED);
    return { refused, refusals: this.#refusals, commands: this.#commands };
  }

  #refuse(height: number, command: Command, why: string): void {
    this.#refusals += 1;
    if (this.#refused.length < NAMED) {
      this.#refused.push({ height, command: commandText(command), why });
    }
  }

  *#follow(rounds: number): Generator<void, void> {
    const parent = this.#followed;
    while (parent !== undefined && parent.rounds < rounds) {
      const { height } = parent;
      orBug(() => parent.advance());
      this.#followedIdle = parent.height > height ? 0 : this.#followedIdle + 1;
      yield;
    }
  }

  #momentAt(rounds: number): Moment {
    if (this.#followed) return { height: this.#followed.height, idle: this.#followedIdle };
    return { height: this.#parent.initialHeight - 1 + rounds, idle: 0 };
  }

  /** Opens what a command, or the next round, reads of the branch's past. */
  async #opened(command?: Command): Promise<OpenHistory> {
    const history = this.#open();
    await history.openAll(this.#live.sim.readBy(command));
    return history;
  }

  async *#runTo(rounds: number, { height, idle }: Moment): AsyncGenerator<void, void> {
    const { sim, observer } = this.#live;
    const last = this.#parent.height;
    const isThere = (): boolean =>
      sim.height > height || (sim.height === height && (this.#idle >= idle || height === last));
    while (sim.rounds < rounds && !isThere()) {
      const before = sim.height;
      const history = await this.#opened();
      history.with(() => orBug(() => sim.advance()));
      observer.observe();
      this.#idle = sim.height > before ? 0 : this.#idle + 1;
      yield;
    }
  }
}

const isNamed =
  (name: string) =>
  (one: { readonly name: string }): boolean =>
    one.name === name;

/**
 * Runs a function that may fail by a bug of the simulator, which leaves the world as the bug does.
 * Throws a refusal.
 */
function orBug<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return undefined;
  }
}

function noteOf(
  name: string,
  value: string,
  before: string,
  height: number,
  wanted: number,
  refused: readonly Refused[],
  refusals: number,
): string {
  const ends = height < wanted ? ` It came to block ${height} of ${wanted}.` : "";
  if (refusals === 0) return `The same commands with ${name} ${value} instead of ${before}.${ends}`;
  const named = refused
    .slice(0, NAMED_IN_NOTE)
    .map((one) => `${one.command} (at ${one.height}): ${one.why}`);
  const more = refusals > named.length ? `; and ${refusals - named.length} more` : "";
  return `The same commands with ${name} ${value} instead of ${before}.${ends} Otherwise than before ended: ${named.join("; ")}${more}.`;
}
