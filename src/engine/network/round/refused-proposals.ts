import { type HeaderMismatch, haltText } from "../../framework/halt.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { RoundFaults } from "../faults/faults.ts";
import { consensusError, headerMismatch } from "../node/execution.ts";
import type { NodeLog } from "../node/node-log.ts";
import type { ExecutionGroup } from "./voting-groups.ts";

/** Maximum number of different states that a node reports at one height. */
const REPORTED = 8;

/**
 * Logs nodes that prevote nil because the round's proposer has a different state. Logged once per
 * proposed state, since a chain on which all states differ fails round after round.
 */
export class RefusedProposals {
  readonly #ledger: Ledger;
  readonly #log: NodeLog;
  #height = 0;
  /** For each current group, the groups whose state it has reported. */
  #reported = new Map<ExecutionGroup, Set<ExecutionGroup>>();

  constructor(ledger: Ledger, log: NodeLog) {
    this.#ledger = ledger;
    this.#log = log;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#height, this.#reported] as const;
  }
  set persisted(persisted) {
    [this.#height, this.#reported] = persisted;
  }

  /**
   * Logs the refusals of a round in which not all groups agree. `proposer` is a validator index.
   */
  log(
    groups: readonly ExecutionGroup[],
    proposer: number,
    { mute, refused, flaky, slow }: RoundFaults,
  ): void {
    const { list } = this.#ledger.voting;
    const from = groups.find((group) => group.signers.get(proposer));
    const silent = [...mute, ...refused, ...flaky, ...slow];
    if (silent.some((node) => list.indexOf(node.consensusAddress) === proposer)) return;
    if (from === undefined) return;
    const height = this.#ledger.decided + 1;
    const before = this.#height === height ? this.#reported : undefined;
    this.#height = height;
    this.#reported = new Map(groups.map((group) => [group, before?.get(group) ?? new Set()]));
    for (const [group, reported] of this.#reported) {
      if (group.partition !== from.partition || reported.has(from)) continue;
      if (reported.size === REPORTED) continue;
      const mismatch = headerMismatch(group.applied, from.applied);
      if (mismatch === undefined) continue;
      reported.add(from);
      this.#log.write(group.nodes, height, [refusedProposal(mismatch)]);
    }
  }
}

/** CometBFT's log line of the prevote step. */
const refusedProposal = (mismatch: HeaderMismatch): LogLine => ({
  ...consensusError("prevote step: consensus deems this block invalid; prevoting nil"),
  fields: { err: haltText(mismatch) },
});
