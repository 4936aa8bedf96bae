import { decodeTx, type TxResult } from "../app/deliver-tx.ts";
import type { ModuleStep } from "../app/steps.ts";
import type { Event } from "../framework/events.ts";
import type { Ledger } from "../network/chain/ledger.ts";
import type { Applied } from "../network/node/applied.ts";
import { fromAccAddress } from "../primitives/bech32.ts";
import { toHex } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/sha256.ts";
import type { BlockView, TxView } from "./views.ts";

/** What a block left behind; a block in which nothing happened leaves nothing. */
export interface Results {
  readonly events: readonly Event[];
  readonly txs: readonly TxResult[];
  steps: readonly ModuleStep[];
}

/** How many eventful blocks keep their steps; those of older ones come back by replay. */
const STEPS_KEPT = 500;

const NOTHING: Results = { events: [], txs: [], steps: [] };

/** The results of committed blocks. Views of blocks and transactions are put together when someone looks. */
export class BlockHistory {
  readonly #ledger: Ledger;
  #results = new Map<number, Results>();
  /** Where each transaction is, by its hash in hex: its block, and its place there. */
  #places = new Map<string, { readonly height: number; readonly index: number }>();
  #withSteps: number[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** What a keyframe holds of it. */
  get kept() {
    return [this.#results, this.#places, this.#withSteps] as const;
  }
  set kept(kept) {
    [this.#results, this.#places, this.#withSteps] = kept;
  }

  record({ height, outcome }: Applied): void {
    if (outcome === undefined) return;
    const { events, txResults: txs, steps } = outcome;
    if (events.length + txs.length + steps.length === 0) return;
    this.#ledger.blocks.bodyAt(height).txs.forEach((bytes, index) => {
      this.#places.set(toHex(sha256(bytes)), { height, index });
    });
    this.#results.set(height, { events, txs, steps });
    if (steps.length > 0) this.#forgetOldSteps(height);
  }

  #forgetOldSteps(height: number): void {
    this.#withSteps.push(height);
    if (this.#withSteps.length <= 2 * STEPS_KEPT) return;
    for (const old of this.#withSteps.splice(0, STEPS_KEPT)) {
      const results = this.#results.get(old);
      if (results !== undefined) results.steps = [];
    }
  }

  /** The transaction with this hash (hex), if it is in a committed block. */
  tx(hash: string): TxView | undefined {
    const place = this.#places.get(hash);
    return place && this.#txView(place.height, place.index);
  }

  #txView(height: number, index: number): TxView {
    const bytes = this.#ledger.blocks.bodyAt(height).txs[index];
    const result = this.#results.get(height)?.txs[index];
    if (bytes === undefined || result === undefined) {
      throw new Error(`block ${height} has no result for transaction ${index}`);
    }
    const { messages, signer } = decodeTx(bytes);
    const { code, codespace, log, responses, events } = result;
    return {
      hash: sha256(bytes),
      height,
      signer: fromAccAddress(signer),
      messages,
      code,
      codespace,
      log,
      responses,
      events,
    };
  }

  block(height: number): BlockView | undefined {
    const { blocks } = this.#ledger;
    const time = blocks.timeAt(height);
    const hash = blocks.hashAt(height);
    if (time === undefined || hash === undefined) return undefined;
    const list = blocks.validatorsAt(height);
    const { events, txs, steps } = this.#results.get(height) ?? NOTHING;
    return {
      height,
      hash: hash.slice(),
      time,
      round: blocks.roundAt(height),
      proposer: blocks.proposerAt(height),
      appHash: blocks.appHashAt(height).slice(),
      binary: this.#ledger.binaryAt(height) ?? "",
      absent: blocks.absentAt(height).map((i) => list.at(i).address),
      txs: txs.map((_, index) => this.#txView(height, index)),
      events,
      steps,
      evidence: blocks.bodyAt(height).evidence,
      misbehavior: blocks.bodyAt(height).misbehavior.length,
    };
  }
}
