import { errorText } from "../engine/framework/errors.ts";
import { moveEarlier, type ReadEarlier, readEarlier, UnsoundEarlier } from "./earlier.ts";
import { headRecord, OUTLINE_KEYS, readOutline, type StoredBeginning } from "./history/head.ts";
import { History } from "./history/history.ts";
import { ASIDE, BEGINNINGS, HEADS, readKeyframeKey, WORLDS, worldPrefix } from "./history/keys.ts";
import { frameRecord, RECORD } from "./history/record.ts";
import type { Estimate, Host, Storage } from "./history/storage.ts";
import { UnreadableWorld } from "./history/stored-history.ts";
import type { NoticeDraft } from "./notices.ts";
import {
  damageNotice,
  MOVED,
  mismatchNotice,
  oldDamageNotice,
  unopenedNotice,
  unreadableNotice,
} from "./notices.ts";
import { FIRST_SPEED } from "./pace.ts";
import { restoreWorld, type Use } from "./restore.ts";
import { type Origin, RunningWorld } from "./running-world.ts";
import type { Head } from "./saved.ts";
import { nameOf, type Saver } from "./saver.ts";
import type { ExportedWorld } from "./saving.ts";
import type { Session } from "./session.ts";
import { firstOutline, isOfFile, readWorldFile, worldFile } from "./world-file.ts";
import type { WorldEntry, Worlds } from "./worlds.ts";

/** Records that are copied in one transaction. */
const COPIED_AT_ONCE = 64;
/** How long a removed world can be restored. */
export const ERASED_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
/** Says that what an earlier version saved has been looked at. */
const MOVED_KEY = "moved";

export class SavedWorlds implements Worlds {
  readonly #session: Session;
  readonly #storage: Storage;
  readonly #host: Host;
  readonly #saver: Saver;
  readonly #tell: (notice: NoticeDraft, world?: string) => void;
  readonly #earlier: ReadEarlier | undefined;
  #moved: Promise<void> | undefined;
  /** The world that is being brought back. */
  #opening: History | undefined;

  constructor(
    session: Session,
    storage: Storage,
    host: Host,
    saver: Saver,
    tell: (notice: NoticeDraft, world?: string) => void,
    earlier: ReadEarlier | undefined,
  ) {
    this.#session = session;
    this.#storage = storage;
    this.#host = host;
    this.#saver = saver;
    this.#tell = tell;
    this.#earlier = earlier;
  }

  get #history(): History | undefined {
    return this.#opening ?? this.#saver.history;
  }
  get current(): string | undefined {
    return this.#history?.id;
  }
  get name(): string {
    return this.#history?.name ?? "";
  }

  /** Whether a saved world is being brought to where it was. */
  get isOpening(): boolean {
    return this.#opening !== undefined;
  }

  async list(): Promise<readonly WorldEntry[]> {
    await this.#moveEarlier();
    const keys = await this.#storage.keys(WORLDS);
    const ids = [...new Set(keys.map((key) => key.slice(WORLDS.length).split("/")[0] ?? ""))];
    const entries = await Promise.all(ids.map((id) => this.#entry(id, keys)));
    return entries.flatMap((entry) => entry ?? []).sort((a, b) => b.savedMs - a.savedMs);
  }

  async #entry(id: string, keys: readonly string[]): Promise<WorldEntry | undefined> {
    const prefix = worldPrefix(id);
    const own = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    // What a copy that was not finished has left.
    if (!own.some((key) => OUTLINE_KEYS.some((one) => one === key))) return undefined;
    const head = (await this.#outline(id)).newest;
    const caches = own.map((key) => readKeyframeKey(key)?.bytes ?? 0);
    const { name = "", createdMs = 0, savedMs = 0, height = 0, rounds = 0, bytes = 0 } = head ?? {};
    const { removedMs } = head ?? {};
    return {
      ...{ id, name, createdMs, savedMs, height, rounds },
      bytes: caches.reduce((sum, size) => sum + size, bytes),
      ...(removedMs === undefined ? {} : { removedMs }),
    };
  }

  async #outline(id: string) {
    return readOutline(await this.#storage.read(OUTLINE_KEYS.map((key) => worldPrefix(id) + key)));
  }

  open(id: string): Promise<void> {
    return this.#open(id, "play");
  }

  openToRead(id: string): Promise<void> {
    return this.#open(id, "read");
  }

  async #open(id: string, use: Use): Promise<void> {
    if (id === this.current) return;
    if (await this.#takeBack(id)) return;
    const history = await this.#read(id);
    await this.#saver.close();
    this.#opening = history;
    const begun = this.#session.player.live;
    this.#session.restored = this.#restore(history, use);
    // From here on the page shows this world, on its way to where it was.
    while (this.#opening === history && this.#session.player.live === begun)
      await this.#host.delay(0);
  }

  /** Plays on a world that is not written to its end, as it is in memory. */
  async #takeBack(id: string): Promise<boolean> {
    if (!(await this.#saver.takeBack(id))) return false;
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
      const { name = "" } = (await this.#outline(id)).newest ?? {};
      const notice = unreadableNotice(name, error.damage);
      this.#tell(notice, id);
      throw new Error(notice.text);
    }
  }

  async #restore(history: History, use: Use): Promise<void> {
    const { player } = this.#session;
    try {
      const restored = await restoreWorld(
        player,
        history,
        this.#host.build,
        use,
        () => this.#opening === history,
      );
      if (restored === undefined) return;
      // Its name is in the head, of which both copies may be damaged.
      history.name ||= nameOf(restored.live);
      this.#saver.follow(restored.live, history, use);
      const { height } = restored.live.sim;
      if (history.damage.length > 0) this.#tell(damageNotice(history.damage, height));
      else if (restored.differs) this.#tell(mismatchNotice(height));
      void this.#verify(history);
    } catch (error) {
      this.#tell(unopenedNotice(errorText(error)), history.id);
    } finally {
      if (this.#opening === history) this.#opening = undefined;
      player.changed();
    }
  }

  /** Reads what the restore did not need. */
  async #verify(history: History): Promise<void> {
    try {
      const damage = await history.verify();
      if (damage !== undefined && this.#saver.history === history)
        this.#tell(oldDamageNotice(damage));
    } catch {
      // The storage does not answer: the next save says so.
    }
  }

  async create(origin: Origin, name?: string): Promise<string> {
    const live = new RunningWorld(origin);
    await this.#saver.close();
    this.#opening = undefined;
    const { player } = this.#session;
    player.begin(live);
    player.pace.speed = FIRST_SPEED;
    player.play();
    return this.keep(name);
  }

  async keep(name = nameOf(this.#session.player.live)): Promise<string> {
    const { id } = this.#saver.begin(name);
    await this.#saver.save();
    return id;
  }

  async close(): Promise<void> {
    await this.#saver.close();
    this.#opening = undefined;
    this.#session.player.pause();
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#change(id, (head) => ({ ...head, name }));
    const history = this.#history;
    if (history?.id === id) history.name = name;
  }

  async remove(id: string): Promise<void> {
    if (id === this.current) throw new Error("the world is open");
    const now = this.#host.now();
    await this.#change(id, (head) => ({ ...head, removedMs: now }));
    const old = (await this.list()).filter(
      ({ removedMs = now }) => removedMs < now - ERASED_AFTER_MS,
    );
    for (const one of old) await this.#erase(one.id);
  }

  async restore(id: string): Promise<void> {
    await this.#change(id, ({ removedMs: _, ...head }) => head);
  }

  /** Writes a world's head anew; that of the played world with its next save. */
  async #change(id: string, change: (head: Head) => Head): Promise<void> {
    const history = this.#history;
    if (history?.id === id) {
      history.name = change({ name: history.name } as Head).name;
      return this.#saver.save();
    }
    const { newest: head } = await this.#outline(id);
    if (head === undefined) throw new Error("there is no such world, or it cannot be read");
    const record = headRecord({ ...change(head), seq: head.seq + 1 });
    const puts = HEADS.map((key) => [worldPrefix(id) + key, record] as const);
    await this.#storage.write(new Map(puts), []);
  }

  async erase(id: string): Promise<void> {
    if (id === this.current) throw new Error("the world is open");
    await this.#erase(id);
  }

  async #erase(id: string): Promise<void> {
    const keys = [worldPrefix(id), `${ASIDE}${id}/`].map((prefix) => this.#storage.keys(prefix));
    await this.#storage.write(new Map(), (await Promise.all(keys)).flat());
  }

  async duplicate(id: string): Promise<string> {
    if (id === this.current) await this.#saver.save();
    const { begun, head } = await this.#outline(id);
    if (begun === undefined || head === undefined) throw new Error("the world cannot be read");
    const outline = [...BEGINNINGS, ...HEADS].map((key) => worldPrefix(id) + key);
    const keys = await this.#storage.keys(worldPrefix(id));
    const copy = this.#host.id();
    const others = keys.filter((key) => !outline.includes(key));
    for (let i = 0; i < others.length; i += COPIED_AT_ONCE) {
      const some = others.slice(i, i + COPIED_AT_ONCE);
      const records = await this.#storage.read(some);
      const puts = some.flatMap((key, j) => {
        const record = records[j];
        return record
          ? [[worldPrefix(copy) + key.slice(worldPrefix(id).length), record] as const]
          : [];
      });
      await this.#storage.write(new Map(puts), []);
    }
    await this.#writeOutline(copy, begun, { ...head, name: `${head.name} (copy)` });
    return copy;
  }

  async #writeOutline(id: string, begun: StoredBeginning, head: Head): Promise<void> {
    const now = this.#host.now();
    const outline = firstOutline(begun, { ...head, createdMs: now, savedMs: now });
    const puts = [...outline].map(([key, record]) => [worldPrefix(id) + key, record] as const);
    await this.#storage.write(new Map(puts), []);
  }

  async exportFile(id: string): Promise<Uint8Array> {
    if (id === this.current) await this.#saver.save();
    const unwritten = this.#saver.unwritten(id);
    if (unwritten !== undefined) return worldFile(unwritten);
    const prefix = worldPrefix(id);
    const keys = (await this.#storage.keys(prefix)).filter((key) =>
      isOfFile(key.slice(prefix.length)),
    );
    if (keys.length === 0) throw new Error("nothing of this world can be read");
    return worldFile(await this.#recordsOf(keys, prefix));
  }

  /** What was set aside of a world, as a file of records; the world itself if nothing was. */
  async exportAside(id: string): Promise<ExportedWorld> {
    const keys = await this.#storage.keys(`${ASIDE}${id}/`);
    if (keys.length === 0) return this.exportNamed(id);
    const content = worldFile(await this.#recordsOf(keys, ""));
    return { name: `${await this.#nameOf(id)} (set aside)`, content };
  }

  async exportNamed(id: string): Promise<ExportedWorld> {
    const content = await this.exportFile(id);
    return { name: await this.#nameOf(id), content };
  }

  /** A world's name; empty if it cannot be read. */
  async #nameOf(id: string): Promise<string> {
    return id === this.current ? this.name : ((await this.#outline(id)).newest?.name ?? "");
  }

  async #recordsOf(keys: readonly string[], prefix: string): Promise<[string, Uint8Array][]> {
    const records = await this.#storage.read(keys);
    return keys.flatMap((key, i) => {
      const record = records[i];
      return record ? [[key.slice(prefix.length), record]] : [];
    });
  }

  async importFile(bytes: Uint8Array): Promise<string> {
    const { begun, head, segments } = await readWorldFile(bytes);
    const id = this.#host.id();
    const records = [...segments];
    for (let i = 0; i < records.length; i += COPIED_AT_ONCE) {
      const some = records.slice(i, i + COPIED_AT_ONCE);
      await this.#storage.write(
        new Map(some.map(([key, record]) => [worldPrefix(id) + key, record])),
        [],
      );
    }
    const { removedMs: _, ...kept } = head;
    await this.#writeOutline(id, begun, kept);
    return id;
  }

  usage(): Promise<Estimate | undefined> {
    return this.#storage.estimate();
  }

  /** Takes over what an earlier version saved, once. */
  #moveEarlier(): Promise<void> {
    this.#moved ??= this.#tryToMove().catch((error: unknown) => {
      this.#moved = undefined;
      throw error;
    });
    return this.#moved;
  }

  async #tryToMove(): Promise<void> {
    if (this.#earlier === undefined) return;
    const [moved] = await this.#storage.read([MOVED_KEY]);
    if (moved !== undefined) return;
    try {
      const earlier = await readEarlier(this.#earlier);
      if (earlier !== undefined) {
        await moveEarlier(earlier, this.#storage, this.#host);
        this.#tell(MOVED);
      }
    } catch (error) {
      this.#tell({
        kind: "moved",
        text: `What an earlier version of Chainlab saved cannot be taken over (${errorText(error)}). It stays as it is.`,
        actions: ["continue"],
      });
      // What the storage refuses now may be taken over another time.
      if (!(error instanceof UnsoundEarlier)) return;
    }
    const record = frameRecord(RECORD.moved, new Uint8Array());
    await this.#storage.write(new Map([[MOVED_KEY, record]]), []);
  }
}
