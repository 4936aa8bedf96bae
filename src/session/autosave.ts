import { errorText } from "../engine/framework/errors.ts";
import type { SavedSession } from "./saved.ts";
import type { Session } from "./session.ts";
import type { SessionStore } from "./session-store.ts";

/** Journal entries in one value: many small values are slow, one big value is written over and over. */
const BATCH = 512;
/** Bound on the batches read: a greater count is corrupt. */
const MAX_BATCHES = 10_000;

const HEAD = "head";
const SPEC = "spec";
const batchKey = (index: number): string => `journal-${index}`;

/** The part that changes with every save, written in one transaction with the batches it counts. */
interface Head extends Omit<SavedSession, "spec" | "journal"> {
  readonly format: 1;
  readonly entries: number;
}

/** Reads a saved session, not validated; undefined if there is none. */
export async function readParts(store: SessionStore): Promise<unknown> {
  const [head, spec] = await store.read([HEAD, SPEC]);
  if (head === undefined) return undefined;
  const { format, entries, ...rest } = Object(head) as Partial<Head>;
  const batches = Math.ceil(Number(entries) / BATCH);
  // An invalid count gives parts that the schema refuses.
  if (format !== 1 || !(batches >= 0 && batches <= MAX_BATCHES)) return {};
  const keys = Array.from({ length: batches }, (_, index) => batchKey(index));
  const journal = (await store.read(keys)).flat();
  return { ...rest, spec, journal: journal.length === entries ? journal : undefined };
}

/** Saves a session to a store on request, if it has changed. */
export class Autosave {
  readonly #store: SessionStore;
  readonly #session: Session;
  #world = "";
  #revision = 0;
  /** Journal entries in the store. */
  #entries = 0;
  /** Batches in the store, of this world or of an earlier one. */
  #batches: number | undefined;
  #last = Promise.resolve();
  /** A write that has not begun yet; later calls of `save` share it. */
  #next: Promise<void> | undefined;

  constructor(store: SessionStore, session: Session) {
    this.#store = store;
    this.#session = session;
  }

  /** Writes what has changed since it was last written, after a write that is under way. Never rejects. */
  save(): Promise<void> {
    this.#next ??= this.#last
      .then(() => {
        this.#next = undefined;
        return this.#write();
      })
      .catch((error: unknown) => {
        this.#session.note = `This tab cannot be saved: ${errorText(error)}.`;
      });
    this.#last = this.#next;
    return this.#last;
  }

  async #write(): Promise<void> {
    const { world, player } = this.#session;
    const { revision } = player;
    const fresh = world !== this.#world;
    if (!fresh && revision === this.#revision) return;
    const saved = this.#session.saved();
    if (saved === undefined) return;
    const { spec, journal, ...rest } = saved;
    const entries = journal.length;
    const head: Head = { ...rest, format: 1, entries };
    const puts = new Map<string, unknown>([[HEAD, head]]);
    if (fresh) puts.set(SPEC, spec);
    const kept = fresh ? 0 : this.#entries;
    const batches = Math.ceil(entries / BATCH);
    for (let i = Math.floor(kept / BATCH); entries > kept && i < batches; i++) {
      puts.set(batchKey(i), journal.slice(i * BATCH, (i + 1) * BATCH));
    }
    this.#batches ??= await this.#batchesFromBefore();
    const surplus = Math.max(this.#batches - batches, 0);
    const removals = Array.from({ length: surplus }, (_, i) => batchKey(batches + i));
    await this.#store.write(puts, removals);
    this.#session.note = "";
    this.#world = world;
    this.#revision = revision;
    this.#entries = entries;
    this.#batches = batches;
  }

  async #batchesFromBefore(): Promise<number> {
    const [head] = await this.#store.read([HEAD]);
    const entries = Number((head as Partial<Head> | undefined)?.entries);
    return entries > 0 ? Math.min(Math.ceil(entries / BATCH), MAX_BATCHES) : 0;
  }
}
