import { moduleAccount } from "../../../base/bech32.ts";
import { parseCoins } from "../../../engine/framework/coins.ts";
import type { Event } from "../../../engine/framework/events.ts";

/** Module accounts from which only slashing burns; gov burns deposits from its own account. */
const POOLS: readonly string[] = ["bonded_tokens_pool", "not_bonded_tokens_pool"];

export interface BurnsState {
  readonly total: bigint;
  readonly byValidator: readonly (readonly [string, bigint])[];
  readonly byBlock: readonly (readonly [string, bigint])[];
}

/** Amounts burned by slashing, from the events: bank's `burn` and the subsequent `slash`. */
export class Burns {
  total: bigint;
  /** By consensus address (bech32). */
  readonly #byValidator: Map<string, bigint>;
  /** By consensus address and the height of the block it was slashed in. */
  readonly #byBlock: Map<string, bigint>;

  constructor({ total = 0n, byValidator = [], byBlock = [] }: Partial<BurnsState> = {}) {
    this.total = total;
    this.#byValidator = new Map(byValidator);
    this.#byBlock = new Map(byBlock);
  }

  state(): BurnsState {
    return {
      total: this.total,
      byValidator: [...this.#byValidator],
      byBlock: [...this.#byBlock],
    };
  }

  /** @param events of one block or one transaction, in order */
  add(height: number, events: readonly Event[]): void {
    let sinceSlash = 0n;
    const isPool = (burner: string | undefined): boolean =>
      POOLS.some((name) => moduleAccount(name) === burner);
    for (const { type, attributes } of events) {
      const value = (name: string) => attributes.find(({ key }) => key === name)?.value;
      if (type === "burn" && isPool(value("burner"))) {
        sinceSlash += amountOf(value("amount") ?? "");
      } else if (type === "slash" && value("burned_coins") !== undefined) {
        // Unbonding delegations and redelegations are burned first, each with an event of its own.
        this.#burned(value("address") ?? "", height, sinceSlash);
        sinceSlash = 0n;
      }
    }
    this.total += sinceSlash;
  }

  #burned(validator: string, height: number, amount: bigint): void {
    this.total += amount;
    this.#byValidator.set(validator, this.of(validator) + amount);
    this.#byBlock.set(`${validator}@${height}`, this.inBlock(validator, height) + amount);
  }

  of(validator: string): bigint {
    return this.#byValidator.get(validator) ?? 0n;
  }

  inBlock(validator: string, height: number): bigint {
    return this.#byBlock.get(`${validator}@${height}`) ?? 0n;
  }
}

/** `5000000stake` and lists of such; the chain has one denom. */
const amountOf = (coins: string): bigint =>
  parseCoins(coins).reduce((sum, { amount }) => sum + amount, 0n);
