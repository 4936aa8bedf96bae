import { utf8 } from "../../base/bytes.ts";
import { addressOf, keyFromSeed } from "../../base/ed25519.ts";
import { sha256 } from "../../base/sha256.ts";
import type { App } from "../app/app.ts";
import { V1 } from "../app/binary.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../consensus/params.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import { ValidatorSet } from "../consensus/validator-set.ts";
import { ValidatorSets } from "../consensus/validator-sets.ts";
import { EMPTY_BODY } from "./chain/block.ts";
import { ALL_RESIDENT } from "./chain/block-store.ts";
import { Ledger } from "./chain/ledger.ts";
import type { RoundFaults } from "./faults/faults.ts";
import type { Applied } from "./node/applied.ts";
import { Node } from "./node/node.ts";

/** Applied block with hashes of one repeated byte, and without state. */
export const appliedAt = (height: number, hash = 1, results = 2): Applied => ({
  height,
  appHash: new Uint8Array(32).fill(hash),
  state: { storeNames: ["bank"] } as never,
  resultsHash: new Uint8Array(32).fill(results),
  binary: "v1",
  defaultFlags: true,
  outcome: undefined,
});

/** Nodes of validators val-0, val-1 …, each with its own key. */
export const nodesOf = (count: number, applied: Applied = appliedAt(0)): readonly Node[] =>
  Array.from({ length: count }, (_, i) => {
    const name = `val-${i}`;
    const key = keyFromSeed(sha256(utf8(name)));
    return new Node(name, name, key, addressOf(key.publicKey), "v1", applied);
  });

/** Validator set of the nodes with these powers (default 10). */
export function setOf(nodes: readonly Node[], powers: readonly number[] = []): ValidatorSet {
  return ValidatorSet.create(
    nodes.map(({ key }, i) => ({ pubKey: key.publicKey, power: powers[i] ?? 10 })),
  );
}

export const listOf = (nodes: readonly Node[], powers?: readonly number[]): ValidatorList =>
  setOf(nodes, powers).list;

/** Binaries that differ only in name, except `other`, which has a handler. */
export const appOf = (name: string): App =>
  ({ binary: { ...V1, name, handlers: name === "other" ? ["plan"] : [] } }) as Partial<App> as App;

export const ledgerOf = (set: ValidatorSet, genesis: Applied = appliedAt(0)): Ledger =>
  new Ledger(
    {
      chainId: "lab-1",
      genesisTime: 0n,
      evidence: DEFAULT_CONSENSUS_PARAMS.evidence,
      paging: ALL_RESIDENT,
      headerAt: () => undefined,
    },
    genesis,
    { sets: ValidatorSets.genesis(set), lastAbsent: [] },
  );

/** Decides the next block of a ledger, without the precommits of these validator indexes. */
export function decide(ledger: Ledger, absent: readonly number[] = [], round = 0): void {
  const time = BigInt(ledger.decided + 1);
  const { list } = ledger.voting;
  ledger.blocks.append({
    time,
    hash: new Uint8Array(32).fill(ledger.decided + 1),
    proposer: 0,
    round,
    body: EMPTY_BODY,
    absent,
    validators: list,
    times: { usual: time, others: new Map() },
  });
}

export const NO_FAULTS: RoundFaults = {
  mute: [],
  refused: [],
  flaky: [],
  slow: [],
  crash: [],
  doubleSign: [],
  clocks: [],
};
