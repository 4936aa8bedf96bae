/**
 * A chain that runs in this process: its session, its storage folder, and its connected clients.
 */
import { randomUUID } from "node:crypto";
import { errorText } from "../../base/error-text.ts";
import { worldNamed } from "../../cli/world-line.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Notice } from "../../gen/lab/v1/worlds_plain.ts";
import { type Caller, QUERIES_ONLY } from "../../session/caller.ts";
import { drive } from "../../session/drive.ts";
import { FIRST_ORIGIN } from "../../session/first-world.ts";
import { History } from "../../session/history/history.ts";
import { openWorlds } from "../../session/open-worlds.ts";
import type { Origin } from "../../session/running-world.ts";
import { Session } from "../../session/session.ts";
import { SessionFrames } from "../../session/session-frames.ts";
import type { SessionHost } from "../../session/session-host.ts";
import type { SessionOfWorlds, WorldEntry } from "../../session/worlds.ts";
import type { Reading } from "../../view/lab/reading.ts";
import type { WorldQueries } from "../../view/lab/world-queries.ts";
import type { Namespace } from "../../view/namespaces.ts";
import type { CheckedTx } from "../../view/tx/check-tx.ts";
import { hostOf } from "../host.ts";
import { FolderError, LevelStorage } from "../level-storage.ts";
import { TokenGuesses } from "./access.ts";
import { Admission } from "./admission.ts";
import { reportBug } from "./log.ts";

/**
 * Time slices of the block loop: shorter while requests wait, which may need several turns each.
 */
const SLICE_MS = 8;
const SLICE_BESIDE_REQUESTS_MS = 2;
/** Time after the last request during which requests count as waiting, in ms. */
const REQUESTED_MS = 100;
const SAVE_EVERY_MS = 500;
/** Maximum delay of blocks that is made up for: one request may take as long. */
const MADE_UP_FOR_MS = 2_000;

/** Blocks per second, 0 for as fast as possible. */
export type Speed = number | "paused";

/** Genesis of a new chain, and playback settings. */
export interface ChainSettings {
  readonly origin?: Origin;
  /**
   * Called if its folder has lost its world: resolves to the genesis to use; as above if undefined.
   */
  readonly again?: () => Promise<Origin | undefined>;
  /** Namespace under which it is served; `chain` if absent. */
  readonly namespace?: Namespace;
  /** World of the folder to play, by name or id; by default the one saved last. */
  readonly world?: string;
  /** The previous speed if absent. */
  readonly speed?: Speed;
  /** Minimum gas price, such as 0.025stake; none if absent. */
  readonly minGasPrices?: string;
  /** Called with the chain before any block is made. */
  readonly prepare?: (chain: RunningChain) => Promise<void>;
}

/** A connected client, such as a page. */
export interface Connection {
  readonly mayControl: boolean;
}

function worldIn(folder: string, worlds: readonly WorldEntry[], wanted: string): WorldEntry {
  try {
    return worldNamed(worlds, wanted);
  } catch (error) {
    throw new FolderError(`${folder}: ${errorText(error)}`);
  }
}

export class RunningChain {
  readonly session = new Session();
  readonly guesses = new TokenGuesses();
  /** The queue of its requests, and the limits of their bytes. */
  readonly admission = new Admission();
  /** Ports of its servers over HTTP/1, which count as one node for its page. */
  readonly ports = new Set<number>();
  /** Minimum gas price of signed transactions; empty for none. */
  readonly minGasPrices: string;
  /** Its RPC address as it reports it; empty until it listens. */
  rpcAddress = "";
  /** The chain's height when it was opened. */
  openedAt = 0;
  readonly #play: SessionOfWorlds;
  readonly #storage: LevelStorage;
  readonly #frames: SessionFrames;
  readonly #seats = new Set<Connection>();
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;
  readonly #saving: NodeJS.Timeout;
  readonly #rounds: (() => void)[] = [];
  readonly #newWorld: (() => void)[] = [];
  #height = 0;
  #round = 0;
  #requestedAt = Number.NEGATIVE_INFINITY;
  /** Settled when a new chain is on disk: it makes no block before. */
  #created: Promise<void> = Promise.resolve();
  /** The played world; undefined until there is one. */
  #world: string | undefined;
  /** Notices for all connected clients. */
  #notices: readonly Notice[] = [];

  /**
   * Opens the chain in a folder, or creates one there. Rejects with an Error that says why it
   * cannot.
   */
  static async open(folder: string, build: string, begin: ChainSettings): Promise<RunningChain> {
    const chain = new RunningChain(await LevelStorage.open(folder), build, begin);
    try {
      await chain.#begin(folder, begin);
      return chain;
    } catch (error) {
      await chain.close();
      throw error;
    }
  }

  private constructor(
    storage: LevelStorage,
    build: string,
    { minGasPrices = "", namespace }: ChainSettings,
  ) {
    this.minGasPrices = minGasPrices;
    this.#storage = storage;
    this.session.player.pause();
    this.#play = openWorlds(this.session, storage, {
      ...hostOf(build),
      ...(namespace && { namespace }),
    });
    this.#frames = new SessionFrames(this.#play, randomUUID());
    this.#stop = drive(
      this.session.player,
      {
        now: () => performance.now(),
        soon: (work) => {
          this.admission.blocksIn(0);
          void this.#created.then(() => setImmediate(work));
        },
        later: (ms, work) => {
          this.admission.blocksIn(ms);
          const timer = setTimeout(work, ms);
          return () => clearTimeout(timer);
        },
      },
      () => this.admission.beginSlice(this.#hasRequests ? SLICE_BESIDE_REQUESTS_MS : SLICE_MS),
      (rests) => {
        this.admission.endSlice();
        this.#worked(rests);
      },
    );
    this.session.player.pace.mostLagMs = MADE_UP_FOR_MS;
    this.#saving = setInterval(() => void this.#play.save(), SAVE_EVERY_MS);
  }

  async #begin(
    folder: string,
    { origin, again, world, speed, prepare }: ChainSettings,
  ): Promise<void> {
    const { worlds } = this.#play;
    const { player } = this.session;
    const all = (await worlds.list()).filter(({ removedMs }) => removedMs === undefined);
    const saved = world === undefined ? all[0] : worldIn(folder, all, world);
    if (saved === undefined) {
      const creating = worlds.create((await again?.()) ?? origin ?? FIRST_ORIGIN);
      this.#created = creating.then(() => {});
      await creating;
      this.openedAt = this.session.sim.initialHeight - 1;
    } else {
      if (saved.problem !== undefined) throw new FolderError(`${folder}: ${saved.problem}`);
      if (origin !== undefined) await this.#checkSame(folder, saved.id, origin);
      await worlds.open(saved.id);
      await this.session.restored;
      if (worlds.current !== saved.id) {
        throw new FolderError(`${folder}: ${this.damages.at(-1) ?? "the chain cannot be read"}`);
      }
      this.openedAt = this.session.sim.height;
    }
    this.#world = worlds.current;
    if (prepare !== undefined) {
      const { playing } = player;
      player.playing = false;
      await prepare(this);
      player.playing = playing;
    }
    if (saved === undefined) player.live.story?.begin();
    if (speed === "paused") player.pause();
    else if (speed !== undefined) {
      player.pace.speed = speed;
      const { story } = player.live;
      if (story) story.speed = speed;
      player.play();
      player.playing = true;
    }
    player.changed();
    await this.settled();
  }

  async #checkSame(folder: string, id: string, { text, file }: Origin): Promise<void> {
    const { genesis } = await History.open(this.#storage, id);
    if (file === "" || genesis.text === text) return;
    throw new FolderError(
      `${folder}: the chain there did not begin from ${file}; leave it out to go on with that chain, or give another --home`,
    );
  }

  /** Sentences about the damage found so far. */
  get damages(): readonly string[] {
    return [...this.#storage.damages, ...this.#play.saving.notices.map(({ text }) => text)];
  }

  /** Queries the played world, and opens the history that a reading needs. */
  query<T>(
    question: (queries: WorldQueries) => T | Reading<T>,
    caller: Caller = QUERIES_ONLY,
  ): Promise<T> {
    return this.session.query(
      (queries) => {
        queries.host = this;
        return question(queries);
      },
      { ...caller, resume: () => this.admission.resume() },
    );
  }

  get #hasRequests(): boolean {
    return performance.now() - this.#requestedAt < REQUESTED_MS;
  }

  /** Resolves when it is a request's turn. Rejects with RESOURCE_EXHAUSTED if too many wait. */
  turn(gone?: () => boolean): Promise<void> {
    this.#requestedAt = performance.now();
    return this.admission.turn(gone);
  }

  /**
   * Calls `listener` when there are new blocks, or another world; returns a function that stops
   * this.
   */
  onBlocks(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls `listener` after every slice with rounds, with or without blocks. */
  onRounds(listener: () => void): void {
    this.#rounds.push(listener);
  }

  /** Resolves when there are new blocks, or another world, or at once when it is aborted. */
  nextBlock(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        end();
        signal.removeEventListener("abort", done);
        resolve();
      };
      const end = this.onBlocks(done);
      signal.addEventListener("abort", done);
      if (signal.aborted) done();
    });
  }

  /** Calls `listener` when another world has replaced the played one. */
  onWorld(listener: () => void): void {
    this.#newWorld.push(listener);
  }

  /** A client with control may open another world, which then applies to all clients. */
  #noticeWorld(): void {
    const { current, name } = this.#play.worlds;
    if (current === undefined || current === this.#world) return;
    const isFirst = this.#world === undefined;
    this.#world = current;
    if (isFirst) return;
    const text = `This node plays another world now, for all who are connected: ${name}. The one before is in the list of worlds.`;
    this.#notices =
      this.#seats.size > 1
        ? [{ id: `world-${current}`, kind: "another_world", text, actions: ["continue"] }]
        : [];
    for (const listener of this.#newWorld) listener();
    this.session.player.changed();
  }

  #worked(rests: boolean): void {
    if (rests) void this.#play.save();
    this.#noticeWorld();
    const { height, rounds } = this.session.sim;
    if (rounds !== this.#round) for (const listener of this.#rounds) listener();
    this.#round = rounds;
    if (height === this.#height) return;
    this.#height = height;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Resolves when all changes up to now are on disk. Rejects if they cannot be written, so that
   * nothing is acknowledged.
   */
  async settled(): Promise<void> {
    const { saving } = this.#play;
    await saving.settled();
    if (saving.state !== "unsaved") return;
    const why = this.damages.at(-1) ?? "the folder cannot be written";
    throw new StatusError(STATUS.unavailable, `it was done and is not on disk: ${why}`);
  }

  /** Checks a signed transaction and queues it for a block. Resolves when that is on disk. */
  async broadcast(bytes: Uint8Array): Promise<CheckedTx> {
    const { broadcastTx } = await import("../../session/broadcast.ts");
    const checked = await broadcastTx(this.session, bytes, this);
    if (checked.code === 0) await this.settled();
    return checked;
  }

  /** Connected clients without control. */
  get watching(): number {
    return [...this.#seats].filter(({ mayControl }) => !mayControl).length;
  }

  /** Adds a client until the returned function is called. */
  enter(seat: Connection): () => void {
    this.#seats.add(seat);
    this.session.player.changed();
    return () => {
      this.#seats.delete(seat);
      this.session.player.changed();
    };
  }

  /** The chain as seen by a connected client. */
  hostFor({ mayControl }: Connection, hasToken: boolean): SessionHost {
    const play = this.#play;
    const { worlds } = play;
    return {
      play,
      get world() {
        return worlds.current ?? "";
      },
      // Only this process uses the folder.
      locks: { acquire: async () => () => {}, locked: async () => new Set() },
      watching: undefined,
      isShared: true,
      createNew: async () => void (await worlds.create(FIRST_ORIGIN)),
      open: (world) => worlds.open(world),
      // A branch is on disk before it is acknowledged.
      follow: () => this.settled(),
      getFrame: (request) => {
        const { watching } = this;
        const counts = { steering: this.#seats.size - watching, watching, token: hasToken };
        const { player, ...frame } = this.#frames.build(request, {
          attached: { ...counts, steers: false },
          notices: this.#notices,
        });
        if (player === undefined) return { ...frame, player };
        const role = mayControl ? "owner" : "watching";
        return {
          ...frame,
          player: {
            ...player,
            ...(player.kept && { kept: { ...player.kept, role } }),
            attached: { ...counts, steers: mayControl },
          },
        };
      },
      answerNotice: async (notice, action) => {
        if (this.#notices.some(({ id }) => id === notice)) {
          this.#notices = [];
          this.session.player.changed();
          return undefined;
        }
        const found = play.saving.notices.find(({ id }) => id === notice);
        const known = found?.actions.find((one) => one === action);
        if (known === undefined) {
          throw new StatusError(STATUS.notFound, "this has been answered already");
        }
        return play.saving.answer(notice, known);
      },
      settled: () => this.settled(),
      reportBug,
    };
  }

  /** Saves a last time, with its playing state, and releases the folder. */
  async close(): Promise<void> {
    this.#stop();
    this.admission.close();
    clearInterval(this.#saving);
    await this.#play.save();
    await this.#storage.close();
  }
}
