import { moduleAddress } from "../../../base/address.ts";
import { amountCodec, BANK, PREFIX as BANK_PREFIX, balanceKey } from "../../modules/bank/keys.ts";
import { unbondingCodec, validatorCodec } from "../../modules/staking/codec.ts";
import { STAKING, PREFIX as STAKING_PREFIX } from "../../modules/staking/keys.ts";
import { BONDED_POOL, NOT_BONDED_POOL } from "../../modules/staking/types.ts";
import { type Change, diffStores } from "../../store/diff.ts";
import type { CommittedState } from "../../store/multi-store.ts";
import { assertInvariant } from "./holds.ts";

export const SUPPLY = "supply = balances + pools";

/**
 * Sums over bank's and staking's records, updated with each block's changes, so the cost of a block
 * depends on its writes and not on the number of accounts.
 */
export class TokenBooks {
  #balances = 0n;
  #supply = 0n;
  #bonded = 0n;
  #notBonded = 0n;
  readonly #denom: string;
  #state: CommittedState | undefined;

  constructor(denom: string) {
    this.#denom = denom;
  }

  get supply(): bigint {
    return this.#supply;
  }

  /** Processes the state after a block. Throws an InvariantError if the sums differ. */
  take(state: CommittedState, height: number): void {
    const before = this.#state;
    this.#state = state;
    const bank = this.#changes(before, state, BANK, (change) => this.#takeBank(change));
    const staking = this.#changes(before, state, STAKING, (change) => this.#takeStaking(change));
    if (!(bank || staking) || !state.has(BANK) || !state.has(STAKING)) return;
    assertInvariant(
      SUPPLY,
      this.#balances === this.#supply,
      () =>
        `at height ${height} the balances sum to ${this.#balances}, the supply is ${this.#supply}`,
    );
    const reader = state.reader(BANK);
    const pools: readonly (readonly [string, bigint])[] = [
      [BONDED_POOL, this.#bonded],
      [NOT_BONDED_POOL, this.#notBonded],
    ];
    for (const [pool, due] of pools) {
      const stored = reader.read(balanceKey(moduleAddress(pool), this.#denom), amountCodec) ?? 0n;
      assertInvariant(
        SUPPLY,
        stored === due,
        () => `at height ${height} ${pool} holds ${stored}, not ${due}`,
      );
    }
  }

  /** Passes each change of a store to `take`. Returns true if the store was written. */
  #changes(
    before: CommittedState | undefined,
    after: CommittedState,
    name: string,
    take: (change: Change) => void,
  ): boolean {
    const [from, to] = [before, after].map((state) =>
      state?.has(name) ? state.store(name).root : undefined,
    );
    if (before !== undefined && from === to) return false;
    for (const change of diffStores(from, to)) take(change);
    return true;
  }

  #takeBank({ key, before, after }: Change): void {
    if (key[0] === BANK_PREFIX.balance) this.#balances += amount(after) - amount(before);
    else if (key[0] === BANK_PREFIX.supply) this.#supply += amount(after) - amount(before);
  }

  #takeStaking({ key, before, after }: Change): void {
    if (key[0] === STAKING_PREFIX.validator) {
      this.#takeValidator(before, -1n);
      this.#takeValidator(after, 1n);
    } else if (key[0] === STAKING_PREFIX.unbonding) {
      this.#notBonded += unbonding(after) - unbonding(before);
    }
  }

  #takeValidator(bytes: Uint8Array | undefined, sign: bigint): void {
    if (bytes === undefined) return;
    const { tokens, status } = validatorCodec.decode(bytes);
    if (status === "bonded") this.#bonded += sign * tokens;
    else this.#notBonded += sign * tokens;
  }
}

function unbonding(bytes: Uint8Array | undefined): bigint {
  let sum = 0n;
  if (bytes) for (const { balance } of unbondingCodec.decode(bytes).entries) sum += balance;
  return sum;
}

const amount = (bytes: Uint8Array | undefined): bigint => (bytes ? amountCodec.decode(bytes) : 0n);
