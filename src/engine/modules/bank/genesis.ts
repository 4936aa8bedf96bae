import { create } from "@bufbuild/protobuf";
import { accAddress, fromAccAddress } from "../../../base/bech32.ts";
import { type GenesisState, GenesisStateSchema } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import {
  addCoins,
  type Coin,
  coinsFromMessages,
  coinsProblem,
  coinToMessage,
  formatCoins,
} from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { plainError } from "../../framework/errors.ts";
import { genesisOf, type ModuleGenesis } from "../../framework/module.ts";
import { numberAccount } from "./accounts.ts";
import type { BankKeeper } from "./keeper.ts";

/**
 * Supply of any denom must stay below this many smallest units, so that every voting power
 * (tokens ÷ 10^6) and every sum of powers is exact in a double.
 */
const SUPPLY_LIMIT = 2n * 10n ** 21n;

export function bankGenesis(keeper: BankKeeper): ModuleGenesis {
  return genesisOf<typeof GenesisStateSchema>({
    schema: GenesisStateSchema,
    defaults: () => create(GenesisStateSchema),
    validate,
    init(ctx, state) {
      validate(state);
      for (const { address, coins } of state.balances) {
        const owner = fromAccAddress(address);
        numberAccount(ctx, owner);
        for (const coin of coinsFromMessages(coins)) keeper.setBalance(ctx, owner, coin);
      }
      for (const coin of totalOf(state)) keeper.setSupply(ctx, coin);
      return [];
    },
    export: (ctx) =>
      create(GenesisStateSchema, {
        balances: exportBalances(ctx, keeper),
        supply: keeper.getTotalSupply(ctx).map(coinToMessage),
      }),
  });
}

/**
 * Throws upstream's texts, and a separate text for a supply too large for exact powers
 * (rules/staking 7.3).
 */
function validate(state: GenesisState): void {
  const seen = new Set<string>();
  for (const { address, coins } of state.balances) {
    if (seen.has(address)) throw plainError(`duplicate balance for address ${address}`);
    seen.add(address);
    fromAccAddress(address);
    mustBeCoins(coinsFromMessages(coins));
  }
  const total = totalOf(state);
  const supply = coinsFromMessages(state.supply);
  if (supply.length > 0) {
    mustBeCoins(supply);
    if (formatCoins(supply) !== formatCoins(total)) {
      throw plainError(
        `genesis supply is incorrect, expected ${formatCoins(supply)}, got ${formatCoins(total)}`,
      );
    }
  }
  for (const { denom, amount } of total) {
    if (amount >= SUPPLY_LIMIT) {
      throw plainError(`supply of ${denom} must be below ${SUPPLY_LIMIT}: ${amount}`);
    }
  }
}

const mustBeCoins = (coins: readonly Coin[]): void => {
  const problem = coinsProblem(coins);
  if (problem !== undefined) throw plainError(problem);
};

const totalOf = (state: GenesisState): Coin[] =>
  state.balances.reduce<Coin[]>((sum, { coins }) => addCoins(sum, coinsFromMessages(coins)), []);

function exportBalances(ctx: Context, keeper: BankKeeper) {
  const balances = new Map<string, Coin[]>();
  for (const { address, coin } of keeper.allBalances(ctx)) {
    const owner = accAddress(address);
    const coins = balances.get(owner);
    if (coins === undefined) balances.set(owner, [coin]);
    else coins.push(coin);
  }
  return Array.from(balances, ([address, coins]) => ({ address, coins: coins.map(coinToMessage) }));
}
