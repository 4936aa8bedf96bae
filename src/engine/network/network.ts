import type { App, BlockRequest } from "../app/app.ts";
import type { Bitset } from "../consensus/bitset.ts";
import { commitFault, type VerifiedCommit } from "../consensus/commit-verify.ts";
import { consensusHash } from "../consensus/hashes.ts";
import type { Header } from "../consensus/header.ts";
import type { ConsensusParams } from "../consensus/params.ts";
import { hasTwoThirds } from "../consensus/quorum.ts";
import { type RoundFailure, roundDuration, stepTimeout } from "../consensus/timeouts.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import type { ValidatorSet } from "../consensus/validator-set.ts";
import type { ChainRecord } from "../framework/context.ts";
import { errorText } from "../framework/errors.ts";
import type { ValidatorUpdate } from "../framework/module.ts";
import type { Profile } from "../framework/profile.ts";
import type { Step } from "../framework/trace.ts";
import { equal, toHexUpper } from "../primitives/bytes.ts";
import type { Duration, Time } from "../primitives/time.ts";
import { Assembly } from "./assembly.ts";
import { type Away, awayFrom, NOBODY_AWAY } from "./away.ts";
import { BlockMaker, type BlockParts } from "./block-maker.ts";
import { DoubleSigners } from "./double-sign.ts";
import {
  appliedFrom,
  consensusError,
  haltLines,
  isPlain,
  writeFiles,
  wrongAppHash,
} from "./execution.ts";
import { type Disturbance, Faults } from "./faults.ts";
import { type Bloc, type Group, groupNodes, noteVainRound } from "./groups.ts";
import { Halts } from "./halts.ts";
import {
  blockSizeAt,
  commitBelow,
  type HeaderConstants,
  headerAt,
  signedCommit,
} from "./headers.ts";
import { Ledger } from "./ledger.ts";
import { type Attack, reportAttack } from "./light-client-attack.ts";
import { Mempool } from "./mempool.ts";
import type { Applied, Node } from "./node.ts";
import { NodeLog } from "./node-log.ts";
import { RefusedProposals } from "./refused-proposals.ts";
import { openStores, type ReplayHost, replayNext } from "./replay.ts";
import { absentOf, medianTime, type RoundVotes, voteRound } from "./round.ts";
import { RoundRecords } from "./round-record.ts";
import { failedSigning, SecondVotes, twinsIn } from "./second-votes.ts";
import { refusal, rememberedPlace, type SignedPlace, signerState } from "./signer-state.ts";

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
  log = new NodeLog();
  readonly rounds = new RoundRecords();
  readonly halts = new Halts();
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
  readonly #assembly = new Assembly(this);
  readonly #doubleSigners = new DoubleSigners(this);
  readonly #secondVotes = new SecondVotes(this);
  readonly #refusedProposals = new RefusedProposals(this);
  #away:
    | {
        readonly bloc: Bloc | undefined;
        readonly voting: ValidatorList;
        readonly list: readonly Away[];
      }
    | undefined;
  /** Time of the next block, fixed by the precommits of the last one. */
  #nextTime: Time;
  /** The last decided height that each partition has heard of. */
  #heard: Map<number, number>;
  /** The set whose turns are passed on when rounds fail; undefined in round 0. */
  #turns: ValidatorSet | undefined;
  readonly #validators: readonly ValidatorUpdate[];
  readonly #constants: HeaderConstants;
  readonly #maker: BlockMaker;

  constructor(
    config: NetworkConfig,
    nodes: readonly Node[],
    genesis: Applied,
    validators: readonly ValidatorUpdate[],
  ) {
    this.config = config;
    this.nodes = [...nodes];
    this.#validators = validators;
    const { chainId, genesisTime, consensusParams } = config;
    const { evidence } = consensusParams;
    const headerAt = (height: number): Header | undefined => this.header(height);
    this.ledger = new Ledger({ chainId, genesisTime, evidence, headerAt }, genesis, validators);
    this.faults = new Faults(config.seed);
    this.#heard = new Map([[0, genesis.height]]);
    this.clock = config.genesisTime;
    this.#nextTime = config.genesisTime;
    this.#constants = {
      chainId,
      consensusHash: consensusHash(consensusParams.block),
      secretOf: config.commits === "full" ? (address) => this.#secretOf(address) : undefined,
    };
    this.#maker = new BlockMaker(this.#constants);
  }

  /** Nodes of other branches: what they signed before the split has to be signed here too. */
  #elsewhere: readonly Node[] = [];

  #secretOf(address: Uint8Array): Uint8Array {
    const signer = [...this.nodes, ...this.#elsewhere].find((node) =>
      equal(node.consensusAddress, address),
    );
    if (signer === undefined) throw new Error(`nobody holds the key of ${toHexUpper(address)}`);
    return signer.key.secret;
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
    const { blocks, decided } = this.ledger;
    if (!blocks.has(height)) return undefined;
    const voted = height < decided ? commitBelow(this.ledger, height + 1) : this.#maker.lastCommit;
    if (voted === undefined) return undefined;
    const { chainId } = this.config;
    const commit = signedCommit(chainId, voted, (address) => this.#secretOf(address));
    const id = blocks.blockIdAt(height);
    return { ...commit, fault: commitFault(chainId, voted.voters, id, height, commit) };
  }

  /** Some validators show a light client a block that is not the chain's; an honest node reports them. Throws if it is no attack. */
  attackLightClient(attack: Attack): void {
    reportAttack(this, attack);
  }

  /** The node will sign two conflicting precommits at the next height. */
  doubleSign(node: Node): void {
    this.#doubleSigners.tell(node);
  }

  /** Must be called after anything about a node was changed from outside. */
  nodesChanged(): void {
    for (const node of this.nodes) node.leaveGroup();
    this.#assembly.touch();
  }

  /** The set of nodes that could decide next, with the most power; undefined if nobody runs. */
  strongest(): Bloc | undefined {
    return this.#assembly.blocs[0];
  }

  /** One consensus round. Returns the height it decided, or undefined. */
  advance(): number | undefined {
    const height = this.ledger.decided + 1;
    for (const node of this.faults.expire(height)) {
      if (node.process === "exited") this.restart(node);
    }
    const bloc = this.strongest();
    const { voting, decided, committed } = this.ledger;
    const proposer = (this.#turns ?? voting).proposer();
    const disturbance = this.faults.at(height, this.round);
    if (disturbance.refused.length > 0 && this.round === 0) this.#logRefusals(height);
    const votes = bloc && voteRound(bloc, voting.list, proposer, disturbance);
    this.#record(height, proposer, bloc, votes, disturbance);
    const { groups, blocs } = this.#assembly;
    if (blocs.length > 1) this.#refusedProposals.log(groups, proposer, disturbance);
    // While a decided block waits to be applied, too few are there to vote.
    if (bloc === undefined || votes === undefined || decided !== committed)
      return this.#failRound("too-few-votes", disturbance);
    if (votes.outcome !== "decided") return this.#failRound(votes.outcome, disturbance);
    if (votes.waited) this.clock += stepTimeout("precommit", this.round);
    this.#decide(bloc, votes.signers, proposer, disturbance);
    return height;
  }

  #record(
    height: number,
    proposer: number,
    bloc: Bloc | undefined,
    votes: RoundVotes | undefined,
    disturbance: Disturbance,
  ): void {
    const { round, clock: began } = this;
    const voting = this.ledger.voting.list;
    const away = this.#awayFrom(bloc, voting);
    this.rounds.add({ height, round, began, voting, proposer, votes, away, disturbance });
  }

  /** Why validators cannot vote with a bloc; worked out once for as long as it lasts. */
  #awayFrom(bloc: Bloc | undefined, voting: ValidatorList): readonly Away[] {
    if (bloc?.signers.isFull()) return NOBODY_AWAY;
    if (this.#away?.bloc !== bloc || this.#away?.voting !== voting) {
      this.#away = { bloc, voting, list: awayFrom(bloc, voting, this) };
    }
    return this.#away.list;
  }

  #failRound(failure: RoundFailure, { mute, refused, flaky }: Disturbance): undefined {
    const { round } = this;
    const silent = [...mute, ...refused, ...flaky];
    noteVainRound(this.#assembly.groups, { height: this.ledger.decided + 1, round, silent });
    this.clock += roundDuration(failure, this.round);
    this.round += 1;
    this.#turns ??= this.ledger.voting.copy();
    this.#turns.incrementProposerPriority(1);
    return undefined;
  }

  #decide(bloc: Bloc, signers: Bitset, proposer: number, disturbance: Disturbance): void {
    const { applied: agreed, partition } = bloc.groups[0] as Group;
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
    blocks.append({ ...parts, hash, absent: absentOf(signers), validators: voting });
    // Precommits fix the next block's time: the interval is exact unless rounds failed meanwhile.
    const start = this.clock > parts.time ? this.clock : parts.time;
    this.clock = start + this.config.blockTime;
    this.#nextTime = medianTime(this.clock, parts.time, signers, voting, disturbance.clocks);
    this.round = 0;
    this.#turns = undefined;
    this.#heard.set(partition, parts.height);
    this.#maker.commit(parts, hash, signers, this.#nextTime);
    if (this.#doubleSigners.some || twins.length > 0) {
      const twice = twinsIn(bloc.groups, twins, disturbance.refused);
      this.#doubleSigners.cast(twice, signers, parts, hash, this.#nextTime);
    }
    this.#applyEverywhere(groups, parts.height, partition, agreed.appHash);
    this.#commitIfApplied();
  }

  /** Machines that have voted on a block and die before they have applied it. */
  #crash(nodes: readonly Node[], height: number): void {
    const dying = nodes.filter((node) => node.process === "running");
    if (dying.length === 0) return;
    this.halt(dying, height, `killed while applying block ${height}`, "exited");
  }

  /** Every running node that hears the block applies it, or stops over it. */
  #applyEverywhere(
    groups: readonly Group[],
    height: number,
    partition: number,
    headerAppHash: Uint8Array,
  ): void {
    const request = this.ledger.request(height);
    const record = this.ledger.blocks.recordUpTo(height);
    for (const group of groups) {
      if (group.partition !== partition) {
        // It falls behind and votes no longer.
        this.#assembly.touch();
        continue;
      }
      if (!equal(group.applied.appHash, headerAppHash)) {
        const reason = wrongAppHash(group.applied.appHash, headerAppHash);
        this.halt(group.nodes, height, reason, "halted");
        continue;
      }
      this.#apply(group, request, record);
    }
    this.#assembly.blockApplied();
  }

  /** Executes a block for a group, which then holds its outcome, or has stopped over it. */
  #apply(group: Group, request: BlockRequest, record: ChainRecord): void {
    const { app, binary, nodes, settings } = group;
    const { height } = request;
    const outcome = app.finalizeBlock(group.applied.state, request, settings, record);
    if (outcome.logs.length > 0) this.log.write(nodes, height, outcome.logs);
    if (outcome.files.length > 0) writeFiles(nodes, outcome);
    if (outcome.kind === "halted") {
      this.halt(nodes, height, outcome.reason, "halted", outcome.steps);
      return;
    }
    group.applied = appliedFrom(height, outcome, binary, isPlain(settings));
    if (settings.firstBlock) this.#started(nodes);
  }

  /** The first block after a start has been executed; these nodes are like all others now. */
  #started(nodes: readonly Node[]): void {
    for (const node of nodes) node.fresh = false;
    this.#assembly.touch();
  }

  /** Ends the consensus of nodes, or their processes, with the words they leave in their logs. */
  halt(
    nodes: readonly Node[],
    height: number,
    reason: string,
    state: "halted" | "exited",
    steps: readonly Step[] = [],
  ): void {
    this.halts.record({ height, nodes, reason, steps });
    this.log.write(nodes, height, haltLines(reason, state));
    for (const node of nodes) node.halt(state, reason);
    this.#assembly.touch();
  }

  /** Commits the last decided block once nodes with more than two thirds of the power have applied it. */
  #commitIfApplied(): void {
    const { ledger } = this;
    if (ledger.committed === ledger.decided) return;
    const { voting } = ledger;
    const power = this.#assembly.signers.weigh(voting.powers);
    if (!hasTwoThirds(power, voting.totalPower)) return;
    const head = this.#assembly.blocs[0]?.groups[0]?.applied as Applied;
    this.#secondVotes.report(ledger.decided);
    let dropped: readonly string[];
    try {
      dropped = ledger.commit(head);
    } catch (error) {
      // As in CometBFT, a set that nobody is left in stops everyone (staking facts §4.7).
      const running = this.nodes.filter((node) => node.process === "running");
      this.halt(
        running,
        head.height,
        `error changing validator set: ${errorText(error)}`,
        "halted",
      );
      return;
    }
    if (dropped.length > 0) this.log.write(this.nodes, head.height, dropped.map(consensusError));
    this.onCommit(head);
  }

  /**
   * Starts a node's process with its installed binary: stores are loaded, blocks decided meanwhile
   * are applied. A node that cannot get through exits, with its reason; it never throws.
   */
  start(node: Node): void {
    this.nodesChanged();
    node.process = "running";
    node.reason = "";
    node.fresh = true;
    if (node.strayed !== "") {
      this.halt([node], node.applied.height + 1, node.strayed, "halted");
      return;
    }
    if (!openStores(this, node, this.config.upgradeHeight)) return;
    const signed = this.#opensSigner(node);
    if (signed === undefined) return;
    this.#hearNewestAgain(node, signed);
    this.catchUp();
    this.#secondVotes.castAtUndecidedHeight(node, signed);
    if (node.process === "running") node.blocksLost = false;
  }

  /** Loads a node's signer. Where it signed last, or undefined if the process exits over it. */
  #opensSigner(node: Node): SignedPlace | undefined {
    const next = this.ledger.decided + 1;
    try {
      const signed = rememberedPlace(signerState(node, this.ledger));
      const goesOn = signed.height === next && signed.round < this.round;
      this.faults.loadSigner(node, goesOn ? next - 1 : signed.height, next);
      return signed;
    } catch (error) {
      this.halt([node], node.applied.height + 1, (error as Error).message, "exited");
      return undefined;
    }
  }

  /**
   * A node that lacks the newest block and none besides cannot replay it as it starts: it hears it in
   * consensus, may vote on it, and applies it there.
   */
  #hearNewestAgain(node: Node, signed: SignedPlace): void {
    const { ledger } = this;
    const { decided, voting } = ledger;
    const lacksIt = node.blocksLost && node.applied.height === decided - 1;
    if (!lacksIt || !this.#isBehind(node)) return;
    node.blocksLost = false;
    this.#secondVotes.castAtNewestBlock(node, signed);
    const groups = groupNodes([node], voting.list, (binary) => this.appOf(binary));
    this.#applyEverywhere(groups, decided, node.partition, ledger.appHashAt(decided - 1));
  }

  /** Says once a height why signers refuse to sign. */
  #logRefusals(height: number): void {
    for (const { node, kind, from, to } of this.faults.active) {
      if (kind !== "signer" || from > height || to < height || node.group === undefined) continue;
      this.log.write([node], height, [failedSigning(refusal(to, height) ?? "")]);
    }
  }

  /** Lets every running node apply the decided blocks that it hears of and has not applied. */
  catchUp(): void {
    this.nodesChanged();
    for (const node of this.nodes) {
      while (this.#isBehind(node)) replayNext(this, node);
    }
    this.#commitIfApplied();
  }

  #isBehind(node: Node): boolean {
    return (
      node.process === "running" && node.applied.height < (this.#heard.get(node.partition) ?? 0)
    );
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
    this.#heard = new Map(this.nodes.map((node) => [node.partition, this.ledger.decided]));
    this.catchUp();
  }

  /** Parts of a cut network that could decide besides the strongest one, for they too have more than two thirds. */
  rivals(): readonly Bloc[] {
    const { decided, committed, voting } = this.ledger;
    if (decided !== committed) return [];
    return this.#assembly.blocs
      .slice(1)
      .filter(({ power }) => hasTwoThirds(power, voting.totalPower));
  }

  /** Lets the nodes of a part go on by themselves from here, with a ledger of their own. */
  branchOff(partition: number): Network {
    this.nodesChanged();
    const gone = this.nodes.filter((node) => node.partition === partition);
    this.nodes.splice(0, this.nodes.length, ...this.nodes.filter((node) => !gone.includes(node)));
    const branch = new Network(this.config, gone, this.ledger.genesis, this.#validators);
    branch.#elsewhere = [...this.nodes, ...this.#elsewhere];
    this.#elsewhere = [...this.#elsewhere, ...gone];
    branch.ledger.takeOver(this.ledger);
    branch.log = this.log;
    branch.clock = this.clock;
    branch.round = this.round;
    branch.#nextTime = this.#nextTime;
    branch.#turns = this.#turns?.copy();
    branch.#heard = new Map([[partition, this.ledger.decided]]);
    branch.#maker.goOnFrom(this.#maker.lastCommit);
    return branch;
  }
}
