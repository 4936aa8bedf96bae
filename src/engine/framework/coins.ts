import { sdkErrors } from "./errors.ts";

/** An amount of one denom in its smallest unit. Never negative where it is stored or sent. */
export interface Coin {
  readonly denom: string;
  readonly amount: bigint;
}

/** A coin in protobuf messages: the amount is decimal text. */
export interface CoinMessage {
  readonly denom: string;
  readonly amount: string;
}

const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;
const COIN = /^(\d+)\s*([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;
const DIGITS = /^-?\d+$/;
/** Upstream, amounts are 256-bit integers. */
const LIMIT = 2n ** 256n;

export const isDenom = (text: string): boolean => DENOM.test(text);

export const formatCoin = ({ amount, denom }: Coin): string => `${amount}${denom}`;

/** Formats coins as `10atom,5stake`; empty for no coins. */
export const formatCoins = (coins: readonly Coin[]): string => coins.map(formatCoin).join(",");

/** Parses `10000000stake`. Throws `invalid decimal coin expression: …`. */
function parseCoin(text: string): Coin {
  const match = COIN.exec(text.trim());
  const coin = { denom: match?.[2] ?? "", amount: BigInt(match?.[1] ?? "0") };
  if (match === null || coin.amount >= LIMIT) {
    throw new Error(`invalid decimal coin expression: ${text}`);
  }
  return coin;
}

/**
 * Parses coins separated by commas, in any order; empty text means no coins. Throws on duplicate
 * denoms.
 */
export function parseCoins(text: string): Coin[] {
  if (text.trim() === "") return [];
  const coins = text.split(",").map(parseCoin).sort(byDenom);
  const problem = coinsProblem(coins);
  if (problem !== undefined) throw new Error(problem);
  return coins;
}

/**
 * Returns upstream's error for a set of coins; undefined if it is valid: all coins are valid,
 * positive and sorted, and have distinct denoms.
 */
export function coinsProblem(coins: readonly Coin[]): string | undefined {
  let previous = "";
  for (const coin of coins) {
    if (!isDenom(coin.denom)) return `invalid denom: ${coin.denom}`;
    if (coin.denom === previous) return `duplicate denomination ${coin.denom}`;
    if (coin.denom < previous) return `denomination ${coin.denom} is not sorted`;
    if (coin.amount <= 0n) return `coin ${formatCoin(coin)} amount is not positive`;
    previous = coin.denom;
  }
  return undefined;
}

/** Throws `<coins>: invalid coins` (sdk 10) unless the coins are valid. */
export function mustBeValid(coins: readonly Coin[]): void {
  if (coinsProblem(coins) !== undefined) throw sdkErrors.invalidCoins.wrap(formatCoins(coins));
}

export const amountOf = (coins: readonly Coin[], denom: string): bigint =>
  coins.find((coin) => coin.denom === denom)?.amount ?? 0n;

export const addCoins = (a: readonly Coin[], b: readonly Coin[]): Coin[] => combine(a, b, 1n);

/** Returns `a` minus `b`. Amounts may become negative: check with `isAllGte` first. */
export const subCoins = (a: readonly Coin[], b: readonly Coin[]): Coin[] => combine(a, b, -1n);

/**
 * Returns true if `a` has at least as much of every denom as `b`. As upstream, no coins are less
 * even than `0stake`.
 */
export const isAllGte = (a: readonly Coin[], b: readonly Coin[]): boolean =>
  b.length === 0 || (a.length > 0 && b.every(({ denom, amount }) => amountOf(a, denom) >= amount));

export const coinToMessage = ({ denom, amount }: Coin): CoinMessage => ({
  denom,
  amount: amount.toString(),
});

/**
 * Converts a coin of a message; undefined if it is absent or its amount is not an integer of 256
 * bits. Denom and sign are not validated here: their error depends on the message.
 */
export function coinFromMessage(message: CoinMessage | undefined): Coin | undefined {
  if (message === undefined || !DIGITS.test(message.amount)) return undefined;
  const amount = BigInt(message.amount);
  return amount < LIMIT && amount > -LIMIT ? { denom: message.denom, amount } : undefined;
}

/**
 * Converts coins of a message. Throws `<coins>: invalid coins` (sdk 10) if an amount is not an
 * integer.
 */
export function coinsFromMessages(messages: readonly CoinMessage[]): Coin[] {
  return messages.map((message) => {
    const coin = coinFromMessage(message);
    if (coin !== undefined) return coin;
    throw sdkErrors.invalidCoins.wrap(messages.map((m) => m.amount + m.denom).join(","));
  });
}

function combine(a: readonly Coin[], b: readonly Coin[], sign: bigint): Coin[] {
  const sums = new Map(a.map(({ denom, amount }) => [denom, amount]));
  for (const { denom, amount } of b) sums.set(denom, (sums.get(denom) ?? 0n) + sign * amount);
  return Array.from(sums, ([denom, amount]) => ({ denom, amount }))
    .filter(({ amount }) => amount !== 0n)
    .sort(byDenom);
}

/** Denoms are ASCII, so this is byte order. */
const byDenom = (a: Coin, b: Coin): number => (a.denom < b.denom ? -1 : a.denom > b.denom ? 1 : 0);
