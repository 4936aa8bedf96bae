/** Exports heights of the played chain as a file for other programs, in bounded parts. */

import { STATUS, StatusError } from "../engine/framework/errors.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { CHAIN_TABLES, headOf, rowsOf } from "../view/lab/export/csv.ts";
import { TraceWriter } from "../view/lab/export/trace.ts";
import { openBlocks } from "../view/lab/reading.ts";
import type { Host } from "./history/storage.ts";
import { HistoryLoader } from "./history-loader.ts";
import { openHistory } from "./open-history.ts";
import type { QueriedSession } from "./query.ts";
import { roundsTo } from "./replay.ts";
import { type ReplayCursor, type ReplaySource, startReplay } from "./replay-cursor.ts";
import type { RunningWorld } from "./running-world.ts";

type Request = LabRequest<"exportChain">;
type Part = LabAnswer<"exportChain">;

/** Time slice per iteration, in ms. */
const SLICE_MS = 16;
/** A part is returned after this time, or this many characters. */
const PART_MS = 400;
const PART_CHARACTERS = 1_000_000;
/** Blocks of a table that are read at once. */
const BLOCKS_AT_ONCE = 64;
/** Rounds or blocks between two checks of the clock. */
const ROUNDS_AT_ONCE = 16;

/** The session's world with its stored history. */
export type Exported = Pick<ReplaySource, "live" | "history">;

/** Common properties of all parts of one file. */
interface FilePart {
  readonly from: number;
  readonly to: number;
  readonly file: string;
}

/** Position at which the next part of a trace continues. */
interface TracePosition {
  /**
   * True once the head of the file is written: until then the world is replayed to the first
   * height.
   */
  readonly isStarted: boolean;
  /** Rounds that the world has run; the commands after them belong to the next part. */
  readonly rounds: number;
  /** Rounds of the played world when the first part was requested: later ones are left out. */
  readonly until: number;
}

/**
 * Writes files in parts. A table is read from the blocks. For a trace a second world is replayed
 * through the heights, since the world itself stores only the newest activity of nodes and rounds;
 * the replay pauses where the last part ended.
 */
export class ChainExporter {
  readonly #session: QueriedSession;
  readonly #host: Pick<Host, "clock" | "delay" | "build">;
  readonly #exported: () => Exported;
  readonly #reader: HistoryLoader;
  /**
   * The world that was replayed last, its rounds, and the writer of the trace if it has started.
   */
  #replayed:
    | { readonly cursor: ReplayCursor; readonly writer: TraceWriter | undefined }
    | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: QueriedSession, host: Host, exported: () => Exported) {
    this.#session = session;
    this.#host = host;
    this.#exported = exported;
    this.#reader = new HistoryLoader(host);
  }

  /**
   * Exports one part at a time. Rejects with a StatusError for heights or parts that do not exist.
   */
  part(request: Request): Promise<Part> {
    const part = this.#last.then(() => this.#part(request));
    this.#last = part.catch(() => {});
    return part;
  }

  #part({ what = "", from = 0, to = 0, after = "" }: Request): Promise<Part> {
    const { live } = this.#exported();
    const place = placeOf(after, live);
    const whole = wholeOf(live.sim, { what, from, to: place?.to ?? to });
    if (what === "trace") return this.#trace(whole, live, place?.trace);
    const table = CHAIN_TABLES[what as keyof typeof CHAIN_TABLES];
    return this.#table(whole, live, table, place?.height);
  }

  // ——— tables ———

  async #table(
    whole: FilePart,
    live: RunningWorld,
    table: (typeof CHAIN_TABLES)[keyof typeof CHAIN_TABLES],
    done = 0,
  ): Promise<Part> {
    const texts = done === 0 ? [headOf(table)] : [];
    const end = this.#host.clock() + PART_MS;
    let next = Math.max(whole.from, done + 1);
    for (let characters = 0; next <= whole.to && characters < PART_CHARACTERS; ) {
      if (this.#host.clock() > end) break;
      const last = Math.min(next + BLOCKS_AT_ONCE - 1, whole.to);
      const text = await openHistory(this.#session, live).read(function* () {
        yield* openBlocks(next, last);
        let rows = "";
        for (let height = next; height <= last; height++) rows += rowsOf(table, live.sim, height);
        return rows;
      });
      texts.push(text);
      characters += text.length;
      next = last + 1;
      await this.#host.delay(0);
    }
    const isLast = next > whole.to;
    return {
      ...{ ...whole, text: texts.join(""), height: next - 1 },
      next: isLast ? "" : nameOf(live, { to: whole.to, height: next - 1, trace: NO_TRACE }),
    };
  }

  // ——— traces ———

  async #trace(whole: FilePart, live: RunningWorld, at?: TracePosition): Promise<Part> {
    const { history } = this.#exported();
    const isPlayed = () => this.#exported().live === live;
    const source: ReplaySource = { live, history, wanted: isPlayed, progress: () => {} };
    const before = whole.from - 1;
    const { until, ...place } = at ?? { isStarted: false, rounds: 0, until: live.sim.rounds };
    const cursor = await this.#worldAt(source, place, at === undefined ? before : undefined);
    const { sim } = cursor;
    const texts: string[] = [];
    let writer = place.isStarted ? (this.#writerOf(cursor) ?? new TraceWriter(sim)) : undefined;
    let characters = 0;
    const write = (text: string): void => {
      texts.push(text);
      characters += text.length;
    };
    const begin = (): TraceWriter => {
      const started = new TraceWriter(sim);
      write(started.begin());
      return started;
    };
    this.#replayed = undefined;
    const end = this.#host.clock() + PART_MS;
    let slice = this.#host.clock() + SLICE_MS;
    let isLast = false;
    for (let rounds = sim.rounds, i = 1; ; ) {
      if (writer === undefined && sim.height >= before) writer = begin();
      await cursor.ready();
      if (sim.rounds >= until && !cursor.isCommandDue) {
        isLast = true;
        break;
      }
      // Parts end between rounds, before the commands that follow.
      if (sim.rounds > rounds) {
        rounds = sim.rounds;
        i += 1;
        if (characters >= PART_CHARACTERS) break;
        if (i % ROUNDS_AT_ONCE === 0 && this.#host.clock() >= slice) {
          if (this.#host.clock() >= end) break;
          await this.#host.delay(0);
          if (!isPlayed()) throw anotherWorld();
          slice = this.#host.clock() + SLICE_MS;
        }
      }
      await this.#reader.advance(source, cursor);
      if (sim.height > whole.to) {
        isLast = true;
        break;
      }
      if (writer !== undefined) write(writer.flush());
    }
    if (isLast) {
      // If a healed fork jumps over all of its heights, the file has only a head and an end.
      writer ??= begin();
      write(writer.end());
    }
    if (!isLast) this.#replayed = { cursor, writer };
    const height = Math.min(sim.height, whole.to);
    const trace = { isStarted: writer !== undefined, rounds: sim.rounds, until };
    const next = isLast ? "" : nameOf(live, { to: whole.to, height, trace });
    return { ...whole, text: texts.join(""), height, next };
  }

  #writerOf(cursor: ReplayCursor): TraceWriter | undefined {
    return this.#replayed?.cursor === cursor ? this.#replayed.writer : undefined;
  }

  /**
   * A world at a position of a trace: the last replayed one, or one replayed from the nearest
   * keyframe.
   * @param below the world must be below this height; undefined if it must be at the position
   * itself
   */
  async #worldAt(
    source: ReplaySource,
    { isStarted, rounds }: Omit<TracePosition, "until">,
    below: number | undefined,
  ): Promise<ReplayCursor> {
    const replayed = this.#replayed;
    const isThere =
      below === undefined &&
      replayed?.cursor.of === (source.live.of ?? source.live) &&
      replayed.cursor.sim.rounds === rounds &&
      (replayed.writer !== undefined) === isStarted;
    if (isThere) return replayed.cursor;
    const { sim } = source.live;
    // A world at that height may already have run the part to be written.
    const upTo = below === undefined ? rounds - 1 : roundsTo(sim, below - 1);
    const isBefore = (one: Simulation): boolean =>
      one.rounds <= upTo && (below === undefined || one.height < below);
    const begin = { rounds: upTo, recorded: false, usable: isBefore };
    const cursor = await startReplay(source, this.#host.build, begin);
    if (below !== undefined) return cursor;
    let slice = this.#host.clock() + SLICE_MS;
    while (cursor.sim.rounds < rounds) {
      await this.#reader.advance(source, cursor);
      if (this.#host.clock() < slice) continue;
      await this.#host.delay(0);
      slice = this.#host.clock() + SLICE_MS;
    }
    return cursor;
  }
}

/**
 * Resolves a request to the range and content of one file. Throws a StatusError for what does not
 * exist.
 */
function wholeOf(
  sim: Simulation,
  { what, from: first, to: last }: { what: string; from: number; to: number },
): FilePart {
  if (!Object.hasOwn(ENDINGS, what)) {
    const known = Object.keys(ENDINGS).join(", ");
    throw invalid(`expected what to export, one of ${known}, found "${what.slice(0, 40)}"`);
  }
  const { initialHeight, height, spec } = sim;
  const [from, to] = [first || initialHeight, last || height];
  for (const one of [from, to]) {
    if (one >= initialHeight && one <= height) continue;
    throw invalid(`there is no block ${one}: ${sim.extent(one)}`);
  }
  if (from > to) throw invalid(`expected the first height, then the last, found ${from} and ${to}`);
  return {
    from,
    to,
    file: `${spec.chainId}-${from}-${to}${ENDINGS[what as keyof typeof ENDINGS]}`,
  };
}

const ENDINGS = { trace: ".trace.json", blocks: "-blocks.csv", events: "-events.csv" } as const;

interface Place {
  readonly to: number;
  /** For a table: the last block written. */
  readonly height: number;
  readonly trace: TracePosition;
}

/**
 * Parses the cursor that the previous part returned; undefined for the first part. Throws a
 * StatusError for any other text.
 */
function placeOf(after: string, { id, sim }: RunningWorld): Place | undefined {
  if (after === "") return undefined;
  const [, world, ...numbers] = PLACE.exec(after) ?? [];
  if (world === undefined)
    throw invalid("expected the `next` of the part before, found another text");
  if (world !== id) throw anotherWorld();
  const [to = 0, height = 0, isStarted = 0, rounds = 0, until = 0] = numbers.map(Number);
  if (rounds > until || until > sim.rounds) throw invalid(`this world has no round ${until} yet`);
  return { to, height, trace: { isStarted: isStarted === 1, rounds, until } };
}

const PLACE = /^([a-z0-9-]{1,40})\.(\d{1,12})\.(\d{1,12})\.([01])\.(\d{1,12})\.(\d{1,12})$/;

const nameOf = (
  { id }: RunningWorld,
  { to, height, trace: { isStarted, rounds, until } }: Place,
): string => [id, to, height, isStarted ? 1 : 0, rounds, until].join(".");

const NO_TRACE: TracePosition = { isStarted: false, rounds: 0, until: 0 };

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);

const anotherWorld = (): StatusError =>
  new StatusError(STATUS.failedPrecondition, "another world is played now: begin the export again");
