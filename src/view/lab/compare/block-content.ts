/**
 * Content and effects of a block for comparisons, without hashes and times, which differ after any
 * other difference.
 */

import { accAddress, consAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { formatProtoTime } from "../../../base/time.ts";
import { evidenceHash, evidenceHeight, misbehaviorOf } from "../../../engine/consensus/evidence.ts";
import type { Event } from "../../../engine/framework/events.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { TxView } from "../../../engine/simulation/views.ts";
import { ownersOf } from "../explorer/entry-names.ts";
import { kindOf } from "../explorer/evidence.ts";

/** One block; known addresses are replaced by names. */
export interface BlockContent {
  readonly height: number;
  readonly hash: string;
  readonly appHash: string;
  readonly time: string;
  readonly proposer: string;
  readonly round: number;
  readonly binary: string;
  readonly absent: readonly string[];
  /** Such as `duplicate vote of val-2 at height 20`. */
  readonly evidence: readonly string[];
  readonly txs: readonly ContentTx[];
  /** Events outside transactions, then those of transactions. */
  readonly events: readonly Event[];
}

export interface ContentTx {
  readonly hash: string;
  readonly signer: string;
  readonly messages: readonly string[];
  /** ok, or codespace and code. */
  readonly outcome: string;
}

/** Reads blocks of a world, whose names are looked up once. */
export class BlockReader {
  readonly #sim: Simulation;
  readonly #owners: ReadonlyMap<string, string>;

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#owners = ownersOf(sim);
  }

  /** A committed block; undefined if there is none at that height. */
  read(height: number): BlockContent | undefined {
    const block = this.#sim.block(height);
    if (block === undefined) return undefined;
    const { hash, appHash, time, proposer, round, binary, absent, evidence, txs, events } = block;
    return {
      height,
      hash: toHexUpper(hash),
      appHash: toHexUpper(appHash),
      time: formatProtoTime(time),
      proposer: this.#validator(proposer),
      round,
      binary,
      absent: absent.map((address) => this.#validator(address)),
      evidence: evidence.map((piece) => {
        const against = misbehaviorOf(piece).map(({ address }) => this.#validator(address));
        const of = against.length > 0 ? ` of ${against.join(", ")}` : "";
        return `${kindOf(piece)}${of} at height ${evidenceHeight(piece)} (${toHexUpper(evidenceHash(piece)).slice(0, 8)})`;
      }),
      txs: txs.map((tx) => this.#tx(tx)),
      events: [...events, ...txs.flatMap((tx) => tx.events)],
    };
  }

  #tx({ hash, signer, messages, code, codespace }: TxView): ContentTx {
    const address = accAddress(signer);
    return {
      hash: toHexUpper(hash),
      signer: this.#owners.get(address) ?? address,
      messages: messages.map(({ typeUrl }) => typeUrl.slice(typeUrl.lastIndexOf(".") + 1)),
      outcome: code === 0 ? "ok" : `${codespace} ${code}`,
    };
  }

  #validator(address: Uint8Array): string {
    const text = consAddress(address);
    return this.#owners.get(text) ?? text;
  }
}

/** An event as one text, equal for equal events. */
export const eventText = ({ type, attributes }: Event): string =>
  [type, ...attributes.map(({ key, value }) => `${key}=${value}`)].join("\n");

/** Returns the entries of a list that another does not contain, counting duplicates. */
export function without(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}
