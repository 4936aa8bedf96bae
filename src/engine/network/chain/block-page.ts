import { equal } from "../../../base/bytes.ts";
import { pack, unpack } from "../../../base/pack.ts";
import { type PackedEntries, PackedLog, SealedLog } from "../../../base/packed-log.ts";
import { HashRuns, Runs, SteppedRuns, withRoom } from "../../../base/runs.ts";
import type { Time } from "../../../base/time.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import { EMPTY_HASH } from "../../consensus/hashes.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import { type BlockBody, type DecidedBlock, EMPTY_BODY } from "./block.ts";
import { restoreEvidence, type SavedEvidence, saveEvidence } from "./evidence-records.ts";
import { changesBetween, PageValidators, type SavedValidators } from "./page-validators.ts";

const HASH_SIZE = 32;

/** Fields that only some blocks have. */
interface Extras {
  readonly body: BlockBody;
  /** Undefined if all precommits had the next block's time. */
  readonly times: VoteTimes | undefined;
}

/** A page as plain data. */
interface SavedPage {
  readonly format: number;
  readonly first: number;
  readonly count: number;
  readonly hashes: Uint8Array;
  readonly proposers: Uint8Array;
  readonly times: Pick<SteppedRuns, "starts" | "firsts" | "steps">;
  readonly rounds: Pick<Runs<number>, "starts" | "values">;
  readonly absent: Pick<Runs<readonly number[]>, "starts" | "values">;
  readonly appHashes: Pick<HashRuns, "starts" | "rows">;
  readonly resultsHashes: Pick<HashRuns, "starts" | "rows">;
  readonly validators: SavedValidators;
  readonly extras: PackedEntries;
}

/** Incremented when the encoding of a page changes. */
const FORMAT = 2;

/** Consecutive blocks as columns: 34 bytes per quiet block, and more only for differences. */
export class BlockPage {
  /** Height of the first block. */
  readonly first: number;
  readonly validators: PageValidators;
  #count = 0;
  #hashes: Uint8Array = new Uint8Array(64 * HASH_SIZE);
  #proposers: Uint8Array = new Uint8Array(64 * 2);
  #times = new SteppedRuns();
  #rounds = new Runs<number>();
  #absent = new Runs(sameNumbers);
  #appHashes = new HashRuns();
  #resultsHashes = new HashRuns();
  #extras: PackedLog | SealedLog = new PackedLog();
  #newest: Extras | undefined;
  /** Open-addressing hash table of block indexes, counted from 1; created on first use. */
  #indexTable: Uint16Array | undefined;

  /** @param validators list of the first block */
  constructor(first: number, validators: ValidatorList | PageValidators) {
    this.first = first;
    this.validators =
      validators instanceof PageValidators ? validators : new PageValidators(validators);
  }

  /** Returns an independent copy of the page. */
  copy(): BlockPage {
    const copy = new BlockPage(this.first, this.validators.copy());
    copy.#count = this.#count;
    copy.#hashes = this.#hashes.slice();
    copy.#proposers = this.#proposers.slice();
    copy.#times = this.#times.copy();
    copy.#rounds = this.#rounds.copy();
    copy.#absent = this.#absent.copy();
    copy.#appHashes = this.#appHashes.copy();
    copy.#resultsHashes = this.#resultsHashes.copy();
    copy.#extras = this.#extras instanceof PackedLog ? this.#extras.copy() : this.#extras;
    copy.#newest = this.#newest;
    return copy;
  }

  get count(): number {
    return this.#count;
  }

  get last(): number {
    return this.first + this.#count - 1;
  }

  /** Bytes of the blocks' contents. */
  get contentBytes(): number {
    return this.#extras.size;
  }

  /** Approximate bytes in memory. */
  get size(): number {
    const absent = this.#absent.values.reduce((sum, list) => sum + 24 + 8 * list.length, 0);
    const hashes = 40 * (this.#appHashes.starts.length + this.#resultsHashes.starts.length);
    const others = 64 * this.#times.starts.length + 16 * this.#rounds.starts.length;
    const columns = this.#hashes.length + this.#proposers.length;
    return columns + hashes + absent + others + this.validators.size + this.#extras.size;
  }

  /** Appends the next block. @param before validators of the previous block */
  append(block: DecidedBlock, before: ValidatorList | undefined): void {
    const at = this.#count;
    const height = this.first + at;
    this.#hashes = withRoom(this.#hashes, (at + 1) * HASH_SIZE);
    this.#hashes.set(block.hash, at * HASH_SIZE);
    this.#proposers = withRoom(this.#proposers, (at + 1) * 2);
    this.#proposers[2 * at] = block.proposer;
    this.#proposers[2 * at + 1] = block.proposer >> 8;
    this.#times.append(height, block.time);
    this.#rounds.set(height, block.round);
    this.#absent.set(height, block.absent);
    if (before !== undefined && before !== block.validators && at > 0) {
      this.validators.append(height, changesBetween(before, block.validators));
    }
    this.#addExtras(height, block);
    this.#count += 1;
  }

  #addExtras(height: number, { body, times }: DecidedBlock): void {
    const same = times.others.size === 0;
    if (this.#extras instanceof SealedLog) throw new Error("a sealed page grows no more");
    if (body === EMPTY_BODY && same) {
      this.#newest = NO_EXTRAS;
      return;
    }
    this.#newest = { body, times: same ? undefined : times };
    const { txs, evidence, misbehavior } = body;
    const saved = evidence.map((item) => saveEvidence(item));
    this.#extras.add(height, [txs, saved, misbehavior, same ? undefined : times]);
  }

  /** Records the results of the last block. */
  setResults(appHash: Uint8Array, resultsHash: Uint8Array): void {
    this.#appHashes.set(this.last, appHash);
    this.#resultsHashes.set(this.last, resultsHash);
  }

  timeAt(height: number): Time {
    return this.#times.at(height) as Time;
  }

  /** Returns a view into the column, like the other hash getters. */
  hashAt(height: number): Uint8Array {
    return this.#row(height - this.first);
  }

  appHashAt(height: number): Uint8Array {
    return this.#appHashes.at(height) ?? NO_HASH;
  }

  resultsHashAt(height: number): Uint8Array {
    return this.#resultsHashes.at(height) ?? EMPTY_HASH;
  }

  proposerAt(height: number): number {
    const at = 2 * (height - this.first);
    return (this.#proposers[at] as number) + (this.#proposers[at + 1] as number) * 256;
  }

  roundAt(height: number): number {
    return this.#rounds.at(height) ?? 0;
  }

  /** Indexes of the validators without a precommit. */
  absentAt(height: number): readonly number[] {
    return this.#absent.at(height) ?? NONE;
  }

  /**
   * Last height in (after, upTo] whose commit contains a validator's precommit; undefined if there
   * is none. A run of equal commits is checked once.
   */
  lastSignedBy(address: Uint8Array, upTo: number, after: number): number | undefined {
    let height = upTo;
    for (const { from, place } of this.validators.indexesOf(address, this.first).toReversed()) {
      const lowest = Math.max(from, after + 1);
      while (place >= 0 && height >= lowest) {
        if (!this.absentAt(height).includes(place)) return height;
        height = Math.max(this.#absent.startOf(height), from) - 1;
      }
      height = Math.min(height, from - 1);
    }
    return undefined;
  }

  bodyAt(height: number): BlockBody {
    return this.#extrasAt(height)?.body ?? EMPTY_BODY;
  }

  voteTimesAt(height: number): VoteTimes | undefined {
    return this.#extrasAt(height)?.times;
  }

  #extrasAt(height: number): Extras | undefined {
    if (height === this.last && this.#newest !== undefined) return this.#newest;
    const saved = this.#extras.at(height) as SavedExtras | undefined;
    if (saved === undefined) return undefined;
    const [txs, evidence, misbehavior, times] = saved;
    const body = { txs, evidence: evidence.map((item) => restoreEvidence(item)), misbehavior };
    return { body, times };
  }

  /** Height of the newest block with this hash; undefined if there is none. */
  heightOf(hash: Uint8Array): number | undefined {
    let found: number | undefined;
    const places = this.#index();
    for (let slot = slotOf(hash, places); places[slot] !== 0; slot = (slot + 1) % places.length) {
      const at = (places[slot] as number) - 1;
      if (equal(this.#row(at), hash)) found = Math.max(found ?? 0, this.first + at);
    }
    return found;
  }

  #index(): Uint16Array {
    if (this.#indexTable !== undefined) return this.#indexTable;
    const places = new Uint16Array(2 * this.#count + 1);
    for (let at = 0; at < this.#count; at++) {
      let slot = slotOf(this.#row(at), places);
      while (places[slot] !== 0) slot = (slot + 1) % places.length;
      places[slot] = at + 1;
    }
    // An open page still grows.
    if (this.#extras instanceof SealedLog) this.#indexTable = places;
    return places;
  }

  #row(at: number): Uint8Array {
    return this.#hashes.subarray(at * HASH_SIZE, (at + 1) * HASH_SIZE);
  }

  /** Returns an immutable page with the same blocks. */
  sealed(): BlockPage {
    return BlockPage.#restore(this.#save(), this.validators, (entries) => new SealedLog(entries));
  }

  toBytes(): Uint8Array {
    return pack(this.#save());
  }

  /**
   * Decodes a sealed or open page. Throws if the bytes are not a page of this format.
   * @param known validator lists to reuse
   */
  static fromBytes(
    bytes: Uint8Array,
    known: Iterable<ValidatorList>,
    kind: "sealed" | "open",
  ): BlockPage {
    const saved = unpack(bytes) as SavedPage;
    if (saved.format !== FORMAT || saved.hashes.length !== saved.count * HASH_SIZE) {
      throw new Error("these bytes are no page of blocks of this format");
    }
    const validators = PageValidators.restore(saved.validators, known);
    return BlockPage.#restore(saved, validators, (entries) =>
      kind === "sealed" ? new SealedLog(entries) : PackedLog.resume(entries),
    );
  }

  #save(): SavedPage {
    const runs = <T>({ starts, values }: Runs<T>) => ({ starts, values });
    const hashes = ({ starts, rows }: HashRuns) => ({ starts, rows: rows.slice() });
    const { starts, firsts, steps } = this.#times;
    return {
      format: FORMAT,
      first: this.first,
      count: this.#count,
      hashes: this.#hashes.slice(0, this.#count * HASH_SIZE),
      proposers: this.#proposers.slice(0, this.#count * 2),
      times: { starts, firsts, steps },
      rounds: runs(this.#rounds),
      absent: runs(this.#absent),
      appHashes: hashes(this.#appHashes),
      resultsHashes: hashes(this.#resultsHashes),
      validators: this.validators.save(),
      extras: this.#extras instanceof PackedLog ? this.#extras.entries() : this.#extras.entries,
    };
  }

  static #restore(
    saved: SavedPage,
    validators: PageValidators,
    extrasOf: (entries: PackedEntries) => PackedLog | SealedLog,
  ): BlockPage {
    const { times, rounds, absent, appHashes, resultsHashes } = saved;
    const page = new BlockPage(saved.first, validators);
    page.#count = saved.count;
    page.#hashes = saved.hashes;
    page.#proposers = saved.proposers;
    page.#times = new SteppedRuns(times.starts, times.firsts, times.steps);
    page.#rounds = new Runs(Object.is, rounds.starts, rounds.values);
    page.#absent = new Runs(sameNumbers, absent.starts, absent.values);
    page.#appHashes = new HashRuns(appHashes.starts, appHashes.rows);
    page.#resultsHashes = new HashRuns(resultsHashes.starts, resultsHashes.rows);
    page.#extras = extrasOf(saved.extras);
    return page;
  }
}

type SavedExtras = readonly [
  txs: readonly Uint8Array[],
  evidence: readonly SavedEvidence[],
  misbehavior: BlockBody["misbehavior"],
  times: VoteTimes | undefined,
];

const NO_EXTRAS: Extras = { body: EMPTY_BODY, times: undefined };

const NONE: readonly number[] = [];

const NO_HASH = new Uint8Array(HASH_SIZE);

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a === b || (a.length === b.length && a.every((value, i) => value === b[i]));

/** Returns the first slot to probe for a hash. */
const slotOf = (hash: Uint8Array, { length }: Uint16Array): number =>
  (((hash[0] ?? 0) << 16) | ((hash[1] ?? 0) << 8) | (hash[2] ?? 0)) % length;
