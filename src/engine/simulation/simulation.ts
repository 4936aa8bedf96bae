import { setAddressPrefix } from "../../base/bech32.ts";
import { CommandError } from "../framework/errors.ts";
import type { Command, JournalEntry } from "./command.ts";
import { Commands } from "./commands.ts";
import type { WorldSpec } from "./genesis/world-spec.ts";
import { HistoryLostError, type HistoryRanges, type OpenedHistory } from "./history-range.ts";
import { RequiredHistory } from "./required-history.ts";
import { SimulationViews } from "./simulation-views.ts";
import type { CommandResult, InjectedFaultsView, RoundResult } from "./views.ts";
import type { HistoryPart } from "./world-history.ts";
import { type Residence, USUAL_RESIDENCE, withAllPages } from "./world-pages.ts";

/**
 * Source of a world's evicted history: its commands, and a world to replay from that is nearer than
 * genesis. Affects only the duration of a query.
 */
export interface HistorySource {
  /** Commands from a number on; if absent, those still in the journal are used. */
  journal?(from: number): Iterable<JournalEntry>;
  /**
   * A world of the same spec and journal at or below a height; if absent, replay starts at genesis.
   */
  below?(height: number): Simulation | undefined;
  /** Loads a part of the history from the world of which this one is a copy. */
  recall?<T extends object>(part: HistoryPart<T>): T;
}

/**
 * One world: commands in, blocks, events and steps out. The spec and the journal determine it
 * completely: they give the same app hash at every height, everywhere.
 */
export class Simulation extends SimulationViews {
  readonly #commands: Commands;
  readonly #needed: RequiredHistory;
  /** Entries from number `#journalStart` on. */
  #journal: JournalEntry[] = [];
  #journalStart = 0;
  #rounds = 0;
  #revision = 0;
  #uneven = 0;
  #lastIssued: LastIssued | undefined;
  readonly #residence: Residence;
  readonly #source: HistorySource;
  /** Cached until the next round: history is mostly queried repeatedly. */
  #replayedWorld: ReplayedWorld | undefined;
  /** Parts of the history opened for the current reader. */
  #opened: OpenedHistory = NOTHING_OPENED;
  /** Last block before the current change. */
  #changing: LastBlock | undefined;
  /** Same, if that change failed halfway and cannot be completed. */
  #lost: LastBlock | undefined;

  /**
   * Throws with a clear message if the genesis is invalid.
   * @param source source of evicted history; without one no page is ever evicted
   */
  static create(spec: WorldSpec, source?: HistorySource, residence?: Residence): Simulation {
    return new Simulation(spec, undefined, source, residence);
  }

  /**
   * Restores a world from a keyframe's state; its journal starts where the keyframe's journal
   * ended.
   */
  static restore(
    spec: WorldSpec,
    stored: Simulation["persisted"],
    source?: HistorySource,
    residence?: Residence,
  ): Simulation {
    return new Simulation(spec, stored, source, residence);
  }

  private constructor(
    spec: WorldSpec,
    stored?: Simulation["persisted"],
    source?: HistorySource,
    residence: Residence = USUAL_RESIDENCE,
  ) {
    super(spec, source === undefined ? withAllPages(residence) : residence, stored?.[0]);
    this.#source = source ?? {};
    this.#residence = residence;
    const stateAt = (height: number) => this.stateAt(height);
    this.#needed = new RequiredHistory(this.world);
    this.#commands = new Commands(this.world, stateAt, this.#needed);
    if (stored === undefined) return;
    [, this.#commands.persisted, this.#rounds, this.#revision, this.#journalStart, this.#uneven] =
      stored;
    this.#lastIssued = stored[6];
  }

  /** State stored in keyframes. */
  get persisted() {
    const { storableViews, journalLength } = this;
    const commands = this.#commands.persisted;
    return [
      ...([storableViews, commands, this.#rounds, this.#revision] as const),
      ...([journalLength, this.#uneven, this.#lastIssued] as const),
    ] as const;
  }

  /**
   * Executes a command and adds it to the journal. Throws an Error with a clear message, and
   * changes nothing, if it is not valid in this world. A command that fails because of a simulator
   * bug is added too: the world may have changed.
   */
  apply(command: Command): CommandResult {
    const entry = { at: this.#rounds, command };
    this.#settle(command);
    try {
      const result = this.#change(0, () => this.#commands.perform(command));
      this.#note(entry);
      return result;
    } catch (error) {
      if (!(error instanceof CommandError)) this.#note(entry);
      throw error;
    }
  }

  /** Executes commands that belong together: the history they read is loaded before the first. */
  applyAll(commands: readonly Command[]): readonly CommandResult[] {
    for (const command of commands) this.#settle(command);
    return commands.map((command) => this.apply(command));
  }

  #note(entry: JournalEntry): void {
    this.#journal.push(entry);
    this.#revision += 1;
    const { command } = entry;
    const { height } = this;
    const before = this.#lastIssued?.height === height ? this.#lastIssued.count : 0;
    this.#lastIssued = { command, height, count: before + 1 };
  }

  /** Runs one consensus round, which may or may not produce a block. */
  advance(): RoundResult {
    this.#settle();
    return this.#change(1, () => {
      this.#replayedWorld = undefined;
      this.#rounds += 1;
      this.#revision += 1;
      this.#commands.beforeRound();
      const decided = this.world.chains.advance();
      this.world.sidecars.run();
      return { decided };
    });
  }

  /**
   * Changes the world. Throws HistoryLostError, after which the world cannot change, if a change cannot be
   * completed.
   * @param blocks number of blocks it usually adds
   */
  #change<T>(blocks: number, change: () => T): T {
    setAddressPrefix(this.spec.prefix);
    this.#checkComplete();
    const next = this.height + blocks;
    const before = this.#rounds;
    this.#changing = this.network.ledger.head;
    try {
      const result = change();
      this.#checkComplete();
      return result;
    } finally {
      if (this.height !== next) this.#uneven += 1;
      this.#changing = undefined;
      if (this.#lost !== undefined) this.#rounds = before;
    }
  }

  #checkComplete(): void {
    if (!this.isComplete) throw new HistoryLostError();
  }

  /** True if every change was completed; otherwise the world can no longer change. */
  get isComplete(): boolean {
    return this.#lost === undefined;
  }

  /** Last block with a consistent state. */
  get lastBlock(): LastBlock {
    return this.#lost ?? this.network.ledger.head;
  }

  // ——— the past ———

  /**
   * Reads or changes something with the history that was opened for it. Any other history is
   * replayed at once.
   */
  with<T>(opened: OpenedHistory, act: () => T): T {
    setAddressPrefix(this.spec.prefix);
    const before = this.#opened;
    this.#opened = opened;
    try {
      return act();
    } finally {
      this.#opened = before;
    }
  }

  /** Ranges that a command or the next round reads, as far as they can be predicted. */
  readBy(command?: Command, ahead = true): HistoryRanges {
    return command === undefined ? this.#needed.round(ahead) : this.#needed.command(command, ahead);
  }

  /** Ranges that reading a node's files needs. */
  readByFiles(node: string): HistoryRanges {
    return this.#needed.files(this.world.node(node));
  }

  /** Loads the history that a change reads. */
  #settle(command?: Command): void {
    this.settle();
    for (const range of this.readBy(command, false)) this.loadRange(range);
  }

  protected override recall<T extends object>(part: HistoryPart<T>): T {
    const opened = this.#opened.get(part.key);
    if (opened !== undefined) return opened as T;
    if (part.hash !== undefined) return part.read(this) as T;
    if (this.#source.recall !== undefined) return this.#source.recall(part);
    try {
      return this.#replayed(part);
    } catch (error) {
      this.#lost = this.#changing;
      throw error;
    }
  }

  #replayed<T extends object>(part: HistoryPart<T>): T {
    const { height } = part;
    const known = this.#replayedWorld;
    const near = known && (part.page || known.sim.height <= height) ? known : undefined;
    let past = near ?? this.#replayFrom(height);
    let taken = part.read(past.sim);
    if (taken === "gone" && past === near) {
      past = this.#replayFrom(height);
      taken = part.read(past.sim);
    }
    for (; taken === "later"; taken = part.read(past.sim)) {
      if (past.sim.rounds > this.#rounds) throw new Error(`the past has no height ${height}`);
      past.step();
    }
    if (taken === "gone") throw new Error(`the past begins above height ${height}`);
    this.#replayedWorld = past;
    return taken;
  }

  /** Returns a world below a height, to be replayed up to it. */
  #replayFrom(height: number): ReplayedWorld {
    const sim = this.#source.below?.(height) ?? Simulation.create(this.spec, {}, this.#residence);
    return new ReplayedWorld(sim, this.#journalFrom(sim.journalLength));
  }

  #journalFrom(number: number): Iterable<JournalEntry> {
    return this.#source.journal?.(number) ?? this.entriesInMemory(number);
  }

  /**
   * Options for copies of this world in its current state: they read history from this one.
   * @param inMemory whether a copy throws a CommandError for a part that is not in memory
   */
  forCopies(inMemory: boolean): readonly [HistorySource, Residence] {
    const recall = <T extends object>(part: HistoryPart<T>): T => {
      const resident = part.page && (this.pages.resident(part.page) as T | undefined);
      if (resident !== undefined) return resident;
      if (inMemory) throw new CommandError(`it needs ${part.key}, which is not in memory`);
      return this.recall(part);
    };
    return [{ recall }, withAllPages(this.#residence)];
  }

  /** Rounds run since genesis; journal entries are dated by it. */
  get rounds(): number {
    return this.#rounds;
  }
  /**
   * Number of rounds that did not produce exactly one block, plus commands that produced blocks. If
   * it is equal at two moments, each round between them produced one block.
   */
  get uneven(): number {
    return this.#uneven;
  }
  /** Issued commands, from number `journalStart` on. */
  get journal(): readonly JournalEntry[] {
    return this.#journal;
  }
  /** Number of earlier commands that the journal omits: those before a keyframe, or released. */
  get journalStart(): number {
    return this.#journalStart;
  }
  /** Commands from a number on. Throws a CommandError unless all of them are in memory. */
  entriesInMemory(from: number): readonly JournalEntry[] {
    if (from >= this.#journalStart) return this.#journal.slice(from - this.#journalStart);
    throw new CommandError(
      "what lies so far back is not in memory, nor the commands that led there",
    );
  }
  /** Number of commands since genesis. */
  get journalLength(): number {
    return this.#journalStart + this.#journal.length;
  }
  /**
   * Last command; undefined before the first. Available without the journal, which may be stored
   * elsewhere.
   */
  get lastIssued(): LastIssued | undefined {
    return this.#lastIssued;
  }
  /** Releases the commands numbered below `end`, once they are stored elsewhere. */
  releaseJournal(end: number): void {
    const released = Math.min(Math.max(end - this.#journalStart, 0), this.#journal.length);
    this.#journal = this.#journal.slice(released);
    this.#journalStart += released;
  }
  /** Incremented by every round and every command. */
  get revision(): number {
    return this.#revision;
  }

  /** Injected faults, including those planned for later heights, and chaos. */
  faults(): InjectedFaultsView {
    return this.#commands.faults();
  }

  /**
   * Voting power of a node's validator at a height; undefined if it is not in the set. For a height
   * without a block the next set is used.
   */
  powerAt(node: string, height: number): number | undefined {
    return this.#commands.powerAt(node, height);
  }
}

/** The last command of a world. */
export interface LastIssued {
  readonly command: Command;
  /** Newest height when it was issued. */
  readonly height: number;
  /** Number of commands at that height. */
  readonly count: number;
}

interface LastBlock {
  readonly height: number;
  readonly appHash: Uint8Array;
}

const NOTHING_OPENED: OpenedHistory = new Map();

/** A second world of the same spec and journal, replayed through the history of the first. */
class ReplayedWorld {
  readonly sim: Simulation;
  readonly #entries: Iterator<JournalEntry>;
  #next: JournalEntry | undefined;

  /** @param entries commands from the next one of this world on */
  constructor(sim: Simulation, entries: Iterable<JournalEntry>) {
    this.sim = sim;
    this.#entries = entries[Symbol.iterator]();
    this.#next = this.#entries.next().value;
  }

  /** Replays one command or one round. */
  step(): void {
    const entry = this.#next;
    if (entry === undefined || entry.at > this.sim.rounds) {
      this.sim.advance();
      return;
    }
    this.#next = this.#entries.next().value;
    try {
      this.sim.apply(entry.command);
    } catch (error) {
      // A command that failed because of a simulator bug fails again, with the same effect on the
      // world.
      if (error instanceof CommandError) throw error;
    }
  }
}
