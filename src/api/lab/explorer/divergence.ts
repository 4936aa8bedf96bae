import {
  BALANCES_PREFIX,
  DENOM_OWNERS_PREFIX,
  SUPPLY_PREFIX,
} from "../../../engine/modules/bank/keys.ts";
import { KEY_PREFIX_EVIDENCE } from "../../../engine/modules/evidence/keys.ts";
import { PREFIX as SLASHING } from "../../../engine/modules/slashing/keys.ts";
import { PREFIX as STAKING } from "../../../engine/modules/staking/keys.ts";
import {
  DONE_PREFIX,
  PLAN_KEY,
  PROTOCOL_VERSION_KEY,
  VERSION_PREFIX,
} from "../../../engine/modules/upgrade/keys.ts";
import { EMPTY, fromUtf8, toHex, toHexUpper } from "../../../engine/primitives/bytes.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { NodeView } from "../../../engine/simulation/views.ts";
import type { Divergence } from "../plain.ts";
import { isPrintable, storedText } from "./stored-text.ts";

const MOST = 500;

/** In which keys the states of two nodes differ; undefined if there is no such node. */
export function divergenceOf(
  sim: Simulation,
  before: string,
  after: string,
): Divergence | undefined {
  const [a, b] = [sim.node(before), sim.node(after)];
  if (a === undefined || b === undefined) return undefined;
  const owners = ownersOf(sim);
  const all = sim
    .diffNodes(before, after)
    .flatMap(({ store, changes }) => changes.map((change) => ({ store, ...change })));
  return {
    beforeHeight: a.height,
    afterHeight: b.height,
    beforeAppHash: toHexUpper(a.appHash),
    afterAppHash: toHexUpper(b.appHash),
    differences: all.slice(0, MOST).map(({ store, key, ...change }) => ({
      store,
      key: toHexUpper(key),
      name: nameOf(store, key, owners),
      before: toHexUpper(change.before ?? EMPTY),
      after: toHexUpper(change.after ?? EMPTY),
      beforeText: storedText(store, key, change.before),
      afterText: storedText(store, key, change.after),
    })),
    total: all.length,
  };
}

const first = (key: Uint8Array): number => key[0] as number;

/** Kinds of keys by their first byte, store by store. */
const KINDS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  bank: {
    [first(SUPPLY_PREFIX)]: "supply",
    [first(BALANCES_PREFIX)]: "balance",
    [first(DENOM_OWNERS_PREFIX)]: "denom owner",
  },
  evidence: { [first(KEY_PREFIX_EVIDENCE)]: "evidence" },
  upgrade: {
    [first(PLAN_KEY)]: "plan",
    [first(DONE_PREFIX)]: "done",
    [first(VERSION_PREFIX)]: "version",
    [first(PROTOCOL_VERSION_KEY)]: "protocol version",
  },
  slashing: kindsOf(SLASHING),
  staking: kindsOf(STAKING),
};

/** `missedBlocks` as people say it. */
function kindsOf(prefixes: Readonly<Record<string, number>>): Record<number, string> {
  const spoken = (name: string): string => name.replace(/[A-Z]/g, (big) => ` ${big.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(prefixes).map(([name, prefix]) => [prefix, spoken(name)]),
  );
}

/** What a key stands for: its kind, and whose it is or what text it ends in. */
function nameOf(store: string, key: Uint8Array, owners: ReadonlyMap<string, string>): string {
  const kind = KINDS[store]?.[first(key)] ?? "";
  const rest = key.subarray(kind === "" ? 0 : 1);
  const hex = toHex(rest);
  const owner = [...owners].find(([address]) => hex.includes(address))?.[1];
  return [kind, owner ?? textOf(rest)].filter((part) => part !== "").join(" ");
}

const textOf = (bytes: Uint8Array): string => (isPrintable(bytes) ? fromUtf8(bytes) : "");

/** Names of accounts and validators by their addresses in hex. */
function ownersOf(sim: Simulation): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const name of sim.accountNames()) owners.set(toHex(sim.account(name) ?? EMPTY), name);
  const own = ({ consensusAddress, name }: NodeView): void => {
    const address = toHex(consensusAddress);
    if (!owners.has(address)) owners.set(address, name);
  };
  sim.nodes().forEach(own);
  return owners;
}
