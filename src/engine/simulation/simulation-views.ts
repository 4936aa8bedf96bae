import type { Any } from "@bufbuild/protobuf/wkt";
import { drain } from "../../base/drain.ts";
import type { Time } from "../../base/time.ts";
import type { Vote } from "../../gen/chain/consensus/v1/types_pb.ts";
import type { App } from "../app/app.ts";
import type { BinarySpec } from "../app/binary.ts";
import type { ModuleStep } from "../app/steps.ts";
import type { Header } from "../consensus/header.ts";
import { powerNeeded } from "../consensus/quorum.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import type { ValidatorSet } from "../consensus/validator-set.ts";
import type { Context } from "../framework/context.ts";
import type { Evidence as ModuleEvidence } from "../modules/evidence/types.ts";
import { conflictingVotesAt } from "../network/byzantine/conflicting-votes.ts";
import { voteMessage } from "../network/byzantine/vote-message.ts";
import type { Tampered } from "../network/chain/ledger.ts";
import type { WaitingEvidence } from "../network/network.ts";
import { fileOf, filesOf, lacksSigner } from "../network/node/signer-state.ts";
import type { ReleaseServer } from "../network/sidecar/releases.ts";
import type { CommittedState } from "../store/multi-store.ts";
import { chainStatusOf } from "./chain-status.ts";
import type { HistoryRange, HistoryRanges } from "./history-range.ts";
import {
  appHashesAgree,
  forkViews,
  lastSigners,
  namesOf,
  nodeView,
  withFields,
} from "./node-views.ts";
import { lastRoundOf, type RoundView, roundsOf } from "./round-views.ts";
import type {
  BlockResults,
  BlockSigners,
  BlockView,
  ChainStatus,
  ExportedGenesis,
  ForkView,
  HaltView,
  NodeLogLine,
  NodeView,
  SidecarView,
  TxView,
} from "./views.ts";
import { WorldHistory } from "./world-history.ts";

const NONE: readonly never[] = [];

/** Read-only queries of a world. */
export abstract class SimulationViews extends WorldHistory {
  /** Height of the first block; above 1 where the chain continues an exported one. */
  get initialHeight(): number {
    return this.network.ledger.blocks.initialHeight;
  }
  get decidedHeight(): number {
    return this.network.ledger.decided;
  }
  /** Share of the power that decided the block not yet committed; 0 if there is none. */
  get decidedShare(): number {
    const { blocks, committed, decided } = this.network.ledger;
    if (decided === committed) return 0;
    const { powers, totalPower } = blocks.validatorsAt(decided);
    const absent = blocks.absentAt(decided).reduce((sum, i) => sum + (powers[i] ?? 0), 0);
    return (totalPower - absent) / totalPower;
  }
  /** Current round of the next height. */
  get round(): number {
    return this.network.round;
  }
  /** Time of the last block; the genesis time before the first. */
  get time(): Time {
    return this.timeAt(this.height) ?? this.spec.genesisTime;
  }
  get clock(): Time {
    return this.network.clock;
  }
  /** Time of the next block, determined by the precommits on the last one. */
  get nextTime(): Time {
    return this.network.nextTime;
  }
  get appHash(): Uint8Array {
    return this.network.ledger.head.appHash;
  }

  /** Manual edits, oldest first. A world with any of them is impossible. */
  get tampered(): readonly Tampered[] {
    return this.network.ledger.tampered;
  }

  /** Returns whether a block can be decided now and, if not, the missing nodes and the reasons. */
  chainStatus(): ChainStatus {
    return chainStatusOf(this.network, powerNeeded(this.network.ledger.voting.totalPower));
  }

  nodes(): readonly NodeView[] {
    return this.world.nodes.map((node) => nodeView(node, this.world));
  }

  node(name: string): NodeView | undefined {
    const node = this.world.findNode(name);
    return node && nodeView(node, this.world);
  }

  /** The files on a node's disk. Throws for an unknown node, as `log` does. */
  files(name: string): ReadonlyMap<string, string> {
    const node = this.world.node(name);
    return filesOf(node, this.world.chains.of(node).ledger);
  }

  /** One file on a node's disk; undefined if there is none. Throws for an unknown node. */
  file(name: string, path: string): string | undefined {
    const node = this.world.node(name);
    return fileOf(node, this.world.chains.of(node).ledger, path);
  }

  /**
   * True if a node has no signer's file with which its process could start. Throws for an unknown
   * node.
   */
  lacksSigner(name: string): boolean {
    const node = this.world.node(name);
    return lacksSigner(node, this.world.chains.of(node).ledger);
  }

  /**
   * Binary at the path where a node's sidecar looks for a plan's binary. Throws for an unknown
   * node.
   */
  stagedFor(name: string, plan: string): string | undefined {
    return this.world.sidecars.stagedFor(this.world.node(name), plan);
  }

  /** A node's sidecar; undefined if it has none. Throws for an unknown node. */
  sidecar(name: string): SidecarView | undefined {
    return this.world.node(name).sidecar;
  }

  /** The release server, read-only. */
  get releases(): Pick<ReleaseServer, "get"> {
    return this.world.sidecars.releases;
  }

  /** Returns the latest log lines of a node, oldest first. */
  log(name: string): readonly NodeLogLine[] {
    return this.network.log.of(this.world.node(name)).map(withFields);
  }

  /** Log lines of all nodes after a sequence number. */
  logSince(seq: number): readonly (NodeLogLine & { readonly nodes: readonly string[] })[] {
    const lines = this.network.log.since(seq);
    if (lines.length === 0) return NONE;
    return lines.map((line) => ({ ...withFields(line), nodes: namesOf(line.nodes) }));
  }

  /** Every halt after a sequence number, with the decisions that led there. */
  haltsSince(seq: number): readonly HaltView[] {
    const halts = this.network.halts.since(seq);
    if (halts.length === 0) return NONE;
    return halts.map((halt) => ({ ...halt, nodes: namesOf(halt.nodes) }));
  }

  /** Returns the results of a committed block; undefined if there is none. */
  results(height: number): BlockResults | undefined {
    return height <= this.height ? this.history.results(height) : undefined;
  }

  /** A committed block with its results. */
  block(height: number): BlockView | undefined {
    return height <= this.height ? this.history.block(height) : undefined;
  }

  /**
   * Height of the committed block with this hash; undefined if there is none. Evicted blocks are
   * found by opening a range.
   */
  heightOf(hash: Uint8Array): number | undefined {
    const height = this.network.ledger.blocks.heightOf(hash) ?? this.heightOutOfMemory(hash);
    return height !== undefined && height <= this.height ? height : undefined;
  }

  /** The other forks of a partitioned network; empty unless it has forked. */
  forks(): readonly ForkView[] {
    return forkViews(this.world.chains);
  }

  /**
   * Evidence waiting for a block, and pairs of conflicting votes that no honest node has both of.
   */
  waitingEvidence(): WaitingEvidence {
    return this.network.waitingEvidence;
  }

  /** Rounds of a height, including the next one; only the last few hundred are in memory. */
  roundsOf(height: number): readonly RoundView[] {
    return roundsOf(this.network, height);
  }

  /** Last round; undefined before the first. */
  get lastRound(): RoundView | undefined {
    return lastRoundOf(this.network);
  }

  /**
   * Validators that vote on a block, up to the one after the newest, with their priorities in its
   * round 0. For older heights the changes since genesis are replayed: O(height).
   */
  votingSetAt(height: number): ValidatorSet {
    return this.setsAfter(height - 1).current;
  }

  /** State of a node. Throws for an unknown node. */
  stateOf(node: string): CommittedState {
    return this.world.node(node).applied.state;
  }

  /** Application of a node. Throws for an unknown node. */
  appOf(node: string): App {
    return this.world.appOf(this.world.node(node).binary);
  }

  /** Header of a committed block: its hash is the block hash. */
  header(height: number): Header | undefined {
    return height <= this.height ? this.network.header(height) : undefined;
  }

  /**
   * Newest committed transaction with this hash. Pages that end at or below a height are not read.
   */
  tx(hash: Uint8Array, above = 0): TxView | undefined {
    return drain(this.searchTx(hash, above));
  }

  /** Same; yields the history ranges it reads. */
  searchTx(hash: Uint8Array, above = 0): HistoryRanges<TxView | undefined> {
    return this.history.searchTx(hash, above);
  }

  /**
   * Stored decisions by block height: at least those of the newest 500 blocks that decided
   * anything.
   */
  get steps(): ReadonlyMap<number, readonly ModuleStep[]> {
    return this.history.steps;
  }

  /**
   * Yields the eventful heights of a range, newest first; with `txs` only those with transactions.
   */
  *eventfulHeights(from: number, to: number, txs: boolean): Generator<number> {
    for (const height of this.searchEventful(from, to, txs)) {
      if (typeof height === "number") yield height;
    }
  }

  /** Same; also yields the history ranges it reads. */
  searchEventful(from: number, to: number, txs: boolean): Generator<number | HistoryRange> {
    return this.history.eventful(from, to, txs);
  }

  /** Round that decided a committed block, its validator set, and the absent precommits. */
  signersOf(height: number): BlockSigners | undefined {
    const { blocks } = this.network.ledger;
    if (height > this.height || !blocks.has(height)) return undefined;
    const list = blocks.validatorsAt(height);
    return { round: blocks.roundAt(height), list, absent: blocks.absentAt(height) };
  }

  timeAt(height: number): Time | undefined {
    return this.network.ledger.blocks.timeAt(height);
  }

  /**
   * Returns two signed precommits of a node's key for a past height and round: one for the block of
   * this chain, one for a block that is not on it. Throws a CommandError if the node was not a
   * validator at that height.
   */
  votesOf(name: string, height: number): readonly [Vote, Vote] {
    const { blocks } = this.network.ledger;
    const votes = conflictingVotesAt(this.world.node(name), this.spec.chainId, height, blocks);
    return [voteMessage(votes[0]), voteMessage(votes[1])];
  }

  /**
   * Validators that vote on the next block; the same list until one joins, leaves or changes power.
   */
  get votingList(): ValidatorList {
    return this.network.ledger.voting.list;
  }

  /** Same with powers, in set order. O(validators). */
  validators(): readonly { readonly address: Uint8Array; readonly power: number }[] {
    const list = this.votingList;
    return list.addresses.map((address, i) => ({ address, power: list.powers[i] as number }));
  }

  /**
   * Validators that vote on the block after the next one: changes take effect two heights later.
   */
  get nextList(): ValidatorList {
    return this.network.ledger.sets.next.list;
  }

  /**
   * Returns a function that reports whether an address's precommit is in the newest commit;
   * undefined for addresses outside its set.
   */
  lastSigners(): (consensusAddress: Uint8Array) => boolean | undefined {
    return lastSigners(this.network);
  }

  /** Consensus address of the proposer of the current round. */
  proposer(): Uint8Array {
    return this.network.proposer;
  }

  binaries(): readonly BinarySpec[] {
    return this.world.binaries;
  }

  /** State after a height (default: the newest). Throws StatusError if it is not available. */
  state(height: number = this.height): CommittedState {
    return this.reader.state(height);
  }

  /** Sentence that names the range of the chain outside of which a missing height is. */
  extent(height: number): string {
    return this.reader.extent(height);
  }

  /**
   * Reads the state after a height (default: the newest) through the app that wrote it. Throws
   * StatusError if the state is not available, and whatever `read` throws.
   */
  read<T>(read: (ctx: Context, app: App) => T, height: number = this.height): T {
    return this.reader.read(read, height);
  }

  /** The state after a height as genesis, and the app that wrote it. Throws as `state` does. */
  exportGenesis(height: number = this.height): ExportedGenesis {
    return this.reader.exportGenesis(height);
  }

  /** Evidence in an Any; undefined if it contains no evidence known to this chain. */
  unpackEvidence(any: Any): ModuleEvidence | undefined {
    return this.world.appOf(this.network.ledger.head.binary).unpackEvidence(any);
  }

  /** The value under a key of a module's store; undefined if there is none or no such store. */
  storeValue(store: string, key: Uint8Array, height: number = this.height): Uint8Array | undefined {
    return this.reader.storeValue(store, key, height);
  }

  /** Returns true if all nodes at the newest height have the same app hash for it. */
  appHashesAgree(): boolean {
    return appHashesAgree(this.world.nodes);
  }

  /** Address of a named account: of a user, a validator operator or a module. */
  account(name: string): Uint8Array | undefined {
    return this.world.account(name);
  }

  /**
   * Consensus key of a name, 32 bytes: a validator's key, or one that no node of this world uses.
   */
  consensusKey(name: string): Uint8Array {
    return this.world.consensusKey(name).publicKey;
  }

  accountNames(): readonly string[] {
    return this.world.accountNames;
  }
}
