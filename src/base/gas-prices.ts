/**
 * Gas prices, as written by operators and senders: `0.025stake`, or several separated by commas.
 */

interface GasPrice {
  readonly denom: string;
  /** Price of `scale` units of gas. */
  readonly amount: bigint;
  readonly scale: bigint;
}

const PRICE = /^(\d{1,40})(?:\.(\d{1,18}))?([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;

/**
 * Parses prices, sorted by denom; none for empty text. Throws an Error with the expected format.
 */
export function readGasPrices(text: string): readonly GasPrice[] {
  if (text === "") return [];
  const prices = text.split(",").map((price) => {
    const [, whole, fraction = "", denom] = PRICE.exec(price.trim()) ?? [];
    if (whole === undefined || denom === undefined)
      throw new Error(`expected prices such as 0.025stake, found "${price}"`);
    return { denom, amount: BigInt(whole + fraction), scale: 10n ** BigInt(fraction.length) };
  });
  prices.sort((a, b) => (a.denom < b.denom ? -1 : 1));
  const twice = prices.find(({ denom }, i) => denom === prices[i - 1]?.denom);
  if (twice === undefined) return prices;
  throw new Error(`expected each denom once, found ${twice.denom} twice in "${text}"`);
}

/**
 * Returns the fees for gas at prices, each rounded up, without those of zero. Throws like
 * `readGasPrices`.
 */
export const feesAt = (prices: string, gas: bigint) =>
  readGasPrices(prices).flatMap(({ denom, amount, scale }) => {
    const fee = (amount * gas + scale - 1n) / scale;
    return fee === 0n ? [] : [{ denom, amount: fee }];
  });
