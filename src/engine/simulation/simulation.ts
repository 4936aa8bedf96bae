import type { Message } from "@bufbuild/protobuf";
import type { Vote } from "../../gen/chain/consensus/v1/types_pb.ts";
import { App, blockPlace, type ChainConfig } from "../app/app.ts";
import { type BinarySpec, V1 } from "../app/binary.ts";
import { encodeTx } from "../app/deliver-tx.ts";
import { profileOf } from "../app/profile.ts";
import type { FullCommit } from "../consensus/commit.ts";
import { EMPTY_HASH } from "../consensus/hashes.ts";
import type { Header } from "../consensus/header.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../consensus/params.ts";
import { powerNeeded } from "../consensus/quorum.ts";
import { STATUS, StatusError } from "../framework/errors.ts";
import { CHAOS_LEVELS, drawFault } from "../network/chaos.ts";
import { conflictingVotes } from "../network/double-sign.ts";
import { DEFAULT_CLOCK_OFFSET, DEFAULT_FLAKINESS, type Fault } from "../network/faults.ts";
import { Forks } from "../network/forks.ts";
import { Network } from "../network/network.ts";
import { type Applied, Node } from "../network/node.ts";
import { filesOf } from "../network/signer-state.ts";
import { verifyVoteMessage, voteMessage } from "../network/vote-message.ts";
import { moduleAddress } from "../primitives/address.ts";
import { accAddress, fromAccAddress } from "../primitives/bech32.ts";
import { equal, toHex } from "../primitives/bytes.ts";
import { addressOf } from "../primitives/ed25519.ts";
import { Rng } from "../primitives/rng.ts";
import { sha256 } from "../primitives/sha256.ts";
import type { Time } from "../primitives/time.ts";
import { diffStates, type StoreDiff } from "../store/diff.ts";
import type { CommittedState } from "../store/multi-store.ts";
import { BlockHistory } from "./block-history.ts";
import type { Command, FaultCommand, JournalEntry } from "./command.ts";
import { genesisMessages } from "./genesis.ts";
import { accountOf, consensusKeyOf } from "./identity.ts";
import { runNodeAction } from "./node-actions.ts";
import { type RoundView, roundsOf } from "./round-views.ts";
import { Sidecars } from "./sidecars.ts";
import { standingOf } from "./standing.ts";
import { StateHistory } from "./state-history.ts";
import type {
  BlockView,
  CommandResult,
  ExportedGenesis,
  FaultView,
  ForkView,
  HaltView,
  NodeLogLine,
  NodeView,
  RoundResult,
  Standing,
  TxView,
} from "./views.ts";
import type { WorldSpec } from "./world-spec.ts";

/** Module accounts that people may name. */
const MODULE_ACCOUNTS = ["gov", "bonded_tokens_pool", "not_bonded_tokens_pool"];

/**
 * One world: commands in, blocks, events and steps out. The spec and the journal determine it wholly;
 * the same two give the same app hash at every height, everywhere.
 */
export class Simulation {
  readonly spec: WorldSpec;
  readonly #config: ChainConfig;
  readonly #binaries = new Map<string, BinarySpec>();
  readonly #apps = new Map<string, App>();
  readonly #accounts = new Map<string, Uint8Array>();
  readonly #nodes = new Map<string, Node>();
  readonly #network: Network;
  readonly #forks: Forks;
  readonly #sidecars: Sidecars;
  readonly #states = new StateHistory();
  readonly #history: BlockHistory;
  readonly #journal: JournalEntry[] = [];
  #rounds = 0;
  #revision = 0;
  #sequence = 0n;
  /** Chaos of a level, up to a height. */
  #chaos: { readonly level: number; readonly to: number } | undefined;
  readonly #rng: Rng;

  /** Throws with a clear sentence if the beginning is impossible. */
  static create(spec: WorldSpec): Simulation {
    return new Simulation(spec);
  }

  private constructor(spec: WorldSpec) {
    this.spec = spec;
    this.#rng = Rng.seeded(spec.seed);
    this.#config = {
      profile: spec.profile,
      params: {
        evidence: {
          maxAgeDuration: spec.maxEvidenceAge,
          maxAgeNumBlocks: spec.maxEvidenceAgeBlocks,
        },
      },
      evidenceRoutes: spec.evidenceRoutes,
      verifyVote: verifyVoteMessage,
    };
    for (const binary of [V1, ...spec.binaries]) this.#binaries.set(binary.name, binary);
    for (const { name } of spec.accounts) this.#accounts.set(name, accountOf(name));
    for (const { name } of spec.validators) this.#accounts.set(name, accountOf(name));
    for (const name of MODULE_ACCOUNTS) this.#accounts.set(name, moduleAddress(name));
    this.#network = this.#createNetwork(spec);
    this.#forks = new Forks(this.#network);
    this.#sidecars = new Sidecars(this.#network, (name) => this.#binaries.get(name)?.handlers);
    this.#history = new BlockHistory(this.#network.ledger);
  }

  #createNetwork(spec: WorldSpec): Network {
    const keys = new Map(spec.validators.map((v) => [v.name, consensusKeyOf(v.name, spec.seed)]));
    const first = spec.validators[0];
    if (first === undefined) throw new Error("a chain needs at least one validator");
    const pubKeyOf = (name: string): Uint8Array => this.#keyOf(keys, name).publicKey;
    const genesisApp = this.#appOf(first.binary);
    const { state, validators } = genesisApp.initChain(
      blockPlace(spec.chainId, 0, spec.genesisTime),
      genesisMessages(spec, pubKeyOf),
      { timeAt: () => undefined, blockHashAt: () => undefined, validatorAt: () => undefined },
    );
    const genesis: Applied = {
      height: 0,
      appHash: state.appHash,
      state,
      resultsHash: EMPTY_HASH,
      binary: first.binary,
      plain: true,
      outcome: undefined,
    };
    for (const { name, binary } of spec.validators) {
      const key = this.#keyOf(keys, name);
      this.#appOf(binary);
      this.#nodes.set(name, new Node(name, name, key, addressOf(key.publicKey), binary, genesis));
    }
    const network = new Network(
      {
        seed: spec.seed,
        chainId: spec.chainId,
        genesisTime: spec.genesisTime,
        blockTime: spec.blockTime,
        commits: spec.commits,
        upgradeHeight: profileOf(spec.profile).upgradeHeight,
        consensusParams: {
          ...DEFAULT_CONSENSUS_PARAMS,
          evidence: {
            ...DEFAULT_CONSENSUS_PARAMS.evidence,
            maxAgeDuration: spec.maxEvidenceAge,
            maxAgeNumBlocks: spec.maxEvidenceAgeBlocks,
          },
        },
        appOf: (name) => this.#appOf(name),
      },
      [...this.#nodes.values()],
      genesis,
      validators,
    );
    this.#states.record(0, state);
    network.onCommit = (applied) => {
      this.#states.record(applied.height, applied.outcome?.state ?? applied.state);
      this.#history.record(applied);
    };
    return network;
  }

  #keyOf<K>(keys: ReadonlyMap<string, K>, name: string): K {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`there is no validator ${name}`);
    return key;
  }

  #appOf(name: string): App {
    const known = this.#apps.get(name);
    if (known !== undefined) return known;
    const app = new App(this.#binaryNamed(name), this.#config);
    this.#apps.set(name, app);
    return app;
  }

  #binaryNamed(name: string): BinarySpec {
    const binary = this.#binaries.get(name);
    if (binary !== undefined) return binary;
    throw new Error(
      `there is no binary ${name}; there are ${[...this.#binaries.keys()].join(", ")}`,
    );
  }

  // ——— steering ———

  /**
   * Carries out a command now and notes it in the journal. Throws an Error with a clear sentence, and
   * changes nothing, if it makes no sense in this world.
   */
  apply(command: Command): CommandResult {
    const result = this.#perform(command);
    this.#journal.push({ at: this.#rounds, command });
    this.#revision += 1;
    return result;
  }

  /** Runs one consensus round, which brings a block or does not. */
  advance(): RoundResult {
    this.#rounds += 1;
    this.#revision += 1;
    this.#drawChaos();
    const decided = this.#network.advance();
    this.#forks.advance();
    this.#sidecars.run();
    return { decided };
  }

  #perform(command: Command): CommandResult {
    switch (command.type) {
      case "tx":
        return this.#queueTx(command);
      case "misbehavior":
        this.#forward(command);
        return {};
      case "double_sign": {
        const node = this.#nodeNamed(command.node);
        if (node.process !== "running")
          throw new Error(`${node.name} is ${node.process} and signs nothing`);
        if (this.#network.ledger.voting.indexOf(node.consensusAddress) < 0) {
          throw new Error(`${node.name} is not in the validator set and signs nothing`);
        }
        this.#network.doubleSign(node);
        return {};
      }
      case "light_client_attack": {
        const by = command.by.map((name) => this.#nodeNamed(name));
        const height = command.height ?? this.height;
        this.#network.attackLightClient({ kind: command.kind, by, height });
        return {};
      }
      case "node":
        this.#refuseOnFork(command.node);
        runNodeAction(command.action, this.#nodeNamed(command.node), {
          network: this.#network,
          sidecars: this.#sidecars,
          stateAt: (height) => this.#states.at(height),
          node: (name) => this.#nodeNamed(name),
          hasBinary: (name) => this.#binaries.has(name),
          binaryNames: () => [...this.#binaries.keys()],
          addNode: (node) => {
            this.#nodes.set(node.name, node);
            this.#network.nodes.push(node);
          },
        });
        return {};
      case "partition":
        for (const name of command.groups.flat()) this.#nodeNamed(name);
        this.#forks.merge();
        this.#network.partition(command.groups);
        this.#forks.split();
        return {};
      case "heal":
        this.#forks.merge();
        this.#network.partition([]);
        return {};
      case "binary":
        this.#addBinary(command.binary);
        return {};
      case "fault":
        this.#addFault(command);
        return {};
      case "chaos":
        if (!CHAOS_LEVELS.some((level) => level === command.level)) {
          throw new Error(
            `there is no chaos level ${command.level}; there are ${CHAOS_LEVELS.join(", ")}`,
          );
        }
        this.#chaos = { level: command.level, to: this.decidedHeight + command.for };
        return {};
      case "clear_faults":
        this.#clearFaults(command.node);
        return {};
      case "release": {
        const { name, url, serves } = command;
        this.#binaryNamed(name);
        this.#sidecars.releases.set(url, { binary: name, serves });
        return {};
      }
    }
  }

  /** A chain of its own is watched until it meets the other one; nobody works on its machines. */
  #refuseOnFork(name: string): void {
    const fork = this.#forks.branches.find(({ nodes }) => nodes.some((node) => node.name === name));
    if (fork === undefined) return;
    throw new Error(
      `${name} is on another chain since height ${this.#forks.common}; heal the network first`,
    );
  }

  #queueTx({ signer, messages, memo }: Extract<Command, { type: "tx" }>): CommandResult {
    const address = this.#addressOf(signer);
    this.#sequence += 1n;
    const bytes = encodeTx({
      messages: [...messages],
      memo: memo ?? "",
      signer: accAddress(address),
      sequence: this.#sequence,
    });
    this.#network.submit(bytes);
    return { txHash: sha256(bytes) };
  }

  #forward(command: Extract<Command, { type: "misbehavior" }>): void {
    const address = this.#nodeNamed(command.validator).consensusAddress;
    const { blocks } = this.#network.ledger;
    const { height } = command;
    const time = command.time ?? blocks.timeAt(height);
    if (time === undefined) {
      throw new Error(`there is no block ${height} to take the time from; give a time`);
    }
    const list = blocks.has(height)
      ? blocks.validatorsAt(height)
      : this.#network.ledger.voting.list;
    const power = command.power ?? list.find(address)?.power;
    if (power === undefined) {
      throw new Error(
        `${command.validator} was not in the validator set of height ${height}; give a power`,
      );
    }
    this.#network.forward({
      type: command.kind,
      address,
      power,
      height,
      time,
      totalVotingPower: list.totalPower,
    });
  }

  #addFault({ node, kind, at, for: lasts, by, probability }: FaultCommand): void {
    const from = at ?? this.decidedHeight + 1;
    if (from <= this.decidedHeight) {
      throw new Error(`height ${from} is past; the chain is at ${this.decidedHeight}`);
    }
    this.#network.faults.add({
      node: this.#nodeNamed(node),
      kind,
      from,
      to: lasts === undefined ? Number.POSITIVE_INFINITY : from + lasts - 1,
      by: by ?? DEFAULT_CLOCK_OFFSET,
      probability: probability ?? DEFAULT_FLAKINESS,
    });
  }

  #clearFaults(node: string | undefined): void {
    const whose = node === undefined ? undefined : this.#nodeNamed(node);
    if (node === undefined) this.#chaos = undefined;
    for (const crashed of this.#network.faults.clear(whose, this.decidedHeight)) {
      if (crashed.process === "exited") this.#network.restart(crashed);
    }
  }

  /** While there is chaos, each height may bring one more fault. */
  #drawChaos(): void {
    const chaos = this.#chaos;
    const height = this.decidedHeight + 1;
    if (chaos === undefined || this.round > 0) return;
    if (height > chaos.to) {
      this.#chaos = undefined;
      return;
    }
    const { voting } = this.#network.ledger;
    const fault = drawFault(this.#rng.fork(`chaos/${height}`), chaos.level, height, {
      nodes: this.#network.nodes,
      faults: this.#network.faults.active,
      powerOf: (node) => voting.list.find(node.consensusAddress)?.power ?? 0,
      totalPower: voting.totalPower,
    });
    if (fault !== undefined) this.#network.faults.add(fault);
  }

  #addBinary(binary: BinarySpec): void {
    if (this.#binaries.has(binary.name))
      throw new Error(`there is already a binary ${binary.name}`);
    this.#binaries.set(binary.name, binary);
  }

  // ——— where the world is ———

  /** Rounds run since genesis; what journal entries are dated by. */
  get rounds(): number {
    return this.#rounds;
  }
  get journal(): readonly JournalEntry[] {
    return this.#journal;
  }
  /** Grows with every round and every command. */
  get revision(): number {
    return this.#revision;
  }
  /** Greatest height applied by nodes with more than two thirds of the power. */
  get height(): number {
    return this.#network.ledger.committed;
  }
  get decidedHeight(): number {
    return this.#network.ledger.decided;
  }
  /** The round being tried for the next height. */
  get round(): number {
    return this.#network.round;
  }
  /** Time of the last block; the genesis time before the first. */
  get time(): Time {
    return this.timeAt(this.height) ?? this.spec.genesisTime;
  }
  get clock(): Time {
    return this.#network.clock;
  }
  /** Time of the next block: the precommits on the last one have fixed it. */
  get nextTime(): Time {
    return this.#network.nextTime;
  }
  get appHash(): Uint8Array {
    return this.#network.ledger.head.appHash;
  }

  /** Whether a block can be made now; if not, who is missing and in what words. */
  standing(): Standing {
    return standingOf(this.#network, powerNeeded(this.#network.ledger.voting.totalPower));
  }

  nodes(): readonly NodeView[] {
    const signers = this.#lastSigners();
    return [...this.#nodes.values()].map((node) => this.#nodeView(node, signers));
  }

  node(name: string): NodeView | undefined {
    const node = this.#nodes.get(name);
    return node && this.#nodeView(node, this.#lastSigners());
  }

  /** Says of a consensus address whether its precommit is in the newest commit. */
  #lastSigners(): (consensusAddress: Uint8Array) => boolean {
    const { blocks } = this.#network.ledger;
    if (this.height === 0) return () => false;
    const absent = new Set(blocks.absentAt(this.height));
    const voters = blocks.validatorsAt(this.height);
    return (address) => {
      const seat = voters.indexOf(address);
      return seat >= 0 && !absent.has(seat);
    };
  }

  #nodeView(node: Node, signed: (consensusAddress: Uint8Array) => boolean): NodeView {
    const { consensusAddress, applied } = node;
    return {
      name: node.name,
      consensusAddress,
      operatorAddress: this.#keyOf(this.#accounts, node.validator),
      process: node.process,
      binary: node.binary,
      staged: node.staged,
      power: this.#network.ledger.voting.list.find(consensusAddress)?.power ?? 0,
      height: applied.height,
      appHash: applied.appHash,
      signed: signed(consensusAddress),
      reason: node.reason,
      skipUpgradeHeights: [...node.skipUpgradeHeights],
      partition: node.partition,
      faults: this.#network.faults.of(node, this.decidedHeight + 1).map(faultView),
    };
  }

  /** The files on a node's disk. Throws for an unknown node, as `log` does. */
  files(name: string): ReadonlyMap<string, string> {
    return filesOf(this.#nodeNamed(name), this.#network.ledger);
  }

  /** What a node wrote lately, oldest first. */
  log(name: string): readonly NodeLogLine[] {
    return this.#network.log.of(this.#nodeNamed(name)).map(withFields);
  }

  /** The lines that any node wrote after a sequence number. */
  logSince(seq: number): readonly (NodeLogLine & { readonly nodes: readonly string[] })[] {
    return this.#network.log
      .since(seq)
      .map((line) => ({ ...withFields(line), nodes: line.nodes.map((node) => node.name) }));
  }

  /** Every halt after a sequence number, with the decisions that led there. */
  haltsSince(seq: number): readonly HaltView[] {
    return this.#network.halts
      .since(seq)
      .map((halt) => ({ ...halt, nodes: halt.nodes.map((node) => node.name) }));
  }

  /** A committed block with its results. */
  block(height: number): BlockView | undefined {
    return height <= this.height ? this.#history.block(height) : undefined;
  }

  /** Height of the committed block with this hash; undefined if there is none. Costs a look at every block. */
  heightOf(hash: Uint8Array): number | undefined {
    const height = this.#network.ledger.blocks.heightOf(hash);
    return height !== undefined && height <= this.height ? height : undefined;
  }

  /** Chains that other parts of a cut network make besides this one; empty unless it has split. */
  forks(): readonly ForkView[] {
    const { common } = this.#forks;
    return this.#forks.branches.map(({ nodes, ledger }) => ({
      nodes: nodes.map(({ name }) => name),
      common,
      height: ledger.decided,
      hashAt: (height) => ledger.blocks.hashAt(height)?.slice(),
    }));
  }

  /** The rounds of a height, also of the next one, while they are remembered; the last few hundred are. */
  roundsOf(height: number): readonly RoundView[] {
    return roundsOf(this.#network, height);
  }

  /** The signed commit of a committed block, its signatures made now; undefined if there is no such block. */
  commit(height: number): FullCommit | undefined {
    return height <= this.height ? this.#network.commit(height) : undefined;
  }

  /** The keys in which the states of two nodes differ. Throws for an unknown node. */
  diffNodes(before: string, after: string): readonly StoreDiff[] {
    return diffStates(this.#nodeNamed(before).applied.state, this.#nodeNamed(after).applied.state);
  }

  /** The header of a committed block: its hash is the block's. */
  header(height: number): Header | undefined {
    return height <= this.height ? this.#network.header(height) : undefined;
  }

  /** Bytes of a committed block with its commit and evidence, as CometBFT encodes it. */
  blockSize(height: number): number | undefined {
    return height <= this.height ? this.#network.blockSize(height) : undefined;
  }

  /** A transaction of a committed block. */
  tx(hash: Uint8Array): TxView | undefined {
    return this.#history.tx(toHex(hash));
  }

  timeAt(height: number): Time | undefined {
    return this.#network.ledger.blocks.timeAt(height);
  }

  /**
   * Two precommits of a node's key for a past height and round, really signed: the one for the block of this chain, and
   * one for a block that is not on it, as a key shows that signs elsewhere too. Throws an Error if it was no validator.
   */
  votesOf(name: string, height: number): readonly [Vote, Vote] {
    const node = this.#nodeNamed(name);
    const { blocks } = this.#network.ledger;
    const timestamp = blocks.timeAt(height);
    const blockHash = blocks.hashAt(height)?.slice();
    if (timestamp === undefined || blockHash === undefined) {
      throw new Error(`there is no block ${height} yet to vote on`);
    }
    const index = blocks.validatorsAt(height).indexOf(node.consensusAddress);
    if (index < 0) throw new Error(`${name} was not in the validator set of height ${height}`);
    const { chainId } = this.spec;
    const round = blocks.roundAt(height);
    const place = { chainId, height, round, blockHash, timestamp, index };
    const [here, elsewhere] = conflictingVotes(node, place);
    return [voteMessage(here), voteMessage(elsewhere)];
  }

  /** The validators that vote on the next block, in set order. */
  validators(): readonly { readonly address: Uint8Array; readonly power: number }[] {
    const { list } = this.#network.ledger.voting;
    return list.addresses.map((address, i) => ({ address, power: list.powers[i] as number }));
  }

  /** Consensus address of whoever proposes in the current round. */
  proposer(): Uint8Array {
    return this.#network.proposer;
  }

  binaries(): readonly BinarySpec[] {
    return [...this.#binaries.values()];
  }

  /** The state after a height (default: the newest). Throws StatusError if it is not kept. */
  state(height: number = this.height): CommittedState {
    if (height < 0) {
      throw new StatusError(
        STATUS.invalidArgument,
        "cannot query with height < 0; please provide a valid height: invalid request",
      );
    }
    const state = height > this.height ? undefined : this.#states.at(height);
    if (state === undefined) {
      throw new StatusError(
        STATUS.invalidArgument,
        `the state of height ${height} is not available; the chain is at height ${this.height}`,
      );
    }
    return state;
  }

  /**
   * Answers a query, `chain.upgrade.v1beta1.Query/CurrentPlan`, on the state after a height.
   * Throws StatusError or ChainError.
   */
  query(name: string, request: Message, height: number = this.height): Message {
    const { app, state, place, record } = this.#reading(height);
    return app.query(name, request, state, place, record);
  }

  /** The state after a height as genesis, and the app that wrote it. Throws as `state` does. */
  exportGenesis(height: number = this.height): ExportedGenesis {
    const { app, state, place, record } = this.#reading(height);
    const { chainId, time } = place;
    return { ...app.exportGenesis(state, place, record), app, chainId, height, time };
  }

  /** What it takes to read the state after a height: by the binary that wrote it, as of then. */
  #reading(height: number) {
    const { ledger } = this.#network;
    const time = this.timeAt(height) ?? this.spec.genesisTime;
    return {
      state: this.state(height),
      app: this.#appOf(ledger.binaryAt(height) ?? ledger.genesis.binary),
      place: blockPlace(this.spec.chainId, height, time),
      record: ledger.blocks.recordUpTo(height),
    };
  }

  /** The value under a key of a module's store; undefined if there is none or no such store. */
  storeValue(store: string, key: Uint8Array, height: number = this.height): Uint8Array | undefined {
    const state = this.state(height);
    return state.has(store) ? state.reader(store).get(key) : undefined;
  }

  /** Whether all nodes that hold the newest height hold the same app hash for it. */
  appHashesAgree(): boolean {
    const nodes = [...this.#nodes.values()].map((node) => node.applied);
    const newest = nodes.reduce((top, applied) => Math.max(top, applied.height), 0);
    const hashes = nodes.filter((applied) => applied.height === newest);
    return hashes.every((applied) => equal(applied.appHash, hashes[0]?.appHash ?? applied.appHash));
  }

  // ——— names ———

  /** The account behind a name: of a person, a validator's operator, or a module. */
  account(name: string): Uint8Array | undefined {
    return this.#accounts.get(name);
  }

  accountNames(): readonly string[] {
    return [...this.#accounts.keys()];
  }

  #addressOf(signer: string): Uint8Array {
    const known = this.#accounts.get(signer);
    if (known !== undefined) return known;
    try {
      return fromAccAddress(signer);
    } catch {
      throw new Error(`there is no account ${signer}; there are ${this.accountNames().join(", ")}`);
    }
  }

  #nodeNamed(name: string): Node {
    const node = this.#nodes.get(name);
    if (node !== undefined) return node;
    throw new Error(`there is no node ${name}; there are ${[...this.#nodes.keys()].join(", ")}`);
  }
}

const faultView = ({ kind, from, to }: Fault): FaultView => ({
  kind,
  from,
  to: Number.isFinite(to) ? to : undefined,
});

function withFields(line: {
  readonly seq: number;
  readonly height: number;
  readonly level: "info" | "error";
  readonly module: string;
  readonly text: string;
  readonly fields?: Readonly<Record<string, string>>;
}): NodeLogLine {
  const { seq, height, level, module } = line;
  const fields = Object.entries(line.fields ?? {}).map(([key, value]) => ` ${key}=${value}`);
  return { seq, height, level, module, text: line.text + fields.join("") };
}
