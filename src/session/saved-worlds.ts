import { WORLD_NAME } from "../base/limits.ts";
import { errorText, STATUS } from "../engine/framework/errors.ts";
import type { TamperCommand } from "../engine/simulation/command.ts";
import { acceptTampering } from "../engine/simulation/tamper.ts";
import { Branching } from "./branching.ts";
import { headRecord, OUTLINE_KEYS, readOutline } from "./history/head.ts";
import { History } from "./history/history.ts";
import {
  BEGINNINGS,
  HEADS,
  QUARANTINE,
  removedAt,
  removedKey,
  WORLDS,
  worldPrefix,
} from "./history/keys.ts";
import { frameRecord, RECORD } from "./history/record.ts";
import type { Estimate, Host, Storage } from "./history/storage.ts";
import { UnreadableWorld } from "./history/stored-history.ts";
import { InvalidLegacyError, migrateLegacy, type ReadLegacy, readLegacy } from "./legacy-save.ts";
import type { NoticeDraft } from "./notices.ts";
import {
  damageNotice,
  goneNotice,
  MOVED,
  mismatchNotice,
  oldDamageNotice,
  quarantinedNotice,
  refusedNotice,
  unopenedNotice,
  unreadableNotice,
} from "./notices.ts";
import { FIRST_SPEED } from "./pace.ts";
import { restoreWorld, type Use } from "./restore.ts";
import { type Origin, RunningWorld } from "./running-world.ts";
import type { RewindTarget } from "./saved.ts";
import { nameOf, type Saver } from "./saver.ts";
import type { ExportedWorld } from "./saving.ts";
import type { Session } from "./session.ts";
import { WorldCopies } from "./world-copies.ts";
import { worldFile } from "./world-file.ts";
import { listWorlds } from "./world-list.ts";
import { type About, DeletedWorld, type WorldEntry, type Worlds } from "./worlds.ts";

/** Time for which a removed world can be restored, in ms. */
export const ERASED_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
/** Marks that the save of an earlier version was migrated or rejected. */
const MOVED_KEY = "moved";

const noSuchWorld = (more = ""): DeletedWorld =>
  new DeletedWorld(STATUS.notFound, `there is no such world${more}`);

export class SavedWorlds implements Worlds {
  readonly #session: Session;
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #saver: Saver;
  readonly #copies: WorldCopies;
  readonly #notify: (notice: NoticeDraft, world?: string) => void;
  readonly #readLegacy: ReadLegacy | undefined;
  readonly #worldAt: (height: number) => Promise<RunningWorld>;
  #moved: Promise<void> | undefined;
  /** The world that is being restored. */
  #opening: History | undefined;

  /** @param take returns the played world as of the end of a height */
  constructor(
    session: Session,
    storage: Storage,
    host: Host,
    saver: Saver,
    tell: (notice: NoticeDraft, world?: string) => void,
    earlier: ReadLegacy | undefined,
    take: (height: number) => Promise<RunningWorld>,
  ) {
    this.#worldAt = take;
    this.#session = session;
    this.#storage = storage;
    this.#host = host;
    this.#saver = saver;
    this.#copies = new WorldCopies(storage, host);
    this.#notify = tell;
    this.#readLegacy = earlier;
  }

  get #history(): History | undefined {
    return this.#opening ?? this.#saver.history;
  }
  get current(): string | undefined {
    return (this.#saver.branch ?? this.#history)?.id;
  }
  get name(): string {
    return (this.#saver.branch ?? this.#history)?.name ?? "";
  }

  /** True while a saved world is being restored. */
  get isOpening(): boolean {
    return this.#opening !== undefined;
  }

  async list(): Promise<readonly WorldEntry[]> {
    await this.#migrateLegacy();
    const saved = new Map((await listWorlds(this.#storage)).map((entry) => [entry.id, entry]));
    for (const { id, removedMs } of saved.values()) {
      if (removedMs === undefined || removedMs >= this.#host.now() - ERASED_AFTER_MS) continue;
      if (id === this.current) continue;
      saved.delete(id);
      // Retry a failed deletion later.
      await this.#erase(id).catch(() => {});
    }
    for (const { live, history } of this.#saver.unwritten) {
      const { id, name, createdMs } = history;
      const { savedMs = createdMs, bytes = 0, removedMs } = saved.get(id) ?? {};
      const { height, rounds } = live.sim;
      const removed = removedMs !== undefined && { removedMs };
      saved.set(id, { id, name, createdMs, savedMs, height, rounds, bytes, ...removed });
    }
    return [...saved.values()].sort((a, b) => b.savedMs - a.savedMs);
  }

  async #outline(id: string) {
    return readOutline(await this.#storage.read(OUTLINE_KEYS.map((key) => worldPrefix(id) + key)));
  }

  async open(id: string): Promise<void> {
    if (id !== this.current && (await this.#removals(id)).length > 0) {
      const text = "the world was deleted: restore it first";
      throw new DeletedWorld(STATUS.failedPrecondition, text);
    }
    await this.#open(id, "play");
  }

  openToRead(id: string): Promise<void> {
    return this.#open(id, "read");
  }

  async #open(id: string, use: Use): Promise<void> {
    if (id === this.current) return;
    if (await this.#reopen(id)) return;
    const history = await this.#read(id);
    await this.#saver.close();
    this.#opening = history;
    const started = this.#session.player.live;
    this.#session.restored = this.#restore(history, use);
    // From here on the page shows this world while it is being restored.
    while (this.#opening === history && this.#session.player.live === started)
      await this.#host.delay(0);
  }

  /** Continues from memory a world that is not completely written. */
  async #reopen(id: string): Promise<boolean> {
    if (!(await this.#saver.reopen(id))) return false;
    this.#opening = undefined;
    this.#session.player.pause();
    this.#session.player.changed();
    return true;
  }

  async #read(id: string): Promise<History> {
    try {
      return await History.open(this.#storage, id);
    } catch (error) {
      if (!(error instanceof UnreadableWorld)) throw error;
      // A world that never existed has no records.
      if ((await this.#storage.keys(worldPrefix(id))).length === 0) throw noSuchWorld();
      const { name = "" } = (await this.#outline(id)).newest ?? {};
      const notice = unreadableNotice(name, error.damage);
      this.#notify(notice, id);
      throw new Error(notice.text);
    }
  }

  /**
   * Rewinds the played world to an earlier moment of its history; later entries are discarded.
   * @param keeps true to save the world as it was under another name
   */
  async rewind(to: RewindTarget, keeps: boolean): Promise<void> {
    const { current = "" } = this;
    await this.#saver.leave();
    if (this.#saver.failure !== undefined) {
      throw new Error("The world cannot be saved now: only a saved one can go back.");
    }
    if (keeps) {
      const copy = await this.#copies.duplicate(current);
      this.#notify(quarantinedNotice(await this.#nameOf(copy)));
    }
    const history = await this.#read(current);
    this.#opening = history;
    this.#session.restored = this.#restore(history, "play", to);
    await this.#session.restored;
  }

  async #restore(history: History, use: Use, back?: RewindTarget): Promise<void> {
    const { player } = this.#session;
    const entries = history.head?.entries;
    try {
      const restored = await restoreWorld(
        player,
        history,
        this.#host.build,
        use,
        () => this.#opening === history,
        back,
      );
      if (restored === undefined) return;
      // Its name is in the head, of which both copies may be damaged.
      history.name ||= nameOf(restored.live);
      this.#saver.follow(restored.live, history, use);
      const { height } = restored.live.sim;
      if (history.damage.length > 0) this.#notify(damageNotice(history.damage, height, entries));
      else if (restored.refused !== undefined)
        this.#notify(refusedNotice(height, restored.refused));
      else if (restored.differs) this.#notify(mismatchNotice(height));
      void this.#verify(history);
    } catch (error) {
      this.#notify(unopenedNotice(errorText(error)), history.id);
    } finally {
      if (this.#opening === history) {
        this.#opening = undefined;
        player.release();
      } else player.changed();
    }
  }

  /** Reads the records that the restore did not need, one segment at a time, in the background. */
  async #verify(history: History): Promise<void> {
    const isOpen = (): boolean => this.#saver.history === history;
    try {
      const damage = await history.verify(async () => {
        await this.#host.delay(0);
        return isOpen();
      });
      if (damage !== undefined && isOpen()) this.#notify(oldDamageNotice(damage));
    } catch {
      // The storage does not answer: the next save will report it.
    }
  }

  async create(origin: Origin, name?: string, about?: About): Promise<string> {
    const { player } = this.#session;
    // The story is imported with the grammar of its steps, which most worlds never need.
    const stories = origin.text === "" ? undefined : await import("./story.ts");
    const live = this.#isUnused(player.live, origin) ? player.live : new RunningWorld(origin);
    if (stories) live.story = new stories.Story(live);
    await this.#saver.close();
    this.#opening = undefined;
    player.begin(live);
    player.pace.speed = FIRST_SPEED;
    player.play();
    return this.saveCopy(name, about);
  }

  /**
   * True if this is the unsaved first world of a session, without any action, and has the same
   * genesis as the wanted one.
   */
  #isUnused({ sim, origin, tasks }: RunningWorld, wanted: Origin): boolean {
    const { rounds, journalLength } = sim;
    return (
      origin === wanted &&
      rounds === 0 &&
      journalLength === 0 &&
      !tasks.busy &&
      this.current === undefined
    );
  }

  async saveCopy(name = nameOf(this.#session.player.live), about?: About): Promise<string> {
    const history = Object.assign(this.#saver.begin(name), about);
    await this.#saver.save();
    return history.id;
  }

  async fork(height: number, name: string, note: string, tamper?: TamperCommand): Promise<string> {
    const { player } = this.#session;
    const { live: parent } = player;
    const live = await this.#worldAt(height || parent.sim.height);
    const stories = live.origin.text === "" ? undefined : await import("./story.ts");
    if (player.live !== parent) throw new Error("another world has taken its place meanwhile");
    const { sim } = live;
    // From here on its history is read from its own save.
    live.of = undefined;
    sim.network.hashLookup = undefined;
    if (stories) live.story = new stories.Story(live);
    const from = this.#history;
    const suffix = ` (from ${sim.height})`;
    const whole = from?.name ?? nameOf(parent);
    const branch = {
      id: this.#host.id(),
      name: name || whole.slice(0, WORLD_NAME - suffix.length) + suffix,
      live,
    };
    const branching = new Branching(this.#storage, this.#host, this.#copies, branch, {
      note,
      from,
      parent,
    });
    branching.bridge();
    if (tamper !== undefined) {
      acceptTampering();
      // If the change is refused, the played world stays as it is.
      live.sim.apply(tamper);
    }
    this.#saver.follows(branch, async () => {
      await this.#saver.save();
      return branching.begin(from !== undefined && this.#saver.records(from.id) === undefined);
    });
    player.begin(live);
    player.pause();
    player.changed();
    void this.#saver.branched.then(() => branching.copyCaches());
    return branch.id;
  }

  async close(): Promise<void> {
    await this.#saver.close();
    this.#opening = undefined;
    this.#session.player.pause();
  }

  rename(id: string, name: string): Promise<void> {
    return this.#describe(id, { name });
  }

  annotate(id: string, note: string): Promise<void> {
    return this.#describe(id, { note });
  }

  async #describe(
    id: string,
    as: { readonly name: string } | { readonly note: string },
  ): Promise<void> {
    await this.#saver.branched;
    const history = this.#history;
    if (history?.id === id) {
      Object.assign(history, as);
      return this.#saver.save();
    }
    const { head: own, newest, damage } = await this.#outline(id);
    // A head of another world beside a readable genesis would make both unusable.
    const without = BEGINNINGS.every((copy) => damage.some(({ key }) => key === copy));
    const head = own ?? (without ? newest : undefined);
    if (head === undefined) throw noSuchWorld(", or it cannot be read");
    const record = headRecord({ ...head, ...as, seq: head.seq + 1 });
    // A damaged copy stays unchanged, so that it is reported and quarantined when the world is
    // opened.
    const puts = HEADS.filter((key) => !damage.some((one) => one.key === key)).map(
      (key) => [worldPrefix(id) + key, record] as const,
    );
    await this.#storage.write(new Map(puts), []);
  }

  async erase(id: string): Promise<void> {
    if (id === this.#opening?.id) await this.#session.restored;
    if (id !== this.current) return this.#erase(id);
    await this.#saver.releaseFor(() => this.#erase(id));
    this.#session.player.pause();
  }

  async remove(id: string): Promise<void> {
    if (id === this.current) await this.#saver.branched;
    else if ((await this.#storage.keys(worldPrefix(id))).length === 0) throw noSuchWorld();
    const removed = worldPrefix(id) + removedKey(this.#host.now());
    await this.#storage.write(new Map([[removed, new Uint8Array()]]), []);
  }

  async restore(id: string): Promise<void> {
    await this.#storage.write(new Map(), await this.#removals(id));
  }

  /** Keys of the marks of a removed world. Throws if there is no such world. */
  async #removals(id: string): Promise<readonly string[]> {
    const prefix = worldPrefix(id);
    const keys = await this.#storage.keys(prefix);
    if (keys.length === 0) throw noSuchWorld();
    return keys.filter((key) => removedAt(key.slice(prefix.length)) !== undefined);
  }

  async #erase(id: string): Promise<void> {
    const keys = [worldPrefix(id), `${QUARANTINE}${id}/`].map((prefix) =>
      this.#storage.keys(prefix),
    );
    await this.#storage.write(new Map(), (await Promise.all(keys)).flat());
  }

  async duplicate(id: string): Promise<string> {
    if (id === this.current) await this.#saver.save();
    if (this.#saver.records(id) !== undefined) {
      throw new Error("what was done in it last is not saved yet");
    }
    return this.#copies.duplicate(id);
  }

  async exportFile(id: string): Promise<Uint8Array> {
    if (id === this.current) await this.#saver.save();
    const unwritten = this.#saver.records(id);
    return unwritten === undefined ? this.#copies.toFile(id) : worldFile(unwritten);
  }

  async exportNamed(id: string): Promise<ExportedWorld> {
    const content = await this.exportFile(id);
    return { name: await this.#nameOf(id), content };
  }

  /** A world's name; empty if it cannot be read. */
  async #nameOf(id: string): Promise<string> {
    return id === this.current ? this.name : ((await this.#outline(id)).newest?.name ?? "");
  }

  importFile(bytes: Uint8Array, paused = false): Promise<string> {
    return this.#copies.fromFile(bytes, paused);
  }

  usage(): Promise<Estimate | undefined> {
    return this.#storage.estimate();
  }

  /** Migrates the save of an earlier version, once. */
  #migrateLegacy(): Promise<void> {
    this.#moved ??= this.#tryToMove().catch((error: unknown) => {
      this.#moved = undefined;
      throw error;
    });
    return this.#moved;
  }

  /** Reports if a storage that was in use is empty: this is not a first visit. */
  async #findGone(): Promise<void> {
    if ((await this.#storage.keys(WORLDS)).length > 0) return;
    const writtenMs = await this.#storage.writtenMs?.();
    if (writtenMs !== undefined) this.#notify(goneNotice(writtenMs));
  }

  async #tryToMove(): Promise<void> {
    if (this.#readLegacy === undefined) return;
    const [moved] = await this.#storage.read([MOVED_KEY]);
    if (moved !== undefined) return;
    let isEmpty = false;
    try {
      const earlier = await readLegacy(this.#readLegacy);
      if (earlier !== undefined) {
        await migrateLegacy(earlier, this.#storage, this.#host);
        this.#notify(MOVED);
      } else isEmpty = true;
    } catch (error) {
      this.#notify({
        kind: "moved",
        text: `What an earlier version of Chainlab saved cannot be taken over (${errorText(error)}). It stays as it is.`,
        actions: ["continue"],
      });
      // Retry later after a failure of the storage.
      if (!(error instanceof InvalidLegacyError)) return;
    }
    if (isEmpty) await this.#findGone();
    const record = frameRecord(RECORD.moved, new Uint8Array());
    await this.#storage.write(new Map([[MOVED_KEY, record]]), []);
  }
}
