/** Queries of accounts, with upstream's refusals (rules/clients 6.1). */
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { moduleAddress } from "../../base/address.ts";
import { prefixesOf } from "../../base/address-prefix.ts";
import { accAddress, fromAccAddress } from "../../base/bech32.ts";
import { EMPTY, equal, fromUtf8, utf8 } from "../../base/bytes.ts";
import { TX } from "../../base/limits.ts";
import { packInit } from "../../engine/framework/codec.ts";
import { errorText, STATUS, StatusError } from "../../engine/framework/errors.ts";
import { type Account, accountOf, allAccounts } from "../../engine/modules/bank/account-records.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { BaseAccountSchema, ModuleAccountSchema } from "../../gen/chain/auth/v1beta1/auth_pb.ts";
import type { Query } from "../../gen/chain/auth/v1beta1/query_pb.ts";
import type { PageRequest } from "../../gen/chain/base/query/v1beta1/pagination_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/secp256k1/keys_pb.ts";
import type { Methods } from "./methods.ts";

/** Module accounts with their permissions. */
const MODULE_ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  bonded_tokens_pool: ["burner", "staking"],
  gov: ["burner"],
  not_bonded_tokens_pool: ["burner", "staking"],
};

export const AUTH: Methods<typeof Query> = {
  account: (sim, { address }, height) => ({ account: packed(...found(sim, address, height)) }),

  accountInfo: (sim, { address }, height) => ({ info: base(...found(sim, address, height)) }),

  accounts: (sim, { pagination }, height) => {
    const all = sim.read((ctx) => [...allAccounts(ctx)], height);
    const { items, ...page } = pageOf(all, pagination);
    return { accounts: items.map((one) => packed(one.address, one)), pagination: page };
  },

  accountAddressByID: (sim, { id, accountId }, height) => {
    const number = accountId === 0n ? id : accountId;
    const all = sim.read((ctx) => [...allAccounts(ctx)], height);
    const account = all.find((one) => one.number === number);
    if (account === undefined) {
      throw new StatusError(
        STATUS.notFound,
        `account address not found with account number ${number}`,
      );
    }
    return { accountAddress: accAddress(account.address) };
  },

  params: () => ({
    params: {
      maxMemoCharacters: BigInt(TX.memo),
      txSigLimit: 7n,
      txSizeCostPerByte: 10n,
      sigVerifyCostEd25519: 590n,
      sigVerifyCostSecp256k1: 1000n,
    },
  }),

  moduleAccounts: (sim, _, height) => ({
    accounts: Object.keys(MODULE_ACCOUNTS).flatMap(
      (name) => moduleAccount(sim, name, height) ?? [],
    ),
  }),

  moduleAccountByName: (sim, { name }, height) => {
    const account = moduleAccount(sim, name, height);
    if (account !== undefined) return { account };
    throw new StatusError(STATUS.notFound, `account ${name} not found`);
  },

  bech32Prefix: ({ spec }) => ({ bech32Prefix: prefixesOf(spec.prefix).account }),
  addressBytesToString: (_, { addressBytes }) => ({ addressString: accAddress(addressBytes) }),
  addressStringToBytes: (_, { addressString }) => ({ addressBytes: addressIn(addressString) }),
};

function addressIn(text: string): Uint8Array {
  if (text === "") throw new StatusError(STATUS.invalidArgument, "Address cannot be empty");
  try {
    return fromAccAddress(text);
  } catch (error) {
    throw new StatusError(STATUS.invalidArgument, errorText(error));
  }
}

function found(sim: Simulation, text: string, height?: number): readonly [Uint8Array, Account] {
  const address = addressIn(text);
  const account = sim.read((ctx) => accountOf(ctx, address), height);
  if (account === undefined) throw new StatusError(STATUS.notFound, `account ${text} not found`);
  return [address, account];
}

const base = (
  address: Uint8Array,
  { number, sequence, pubKey }: Account,
): MessageInitShape<typeof BaseAccountSchema> => ({
  address: accAddress(address),
  accountNumber: number,
  sequence,
  ...(pubKey.length > 0 && { pubKey: packInit(PubKeySchema, { key: pubKey }) }),
});

/** An account as Any, with a type of its own for module accounts. */
function packed(address: Uint8Array, account: Account): Any {
  const name = Object.keys(MODULE_ACCOUNTS).find((one) => equal(moduleAddress(one), address));
  if (name === undefined) return packInit(BaseAccountSchema, base(address, account));
  const permissions = [...(MODULE_ACCOUNTS[name] ?? [])];
  return packInit(ModuleAccountSchema, { baseAccount: base(address, account), name, permissions });
}

function moduleAccount(sim: Simulation, name: string, height?: number): Any | undefined {
  const address = Object.hasOwn(MODULE_ACCOUNTS, name) ? moduleAddress(name) : undefined;
  const account = address && sim.read((ctx) => accountOf(ctx, address), height);
  return account && packed(address, account);
}

/** One page of a list; its key is the index of the next entry. */
function pageOf<T>(all: readonly T[], request: PageRequest | undefined) {
  const key = fromUtf8(request?.key ?? EMPTY);
  const from = /^\d{1,9}$/.test(key) ? Number(key) : Number(request?.offset ?? 0n);
  const ordered = request?.reverse ? all.toReversed() : all;
  const end = from + (Number(request?.limit ?? 0n) || 100);
  return {
    items: ordered.slice(from, end),
    nextKey: end < all.length ? utf8(`${end}`) : EMPTY,
    total: BigInt(all.length),
  };
}
