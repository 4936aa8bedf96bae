import { accAddress, fromAccAddress } from "../../../base/bech32.ts";
import { fromUtf8 } from "../../../base/bytes.ts";
import { Query } from "../../../gen/chain/bank/v1beta1/query_pb.ts";
import type { PageRequest } from "../../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import { coinToMessage, isDenom } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { errorText, STATUS, StatusError } from "../../framework/errors.ts";
import { paginate } from "../../framework/pagination.ts";
import type { ServiceImpl, ServiceRouter } from "../../framework/router.ts";
import type { Entry } from "../../store/kv-store.ts";
import type { BankKeeper } from "./keeper.ts";
import {
  accountPrefix,
  amountCodec,
  BALANCES_PREFIX,
  BANK,
  parseBalanceKey,
  SUPPLY_PREFIX,
} from "./keys.ts";

function queryServer(keeper: BankKeeper): ServiceImpl<typeof Query> {
  const balanceOf = (ctx: Context, owner: Uint8Array, denom: string) => ({
    balance: coinToMessage({ denom, amount: keeper.getBalance(ctx, owner, denom) }),
  });
  return {
    balance(ctx, { address, denom }) {
      mustBeDenom(denom);
      return balanceOf(ctx, accountOf(address), denom);
    },

    allBalances,
    // There is no vesting: an account's whole balance is spendable.
    spendableBalances: allBalances,

    spendableBalanceByDenom(ctx, { address, denom }) {
      const owner = accountOf(address);
      mustBeDenom(denom);
      return balanceOf(ctx, owner, denom);
    },

    totalSupply(ctx, { pagination }) {
      const page = paginate(ctx.store(BANK), SUPPLY_PREFIX, pagination, coinBelow(SUPPLY_PREFIX));
      return { supply: page.items, pagination: page.pagination };
    },

    /** 0 for an unknown denom. */
    supplyOf(ctx, { denom }) {
      mustBeDenom(denom);
      return { amount: coinToMessage({ denom, amount: keeper.getSupply(ctx, denom) }) };
    },

    /** All denoms may be sent. */
    params: () => ({ params: { defaultSendEnabled: true } }),
    sendEnabled: () => ({ pagination: {} }),

    // Denom metadata does not exist.
    denomsMetadata: () => ({ pagination: {} }),
    denomMetadata: (_, { denom }) => noMetadata(denom),
    denomMetadataByQueryString: (_, { denom }) => noMetadata(denom),

    denomOwners: ownersOf,
    denomOwnersByQuery: ownersOf,
  };
}

export const registerQueries = (router: ServiceRouter, keeper: BankKeeper): void =>
  router.registerQuery(BANK, Query, queryServer(keeper));

function mustBeDenom(denom: string): void {
  if (isDenom(denom)) return;
  throw new StatusError(STATUS.invalidArgument, `invalid denom: ${denom}`);
}

interface OfAccount {
  readonly address: string;
  readonly pagination?: PageRequest | undefined;
}

function allBalances(ctx: Context, { address, pagination }: OfAccount) {
  const prefix = accountPrefix(accountOf(address));
  const page = paginate(ctx.store(BANK), prefix, pagination, coinBelow(prefix));
  return { balances: page.items, pagination: page.pagination };
}

interface OfDenom {
  readonly denom: string;
  readonly pagination?: PageRequest | undefined;
}

/** Returns the owners of a denom and their balances, in order of address. */
function ownersOf(ctx: Context, { denom, pagination }: OfDenom) {
  mustBeDenom(denom);
  const page = paginate(
    ctx.store(BANK),
    BALANCES_PREFIX,
    pagination,
    (entry) => ({
      address: accAddress(parseBalanceKey(entry.key).address),
      balance: coinToMessage({ denom, amount: entry.read(amountCodec) }),
    }),
    (entry) => parseBalanceKey(entry.key).denom === denom,
  );
  return { denomOwners: page.items, pagination: page.pagination };
}

function noMetadata(denom: string): never {
  mustBeDenom(denom);
  throw new StatusError(STATUS.notFound, `client metadata for denom ${denom}`);
}

const coinBelow = (prefix: Uint8Array) => (entry: Entry) =>
  coinToMessage({
    denom: fromUtf8(entry.key.subarray(prefix.length)),
    amount: entry.read(amountCodec),
  });

function accountOf(text: string): Uint8Array {
  try {
    return fromAccAddress(text);
  } catch (error) {
    throw new StatusError(STATUS.invalidArgument, `invalid address: ${errorText(error)}`);
  }
}
