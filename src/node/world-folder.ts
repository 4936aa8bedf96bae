import { toHexUpper } from "../base/bytes.ts";
import { errorText } from "../base/error-text.ts";
import { INPUT } from "../base/limits.ts";
import type {
  FolderRun,
  FolderUse,
  Interrupt,
  QueriedChain,
  Recorded,
  SavedWorld,
  WorldFolder,
} from "../cli/context.ts";
import { worldNamed } from "../cli/world-line.ts";
import { profileOf } from "../engine/app/profile.ts";
import type { LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { selfContained } from "../scenario/files.ts";
import { parseScenario } from "../scenario/parse.ts";
import { resolveNamed } from "../scenario/references.ts";
import type { Compares } from "../session/comparing/compares.ts";
import { History } from "../session/history/history.ts";
import { MemoryStorage } from "../session/history/memory-storage.ts";
import { openWorlds } from "../session/open-worlds.ts";
import { exported, recorded } from "../session/recorded.ts";
import type { Use } from "../session/restore.ts";
import type { RunningWorld } from "../session/running-world.ts";
import { Session } from "../session/session.ts";
import { readWorldFile } from "../session/world-file.ts";
import { queryJson } from "../view/query.ts";
import { readBytes, WORLD_FILE, writeTo } from "./files.ts";
import { hostOf, turn } from "./host.ts";
import { FolderError, LevelStorage } from "./level-storage.ts";
import { beside } from "./scenario-lab.ts";

/** Time slice in ms before timers and signals are handled. */
const SLICE_MS = 8;
/** Interval of saves during a long step, in ms. */
const SAVE_EVERY_MS = 500;

/** Opens a data folder. Rejects with a FolderError. */
export async function openWorldFolder(
  folder: string,
  build: string,
  use: FolderUse,
): Promise<WorldFolder> {
  return new DataFolder(folder, await LevelStorage.open(folder, use), build);
}

/**
 * Reads an exported world before a folder is created for it. Rejects with a FolderError that says
 * why it cannot be imported.
 */
export async function readWorld(path: string): Promise<Uint8Array> {
  const refuse = (error: unknown): never => {
    throw new FolderError(`${path === "" ? "an empty name" : path}: ${errorText(error)}`);
  };
  let file: Uint8Array;
  try {
    file = readBytes(path, INPUT.worldBytes);
  } catch (error) {
    return refuse(error);
  }
  await readWorldFile(file).catch(refuse);
  return file;
}

/** Opens the world of an exported file read-only. Rejects as `readWorld` does. */
export async function openWorldFile(path: string, build: string): Promise<WorldFolder> {
  const file = await readWorld(path);
  const folder = new DataFolder(path, new FileStorage(), build);
  await folder.add(file);
  return folder;
}

/** A folder that is lost with the process. */
export const openMemory = (build: string): WorldFolder =>
  new DataFolder("the files", new FileStorage(), build);

/** A storage that is lost with the process. */
class FileStorage extends MemoryStorage {
  readonly damages: readonly string[] = [];
  async close(): Promise<void> {}
}

/** The owner of the files may open all of them. */
const OWNER = { mayControl: true };

type SideRequest = Partial<NonNullable<LabRequest<"compareWorlds">["a"]>>;

/** The worlds of a data folder, with the same session and histories as in the page. */
class DataFolder implements WorldFolder {
  readonly #folder: string;
  readonly #storage: LevelStorage | FileStorage;
  readonly #session = new Session();
  readonly #play: ReturnType<typeof openWorlds>;
  readonly #interrupts = new Interrupts();

  constructor(folder: string, storage: LevelStorage | FileStorage, build: string) {
    this.#folder = folder;
    this.#storage = storage;
    this.#session.player.pause();
    this.#play = openWorlds(this.#session, storage, hostOf(build));
  }

  get damages(): readonly string[] {
    return [...this.#storage.damages, ...this.#play.saving.notices.map(({ text }) => text)];
  }

  list(): Promise<readonly SavedWorld[]> {
    return this.#play.worlds.list();
  }

  async run(...[source, file, onSteps]: Parameters<WorldFolder["run"]>): Promise<FolderRun> {
    const text = selfContained(source, file, beside(file));
    const before = await this.#begin(text, file);
    const { player } = this.#session;
    const { live } = player;
    player.pace.speed = 0;
    if (live.story) live.story.speed = 0;
    await this.#saved();
    if (before > 0) onSteps(resultsOf(live, 0, before), true);
    this.#interrupts.listen();
    const goesOn = (): boolean =>
      live.story?.running === true && this.#interrupts.noted === undefined;
    let savedAt = performance.now();
    for (let done = before; goesOn(); ) {
      player.slice(SLICE_MS, () => performance.now());
      await turn();
      const ended = endedOf(live);
      if (ended === done && performance.now() - savedAt < SAVE_EVERY_MS) continue;
      await this.#saved();
      savedAt = performance.now();
      if (ended > done) onSteps(resultsOf(live, done, ended), false);
      done = ended;
    }
    // An interrupted step is held: a keyframe is written, from which the world is opened at once.
    live.tasks.isPaused = live.tasks.busy;
    player.changed();
    await this.#saved();
    const { sim, story } = live;
    await this.#play.worlds.close();
    return {
      state:
        story?.state === "passed" || story?.state === "failed"
          ? story.state
          : (this.#interrupts.noted ?? "SIGINT"),
      height: sim.height,
      app_hash: toHexUpper(sim.appHash),
    };
  }

  /** Creates the file's world, or opens it; returns the number of its completed steps. */
  async #begin(text: string, file: string): Promise<number> {
    const { worlds } = this.#play;
    const { player } = this.#session;
    const known = await this.#worldOf(text);
    if (known === undefined) {
      const read = parseScenario(text, file);
      if ("problems" in read) {
        const [problem] = read.problems;
        throw new FolderError(`${file}: cannot be saved: ${problem?.message}`);
      }
      await worlds.create({ scenario: read.scenario, file, text });
    } else {
      await this.#open(known);
      if (this.#play.saving.notices.length > 0) {
        throw new FolderError(
          `${this.damages.join("\n")}\n${this.#folder}: the world cannot go on as it was; export it or delete it`,
        );
      }
    }
    // Only the steps of the file make blocks.
    player.playing = false;
    const { live } = player;
    live.tasks.isPaused = false;
    if (live.story?.state === "none") live.story.begin();
    return endedOf(live);
  }

  /**
   * Id of the world of a file; undefined in an empty folder. Rejects if the folder contains other
   * worlds.
   */
  async #worldOf(text: string): Promise<string | undefined> {
    const worlds = (await this.list()).filter(
      ({ removedMs, problem }) => removedMs === undefined && problem === undefined,
    );
    for (const { id } of worlds) {
      const { genesis } = await History.open(this.#storage, id);
      if (genesis.text === text) return id;
    }
    if (worlds.length === 0) return undefined;
    const names = worlds.map(({ name }) => name).join(", ");
    throw new FolderError(
      `${this.#folder}: expected an empty folder or one with the world of this very file, found ${names}`,
    );
  }

  async #open(id: string, use: Use = "play"): Promise<void> {
    const { player } = this.#session;
    const { worlds } = this.#play;
    let opening: "going on" | "over" | { readonly failed: unknown } = "going on";
    void (use === "play" ? worlds.open(id) : worlds.openToRead(id))
      .then(() => this.#session.restored)
      .then(
        () => {
          opening = "over";
        },
        (failed: unknown) => {
          opening = { failed };
        },
      );
    const state = (): typeof opening => opening;
    while (state() === "going on") {
      if (player.restoring !== undefined) player.slice(SLICE_MS, () => performance.now());
      await turn();
    }
    const end = state();
    if (typeof end === "object") throw end.failed;
    if (this.#play.worlds.current !== id) {
      throw new FolderError(
        `${this.#folder}: ${this.damages.at(-1) ?? "the world cannot be read"}`,
      );
    }
  }

  /** Resolves when everything is on disk. Rejects if it cannot be written. */
  async #saved(): Promise<void> {
    await this.#play.save();
    if (this.#play.saving.state !== "unsaved") return;
    throw new FolderError(`${this.#folder}: ${this.damages.at(-1) ?? "the world cannot be saved"}`);
  }

  async chain(world: string | undefined): Promise<QueriedChain> {
    await this.#open(await this.#idOf(world), "read");
    const { context, sim } = this.#session.player.live;
    return {
      failure: undefined,
      query: (name, request, height) =>
        this.#session.query((queries) => queryJson(queries, name, request, height), OWNER),
      resolve: (text) => resolveNamed(context, text),
      export: (request) => exported(this.#session, request),
      missingUpgrade: profileOf(sim.spec.profile).missingUpgrade,
    };
  }

  async compareWorlds({ a, b, ...how }: LabRequest<"compareWorlds">) {
    const sides = { a: await this.#side(a), b: await this.#side(b) };
    return (await this.#comparing()).compare({ ...how, ...sides }, OWNER);
  }

  async findDifference({ a, b, ...where }: LabRequest<"findDifference">) {
    const sides = { a: await this.#side(a), b: await this.#side(b) };
    return (await this.#comparing()).find({ ...where, ...sides }, OWNER);
  }

  #comparing(): Promise<Compares> {
    const { comparing } = this.#session;
    if (comparing === undefined) throw new Error("there are no saved worlds here");
    return comparing();
  }

  /** A side with its world's id, and with all files that its scenario names. */
  async #side({ world, scenario, height = 0 }: SideRequest = {}) {
    if (scenario === undefined) return { world: await this.#idOf(world || undefined), height };
    const { text = "", file = "" } = scenario;
    const whole = { text: selfContained(text, file, beside(file)), file };
    return { world: "", scenario: whole, height };
  }

  async record(world: string | undefined): Promise<Recorded> {
    await this.#open(await this.#idOf(world), "read");
    return recorded(this.#session);
  }

  async exportTo(world: string | undefined, path: string): Promise<void> {
    const id = await this.#idOf(world);
    const file = await this.#play.worlds.exportFile(id).catch((error: unknown) => {
      throw new FolderError(`${this.#folder}: ${id} cannot be exported: ${errorText(error)}`);
    });
    try {
      writeTo(path, file, WORLD_FILE);
    } catch (error) {
      throw new FolderError(`${path}: it cannot be written: ${errorText(error)}`);
    }
  }

  async add(world: Uint8Array): Promise<SavedWorld> {
    const id = await this.#play.worlds.importFile(world);
    const entry = (await this.list()).find((each) => each.id === id);
    if (entry === undefined) throw new FolderError(`${this.#folder}: the world was not saved`);
    return entry;
  }

  async remove(world: string | undefined): Promise<void> {
    await this.#play.worlds.remove(await this.#idOf(world));
  }

  async restore(world: string | undefined): Promise<void> {
    await this.#play.worlds.restore(await this.#idOf(world, true));
  }

  close(): Promise<void> {
    this.#interrupts.stop();
    return this.#storage.close();
  }

  /** Resolves a world's id, or its name if that is unique; the only world if neither is passed. */
  async #idOf(world: string | undefined, removed = false): Promise<string> {
    const worlds = (await this.list()).filter((each) => removed === (each.removedMs !== undefined));
    try {
      const only = world === undefined && worlds.length === 1 ? worlds[0]?.id : world;
      return worldNamed(worlds, only ?? "none", removed ? "a deleted world" : "a world").id;
    } catch (error) {
      throw new FolderError(`${this.#folder}: ${errorText(error)}`);
    }
  }
}

/** Number of completed steps of the story. */
const endedOf = ({ story }: RunningWorld): number =>
  story === undefined || story.state === "none"
    ? 0
    : story.state === "running"
      ? story.current
      : story.current + 1;

/** Results of steps from one up to another. */
const resultsOf = (live: RunningWorld, from: number, to: number) =>
  (live.story?.draw().steps ?? [])
    .slice(from, to)
    .map(({ index, verb, state, message }) => ({ index, verb, ok: state !== "failed", message }));

const INTERRUPTS: readonly Interrupt[] = ["SIGINT", "SIGTERM"];

/**
 * Handles the first Ctrl-C, or a similar signal, so that the world is saved; the second ends the
 * process as usual.
 */
class Interrupts {
  #noted: Interrupt | undefined;
  readonly #note = (signal: NodeJS.Signals): void => {
    this.#noted = INTERRUPTS.find((one) => one === signal);
    this.stop();
  };

  get noted(): Interrupt | undefined {
    return this.#noted;
  }

  listen(): void {
    for (const signal of INTERRUPTS) process.on(signal, this.#note);
  }

  stop(): void {
    for (const signal of INTERRUPTS) process.off(signal, this.#note);
  }
}
