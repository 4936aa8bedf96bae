import type { App, BlockRequest } from "../app/app.ts";
import { Bitset } from "../consensus/bitset.ts";
import { blockIdOf } from "../consensus/block-id.ts";
import { misbehaviorOf } from "../consensus/evidence.ts";
import type { ConsensusParams } from "../consensus/params.ts";
import { type EvidenceChain, EvidencePool } from "../consensus/pool.ts";
import { hasTwoThirds } from "../consensus/quorum.ts";
import { type RoundFailure, roundDuration } from "../consensus/timeouts.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import { ValidatorSet } from "../consensus/validator-set.ts";
import { ValidatorSets } from "../consensus/validator-sets.ts";
import { PRECOMMIT, signVote } from "../consensus/vote.ts";
import type { Misbehavior } from "../framework/context.ts";
import type { ValidatorUpdate } from "../framework/module.ts";
import type { Profile } from "../framework/profile.ts";
import { concat, equal, toHexUpper, utf8 } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/sha256.ts";
import type { Duration, Time } from "../primitives/time.ts";
import { BlockMaker } from "./block-maker.ts";
import { type BlockBody, BlockStore, EMPTY_BODY } from "./block-store.ts";
import {
  appliedFrom,
  consensusError,
  haltLines,
  isPlain,
  writeFiles,
  wrongAppHash,
} from "./execution.ts";
import { type Bloc, blocsOf, type Group, groupNodes, settingsOf } from "./groups.ts";
import type { Applied, Node } from "./node.ts";
import { NodeLog } from "./node-log.ts";
import { loadStores } from "./store-loader.ts";

/** What every chain fixes at its beginning, as the network needs it. */
export interface NetworkConfig {
  readonly chainId: string;
  readonly genesisTime: Time;
  readonly blockTime: Duration;
  readonly commits: "compact" | "full";
  readonly consensusParams: ConsensusParams;
  readonly upgradeHeight: Profile["upgradeHeight"];
  /** Binaries of this world by name. */
  appOf(binary: string): App;
}

/** A height whose block most of the power has applied, and how it came out for them. */
export interface CommittedBlock {
  readonly height: number;
  readonly applied: Applied;
}

/**
 * The machines and the blocks they decide together. Each round the greatest set of nodes that run,
 * hear one another and hold one app hash may decide a block if they have more than two thirds of
 * the power; everyone who hears it applies it with its own binary, and may stop doing so.
 */
export class Network {
  readonly config: NetworkConfig;
  readonly nodes: Node[];
  readonly blocks = new BlockStore();
  readonly log = new NodeLog();
  readonly pool = new EvidencePool();
  readonly sets: ValidatorSets;
  readonly genesis: Applied;
  /** Simulated clock. */
  clock: Time;
  /** The round being tried for the next height. */
  round = 0;
  /** Greatest height applied by nodes with more than two thirds of the power. */
  committed = 0;
  /** Called once for each height, in order, when it is committed. */
  onCommit: (block: CommittedBlock) => void = () => {};

  #mempool: Uint8Array[] = [];
  #forwarded: Misbehavior[] = [];
  readonly #doubleSigners = new Set<Node>();
  /** Time of the next block, fixed by the precommits of the last one. */
  #nextTime: Time;
  /** The last committed block as most of the power applied it. */
  #head: Applied;
  /** The last decided height that each partition has heard of. */
  #heard = new Map<number, number>([[0, 0]]);
  /** Which binary applied the blocks from a height on, for most of the power. */
  readonly #runs: { readonly from: number; readonly binary: string; readonly plain: boolean }[] =
    [];
  /** The set whose turns are passed on when rounds fail; undefined in round 0. */
  #turns: ValidatorSet | undefined;
  #groups: readonly Group[] = [];
  #blocs: readonly Bloc[] = [];
  #groupsStale = true;
  readonly #maker: BlockMaker;

  constructor(
    config: NetworkConfig,
    nodes: readonly Node[],
    genesis: Applied,
    validators: readonly ValidatorUpdate[],
  ) {
    this.config = config;
    this.nodes = [...nodes];
    this.genesis = genesis;
    this.sets = ValidatorSets.genesis(ValidatorSet.create(validators));
    this.clock = config.genesisTime;
    this.#nextTime = config.genesisTime;
    this.#head = genesis;
    const secretOf = (address: Uint8Array): Uint8Array => {
      const signer = this.nodes.find((node) => equal(node.consensusAddress, address));
      if (signer === undefined) throw new Error(`nobody holds the key of ${toHexUpper(address)}`);
      return signer.key.secret;
    };
    this.#maker = new BlockMaker(
      config.chainId,
      config.consensusParams.block,
      config.commits === "full" ? secretOf : undefined,
    );
  }

  /** Height of the last decided block. */
  get decided(): number {
    return this.blocks.height;
  }

  /** The last committed block as most of the power applied it; the genesis state before block 1. */
  get head(): Applied {
    return this.#head;
  }

  /** The validators that vote on the next block. */
  get voting(): ValidatorSet {
    return this.decided === this.committed ? this.sets.current : this.sets.next;
  }

  /** Consensus address of whoever proposes in the current round. */
  get proposer(): Uint8Array {
    const set = this.#turns ?? this.voting;
    return set.list.at(set.proposer()).address;
  }

  /** Queues a transaction for the next block. */
  submit(tx: Uint8Array): void {
    this.#mempool.push(tx);
  }

  get pendingTxs(): readonly Uint8Array[] {
    return this.#mempool;
  }

  /** Hands misbehavior to the application with the next block, unchecked. */
  forward(item: Misbehavior): void {
    this.#forwarded.push(item);
  }

  /** The node will sign two conflicting precommits at the next height. */
  doubleSign(node: Node): void {
    this.#doubleSigners.add(node);
  }

  /** Must be called after anything about a node was changed from outside. */
  nodesChanged(): void {
    for (const node of this.nodes) node.leaveGroup();
    this.#groupsStale = true;
  }

  /** The set of nodes that could decide next, with the most power; undefined if nobody runs. */
  strongest(): Bloc | undefined {
    this.#regroup();
    return this.#blocs[0];
  }

  /** One consensus round. Returns the height it decided, or undefined. */
  advance(): number | undefined {
    const bloc = this.strongest();
    const voting = this.voting;
    const turns = this.#turns ?? voting;
    if (
      bloc === undefined ||
      this.decided !== this.committed ||
      !hasTwoThirds(bloc.power, voting.totalPower)
    ) {
      return this.#failRound("too-few-votes");
    }
    const proposer = turns.proposer();
    if (!bloc.signers.get(proposer)) return this.#failRound("no-proposal");
    this.#decide(bloc, voting.list, proposer);
    return this.decided;
  }

  #failRound(failure: RoundFailure): undefined {
    this.clock += roundDuration(failure, this.round);
    this.round += 1;
    this.#turns ??= this.voting.copy();
    this.#turns.incrementProposerPriority(1);
    return undefined;
  }

  #decide(bloc: Bloc, voting: ValidatorList, proposer: number): void {
    const { applied: agreed, partition } = bloc.groups[0] as Group;
    const parts = {
      height: this.decided + 1,
      time: this.#nextTime,
      round: this.round,
      agreed,
      body: this.#takeBody(),
      voting,
      nextVoting: this.sets.next.list,
      proposer,
    };
    const hash = this.#maker.make(parts);
    const absent = absentOf(bloc.signers);
    this.blocks.append({ ...parts, hash, absent, validators: voting });
    // Precommits fix the next block's time: the interval is exact unless rounds failed meanwhile.
    const start = this.clock > parts.time ? this.clock : parts.time;
    this.clock = start + this.config.blockTime;
    this.#nextTime = this.clock;
    this.round = 0;
    this.#turns = undefined;
    this.#heard.set(partition, parts.height);
    this.#maker.commit(parts, hash, bloc.signers, this.#nextTime);
    if (this.#doubleSigners.size > 0) this.#castDoubleVotes(bloc, voting, parts);
    this.#applyEverywhere(parts.height, partition, agreed.appHash);
    this.#commitIfApplied();
  }

  #takeBody(): BlockBody {
    const evidence = this.pool.propose(this.config.consensusParams.evidence.maxBytes);
    if (evidence.length + this.#mempool.length + this.#forwarded.length === 0) return EMPTY_BODY;
    const misbehavior = [...evidence.flatMap((ev) => misbehaviorOf(ev)), ...this.#forwarded];
    const body = { txs: this.#mempool, evidence, misbehavior };
    this.#mempool = [];
    this.#forwarded = [];
    return body;
  }

  /** Nodes that were told to sign twice do it now; whoever else runs notices. A node never reports itself. */
  #castDoubleVotes(
    bloc: Bloc,
    voting: ValidatorList,
    { height, round }: { readonly height: number; readonly round: number },
  ): void {
    for (const node of this.#doubleSigners) {
      const index = voting.indexOf(node.consensusAddress);
      if (index < 0 || !bloc.signers.get(index)) continue;
      this.#doubleSigners.delete(node);
      const vote = (blockHash: Uint8Array) =>
        signVote(node.key.secret, this.config.chainId, {
          type: PRECOMMIT,
          height,
          round,
          blockId: blockIdOf(blockHash),
          timestamp: this.#nextTime,
          validatorAddress: node.consensusAddress,
          validatorIndex: index,
        });
      const hash = this.blocks.hashAt(height)?.slice() as Uint8Array;
      const other = sha256(concat(hash, utf8(node.name)));
      this.log.write([node], height, [
        consensusError("found conflicting vote from ourselves; did you unsafe_reset a validator?"),
      ]);
      const witness = this.nodes.some(
        (n) => n.process === "running" && n.validator !== node.validator,
      );
      if (witness) this.pool.reportConflictingVotes(vote(hash), vote(other));
    }
  }

  /** Every running node that hears the block applies it, or stops over it. */
  #applyEverywhere(height: number, partition: number, headerAppHash: Uint8Array): void {
    const request = this.blockRequest(height);
    for (const group of this.#groups) {
      if (group.partition !== partition) {
        // It falls behind and votes no longer.
        this.#groupsStale = true;
        continue;
      }
      if (!equal(group.applied.appHash, headerAppHash)) {
        this.#haltNodes(
          group.nodes,
          height,
          wrongAppHash(group.applied.appHash, headerAppHash),
          "halted",
        );
        continue;
      }
      const outcome = group.app.finalizeBlock(
        group.applied.state,
        request,
        group.settings,
        this.blocks.recordUpTo(height),
      );
      if (outcome.logs.length > 0) this.log.write(group.nodes, height, outcome.logs);
      if (outcome.files.length > 0) writeFiles(group.nodes, outcome);
      if (outcome.kind === "halted") {
        this.#haltNodes(group.nodes, height, outcome.reason, "halted");
      } else {
        group.applied = appliedFrom(
          height,
          outcome,
          group.app.binary.name,
          isPlain(group.settings),
        );
        if (group.settings.firstBlock) this.#started(group.nodes);
      }
    }
    // App hashes may have parted, or met again.
    if (this.#groups.length > 1) this.#blocs = blocsOf(this.#groups, this.voting.list);
  }

  /** The first block after a start has been executed; these nodes are like all others now. */
  #started(nodes: readonly Node[]): void {
    for (const node of nodes) node.fresh = false;
    this.#groupsStale = true;
  }

  #haltNodes(
    nodes: readonly Node[],
    height: number,
    reason: string,
    state: "halted" | "exited",
  ): void {
    this.log.write(nodes, height, haltLines(reason, state));
    for (const node of nodes) node.halt(state, reason);
    this.#groupsStale = true;
  }

  /** Merkle root of the transaction results of a committed height. */
  resultsHashAt(height: number): Uint8Array {
    return height === 0 ? this.genesis.resultsHash : this.blocks.resultsHashAt(height);
  }

  /** The block as the application of any node is handed it. */
  blockRequest(height: number): BlockRequest {
    const body = this.blocks.bodyAt(height);
    return {
      chainId: this.config.chainId,
      height,
      time: this.blocks.timeAt(height) as Time,
      proposerAddress: this.blocks.proposerAt(height),
      lastCommit: this.blocks.commitInfo(height - 1),
      misbehavior: body.misbehavior,
      txs: body.txs,
    };
  }

  /** Commits the last decided block once nodes with more than two thirds of the power have applied it. */
  #commitIfApplied(): void {
    if (this.committed === this.decided) return;
    this.#regroup();
    const voting = this.voting;
    const applied = this.#groups.filter((group) => group.applied.height === this.decided);
    const signers = applied.reduce((all, g) => all.union(g.signers), new Bitset(voting.size));
    if (!hasTwoThirds(signers.weigh(voting.powers), voting.totalPower)) return;
    const head = (this.#blocs[0] as Bloc).groups[0]?.applied as Applied;
    this.#head = head;
    this.committed = head.height;
    const run = this.#runs.at(-1);
    if (run === undefined || run.binary !== head.binary || run.plain !== head.plain) {
      this.#runs.push({ from: head.height, binary: head.binary, plain: head.plain });
    }
    this.blocks.setResults(head.height, head.appHash, head.resultsHash);
    const before = this.sets.current.list;
    this.sets.advance(head.outcome?.validatorUpdates ?? []);
    if (this.sets.current.list !== before) this.#groupsStale = true;
    const update = this.pool.update(
      this.blocks.bodyAt(head.height).evidence,
      this.#evidenceChain(),
    );
    for (const { reason } of update.dropped)
      this.log.write(this.nodes, head.height, [consensusError(reason)]);
    this.onCommit({ height: head.height, applied: head });
  }

  #evidenceChain(): EvidenceChain {
    const { blocks } = this;
    return {
      chainId: this.config.chainId,
      lastHeight: this.decided,
      lastTime: blocks.timeAt(this.decided) ?? this.config.genesisTime,
      params: this.config.consensusParams.evidence,
      timeAt: (height) => blocks.timeAt(height),
      validatorsAt: (height) => (blocks.has(height) ? blocks.validatorsAt(height) : undefined),
      blockAt: () => undefined,
    };
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
    const app = this.config.appOf(node.binary);
    try {
      const { applied } = node;
      const state = loadStores(app.binary, app.storeNames, node, this.config.upgradeHeight);
      if (state !== applied.state) node.setApplied({ ...applied, state });
    } catch (error) {
      const reason = (error as Error).message;
      this.#haltNodes([node], node.applied.height + 1, reason, "exited");
      return;
    }
    this.catchUp();
  }

  /** Lets every running node apply the decided blocks that it hears of and has not applied. */
  catchUp(): void {
    this.nodesChanged();
    for (const node of this.nodes) {
      while (this.#isBehind(node)) this.#replayNext(node);
    }
    this.#commitIfApplied();
  }

  #isBehind(node: Node): boolean {
    return (
      node.process === "running" && node.applied.height < (this.#heard.get(node.partition) ?? 0)
    );
  }

  /** Applies the next decided block on one node by itself, as after a restart. */
  #replayNext(node: Node): void {
    if (this.#skipsToHead(node)) {
      node.setApplied(this.#head);
      return;
    }
    const height = node.applied.height + 1;
    const expected = height === 1 ? this.genesis.appHash : this.blocks.appHashAt(height - 1);
    if (!equal(node.applied.appHash, expected)) {
      this.#haltNodes([node], height, wrongAppHash(node.applied.appHash, expected), "halted");
      return;
    }
    const app = this.config.appOf(node.binary);
    const outcome = app.finalizeBlock(
      node.applied.state,
      this.blockRequest(height),
      settingsOf(node),
      this.blocks.recordUpTo(height),
    );
    this.log.write([node], height, outcome.logs);
    writeFiles([node], outcome);
    if (outcome.kind === "applied") {
      node.setApplied(appliedFrom(height, outcome, node.binary, isPlain(settingsOf(node))));
      node.fresh = false;
    } else if (node.fresh) {
      const reason = `error during handshake: error on replay: ${outcome.reason}`;
      this.#haltNodes([node], height, reason, "exited");
    } else {
      this.#haltNodes([node], height, outcome.reason, "halted");
    }
  }

  /** Whether a node's missed blocks must come out for it exactly as they did for the others. */
  #skipsToHead(node: Node): boolean {
    const { applied } = node;
    const head = this.#head;
    return (
      !node.fresh &&
      node.diskWritable &&
      isPlain(settingsOf(node)) &&
      head.height > applied.height &&
      applied.height > 0 &&
      this.#plainlyAppliedSince(applied.height + 1) === node.binary &&
      this.config.appOf(node.binary).binary.migration.kind !== "nondeterministic" &&
      applied.state.storeNames.length === head.state.storeNames.length &&
      equal(applied.appHash, this.blocks.appHashAt(applied.height))
    );
  }

  /** The one binary that applied every block from a height on, with no special settings; else undefined. */
  #plainlyAppliedSince(height: number): string | undefined {
    const last = this.#runs.at(-1);
    return last !== undefined && last.plain && last.from <= height ? last.binary : undefined;
  }

  /** The binary that applied a committed block for most of the power. */
  binaryAt(height: number): string | undefined {
    return this.#runs.findLast((run) => run.from <= height)?.binary;
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
    this.#heard = new Map(this.nodes.map((node) => [node.partition, this.decided]));
    this.catchUp();
  }

  #regroup(): void {
    if (!this.#groupsStale) return;
    const ready = this.nodes.filter(
      (node) => node.process === "running" && node.applied.height === this.decided,
    );
    const voting = this.voting.list;
    this.#groups = groupNodes(ready, voting, (binary) => this.config.appOf(binary));
    this.#blocs = blocsOf(this.#groups, voting);
    this.#groupsStale = false;
  }
}

const absentOf = (signers: Bitset): number[] => {
  const absent: number[] = [];
  if (signers.isFull()) return absent;
  for (let i = 0; i < signers.size; i++) if (!signers.get(i)) absent.push(i);
  return absent;
};
