import { isTimestamp, timestampError } from "../../../base/time.ts";
import type { Bitset } from "../../consensus/bitset.ts";
import { hasTwoThirds } from "../../consensus/quorum.ts";
import { voteTime } from "../../consensus/time.ts";
import type { RoundFailure } from "../../consensus/timeouts.ts";
import { ValidatorSetError } from "../../consensus/validator-changes.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import { doubleSignersIn } from "../byzantine/double-sign.ts";
import { failedSigning, type PrecommittedBlock } from "../byzantine/equivocations.ts";
import type { BlockParts } from "../chain/block-maker.ts";
import type { ChainParts } from "../chain-parts.ts";
import type { RoundFaults } from "../faults/faults.ts";
import type { Applied } from "../node/applied.ts";
import { applyBlock } from "../node/apply-block.ts";
import { consensusError } from "../node/execution.ts";
import type { Node } from "../node/node.ts";
import { refusal } from "../node/signer-state.ts";
import { type Absence, absencesFrom, NO_ABSENCES } from "./absence.ts";
import { absentOf, type RoundVotes, voteRound } from "./round.ts";
import { medianTime, voteTimes } from "./vote-times.ts";
import { type ExecutionGroup, noteFailedRound, type VotingGroup } from "./voting-groups.ts";

/**
 * Runs consensus rounds on one chain: a round decides a block, which is executed and committed, or
 * fails.
 */
export class Consensus {
  readonly #parts: ChainParts;
  readonly #onCommit: (applied: Applied) => void;
  /** Cached absences of the latest round, valid until something on which they depend changes. */
  #absences:
    | {
        readonly votingGroup: VotingGroup | undefined;
        readonly voting: ValidatorList;
        readonly changes: number;
        readonly list: readonly Absence[];
      }
    | undefined;

  /**
   * @param onCommit called once per height, in order, with the block as applied by most of the
   * power
   */
  constructor(parts: ChainParts, onCommit: (applied: Applied) => void) {
    this.#parts = parts;
    this.#onCommit = onCommit;
  }

  /** State stored in keyframes. */
  get persisted() {
    return this.#absences;
  }
  set persisted(persisted) {
    this.#absences = persisted;
  }

  /** Runs one consensus round. Returns the height it decided, or undefined. */
  advance(): number | undefined {
    const { ledger, membership, roundState, refusedProposals } = this.#parts;
    const height = ledger.decided + 1;
    const faults = this.#parts.faults.at(height, roundState.round);
    this.#haltOverTime(height, faults);
    const { votingGroups, groups } = membership;
    const [votingGroup] = votingGroups;
    const { voting, decided, committed } = ledger;
    const { round } = roundState;
    const proposer = roundState.proposer(voting);
    if (faults.refused.length > 0 && round === 0) this.#logRefusals(height);
    const votes = voteRound(votingGroups, voting.list, proposer, faults);
    this.#record(height, proposer, votingGroup, votes, faults);
    if (votingGroups.length > 1) refusedProposals.log(groups, proposer, faults);
    // While a decided block is not yet applied, too few nodes are ready to vote.
    if (votingGroup === undefined || votes === undefined || decided !== committed)
      return this.#failRound("too-few-votes", faults);
    if (votes.outcome !== "decided") return this.#failRound(votes.outcome, faults);
    if (votes.waited) roundState.waitForPrecommits();
    this.#decide(votingGroup, votes.signers, proposer, faults);
    return height;
  }

  /**
   * Halts nodes whose clocks are at a time with which no vote can be signed (rules/consensus 5.7).
   */
  #haltOverTime(height: number, { clocks }: RoundFaults): void {
    const { config, membership, records, roundState } = this.#parts;
    const now = roundState.clock + config.blockTime;
    const usual = voteTime(now, roundState.nextTime);
    if (clocks.length === 0 && isTimestamp(usual)) return;
    const wrong = new Map(clocks.map(({ node, by }) => [node, by]));
    for (const node of membership.nodes) {
      const time = voteTime(now + (wrong.get(node) ?? 0n), roundState.nextTime);
      if (isTimestamp(time) || membership.groupOf(node) === undefined) continue;
      records.halt(
        [node],
        height,
        { kind: "time_out_of_range", error: timestampError(time) },
        "halted",
      );
    }
  }

  #record(
    height: number,
    proposer: number,
    votingGroup: VotingGroup | undefined,
    votes: RoundVotes | undefined,
    faults: RoundFaults,
  ): void {
    const { ledger, roundState, rounds } = this.#parts;
    const { round, clock: startTime } = roundState;
    const voting = ledger.voting.list;
    const absences = this.#absencesFrom(votingGroup, voting);
    rounds.add({ height, round, startTime: startTime, voting, proposer, votes, absences, faults });
  }

  #absencesFrom(votingGroup: VotingGroup | undefined, voting: ValidatorList): readonly Absence[] {
    if (votingGroup?.signers.isFull()) return NO_ABSENCES;
    const { membership, ledger, otherForks } = this.#parts;
    const { nodes, changes } = membership;
    const known = this.#absences;
    if (
      known?.votingGroup === votingGroup &&
      known?.voting === voting &&
      known.changes === changes
    ) {
      return known.list;
    }
    const list = absencesFrom(votingGroup, voting, { nodes, ledger, otherForks });
    this.#absences = { votingGroup, voting, changes, list };
    return list;
  }

  /** Logs why signers refuse to sign, once per height. */
  #logRefusals(height: number): void {
    const { faults, membership, records } = this.#parts;
    for (const { node, kind, from, to } of faults.active) {
      if (kind !== "signer" || from > height || to < height || node === undefined) continue;
      if (membership.groupOf(node) === undefined) continue;
      const reason = refusal(to, height) ?? "";
      records.log.write([node], height, [failedSigning(reason)]);
    }
  }

  #failRound(failure: RoundFailure, { mute, refused, flaky }: RoundFaults): undefined {
    const { ledger, membership, roundState } = this.#parts;
    const silent = [...mute, ...refused, ...flaky];
    const { round } = roundState;
    noteFailedRound(membership.groups, { height: ledger.decided + 1, round, silent });
    roundState.fail(failure, ledger.voting);
    return undefined;
  }

  #decide(votingGroup: VotingGroup, signers: Bitset, proposer: number, faults: RoundFaults): void {
    const { applied: agreed, partition } = votingGroup.groups[0] as ExecutionGroup;
    const { config, ledger, maker, membership, mempool, reachability, roundState } = this.#parts;
    const { blocks, sets, pool } = ledger;
    const voting = ledger.voting.list;
    const parts: BlockParts = {
      height: ledger.decided + 1,
      time: roundState.nextTime,
      round: roundState.round,
      agreed,
      body: mempool.reap(pool, config.consensusParams.evidence.maxBytes),
      voting,
      nextVoting: sets.next.list,
      proposer,
    };
    const { height, time, round, body } = parts;
    const hash = maker.make(parts);
    if (agreed !== ledger.head) ledger.recordResults(agreed);
    this.#crash(faults.crash, height);
    // The block is delivered to the nodes that are ready now; once it is appended, every node is
    // behind.
    const { groups, twins } = membership;
    roundState.passBlockTime(config.blockTime);
    const times = voteTimes(roundState.clock, time, votingGroup, voting, faults.clocks);
    const nextTime = medianTime(times, signers, voting);
    const absent = absentOf(signers);
    blocks.append({ time, hash, proposer, round, body, absent, validators: voting, times });
    roundState.beginHeight(nextTime);
    reachability.deliver(partition, height);
    maker.commit(parts, hash, signers, nextTime, times);
    if (faults.doubleSign.length > 0 || twins.length > 0) {
      const twice = doubleSignersIn(votingGroup, twins, faults);
      this.#doubleSign(twice, faults, { parts, hash, signers, times });
    }
    const delivered = { height, partition, appHash: agreed.appHash };
    applyBlock(this.#parts, membership, groups, delivered);
    this.commitIfApplied();
  }

  #doubleSign(nodes: readonly Node[], { doubleSign }: RoundFaults, block: PrecommittedBlock): void {
    const { equivocations, faults, membership } = this.#parts;
    const colluding = nodes.filter((node) => doubleSign.includes(node));
    const done = equivocations.castInBlock(nodes, colluding, block, membership.nodes);
    for (const node of done) faults.doubleSigned(node, block.parts.height);
  }

  /** Ends the processes of nodes that voted on a block and crash while applying it. */
  #crash(nodes: readonly Node[], height: number): void {
    if (nodes.length === 0) return;
    const dying = nodes.filter((node) => node.process === "running");
    if (dying.length === 0) return;
    this.#parts.records.halt(dying, height, { kind: "crashed", height }, "exited");
  }

  /**
   * Commits the last decided block once nodes with more than two thirds of the power have applied
   * it.
   */
  commitIfApplied(): void {
    const { equivocations, ledger, membership, records } = this.#parts;
    if (ledger.committed === ledger.decided) return;
    const { voting } = ledger;
    const { nodes, signers, votingGroups } = membership;
    const power = signers.weigh(voting.powers);
    if (!hasTwoThirds(power, voting.totalPower)) return;
    const head = votingGroups[0]?.groups[0]?.applied as Applied;
    equivocations.report(ledger.decided, nodes);
    let dropped: readonly string[];
    try {
      dropped = ledger.commit(head);
    } catch (error) {
      if (!(error instanceof ValidatorSetError)) throw error;
      // As in CometBFT, an empty validator set halts every node (rules/consensus 7.4).
      const running = nodes.filter((node) => node.process === "running");
      const cause = { kind: "validator_set_error", error: error.message } as const;
      records.halt(running, head.height, cause, "halted");
      return;
    }
    if (dropped.length > 0) records.log.write(nodes, head.height, dropped.map(consensusError));
    this.#onCommit(head);
  }
}
