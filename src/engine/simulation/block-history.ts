import { decodeTx } from "../app/deliver-tx.ts";
import type { Event } from "../framework/events.ts";
import type { Step } from "../framework/trace.ts";
import type { Ledger } from "../network/ledger.ts";
import type { Applied } from "../network/node.ts";
import { fromAccAddress } from "../primitives/bech32.ts";
import { toHex } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/sha256.ts";
import type { BlockView, TxView } from "./views.ts";

/** What a block left behind; a block in which nothing happened leaves nothing. */
interface Results {
  readonly events: readonly Event[];
  readonly txs: readonly TxView[];
  steps: readonly Step[];
}

/** How many eventful blocks keep their steps; those of older ones come back by replay. */
const STEPS_KEPT = 500;

const NOTHING: Results = { events: [], txs: [], steps: [] };

/** The results of committed blocks, and blocks put together for those who look at one. */
export class BlockHistory {
  readonly #ledger: Ledger;
  readonly #results = new Map<number, Results>();
  readonly #txHeights = new Map<string, number>();
  readonly #withSteps: number[] = [];

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  record({ height, outcome }: Applied): void {
    if (outcome === undefined) return;
    const { events, txResults, steps } = outcome;
    if (events.length + txResults.length + steps.length === 0) return;
    const txs = this.#ledger.blocks.bodyAt(height).txs.map((bytes, i): TxView => {
      const tx = decodeTx(bytes);
      const hash = sha256(bytes);
      this.#txHeights.set(toHex(hash), height);
      const result = txResults[i];
      if (result === undefined)
        throw new Error(`block ${height} has no result for transaction ${i}`);
      const { code, codespace, log, responses, events } = result;
      const signer = fromAccAddress(tx.signer);
      return {
        hash,
        height,
        signer,
        messages: tx.messages,
        code,
        codespace,
        log,
        responses,
        events,
      };
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

  tx(hash: string): TxView | undefined {
    const height = this.#txHeights.get(hash);
    const txs = height === undefined ? undefined : this.#results.get(height)?.txs;
    return txs?.find((tx) => toHex(tx.hash) === hash);
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
      txs,
      events,
      steps,
      misbehavior: blocks.bodyAt(height).misbehavior.length,
    };
  }
}
