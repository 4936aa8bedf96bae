import type { Message } from "@bufbuild/protobuf";
import { hash20, moduleAddress } from "../../base/address.ts";
import { accAddress, consAddress } from "../../base/bech32.ts";
import { toHex } from "../../base/bytes.ts";
import type { GenesisState as BankState } from "../../gen/chain/bank/v1beta1/bank_pb.ts";
import { PubKeySchema } from "../../gen/chain/crypto/ed25519/keys_pb.ts";
import type { GenesisState as GovState } from "../../gen/chain/gov/v1/gov_pb.ts";
import type { GenesisState as SlashingState } from "../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import {
  BondStatus,
  type GenesisState as StakingState,
  type Validator,
} from "../../gen/chain/staking/v1beta1/staking_pb.ts";
import { unpackAny } from "../framework/codec.ts";
import { assertInvariant, InvariantError } from "./invariants/holds.ts";
import { plansIn as plansInSteps } from "./invariants/plans.ts";
import type { Simulation } from "./simulation.ts";
import type { BlockView } from "./views.ts";

/** Invariants of every world after any commands, for the property tests and the fuzzer. */
export { assertInvariant, InvariantError };

/** Exported state of the modules that store tokens and validators. */
export interface Books {
  readonly bank: BankState;
  readonly staking: StakingState;
  readonly slashing: SlashingState;
  readonly gov: GovState;
}

export const booksOf = (messages: ReadonlyMap<string, Message>): Books => ({
  bank: messages.get("bank") as BankState,
  staking: messages.get("staking") as StakingState,
  slashing: messages.get("slashing") as SlashingState,
  gov: messages.get("gov") as GovState,
});

const sum = <T>(items: Iterable<T>, of: (item: T) => bigint): bigint => {
  let total = 0n;
  for (const item of items) total += of(item);
  return total;
};

export const supplyOf = ({ bank }: Books): bigint =>
  sum(bank.supply, ({ amount }) => BigInt(amount));

/** Consensus addresses of tombstoned validators. */
export const tombstonedIn = ({ slashing }: Books): ReadonlySet<string> =>
  new Set(
    slashing.signingInfos.flatMap(({ address, validatorSigningInfo: info }) =>
      info?.tombstoned ? [address] : [],
    ),
  );

export const consensusAddressOf = ({ consensusPubkey }: Validator): string =>
  consAddress(hash20(unpackAny(PubKeySchema, consensusPubkey)?.key ?? new Uint8Array()));

export const eventsOf = (block: BlockView | undefined) => [
  ...(block?.events ?? []),
  ...(block?.txs.flatMap((tx) => tx.events) ?? []),
];

/** Returns the amount that was burned according to a block's events. */
export const burnedIn = (block: BlockView | undefined): bigint =>
  sum(
    eventsOf(block).filter(({ type }) => type === "burn"),
    ({ attributes }) =>
      BigInt(/\d+/.exec(attributes.find(({ key }) => key === "amount")?.value ?? "0")?.[0] ?? 0),
  );

/**
 * Checks the invariants of the state after a block.
 * @param mayReturn whether a tombstoned key may be used again, as upstream allows
 */
export function checkBooks(books: Books, mayReturn: boolean): void {
  checkBank(books);
  checkValidators(books, mayReturn);
  checkPools(books);
}

function checkBank(books: Books): void {
  const coins = books.bank.balances.flatMap((balance) => balance.coins);
  const least = coins.find(({ amount }) => BigInt(amount) <= 0n);
  assertInvariant("balances are positive", least === undefined, () => `${least?.amount}`);
  const held = sum(coins, ({ amount }) => BigInt(amount));
  const supply = supplyOf(books);
  assertInvariant(
    "supply is the sum of balances",
    held === supply,
    () => `${held}, supply ${supply}`,
  );
}

function checkValidators(books: Books, mayReturn: boolean): void {
  const { staking } = books;
  const powers = new Map(staking.lastValidatorPowers.map((each) => [each.address, each.power]));
  const tombstoned = tombstonedIn(books);
  const infos = new Set(books.slashing.signingInfos.map(({ address }) => address));
  const delegated = new Map<string, bigint[]>();
  for (const { validatorAddress: to, shares } of staking.delegations) {
    delegated.set(to, [...(delegated.get(to) ?? []), BigInt(shares)]);
  }
  for (const v of staking.validators) {
    const [tokens, shares] = [BigInt(v.tokens), BigInt(v.delegatorShares)];
    const who = v.operatorAddress;
    const held = delegated.get(who) ?? [];
    delegated.delete(who);
    const all = sum(held, (each) => each);
    assertInvariant(
      "shares are those of the delegations",
      all === shares,
      () => `${who}: ${all}, ${shares}`,
    );
    const worth = sum(held, (each) => (shares === 0n ? 0n : (each * tokens) / shares));
    const isWorth = tokens >= 0n && worth <= tokens;
    assertInvariant(
      "shares are worth no more than there is",
      isWorth,
      () => `${who}: ${worth}, ${tokens}`,
    );
    const power = powers.get(who) ?? 0n;
    const bonded = v.status === BondStatus.BONDED;
    const due = bonded ? tokens / 1_000_000n : 0n;
    assertInvariant(
      "power follows from bonded tokens",
      power === due,
      () => `${who}: ${power}, ${due}`,
    );
    const address = consensusAddressOf(v);
    const returned = tombstoned.has(address) && bonded;
    assertInvariant("the tombstoned have no power", mayReturn || !returned, () => who);
    assertInvariant("the jailed have no power", !v.jailed || !bonded, () => who);
    assertInvariant("who has power has signing info", !bonded || infos.has(address), () => who);
    powers.delete(who);
  }
  assertInvariant("power is a validator's", powers.size === 0, () => [...powers.keys()].join());
  assertInvariant("delegations are to validators", delegated.size === 0, () =>
    [...delegated.keys()].join(),
  );
}

function checkPools({ bank, staking, gov }: Books): void {
  const balance = (module: string): bigint => {
    const address = accAddress(moduleAddress(module));
    const coins = bank.balances.find((each) => each.address === address)?.coins ?? [];
    return sum(coins, ({ amount }) => BigInt(amount));
  };
  let unbonding = 0n;
  for (const entry of staking.unbondingDelegations.flatMap(({ entries }) => entries)) {
    const [left, initial] = [BigInt(entry.balance), BigInt(entry.initialBalance)];
    assertInvariant(
      "unbonding entries only shrink",
      left >= 0n && left <= initial,
      () => `${left}`,
    );
    unbonding += left;
  }
  const isBonded = ({ status }: Validator): boolean => status === BondStatus.BONDED;
  const tokensOf = (of: (v: Validator) => boolean): bigint =>
    sum(staking.validators.filter(of), ({ tokens }) => BigInt(tokens));
  const expected = [tokensOf(isBonded), tokensOf((v) => !isBonded(v)) + unbonding];
  const pools = [balance("bonded_tokens_pool"), balance("not_bonded_tokens_pool")];
  assertInvariant(
    "pools hold bonded and unbonding tokens",
    `${pools}` === `${expected}`,
    () => `${pools}, expected ${expected}`,
  );
  const deposits = sum(
    gov.deposits.flatMap(({ amount }) => amount),
    ({ amount }) => BigInt(amount),
  );
  const stored = balance("gov");
  assertInvariant("deposits are kept", stored >= deposits, () => `${stored} of ${deposits}`);
}

/** Returns the outcomes of upgrade plans in a committed block, from the block's steps. */
export const plansIn = (block: BlockView | undefined) => plansInSteps(block?.steps ?? []);

/** The module versions in a state, as text. */
export const versionsAt = (sim: Simulation, height: number): string =>
  Array.from(
    sim.state(height).reader("upgrade").prefix(Uint8Array.of(2)),
    ({ key, value }) => `${toHex(key)}=${toHex(value)}`,
  ).join();

/** Powers assigned by staking, by consensus address; they vote in the set after the next one. */
export function powersOf({ staking }: Books): ReadonlyMap<string, bigint> {
  const powers = new Map(staking.lastValidatorPowers.map((each) => [each.address, each.power]));
  return new Map(
    staking.validators.flatMap((v) => {
      const power = powers.get(v.operatorAddress);
      return power === undefined ? [] : [[consensusAddressOf(v), power] as const];
    }),
  );
}
