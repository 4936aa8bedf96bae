import { create } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { pack, unpack } from "../../base/pack.ts";
import { type PackedEntries, PackedLog, SealedLog } from "../../base/packed-log.ts";
import { runIndex } from "../../base/runs.ts";
import type { TxResult } from "../app/deliver-tx.ts";
import type { Event } from "../framework/events.ts";

/** Results of a block, without its steps. */
export interface Results {
  readonly events: readonly Event[];
  readonly txs: readonly StoredTxResult[];
}

/** Without `data`, which follows from the responses. */
export type StoredTxResult = Omit<TxResult, "data">;

/** Each event as its type, then alternating keys and values, without field names. */
type PackedEvents = readonly (readonly string[])[];

type PackedTx = readonly [
  code: number,
  codespace: string,
  log: string,
  events: PackedEvents,
  responses: readonly (string | Uint8Array)[],
];

type PackedResults = readonly [events: PackedEvents, txs: readonly PackedTx[]];

/** Location of a transaction: the height of its block, and its index there. */
export interface TxLocation {
  readonly height: number;
  readonly index: number;
}

/** Incremented when the encoding of a page changes. */
const FORMAT = 2;

export interface SavedPage {
  readonly format: number;
  readonly results: PackedEntries;
  readonly firsts: readonly number[];
  readonly prefixes: Uint8Array;
}

/** Packed results of eventful blocks: some 150 bytes per transaction. */
export class ResultsPage {
  readonly #log: PackedLog | SealedLog;
  /** Number on this page of each block's first transaction, by index of the block. */
  readonly #firsts: number[];
  /** Heights of the blocks, by index. */
  readonly #heights: number[];
  /** First four bytes of each transaction hash, by number on this page. */
  #prefixes: number[] | Uint32Array;

  constructor(
    log: PackedLog | SealedLog = new PackedLog(),
    heights: readonly number[] = [],
    firsts: readonly number[] = [],
    prefixes: number[] | Uint32Array = [],
  ) {
    this.#log = log;
    this.#heights = [...heights];
    this.#firsts = [...firsts];
    this.#prefixes = prefixes;
  }

  get first(): number | undefined {
    return this.#heights[0];
  }

  get last(): number | undefined {
    return this.#heights.at(-1);
  }

  /** Approximate bytes in memory. */
  get size(): number {
    return this.#log.size + 16 * this.#heights.length + 4 * this.#prefixes.length;
  }

  /** Appends the results of a block. @param hashes of its transactions */
  add(height: number, { events, txs }: Results, hashes: readonly Uint8Array[]): void {
    if (this.#log instanceof SealedLog || !Array.isArray(this.#prefixes)) {
      throw new Error("a sealed page grows no more");
    }
    this.#log.add(height, [packEvents(events), txs.map(packTx)]);
    this.#heights.push(height);
    this.#firsts.push(this.#prefixes.length);
    for (const hash of hashes) this.#prefixes.push(prefixOf(hash));
  }

  /** Returns the results of a block; undefined if it has none. */
  at(height: number): Results | undefined {
    const packed = this.#log.at(height) as PackedResults | undefined;
    if (packed === undefined) return undefined;
    const [events, txs] = packed;
    return { events: unpackEvents(events), txs: txs.map(unpackTx) };
  }

  /** Yields the heights of its blocks, newest first. @param txs only blocks with transactions */
  *heights(txs: boolean): Generator<number> {
    for (let i = this.#heights.length - 1; i >= 0; i--) {
      const end = this.#firsts[i + 1] ?? this.#prefixes.length;
      if (!txs || end > (this.#firsts[i] as number)) yield this.#heights[i] as number;
    }
  }

  /** Yields the locations of transactions whose hash starts like this one, newest first. */
  *locationsOf(hash: Uint8Array): Generator<TxLocation> {
    const prefix = prefixOf(hash);
    for (let i = this.#prefixes.length - 1; i >= 0; i--) {
      if (this.#prefixes[i] === prefix) yield this.#locationOf(i);
    }
  }

  /** Returns the location of the transaction with this number on the page, counted from 0. */
  #locationOf(number: number): TxLocation {
    const place = runIndex(this.#firsts, number);
    const [height, first] = [this.#heights[place], this.#firsts[place]];
    if (height === undefined || first === undefined) throw new RangeError(`no tx ${number}`);
    return { height, index: number - first };
  }

  /** Returns an immutable page with the same results. */
  sealed(): ResultsPage {
    const log = new SealedLog(this.#entries);
    return new ResultsPage(log, this.#heights, this.#firsts, Uint32Array.from(this.#prefixes));
  }

  toBytes(): Uint8Array {
    return pack(this.saved());
  }

  /** Returns the page as plain data; later additions are appended. */
  saved(): SavedPage {
    const prefixes = new Uint8Array(4 * this.#prefixes.length);
    const view = new DataView(prefixes.buffer);
    this.#prefixes.forEach((prefix, i) => {
      view.setUint32(4 * i, prefix);
    });
    return { format: FORMAT, results: this.#entries, firsts: this.#firsts, prefixes };
  }

  get #entries(): PackedEntries {
    return this.#log instanceof PackedLog ? this.#log.entries() : this.#log.entries;
  }

  /** Decodes a sealed or open page. Throws if the bytes are not a page of this format. */
  static fromBytes(bytes: Uint8Array, kind: "sealed" | "open"): ResultsPage {
    return ResultsPage.from(unpack(bytes) as SavedPage, kind);
  }

  /** Same, from plain data. */
  static from(page: SavedPage, kind: "sealed" | "open"): ResultsPage {
    const { format, results, firsts, prefixes: saved } = page;
    if (format !== FORMAT || firsts.length !== results.numbers.length) {
      throw new Error("these bytes are no page of results of this format");
    }
    const view = new DataView(saved.buffer, saved.byteOffset, saved.byteLength);
    const prefixes = Array.from({ length: saved.length / 4 }, (_, i) => view.getUint32(4 * i));
    const open = kind === "open";
    const log = open ? PackedLog.resume(results) : new SealedLog(results);
    const known = open ? prefixes : Uint32Array.from(prefixes);
    return new ResultsPage(log, results.numbers, firsts, known);
  }
}

const prefixOf = (hash: Uint8Array): number =>
  (((hash[0] ?? 0) << 24) | ((hash[1] ?? 0) << 16) | ((hash[2] ?? 0) << 8) | (hash[3] ?? 0)) >>> 0;

const packEvents = (events: readonly Event[]): PackedEvents =>
  events.map(({ type, attributes }) => {
    const packed = [type];
    for (const { key, value } of attributes) packed.push(key, value);
    return packed;
  });

const unpackEvents = (events: PackedEvents): readonly Event[] =>
  events.map(([type = "", ...pairs]) => ({
    type,
    attributes: Array.from({ length: pairs.length / 2 }, (_, i) => ({
      key: pairs[2 * i] ?? "",
      value: pairs[2 * i + 1] ?? "",
    })),
  }));

const packTx = ({ code, codespace, log, events, responses }: StoredTxResult): PackedTx => [
  code,
  codespace,
  log,
  packEvents(events),
  responses.flatMap(({ typeUrl, value }) => [typeUrl, value]),
];

function unpackTx([code, codespace, log, events, packed]: PackedTx): StoredTxResult {
  const responses: Any[] = [];
  for (let i = 0; i < packed.length; i += 2) {
    const [typeUrl, value] = [packed[i] as string, packed[i + 1] as Uint8Array];
    responses.push(create(AnySchema, { typeUrl, value }));
  }
  return { code, codespace, log, events: unpackEvents(events), responses };
}
