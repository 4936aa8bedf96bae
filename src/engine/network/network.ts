import type { Time } from "../../base/time.ts";
import type { Evidence } from "../consensus/evidence.ts";
import type { Header } from "../consensus/header.ts";
import type { Vote } from "../consensus/vote.ts";
import type { AttackedChain } from "./byzantine/light-client-attack.ts";
import type { HashLookup } from "./chain/block-maker.ts";
import type { BlockReader } from "./chain/block-reader.ts";
import type { VotedCommit } from "./chain/headers.ts";
import type { Ledger } from "./chain/ledger.ts";
import type { Mempool } from "./chain/mempool.ts";
import { ChainParts, type NetworkConfig, type NetworkHost } from "./chain-parts.ts";
import type { Faults } from "./faults/faults.ts";
import type { Halts } from "./node/halts.ts";
import type { Node } from "./node/node.ts";
import type { NodeLog } from "./node/node-log.ts";
import { startNode } from "./node/node-start.ts";
import { replayNext } from "./node/replay.ts";
import type { OtherForks } from "./round/absence.ts";
import { Consensus } from "./round/consensus.ts";
import { RoundRecords } from "./round/round-record.ts";
import type { RoundState } from "./round/round-state.ts";
import type { ExecutionGroup, VotingGroup } from "./round/voting-groups.ts";

/** Immutable snapshot of everything that determines a chain's next block. */
export interface ChainSnapshot {
  readonly ledger: Ledger;
  readonly rounds: RoundRecords;
  readonly roundState: RoundState;
  readonly lastCommit: VotedCommit | undefined;
}

const NONE: readonly never[] = [];

export interface WaitingEvidence {
  readonly evidence: readonly Evidence[];
  readonly votes: readonly (readonly [Vote, Vote])[];
}

/** Serializes the state of a snapshot for keyframes. */
export const storableSnapshot = ({ ledger, rounds, roundState, lastCommit }: ChainSnapshot) =>
  [ledger.persisted, rounds.persisted, roundState.persisted, lastCommit] as const;

/**
 * The nodes of one chain and the blocks they decide. In each round the voting group with the most
 * power may decide a block, if it has more than two thirds of the power; every node that receives
 * the block applies it with its own binary, and may halt.
 */
export class Network {
  readonly #parts: ChainParts;
  readonly #consensus: Consensus;

  constructor(config: NetworkConfig, host: NetworkHost, nodes: readonly Node[]) {
    this.#parts = new ChainParts(config, host, nodes);
    this.#consensus = new Consensus(this.#parts, (applied) => host.onCommit(applied));
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#parts.persisted, this.#consensus.persisted] as const;
  }
  set persisted(persisted) {
    [this.#parts.persisted, this.#consensus.persisted] = persisted;
  }

  get ledger(): Ledger {
    return this.#parts.ledger;
  }
  get faults(): Faults {
    return this.#parts.faults;
  }
  get mempool(): Mempool {
    return this.#parts.mempool;
  }
  get log(): NodeLog {
    return this.#parts.records.log;
  }
  get halts(): Halts {
    return this.#parts.records.halts;
  }
  get nodes(): readonly Node[] {
    return this.#parts.membership.nodes;
  }
  get otherForks(): OtherForks {
    return this.#parts.otherForks;
  }
  get rounds(): RoundRecords {
    return this.#parts.rounds;
  }
  /** Simulated clock. */
  get clock(): Time {
    return this.#parts.roundState.clock;
  }
  /** Time of the next block, determined by the precommits of the last one. */
  get nextTime(): Time {
    return this.#parts.roundState.nextTime;
  }
  /** Current round of the next height. */
  get round(): number {
    return this.#parts.roundState.round;
  }
  /** Consensus address of the proposer of the current round. */
  get proposer(): Uint8Array {
    const { voting } = this.ledger;
    return voting.list.at(this.#parts.roundState.proposer(voting)).address;
  }
  /** The voting group with the most power; undefined if no node is ready for the next block. */
  get votingGroup(): VotingGroup | undefined {
    return this.#parts.membership.votingGroups[0];
  }
  /** Incremented by every change of a node. */
  get changes(): number {
    return this.#parts.membership.changes;
  }

  /**
   * Group with which a node executes the next block; undefined if it is not ready for that block.
   */
  groupOf(node: Node): ExecutionGroup | undefined {
    return this.#parts.membership.groupOf(node);
  }

  /** Header of a decided block; undefined if there is none. */
  header(height: number): Header | undefined {
    return this.#parts.reader.header(height);
  }

  /** Reader of decided blocks, for code that is loaded separately from the running engine. */
  get reader(): BlockReader {
    return this.#parts.reader;
  }

  /** Commit of the latest block, which is in no block yet. */
  get lastCommit(): VotedCommit | undefined {
    return this.#parts.maker.lastCommit;
  }

  set hashLookup(lookup: HashLookup | undefined) {
    this.#parts.maker.lookup = lookup;
  }

  // ——— nodes ———

  addNodes(nodes: readonly Node[]): void {
    this.#parts.membership.add(nodes);
  }

  /** Removes nodes from the chain, but not their faults. */
  removeNodes(nodes: readonly Node[]): void {
    this.#parts.membership.remove(nodes);
  }

  /**
   * Starts a node's process with its installed binary. Never throws: a node that cannot start exits
   * with a reason.
   */
  start(node: Node): void {
    startNode(this.#parts, this.#parts.config.upgradeHeight, node, () => this.#catchUp());
  }

  /** Replays decided blocks on running nodes that have received but not applied them. */
  #catchUp(): void {
    for (const node of this.nodes) {
      while (this.#parts.reachability.isBehind(node)) replayNext(this.#parts, node);
    }
    this.#consensus.commitIfApplied();
  }

  /**
   * Moves nodes into partitions by name; unnamed nodes share one. Without groups, heals the
   * network.
   */
  partition(groups: readonly (readonly string[])[]): void {
    for (const node of this.nodes) {
      const group = groups.findIndex((names) => names.includes(node.name)) + 1;
      node.joinPartition(groups.length === 0 ? 0 : group);
    }
    // Nodes connected until now have all decided blocks; the others catch up.
    this.#parts.reachability.begin(this.nodes, this.ledger.decided);
    this.#catchUp();
  }

  /** Latest height delivered to a partition. */
  latestDelivered(partition: number): number | undefined {
    return this.#parts.reachability.latestDelivered(partition);
  }

  /** View of the chain for attacks on its light clients. */
  get attackable(): AttackedChain {
    const { nodes, ledger, log } = this;
    const { chainId } = this.#parts.config;
    const partition = this.votingGroup?.groups[0]?.partition;
    return { chainId, nodes, ledger, log, partition };
  }

  /**
   * Records two conflicting votes of a node; they become evidence once an honest node receives
   * them.
   */
  noteEquivocation(node: Node, votes: readonly [Vote, Vote]): void {
    this.#parts.equivocations.note({ node, votes, colluding: [] });
  }

  /**
   * Evidence waiting for a block, and pairs of conflicting votes that no honest node has both of.
   */
  get waitingEvidence(): WaitingEvidence {
    const { equivocations, ledger } = this.#parts;
    return { evidence: ledger.pool.pending, votes: equivocations.waiting };
  }

  // ——— rounds ———

  /** Heights of the blocks that the next round reads: those referenced by pending contents. */
  get heightsRead(): readonly number[] {
    const { equivocations, ledger, mempool } = this.#parts;
    const [found, sent, noted] = [ledger.pool.heights, mempool.heights, equivocations.heights];
    return found.length + sent.length + noted.length === 0 ? NONE : [...found, ...sent, ...noted];
  }

  /** Runs one consensus round. Returns the height it decided, or undefined. */
  advance(): number | undefined {
    return this.#consensus.advance();
  }

  // ——— forks ———

  /** Returns a snapshot of everything that determines the next block. */
  snapshot(): ChainSnapshot {
    const ledger = this.#parts.newLedger();
    ledger.copyFrom(this.ledger);
    const rounds = new RoundRecords();
    rounds.copyFrom(this.rounds);
    const { lastCommit } = this.#parts.maker;
    return { ledger, rounds, roundState: this.#parts.roundState.copy(), lastCommit };
  }

  /** Restores a snapshot from its serialized state in a keyframe. */
  snapshotOf([ledger, rounds, roundState, lastCommit]: ReturnType<
    typeof storableSnapshot
  >): ChainSnapshot {
    const snapshot = { ...this.snapshot(), lastCommit };
    snapshot.ledger.persisted = ledger;
    snapshot.rounds.persisted = rounds;
    snapshot.roundState.persisted = roundState;
    return snapshot;
  }

  /** Restores a snapshot of a chain with the same genesis. The clock is unchanged. */
  restore({ ledger, rounds, roundState, lastCommit }: ChainSnapshot): void {
    this.ledger.copyFrom(ledger);
    this.rounds.copyFrom(rounds);
    this.#parts.roundState.resume(roundState);
    this.#parts.maker.restore(lastCommit);
    this.#parts.reachability.begin(this.nodes, this.ledger.decided);
    this.#parts.membership.nodeChanged();
  }

  /**
   * Merges a fork: its nodes with their faults, its pending equivocations, and its clock if that is
   * later.
   */
  merge(fork: Network): void {
    const { nodes } = fork;
    fork.removeNodes(nodes);
    this.addNodes(nodes);
    fork.faults.transfer(this.faults, nodes);
    this.#parts.equivocations.merge(fork.#parts.equivocations);
    this.advanceClock(fork.clock);
  }

  /** Advances the clock to a time, unless it is in the past. */
  advanceClock(time: Time): void {
    this.#parts.roundState.advanceClock(time);
  }
}
