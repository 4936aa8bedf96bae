import { accAddress, consAddress, valAddress } from "../../../base/bech32.ts";
import { equal } from "../../../base/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { validatorsOf } from "./read-state.ts";

/** The constant part of a validator. Addresses are bech32. */
export interface TrackedValidator {
  readonly name: string;
  readonly address: Uint8Array;
  readonly consensusAddress: string;
  readonly operatorAddress: string;
  readonly accountAddress: string;
}

/**
 * The validators of a chain in the order of their first vote: those of its nodes, then any that
 * join later. None is removed, so an index means the same validator in every sample.
 */
export class TrackedValidators {
  readonly #sim: Simulation;
  readonly #list: TrackedValidator[] = [];
  readonly #indexes = new Map<string, number>();
  #votingList: Simulation["votingList"] | undefined;
  #set: ReturnType<Simulation["validators"]> = [];
  #nextList: Simulation["nextList"] | undefined;
  #powers: readonly number[] = [];
  #nextPowers: readonly number[] = [];

  /** @param known previous validators of this chain, in order */
  constructor(sim: Simulation, known: readonly TrackedValidator[] = []) {
    this.#sim = sim;
    for (const one of known) {
      this.#indexes.set(one.consensusAddress, this.#list.length);
      this.#list.push(one);
    }
    for (const { validator, consensusAddress, operatorAddress } of sim.nodes()) {
      this.#add(consensusAddress, operatorAddress, [validator]);
    }
    this.observe();
  }

  get list(): readonly TrackedValidator[] {
    return this.#list;
  }

  /** Powers in the set that votes on the next block; the same array until one changes. */
  get powers(): readonly number[] {
    return this.#powers;
  }

  /** Powers in the set that votes on the block after that one. */
  get nextPowers(): readonly number[] {
    return this.#nextPowers;
  }

  /** The name of a consensus address (bech32); the address itself if no validator has it. */
  nameOf(consensusAddress: string): string {
    const place = this.#indexes.get(consensusAddress);
    return (place === undefined ? undefined : this.#list[place]?.name) ?? consensusAddress;
  }

  /** Updates powers from the current validator sets. */
  observe(): void {
    const { votingList, nextList } = this.#sim;
    if (votingList === this.#votingList && nextList === this.#nextList) return;
    if (votingList !== this.#votingList) this.#observeVoting(votingList);
    this.#nextList = nextList;
    this.#nextPowers =
      nextList === votingList
        ? this.#powers
        : this.#list.map(({ address }) => nextList.find(address)?.power ?? 0);
  }

  #observeVoting(votingList: Simulation["votingList"]): void {
    this.#votingList = votingList;
    const set = this.#sim.validators();
    if (sameSet(set, this.#set)) return;
    this.#set = set;
    const voters = set.map(({ address, power }) => ({ address: consAddress(address), power }));
    const joined = voters.filter(({ address }) => !this.#indexes.has(address));
    if (joined.length > 0) this.#addJoined(new Set(joined.map(({ address }) => address)));
    const powers = this.#list.map(() => 0);
    for (const { address, power } of voters) {
      const place = this.#indexes.get(address);
      if (place !== undefined) powers[place] = power;
    }
    this.#powers = powers;
  }

  /** Adds validators whose key no node has, under the name of their operator's account. */
  #addJoined(joined: ReadonlySet<string>): void {
    const accounts = new Map(
      this.#sim.accountNames().map((name) => [String(this.#sim.account(name)), name]),
    );
    for (const { consensusAddress, operator, description } of validatorsOf(this.#sim)) {
      if (!joined.has(consAddress(consensusAddress))) continue;
      this.#add(consensusAddress, operator, [accounts.get(String(operator)), description.moniker]);
    }
  }

  /** @param names the first free one becomes its name, else its consensus address */
  #add(address: Uint8Array, operator: Uint8Array, names: readonly (string | undefined)[]): void {
    const consensusAddress = consAddress(address);
    if (this.#indexes.has(consensusAddress)) return;
    const isFree = (name: string | undefined): name is string =>
      Boolean(name) && this.#list.every((other) => other.name !== name);
    this.#indexes.set(consensusAddress, this.#list.length);
    this.#list.push({
      name: names.find(isFree) ?? consensusAddress,
      address,
      consensusAddress,
      operatorAddress: valAddress(operator),
      accountAddress: accAddress(operator),
    });
  }
}

function sameSet(a: ReturnType<Simulation["validators"]>, b: typeof a): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i];
      return other && one.power === other.power && equal(one.address, other.address);
    })
  );
}
