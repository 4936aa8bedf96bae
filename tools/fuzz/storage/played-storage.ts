import { equal } from "../../../src/base/bytes.ts";
import { assertInvariant } from "../../../src/engine/simulation/invariants.testing.ts";
import type { Simulation } from "../../../src/engine/simulation/simulation.ts";
import { isLanguageError } from "../../../src/engine/simulation/world-invariants.testing.ts";
import { parseScenario } from "../../../src/scenario/parse.ts";
import { readPageKey, WORLDS, worldPrefix } from "../../../src/session/history/keys.ts";
import type { Origin } from "../../../src/session/running-world.ts";
import type { Session } from "../../../src/session/session.ts";
import { DeletedWorld, type Worlds } from "../../../src/session/worlds.ts";
import type { Act } from "./act.ts";
import { type Damage, type FailingStorage, spoilt, spoiltFile } from "./damage.ts";
import { Damaged } from "./damaged.ts";
import { KnownWorld } from "./known-world.ts";
import { type Before, checkOpened, checkRefused } from "./opened.ts";
import { anotherTurn, Dates, Process } from "./process.ts";
import { proper, unlessRefused } from "./texts.ts";

const MOST_PASSED_MS = 2000;
/** More than a drawn world has: of the journal before a keyframe one segment is read in each turn. */
const SEGMENTS_READ = 50;

/** Processes that are killed and begun again on one storage, with what is known of its worlds. */
export class PlayedStorage {
  #process = new Process(new Dates());
  readonly #known = new Map<string, KnownWorld>();
  /** Worlds that the process has played. */
  readonly #played = new Map<string, Simulation>();
  /** The world that is being opened and is to be checked. */
  #opening: string | undefined;
  readonly #damaged = new Damaged();
  /** True if the storage has refused a call since it was opened. */
  #failed = false;
  /** Thrown by what nothing waits for. */
  #bug: unknown;

  get session(): Session {
    return this.#process.tab.session;
  }
  get #worlds(): Worlds {
    return this.#process.tab.worlds;
  }
  get #storage(): FailingStorage {
    return this.#process.storage;
  }
  /** Expected state of the session's world. */
  get #world(): KnownWorld | undefined {
    return this.#known.get(this.#worlds.current ?? "");
  }

  /** Begins the first world. */
  async begin(origin: Origin): Promise<void> {
    // It has the reader of steps loaded, which takes some turns the first time.
    await this.session.preview('{"run":1}');
    await this.#replace(() => this.#worlds.create(origin));
    this.session.control({ case: "pause", value: true });
    await this.#save();
  }

  /** Throws what is a bug. */
  async take(act: Act): Promise<void> {
    await this.#take(act);
    await this.#process.turns(2);
    this.#observe();
    for (const { text, actions } of this.#process.tab.saving.notices) proper(text, actions);
    if (this.#bug !== undefined) throw this.#bug;
  }

  async #take(act: Act): Promise<void> {
    if (act.step !== undefined) return this.#step(JSON.stringify(act.step), act.wait ?? false);
    if (act.ballast !== undefined) {
      const write_file = { path: "config/app.toml", content: "m".repeat(act.ballast) };
      const which = [this.session.sim.nodes()[0]?.name];
      return this.#step(JSON.stringify({ nodes: { which, write_file } }), true);
    }
    if (act.blocks !== undefined) {
      this.session.control({ case: "stepBlocks", value: Math.max(1, act.blocks) });
      return this.#process.turns(1 + act.blocks / 8);
    }
    if (act.speed !== undefined) return this.session.control({ case: "speed", value: act.speed });
    if (act.control !== undefined) return this.session.control({ case: act.control, value: true });
    if (act.pass !== undefined) return this.#process.pass(Math.min(act.pass, MOST_PASSED_MS));
    if (act.save) return this.#save();
    if (act.fail) {
      this.#failed = true;
      return this.#storage.fail(act.fail, act.calls ?? 1);
    }
    if (act.clear) return this.#clear();
    if (act.load !== undefined) return this.#load(act.load);
    for (const damage of act.damage ?? []) this.#damage(damage);
    if (act.crash !== undefined) return this.#crash(act.crash, act.open ?? 0);
    return this.#takeWithWorlds(act);
  }

  async #takeWithWorlds(act: Act): Promise<void> {
    const worlds = this.#worlds;
    const tried = async (number: number, work: (id: string) => Promise<unknown>): Promise<void> => {
      const ids = await unlessRefused(() => this.#listed());
      const id = ids?.[number % ids.length];
      if (id !== undefined) await unlessRefused(() => work(id));
    };
    if (act.open !== undefined) return tried(act.open, (id) => this.#open(id));
    if (act.remove !== undefined) return tried(act.remove, (id) => worlds.remove(id));
    if (act.restore !== undefined) return tried(act.restore, (id) => worlds.restore(id));
    if (act.rename !== undefined) {
      return tried(act.rename, (id) => {
        // An older head is the last one from then on: blocks after it are made anew.
        if (this.#damaged.of(this.#storage, id).mayRefuse) {
          const journalLength = Number.POSITIVE_INFINITY;
          this.#known.get(id)?.expectNoMore({ rounds: 0, journalLength });
        }
        return worlds.rename(id, "renamed");
      });
    }
    if (act.copy !== undefined) return tried(act.copy, (id) => this.#copy(id, act));
    if (act.duplicate === undefined) return;
    await tried(act.duplicate, async (id) => {
      const copy = await worlds.duplicate(id);
      this.#damaged.copied(this.#storage, id, copy);
      this.#copied(id, copy);
    });
  }

  async #listed(): Promise<readonly string[]> {
    return (await this.#worlds.list()).map(({ id }) => id).sort();
  }

  /** Ends it: every world is opened twice more, which finds nothing new. */
  async end(): Promise<void> {
    this.#kill();
    const ids = await this.#listed();
    for (const [id, { saved }] of this.#known) {
      const may = saved === undefined || this.#damaged.of(this.#storage, id).mayRefuse;
      assertInvariant("a saved world is in the list", may || ids.includes(id), () => id);
    }
    for (const id of ids) await this.#open(id);
    for (const id of ids) {
      this.#kill();
      await this.#open(id);
    }
  }

  // Actions on a session.

  async #step(text: string, wait: boolean): Promise<void> {
    const [process, world] = [this.#process, this.#world];
    const done = process.tab.session.runStep(text).then(async ({ message }) => {
      proper(message);
      // The world that it was done to may have been left meanwhile.
      if (process !== this.#process || world !== this.#world) return;
      await this.#acknowledged(() => process.tab.saving.settled());
    });
    done.catch((error: unknown) => {
      this.#bug ??= error;
    });
    if (wait) await process.until(done);
  }

  #save(): Promise<void> {
    const { tab } = this.#process;
    return this.#acknowledged(() => tab.save());
  }

  /** Takes note of what is saved once the session says so. */
  async #acknowledged(saved: () => Promise<void>): Promise<void> {
    const [process, world] = [this.#process, this.#world];
    const { session, saving } = process.tab;
    if (session.player.restoring !== undefined) return;
    const at = { rounds: session.sim.rounds, entries: session.sim.journalLength };
    const { length } = process.storage.writes;
    await saved();
    if (process !== this.#process || world !== this.#world) return;
    // A cleared storage is noticed at the next write.
    const wrote = process.storage.writes.length > length;
    if (saving.state !== "unsaved" && (wrote || world?.saved)) world?.acknowledge(at);
  }

  /** Takes note of what the process's worlds have come to. */
  #observe(): void {
    const { current } = this.#worlds;
    const { sim, player } = this.session;
    if (current !== undefined && current !== this.#opening && player.restoring === undefined) {
      this.#played.set(current, sim);
      // One that was begun late.
      if (!this.#known.has(current)) this.#known.set(current, new KnownWorld(sim));
    }
    for (const [id, each] of this.#played) this.#known.get(id)?.observe(each);
  }

  /** Puts a new world in the place of the session's. */
  async #replace(work: () => Promise<unknown>): Promise<void> {
    this.#observe();
    await this.#process.until(work());
    this.#observe();
  }

  async #load(text: string): Promise<void> {
    await this.#replace(() => this.session.loadScenario({ text, file: "case.yaml" }));
    await this.#save();
  }

  // Damage to the storage.

  #clear(): void {
    this.#storage.records.clear();
    for (const world of this.#known.values()) world.saved = undefined;
  }

  #damage({ world, ...damage }: Damage & { readonly world: number }): void {
    const { records, earlier } = this.#storage;
    const stored = [...records.keys()].filter((key) => key.startsWith(WORLDS));
    const ids = [...new Set(stored.map((key) => key.split("/")[1] ?? ""))].sort();
    const id = ids[world % ids.length] ?? "";
    const prefix = worldPrefix(id);
    const keys = stored
      .filter((key) => key.startsWith(prefix) && !readPageKey(key.slice(prefix.length)))
      .sort();
    const key = keys[damage.record % keys.length] ?? "";
    const record = records.get(key);
    if (record === undefined) return;
    const foreign = worldPrefix(ids.find((one) => one !== id && !this.#isCopy(one, id)) ?? "");
    const by = spoilt(record, damage, {
      earlier: earlier.get(key),
      foreign: records.get(key.replace(prefix, foreign)),
      other: records.get(keys[(damage.record + 1) % keys.length] ?? ""),
    });
    if (by && equal(by, record)) return;
    if (by) records.set(key, by);
    else records.delete(key);
    this.#damaged.note(key, damage.how, record, by);
  }

  /** True if two worlds share an origin: a record of one may pass for an older one of the other. */
  #isCopy(one: string, other: string): boolean {
    const [a, b] = [one, other].map((id) => this.#known.get(id)?.spec);
    return a === b;
  }

  async #crash(writes: number, open: number): Promise<void> {
    this.#storage.writesLeft = writes;
    if (writes > 0) {
      void this.#process.tab.save();
      await this.#process.turns(3);
    }
    const { current } = this.#worlds;
    this.#kill();
    const ids = await this.#listed();
    const id = open === 0 ? current : ids[open % ids.length];
    if (id !== undefined && ids.includes(id)) await this.#open(id);
  }

  #kill(): void {
    this.#observe();
    this.#played.clear();
    this.#process = this.#process.killed();
    this.#failed = false;
  }

  // Opening and copying of worlds.

  /** Opens a world and checks all of it. One that was deleted is refused, and opened once it is restored. */
  async #open(id: string): Promise<void> {
    if (id === this.#worlds.current) return;
    const entries = await unlessRefused(() => this.#worlds.list());
    if (entries?.some((entry) => entry.id === id && entry.removedMs !== undefined)) {
      const refusal = await this.#worlds.open(id).catch((error: unknown) => error);
      const said = refusal instanceof DeletedWorld || this.#failed;
      assertInvariant("a deleted world is refused", said, () => `${id}: ${refusal}`);
      await this.#worlds.restore(id);
    }
    const { storage, tab } = this.#process;
    this.#observe();
    this.#played.delete(id);
    this.#opening = id;
    const before: Before = {
      id,
      records: new Map(storage.records),
      found: this.#damaged.of(storage, id),
      known: tab.saving.notices.map((notice) => notice.id),
    };
    let back = false;
    await this.#process.open(id, async (opened) => {
      back = await this.#comesBack(before, opened);
      this.#opening = undefined;
    });
    if (!back) return;
    const cut = await checkOpened(before, storage, tab.saving, async () => {
      await this.#save();
      return tab.saving.state === "saved";
    });
    if (cut) this.#damaged.repaired(storage, id);
  }

  /** Checks a world that is opened, or its refusal. Resolves to whether it came back, and all worked. */
  async #comesBack(before: Before, opened: Promise<void>): Promise<boolean> {
    const { id, found } = before;
    const { storage, tab } = this.#process;
    try {
      await this.#process.until(opened);
    } catch (error) {
      if (isLanguageError(error)) throw error;
      this.#observe();
      const { message } = error as Error;
      proper(message);
      if (!this.#failed) await checkRefused(before, storage, tab.saving, message);
      return false;
    }
    this.#observe();
    const settled = await this.#process.until(this.session.restored);
    const back = settled && tab.worlds.current === id;
    if (!this.#failed) assertInvariant("a world comes back", back || found.mayNotBegin, () => id);
    // Segments that the restore did not need are read after it.
    await anotherTurn(SEGMENTS_READ);
    // Restored records that replace damaged ones are stored again as soon as the storage accepts
    // it.
    if (back && this.#failed && found.any) this.#known.get(id)?.expectNoMore(this.session.sim);
    if (!back || this.#failed) return false;
    const has = (name: string): boolean => before.records.has(worldPrefix(id) + name);
    if (found.mayBeAnother(has)) {
      this.#known.set(id, new KnownWorld(this.session.sim));
      this.#damaged.isAnother(id);
    }
    const known = this.#known.get(id);
    known?.checkRestored(this.session.sim, found.least(known.saved));
    return true;
  }

  #copied(id: string, copy: string): void {
    this.#observe();
    const known = this.#known.get(id)?.copy();
    if (known) this.#known.set(copy, known);
  }

  async #copy(id: string, { damaged, inside = false }: Act): Promise<void> {
    const file = await this.#worlds.exportFile(id);
    const changed = damaged ? spoiltFile(file, damaged, inside) : file;
    const sound = equal(changed, file) && !this.#damaged.of(this.#storage, id).any;
    try {
      const copy = await this.#worlds.importFile(changed);
      this.#damaged.copied(this.#storage, id, copy);
      this.#damaged.imported(copy, file, changed);
      this.#copied(id, copy);
    } catch (error) {
      if (isLanguageError(error)) throw error;
      const why = (error as Error).message;
      proper(why);
      const may = !sound || this.#failed || this.#known.get(id)?.saved === undefined;
      assertInvariant("a sound file can be imported", may, () => `${id}: ${why}`);
    }
  }
}

/** The origin of a scenario file; undefined if it is refused. */
export function originOf(file: unknown): Origin | undefined {
  const text = JSON.stringify(file) ?? "";
  const read = parseScenario(text, "case.yaml");
  return "scenario" in read ? { scenario: read.scenario, file: "case.yaml", text } : undefined;
}
