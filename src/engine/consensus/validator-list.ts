import { compare, toHexUpper } from "../../base/bytes.ts";
import { addressOf } from "../../base/ed25519.ts";
import { merkleRoot } from "../store/merkle.ts";
import { ProtoWriter } from "./wire.ts";

export interface Validator {
  readonly address: Uint8Array;
  readonly pubKey: Uint8Array;
  readonly power: number;
}

/**
 * Validators and their powers: an immutable list in set order (power descending, then address
 * ascending), shared by all heights and copies of a validator set until it changes.
 */
export class ValidatorList {
  readonly addresses: readonly Uint8Array[];
  readonly pubKeys: readonly Uint8Array[];
  readonly powers: Float64Array;
  readonly totalPower: number;
  #rank: Uint32Array | undefined;
  #index: ReadonlyMap<string, number> | undefined;
  #hash: Uint8Array | null = null;

  /** `validators` in set order, addresses distinct. */
  constructor(validators: readonly Validator[]) {
    this.addresses = validators.map((v) => v.address);
    this.pubKeys = validators.map((v) => v.pubKey);
    this.powers = Float64Array.from(validators, (v) => v.power);
    this.totalPower = this.powers.reduce((sum, power) => sum + power, 0);
  }

  /**
   * Position of each validator in the order of addresses; the lower one wins a tie of priorities.
   * Computed lazily, like the index: most lists loaded from storage never vote.
   */
  get addressRank(): Uint32Array {
    this.#rank ??= rankOf(this.addresses);
    return this.#rank;
  }

  get size(): number {
    return this.addresses.length;
  }

  /** Index of the validator in set order, or −1. */
  indexOf(address: Uint8Array): number {
    this.#index ??= new Map(this.addresses.map((known, i) => [toHexUpper(known), i]));
    return this.#index.get(toHexUpper(address)) ?? -1;
  }

  /** The validator at this index; throws RangeError if there is none. */
  at(index: number): Validator {
    const address = this.addresses[index];
    const pubKey = this.pubKeys[index];
    const power = this.powers[index];
    if (address === undefined || pubKey === undefined || power === undefined) {
      throw new RangeError(`no validator ${index} in ${this.size}`);
    }
    return { address, pubKey, power };
  }

  find(address: Uint8Array): Validator | null {
    const index = this.indexOf(address);
    return index < 0 ? null : this.at(index);
  }

  /**
   * The header's validators hash: Merkle root of SimpleValidator{1 pub_key{1 ed25519}, 2
   * voting_power}, without priorities.
   */
  hash(): Uint8Array {
    if (this.#hash === null) {
      const w = new ProtoWriter();
      const leaves = this.pubKeys.map((pubKey, i) => {
        const key = w.reset().open(1);
        return w
          .bytes(1, pubKey)
          .close(key)
          .int(2, this.powers[i] ?? 0)
          .finish();
      });
      this.#hash = merkleRoot(leaves);
    }
    return this.#hash;
  }
}

function rankOf(addresses: readonly Uint8Array[]): Uint32Array {
  const ranks = new Uint32Array(addresses.length);
  const byAddress = addresses.map((address, index) => ({ address, index }));
  byAddress.sort((a, b) => compare(a.address, b.address));
  byAddress.forEach(({ index }, rank) => {
    ranks[index] = rank;
  });
  return ranks;
}

/** Set order: power descending, then address ascending. */
export function byPower(a: Validator, b: Validator): number {
  return b.power - a.power || compare(a.address, b.address);
}

export function validatorOf(pubKey: Uint8Array, power: number): Validator {
  return { address: addressOf(pubKey), pubKey, power };
}

/** Validator{1 address, 2 pub_key{1 ed25519}, 3 voting_power, 4 proposer_priority}. */
export function writeValidator(w: ProtoWriter, v: Validator, priority: number): ProtoWriter {
  w.bytes(1, v.address);
  const key = w.open(2);
  return w.bytes(1, v.pubKey).close(key).int(3, v.power).int(4, priority);
}
