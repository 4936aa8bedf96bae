import { type HeaderMismatch, haltText } from "../../framework/halt.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { RoundFaults } from "../faults/faults.ts";
import { consensusError, headerMismatch } from "../node/execution.ts";
import type { NodeLog } from "../node/node-log.ts";
import type { ExecutionGroup } from "./voting-groups.ts";

interface World {
  readonly ledger: Ledger;
  readonly log: NodeLog;
}

/** Of how many proposers' states a node says for one height that they are not its own. */
const ENOUGH = 8;

/**
 * What nodes write when the round's proposer stands on another state than theirs: they prevote nil. Said
 * once of each state that is proposed, since a chain on which all differ goes round and round.
 */
export class RefusedProposals {
  readonly #world: World;
  #height = 0;
  #said = new WeakMap<ExecutionGroup, Set<ExecutionGroup>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Must be called for each round in which not all groups agree. `proposer` is its place in the voting set. */
  log(
    groups: readonly ExecutionGroup[],
    proposer: number,
    { mute, refused, flaky, slow }: RoundFaults,
  ): void {
    const { ledger, log } = this.#world;
    const { list } = ledger.voting;
    const from = groups.find((group) => group.signers.get(proposer));
    const silent = [...mute, ...refused, ...flaky, ...slow];
    if (silent.some((node) => list.indexOf(node.consensusAddress) === proposer)) return;
    if (from === undefined) return;
    const height = ledger.decided + 1;
    if (this.#height !== height) this.#said = new WeakMap();
    this.#height = height;
    for (const group of groups) {
      const said = this.#said.get(group) ?? new Set();
      if (group.partition !== from.partition || said.has(from) || said.size === ENOUGH) continue;
      const mismatch = headerMismatch(group.applied, from.applied);
      if (mismatch === undefined) continue;
      this.#said.set(group, said.add(from));
      log.write(group.nodes, height, [refusedProposal(mismatch)]);
    }
  }
}

/** CometBFT's words in the prevote step. */
const refusedProposal = (mismatch: HeaderMismatch): LogLine => ({
  ...consensusError("prevote step: consensus deems this block invalid; prevoting nil"),
  fields: { err: haltText(mismatch) },
});
