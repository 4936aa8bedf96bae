/** Chain info for Keplr's `experimentalSuggestChain`. */
import { prefixesOf } from "../base/address-prefix.ts";
import { readGasPrices } from "../base/gas-prices.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { Json } from "../view/json.ts";

/** Decimals of the staking token: power is counted in millions of the smallest unit. */
const DECIMALS = 6;
/** The usual coin type of Cosmos chains, from which wallets derive keys. */
const COIN_TYPE = 118;

/**
 * A chain's description for the wallet, with these endpoints. @param minGasPrices such as
 * `0.025stake`, empty for none
 */
export function keplrChain(
  { spec }: Simulation,
  { rest, rpc }: { readonly rest: string; readonly rpc: string },
  minGasPrices: string,
): Json {
  const { chainId, prefix, staking } = spec;
  const { account, validator, consensus } = prefixesOf(prefix);
  const { bondDenom } = staking;
  const currency = {
    coinDenom: bondDenom.toUpperCase(),
    coinMinimalDenom: bondDenom,
    coinDecimals: DECIMALS,
  };
  const price = priceIn(minGasPrices, bondDenom);
  return {
    chainId,
    chainName: `Chainlab ${chainId}`,
    rpc,
    rest,
    bip44: { coinType: COIN_TYPE },
    bech32Config: {
      bech32PrefixAccAddr: account,
      bech32PrefixAccPub: `${account}pub`,
      bech32PrefixValAddr: validator,
      bech32PrefixValPub: `${validator}pub`,
      bech32PrefixConsAddr: consensus,
      bech32PrefixConsPub: `${consensus}pub`,
    },
    currencies: [currency],
    stakeCurrency: currency,
    feeCurrencies: [{ ...currency, gasPriceStep: { low: price, average: price, high: 2 * price } }],
    features: [],
  };
}

/** The price of a denom in a list of prices; 0 if it is missing. */
function priceIn(prices: string, denom: string): number {
  const found = readGasPrices(prices).find((price) => price.denom === denom);
  return found === undefined ? 0 : Number(found.amount) / Number(found.scale);
}
