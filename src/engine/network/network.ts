import type { App } from "../app/app.ts";
import type { ModuleStep } from "../app/steps.ts";
import type { Bitset } from "../consensus/bitset.ts";
import type { VerifiedCommit } from "../consensus/commit-verify.ts";
import { consensusHash } from "../consensus/hashes.ts";
import type { Header } from "../consensus/header.ts";
import type { ConsensusParams } from "../consensus/params.ts";
import { hasTwoThirds } from "../consensus/quorum.ts";
import { type RoundFailure, roundDuration, stepTimeout } from "../consensus/timeouts.ts";
import { ValidatorSetError } from "../consensus/validator-changes.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import type { ValidatorSet } from "../consensus/validator-set.ts";
import type { Vote } from "../consensus/vote.ts";
import type { HaltCause } from "../framework/halt.ts";
import type { Profile } from "../framework/profile.ts";
import type { Duration, Time } from "../primitives/time.ts";
import { DoubleSigners } from "./byzantine/double-sign.ts";
import { failedSigning, PendingEquivocations, twinsIn } from "./byzantine/equivocations.ts";
import { type Attack, reportAttack } from "./byzantine/light-client-attack.ts";
import { BlockMaker, type BlockParts } from "./chain/block-maker.ts";
import { blockSizeAt, type HeaderConstants, headerAt, verifiedCommitAt } from "./chain/headers.ts";
import { type Beginning, Ledger } from "./chain/ledger.ts";
import { Mempool } from "./chain/mempool.ts";
import { Faults, type RoundFaults } from "./faults/faults.ts";
import { applyBlock } from "./node/apply-block.ts";
import { consensusError, haltLines } from "./node/execution.ts";
import type { Halts } from "./node/halts.ts";
import type { Applied, Node } from "./node/node.ts";
import type { NodeLog } from "./node/node-log.ts";
import { startNode } from "./node/node-start.ts";
import { type ReplayHost, replayNext } from "./node/replay.ts";
import { refusal } from "./node/signer-state.ts";
import type { ChainSnapshot } from "./partition/chain-snapshot.ts";
import { Reachability } from "./partition/reachability.ts";
import { type Absence, absencesFrom, NO_ABSENCES } from "./round/absence.ts";
import { Membership } from "./round/membership.ts";
import { RefusedProposals } from "./round/refused-proposals.ts";
import { absentOf, type RoundVotes, voteRound } from "./round/round.ts";
import { RoundRecords } from "./round/round-record.ts";
import { medianTime, voteTimes } from "./round/vote-times.ts";
import {
  type ExecutionGroup,
  groupNodes,
  noteFailedRound,
  type VotingGroup,
} from "./round/voting-groups.ts";
import { Shared } from "./shared.ts";

/** What every chain fixes at its beginning, as the network needs it. */
export interface NetworkConfig {
  readonly seed: number;
  readonly chainId: string;
  readonly genesisTime: Time;
  readonly blockTime: Duration;
  readonly commits: "compact" | "full";
  readonly consensusParams: ConsensusParams;
  readonly upgradeHeight: Profile["upgradeHeight"];
  /** Binaries of this world by name. */
  appOf(binary: string): App;
}

/**
 * The machines and the blocks they decide together. Each round the greatest set of nodes that run,
 * hear one another and hold one app hash may decide a block if they have more than two thirds of
 * the power; everyone who hears it applies it with its own binary, and may stop doing so.
 */
export class Network implements ReplayHost {
  readonly config: NetworkConfig;
  readonly nodes: Node[];
  readonly ledger: Ledger;
  /** Machines that make another chain now, while the network is cut. */
  readonly elsewhere: Node[] = [];
  readonly log: NodeLog;
  rounds = new RoundRecords();
  readonly halts: Halts;
  readonly faults: Faults;
  /** Simulated clock. */
  clock: Time;
  /** The round being tried for the next height. */
  round = 0;
  /** Called once for each height, in order, with how it came out for most of the power. */
  onCommit: (applied: Applied) => void = () => {};
  /** Starts a crashed machine again, the way its processes are started. */
  restart: (node: Node) => void = (node) => this.start(node);

  readonly mempool = new Mempool();
  readonly #assembly = new Membership(this);
  readonly #secondVotes = new PendingEquivocations(this);
  readonly #doubleSigners: DoubleSigners;
  readonly #refusedProposals = new RefusedProposals(this);
  #away:
    | {
        readonly votingGroup: VotingGroup | undefined;
        readonly voting: ValidatorList;
        readonly list: readonly Absence[];
      }
    | undefined;
  /** Time of the next block, fixed by the precommits of the last one. */
  #nextTime: Time;
  readonly #hearing: Reachability;
  /** The set whose turns are passed on when rounds fail; undefined in round 0. */
  #turns: ValidatorSet | undefined;
  readonly #beginning: Beginning;
  readonly #shared: Shared;
  readonly #constants: HeaderConstants;
  readonly #maker: BlockMaker;

  constructor(
    config: NetworkConfig,
    nodes: readonly Node[],
    genesis: Applied,
    beginning: Beginning,
    shared: Shared = new Shared(nodes),
  ) {
    this.config = config;
    this.nodes = [...nodes];
    this.#beginning = beginning;
    this.#shared = shared;
    this.log = shared.log;
    this.halts = shared.halts;
    this.#doubleSigners = new DoubleSigners(this, shared.doubleSigners, this.#secondVotes);
    const { chainId, consensusParams } = config;
    this.ledger = this.#newLedger(genesis);
    this.faults = new Faults(config.seed, config.blockTime);
    this.#hearing = new Reachability(genesis.height);
    this.clock = config.genesisTime;
    this.#nextTime = config.genesisTime;
    this.#constants = {
      chainId,
      consensusHash: consensusHash(consensusParams.block),
      secretOf: config.commits === "full" ? (address) => this.secretOf(address) : undefined,
    };
    this.#maker = new BlockMaker(this.#constants);
  }

  #newLedger(genesis: Applied): Ledger {
    const { chainId, genesisTime, consensusParams } = this.config;
    const { evidence } = consensusParams;
    const headerAt = (height: number): Header | undefined => this.header(height);
    return new Ledger({ chainId, genesisTime, evidence, headerAt }, genesis, this.#beginning);
  }

  /** The key behind a consensus address. Throws if no machine of the world holds it. */
  secretOf(address: Uint8Array): Uint8Array {
    return this.#shared.secretOf(address);
  }

  /** Consensus address of whoever proposes in the current round. */
  get proposer(): Uint8Array {
    const set = this.#turns ?? this.ledger.voting;
    return set.list.at(set.proposer()).address;
  }

  /** Time of the next block, fixed by the precommits of the last one. */
  get nextTime(): Time {
    return this.#nextTime;
  }

  appOf(binary: string): App {
    return this.config.appOf(binary);
  }

  /** The header of a decided block; undefined if there is no such block. */
  header(height: number): Header | undefined {
    return headerAt(this.#constants, this.ledger, height);
  }

  /** Bytes of a decided block as CometBFT encodes it; undefined if there is no such block. */
  blockSize(height: number): number | undefined {
    return blockSizeAt(this.#constants, this.ledger, height);
  }

  /** The commit of a decided block, signed and verified now; undefined if there is no such block. */
  commit(height: number): VerifiedCommit | undefined {
    const { lastCommit } = this.#maker;
    return verifiedCommitAt(this.config.chainId, this.ledger, height, lastCommit, (address) =>
      this.secretOf(address),
    );
  }

  /** Some validators show a light client a block that is not the chain's; an honest node reports them. Throws if it is no attack. */
  attackLightClient(attack: Attack): void {
    reportAttack(this, attack);
  }

  /** The node will sign two conflicting precommits at the next height that it votes on. */
  doubleSign(node: Node): void {
    this.#shared.doubleSigners.add(node);
  }

  /** Takes that back. */
  signOnce(node: Node): void {
    this.#shared.doubleSigners.delete(node);
  }

  /** Whether the node was told to sign twice and has not done so yet. */
  signsTwice(node: Node): boolean {
    return this.#shared.doubleSigners.has(node);
  }

  /** Somebody signed twice; it becomes evidence once another one has heard it. */
  signedTwice(node: Node, votes: readonly [Vote, Vote]): void {
    this.#secondVotes.note({ node, votes, accomplices: [] });
  }

  /** Takes a machine away: nothing that it would have done comes any more. */
  removeNode(node: Node): void {
    this.nodesChanged();
    for (const list of [this.nodes, this.elsewhere]) {
      if (list.includes(node)) list.splice(list.indexOf(node), 1);
    }
    this.signOnce(node);
    this.faults.drop(this.faults.active.filter((fault) => fault.node === node));
  }

  /** Must be called after anything about a node was changed from outside. */
  nodesChanged(): void {
    for (const node of this.nodes) node.leaveGroup();
    this.#assembly.touch();
    this.#away = undefined;
  }

  /** The set of nodes that could decide next, with the most power; undefined if nobody runs. */
  strongest(): VotingGroup | undefined {
    return this.#assembly.votingGroups[0];
  }

  /** One consensus round. Returns the height it decided, or undefined. */
  advance(): number | undefined {
    const height = this.ledger.decided + 1;
    const { votingGroups, groups } = this.#assembly;
    const [votingGroup] = votingGroups;
    const { voting, decided, committed } = this.ledger;
    const proposer = (this.#turns ?? voting).proposer();
    const disturbance = this.faults.at(height, this.round);
    if (disturbance.refused.length > 0 && this.round === 0) this.#logRefusals(height);
    const votes = voteRound(votingGroups, voting.list, proposer, disturbance);
    this.#record(height, proposer, votingGroup, votes, disturbance);
    if (votingGroups.length > 1) this.#refusedProposals.log(groups, proposer, disturbance);
    // While a decided block waits to be applied, too few are there to vote.
    if (votingGroup === undefined || votes === undefined || decided !== committed)
      return this.#failRound("too-few-votes", disturbance);
    if (votes.outcome !== "decided") return this.#failRound(votes.outcome, disturbance);
    if (votes.waited) this.clock += stepTimeout("precommit", this.round);
    this.#decide(votingGroup, votes.signers, proposer, disturbance);
    return height;
  }

  #record(
    height: number,
    proposer: number,
    votingGroup: VotingGroup | undefined,
    votes: RoundVotes | undefined,
    disturbance: RoundFaults,
  ): void {
    const { round, clock: began } = this;
    const voting = this.ledger.voting.list;
    const away = this.#absencesFrom(votingGroup, voting);
    this.rounds.add({ height, round, began, voting, proposer, votes, away, disturbance });
  }

  /** Why validators cannot vote with a votingGroup; worked out once for as long as it lasts. */
  #absencesFrom(votingGroup: VotingGroup | undefined, voting: ValidatorList): readonly Absence[] {
    if (votingGroup?.signers.isFull()) return NO_ABSENCES;
    if (this.#away?.votingGroup !== votingGroup || this.#away?.voting !== voting) {
      this.#away = { votingGroup, voting, list: absencesFrom(votingGroup, voting, this) };
    }
    return this.#away.list;
  }

  #failRound(failure: RoundFailure, { mute, refused, flaky }: RoundFaults): undefined {
    const { round } = this;
    const silent = [...mute, ...refused, ...flaky];
    noteFailedRound(this.#assembly.groups, { height: this.ledger.decided + 1, round, silent });
    this.clock += roundDuration(failure, this.round);
    this.round += 1;
    this.#turns ??= this.ledger.voting.copy();
    this.#turns.incrementProposerPriority(1);
    return undefined;
  }

  #decide(
    votingGroup: VotingGroup,
    signers: Bitset,
    proposer: number,
    disturbance: RoundFaults,
  ): void {
    const { applied: agreed, partition } = votingGroup.groups[0] as ExecutionGroup;
    const { blocks, sets, decided, pool } = this.ledger;
    const voting = this.ledger.voting.list;
    const parts: BlockParts = {
      height: decided + 1,
      time: this.#nextTime,
      round: this.round,
      agreed,
      body: this.mempool.take(pool, this.config.consensusParams.evidence.maxBytes),
      voting,
      nextVoting: sets.next.list,
      proposer,
    };
    const hash = this.#maker.make(parts);
    // Who decides may hold another state than most did when the block below was committed.
    if (agreed !== this.ledger.head) this.ledger.settle(agreed);
    this.#crash(disturbance.crash, parts.height);
    // From here on nobody keeps up until they have applied the block: who is there now is who hears it.
    const { groups, twins } = this.#assembly;
    // Precommits fix the next block's time: the interval is exact unless rounds failed meanwhile.
    this.clock += this.config.blockTime;
    const times = voteTimes(this.clock, parts.time, votingGroup, voting, disturbance.clocks);
    this.#nextTime = medianTime(times, signers, voting);
    blocks.append({ ...parts, hash, absent: absentOf(signers), validators: voting, times });
    this.round = 0;
    this.#turns = undefined;
    this.#hearing.hear(partition, parts.height);
    this.#maker.commit(parts, hash, signers, this.#nextTime, times);
    if (this.#doubleSigners.some || twins.length > 0) {
      const twice = twinsIn(votingGroup.groups, twins, disturbance.refused);
      const told = this.#doubleSigners.votingIn(votingGroup, disturbance);
      this.#doubleSigners.cast([...told, ...twice], signers, parts, hash, times);
    }
    const { appHash } = agreed;
    applyBlock(this, this.#assembly, groups, { height: parts.height, partition, appHash });
    this.#commitIfApplied();
  }

  /** Machines that have voted on a block and die before they have applied it. */
  #crash(nodes: readonly Node[], height: number): void {
    const dying = nodes.filter((node) => node.process === "running");
    if (dying.length === 0) return;
    this.halt(dying, height, { kind: "crashed", height }, "exited");
  }

  /** Ends the consensus of nodes, or their processes, with the words they leave in their logs. */
  halt(
    nodes: readonly Node[],
    height: number,
    cause: HaltCause,
    state: "halted" | "exited",
    steps: readonly ModuleStep[] = [],
  ): void {
    this.halts.record({ height, nodes, cause, steps });
    this.log.write(nodes, height, haltLines(cause, state));
    for (const node of nodes) node.halt(state, cause);
    this.#assembly.touch();
  }

  /** Commits the last decided block once nodes with more than two thirds of the power have applied it. */
  #commitIfApplied(): void {
    const { ledger } = this;
    if (ledger.committed === ledger.decided) return;
    const { voting } = ledger;
    const power = this.#assembly.signers.weigh(voting.powers);
    if (!hasTwoThirds(power, voting.totalPower)) return;
    const head = this.#assembly.votingGroups[0]?.groups[0]?.applied as Applied;
    this.#secondVotes.report(ledger.decided);
    let dropped: readonly string[];
    try {
      dropped = ledger.commit(head);
    } catch (error) {
      // As in CometBFT, a set that nobody is left in stops everyone (staking facts §4.7).
      const running = this.nodes.filter((node) => node.process === "running");
      if (!(error instanceof ValidatorSetError)) throw error;
      const cause = { kind: "validator_set_error", error: error.message } as const;
      this.halt(running, head.height, cause, "halted");
      return;
    }
    if (dropped.length > 0) this.log.write(this.nodes, head.height, dropped.map(consensusError));
    this.onCommit(head);
  }

  /** Starts a node's process with its installed binary. It never throws: a node that cannot get through exits, with its reason. */
  start(node: Node): void {
    startNode(this, node, this.#secondVotes);
  }

  /** Lets a node apply the newest block as it hears it in consensus. */
  hearNewest(node: Node): void {
    const { decided, voting } = this.ledger;
    const groups = groupNodes([node], voting.list, (binary) => this.appOf(binary));
    const appHash = this.ledger.appHashAt(decided - 1);
    const block = { height: decided, partition: node.partition, appHash };
    applyBlock(this, this.#assembly, groups, block);
  }

  /** Says once a height why signers refuse to sign. */
  #logRefusals(height: number): void {
    for (const { node, kind, from, to } of this.faults.active) {
      if (kind !== "signer" || from > height || to < height || node?.group === undefined) continue;
      this.log.write([node], height, [failedSigning(refusal(to, height) ?? "")]);
    }
  }

  /** Lets every running node apply the decided blocks that it hears of and has not applied. */
  catchUp(): void {
    this.nodesChanged();
    for (const node of this.nodes) {
      while (this.isBehind(node)) replayNext(this, node);
    }
    this.#commitIfApplied();
  }

  /** Whether a node runs that has heard of blocks which it has not applied. */
  isBehind(node: Node): boolean {
    return this.#hearing.isBehind(node);
  }

  /**
   * Cuts the network into parts that do not hear one another, by node name; nodes that are not named
   * are alone together. No parts at all: everyone hears everyone.
   */
  partition(parts: readonly (readonly string[])[]): void {
    this.nodesChanged();
    const cut = parts.length > 0;
    for (const node of this.nodes) {
      node.partition = cut ? parts.findIndex((part) => part.includes(node.name)) + 1 : 0;
    }
    // What has been decided so far, those that were connected know; the others hear of it when they meet.
    this.#hearing.begin(this.nodes, this.ledger.decided);
    this.catchUp();
    this.#hearing.cut(cut ? this.standpoint() : undefined);
  }

  /** Height of the newest block when the network was cut; undefined while everyone hears everyone. */
  get cutAt(): number | undefined {
    return this.#hearing.cutAt;
  }

  /** Parts of a cut network that could decide besides the one that goes on here, for they too have more than two thirds. */
  rivals(): readonly number[] {
    const own = this.strongest()?.groups[0]?.partition;
    return this.#hearing.rivals(this.nodes, own, this.ledger, this.#assembly.changes);
  }

  /** Lets the nodes of a part go on by themselves from what they have heard, with a ledger of their own. */
  fork(partition: number): Network {
    this.nodesChanged();
    const gone = this.nodes.filter((node) => node.partition === partition);
    this.nodes.splice(0, this.nodes.length, ...this.nodes.filter((node) => !gone.includes(node)));
    this.elsewhere.push(...gone);
    const branch = new Network(
      this.config,
      gone,
      this.ledger.genesis,
      this.#beginning,
      this.#shared,
    );
    branch.restart = this.restart;
    branch.clock = this.clock;
    branch.restore(this.#hearing.lastHeard(partition, this.ledger) ?? this.standpoint());
    branch.#hearing.begin(gone, branch.ledger.decided);
    this.faults.handOver(branch.faults, gone);
    return branch;
  }

  /** The nodes of a branch hear these ones again. What they sit on is not looked at. */
  takeBack(branch: Network): void {
    for (const network of [this, branch]) network.nodesChanged();
    this.elsewhere.splice(
      0,
      this.elsewhere.length,
      ...this.elsewhere.filter((node) => !branch.nodes.includes(node)),
    );
    this.nodes.push(...branch.nodes);
    branch.faults.handOver(this.faults, branch.nodes);
    this.#secondVotes.takeOver(branch.#secondVotes);
    if (branch.clock > this.clock) this.clock = branch.clock;
  }

  /** Where the chain stands now. */
  standpoint(): ChainSnapshot {
    const ledger = this.#newLedger(this.ledger.genesis);
    ledger.takeOver(this.ledger);
    return {
      ledger,
      rounds: this.rounds.copy(),
      round: this.round,
      turns: this.#turns?.copy(),
      nextTime: this.#nextTime,
      lastCommit: this.#maker.lastCommit,
    };
  }

  /** Stands from now on where a chain of the same genesis stood. */
  restore({ ledger, rounds, round, turns, nextTime, lastCommit }: ChainSnapshot): void {
    this.nodesChanged();
    this.ledger.takeOver(ledger);
    this.rounds = rounds.copy();
    this.round = round;
    this.#turns = turns?.copy();
    this.#nextTime = nextTime;
    this.#maker.restore(lastCommit);
  }
}
