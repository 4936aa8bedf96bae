import { equal } from "../../base/bytes.ts";
import { isUnbounded, type PageSlot, Pages, type Residence } from "../../base/pages.ts";
import { sha256 } from "../../base/sha256.ts";
import { readTx } from "../app/deliver-tx.ts";
import type { ModuleStep } from "../app/steps.ts";
import { txHashesOf } from "../network/chain/block.ts";
import type { Ledger } from "../network/chain/ledger.ts";
import type { Applied } from "../network/node/applied.ts";
import type { HistoryRange, HistoryRanges } from "./history-range.ts";
import { type Results, ResultsPage, type TxLocation } from "./results-page.ts";
import { StepHistory } from "./step-history.ts";
import type { BlockResults, BlockView, TxView } from "./views.ts";

/** Minimum size of a page of results, in bytes: some 5 000 transactions. */
const PAGE_BYTES = 1 << 20;
/** Limit on pages of results in memory: some 30 000 transactions. With the blocks, 12 MB in all. */
const RESIDENT_BYTES = 6 << 20;

/** Page size limit of results, and the residence of pages in memory. */
export interface ResultsPaging extends Residence<ResultsPage> {
  readonly pageBytes: number;
}

export const RESULTS_PAGING = { pageBytes: PAGE_BYTES, residentBytes: RESIDENT_BYTES };

type ResultsSlot = PageSlot<ResultsPage>;

const NOTHING: Results = { events: [], txs: [] };

/** Results of committed blocks. Views of blocks and transactions are assembled on request. */
export class BlockHistory {
  readonly #ledger: Ledger;
  readonly #paging: ResultsPaging;
  #sealed: Pages<ResultsPage, ResultsSlot>;
  #open = new ResultsPage();
  /** Results of the newest block, not packed yet. */
  #newest: { readonly height: number; readonly results: Results } | undefined;
  readonly #steps = new StepHistory();

  constructor(ledger: Ledger, paging: ResultsPaging) {
    this.#ledger = ledger;
    this.#paging = paging;
    this.#sealed = new Pages(paging);
  }

  /** State stored in keyframes. */
  get persisted() {
    const fixed = isUnbounded(this.#paging);
    const slots = this.#sealed.slots.map(({ first, last, page }) => {
      return { first, last, bytes: fixed ? page?.toBytes() : undefined };
    });
    return [slots, this.#open.saved(), this.#steps.persisted] as const;
  }
  set persisted([slots, open, steps]) {
    this.#sealed = new Pages(
      this.#paging,
      slots.map(({ bytes, ...slot }) => {
        return { ...slot, page: bytes && ResultsPage.fromBytes(bytes, "sealed") };
      }),
    );
    this.#open = ResultsPage.from(open, "open");
    this.#steps.persisted = steps;
  }

  record({ height, outcome }: Applied): void {
    if (outcome === undefined) return;
    const { events, txResults: txs, steps } = outcome;
    if (steps.length > 0) this.#steps.add(height, steps);
    if (events.length + txs.length === 0) return;
    this.#newest = { height, results: { events, txs } };
    const hashes = txHashesOf(this.#ledger.blocks.bodyAt(height));
    this.#open.add(height, { events, txs }, hashes);
    if (this.#open.size >= this.#paging.pageBytes) this.#seal();
  }

  /** Stored decisions, by height of their block. */
  get steps(): ReadonlyMap<number, readonly ModuleStep[]> {
    return this.#steps.all;
  }

  #seal(): void {
    const { first = 0, last = 0 } = this.#open;
    this.#sealed.push({ first, last, page: this.#open.sealed() });
    this.#open = new ResultsPage();
  }

  get sealed(): Pages<ResultsPage, ResultsSlot> {
    return this.#sealed;
  }

  /** Loads an evicted sealed page. Throws if the bytes are not those of this page. */
  load(index: number, bytes: Uint8Array): void {
    const page = ResultsPage.fromBytes(bytes, "sealed");
    const slot = this.#sealed.slots[index];
    if (page.first !== slot?.first || page.last !== slot?.last) {
      throw new Error(`these bytes are not those of page ${index} of results`);
    }
    this.#sealed.load(index, page);
  }

  #at(height: number): Results {
    if (height === this.#newest?.height) return this.#newest.results;
    const index = this.#sealed.indexOf(height);
    const page = index === undefined ? this.#open : this.#sealed.get(index);
    return page.at(height) ?? NOTHING;
  }

  /** The newest transaction with this hash. Pages that end at or below a height are not read. */
  *searchTx(hash: Uint8Array, above: number): HistoryRanges<TxView | undefined> {
    const found = yield* this.#txOn(this.#open, hash);
    if (found !== undefined) return found;
    for (const index of this.pagesAbove(above)) {
      yield this.#rangeOf(index);
      const tx = yield* this.#txOn(this.#sealed.get(index), hash);
      if (tx !== undefined) return tx;
    }
    return undefined;
  }

  /**
   * Yields the eventful heights of a range, newest first, and each page before it is read.
   * @param txs only heights with transactions
   */
  *eventful(from: number, to: number, txs: boolean): Generator<number | HistoryRange> {
    for (const height of this.#open.heights(txs)) if (height >= from && height <= to) yield height;
    for (const index of this.pagesAbove(from - 1)) {
      if ((this.#sealed.slots[index]?.first ?? 0) > to) continue;
      yield this.#rangeOf(index);
      for (const height of this.#sealed.get(index).heights(txs)) {
        if (height >= from && height <= to) yield height;
      }
    }
  }

  /** Range of a sealed page, given by its first height. */
  #rangeOf(index: number): HistoryRange {
    const { first = 0 } = this.#sealed.slots[index] ?? {};
    return { kind: "results", from: first, to: first };
  }

  /** The sealed pages with results of blocks above a height, newest first. */
  *pagesAbove(height: number): Generator<number> {
    const { slots } = this.#sealed;
    for (let index = slots.length - 1; (slots[index]?.last ?? 0) > height; index--) yield index;
  }

  *#txOn(page: ResultsPage, hash: Uint8Array): HistoryRanges<TxView | undefined> {
    for (const place of page.locationsOf(hash)) {
      yield { kind: "blocks", from: place.height, to: place.height };
      const bytes = this.#ledger.blocks.bodyAt(place.height).txs[place.index];
      if (bytes === undefined || !equal(sha256(bytes), hash)) continue;
      return txView(place, bytes, this.#at(place.height));
    }
    return undefined;
  }

  results(height: number): BlockResults | undefined {
    const { blocks } = this.#ledger;
    if (!blocks.has(height)) return undefined;
    const { evidence, misbehavior } = blocks.bodyAt(height);
    const { events, txs } = this.#at(height);
    return {
      height,
      round: blocks.roundAt(height),
      binary: this.#ledger.binaryAt(height) ?? "",
      txs,
      events,
      steps: this.#steps.at(height),
      evidence,
      misbehavior: misbehavior.length,
    };
  }

  block(height: number): BlockView | undefined {
    const { blocks } = this.#ledger;
    const time = blocks.timeAt(height);
    const hash = blocks.hashAt(height);
    const results = this.results(height);
    if (time === undefined || hash === undefined || results === undefined) return undefined;
    const list = blocks.validatorsAt(height);
    const found = this.#at(height);
    return {
      ...results,
      hash: hash.slice(),
      time,
      proposer: blocks.proposerAt(height),
      appHash: blocks.appHashAt(height).slice(),
      absent: blocks.absentAt(height).map((i) => list.at(i).address),
      txs: blocks.bodyAt(height).txs.map((bytes, index) => {
        return txView({ height, index }, bytes, found);
      }),
    };
  }
}

function txView({ height, index }: TxLocation, bytes: Uint8Array, { txs }: Results): TxView {
  const result = txs[index];
  if (result === undefined) throw new Error(`block ${height} has no result for tx ${index}`);
  const { messages, signer } = readTx(bytes);
  const { code, codespace, log, responses, events } = result;
  return {
    hash: sha256(bytes),
    height,
    signer,
    messages,
    code,
    codespace,
    log,
    responses,
    events,
  };
}
