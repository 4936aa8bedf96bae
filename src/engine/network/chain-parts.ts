import type { Duration, Time } from "../../base/time.ts";
import type { App } from "../app/app.ts";
import { consensusHash } from "../consensus/hashes.ts";
import type { ConsensusParams } from "../consensus/params.ts";
import type { Profile } from "../framework/profile.ts";
import { PendingEquivocations } from "./byzantine/equivocations.ts";
import { BlockMaker } from "./chain/block-maker.ts";
import { BlockReader } from "./chain/block-reader.ts";
import type { BlockPaging } from "./chain/block-store.ts";
import type { VotedCommit } from "./chain/headers.ts";
import { type InitialState, Ledger } from "./chain/ledger.ts";
import { Mempool } from "./chain/mempool.ts";
import { Faults } from "./faults/faults.ts";
import type { Applied } from "./node/applied.ts";
import type { Node } from "./node/node.ts";
import { Reachability } from "./partition/reachability.ts";
import type { OtherForks } from "./round/absence.ts";
import { Membership } from "./round/membership.ts";
import { RefusedProposals } from "./round/refused-proposals.ts";
import { RoundRecords } from "./round/round-record.ts";
import { RoundState } from "./round/round-state.ts";
import type { SharedRecords } from "./shared-records.ts";

/** Settings shared by all chains of a world. */
export interface NetworkConfig {
  readonly seed: number;
  readonly chainId: string;
  readonly genesisTime: Time;
  readonly blockTime: Duration;
  readonly commits: "compact" | "full";
  readonly consensusParams: ConsensusParams;
  readonly paging: BlockPaging;
  readonly upgradeHeight: Profile["upgradeHeight"];
  readonly genesis: Applied;
  readonly initial: InitialState;
  /** The application of a binary, by name. */
  appOf(binary: string): App;
}

/** Dependencies of one chain on its world. */
export interface NetworkHost {
  readonly records: SharedRecords;
  readonly otherForks: OtherForks;
  /** Called once per height, in order, with the block as applied by most of the power. */
  onCommit(applied: Applied): void;
}

/**
 * State of one chain, split by subject. Each part encapsulates its own; the network and its rounds
 * use them.
 */
export class ChainParts {
  readonly config: NetworkConfig;
  readonly records: SharedRecords;
  readonly otherForks: OtherForks;
  readonly appOf: (binary: string) => App;
  readonly ledger: Ledger;
  readonly mempool = new Mempool();
  readonly faults: Faults;
  readonly membership: Membership;
  readonly reachability: Reachability;
  readonly roundState: RoundState;
  readonly rounds = new RoundRecords();
  readonly reader: BlockReader;
  readonly maker: BlockMaker;
  readonly equivocations: PendingEquivocations;
  readonly refusedProposals: RefusedProposals;

  constructor(config: NetworkConfig, host: NetworkHost, nodes: readonly Node[]) {
    const { chainId, consensusParams, genesisTime, seed, blockTime, commits } = config;
    const { records, otherForks } = host;
    const secretOf = (address: Uint8Array): Uint8Array => records.secretOf(address);
    const constants = {
      chainId,
      consensusHash: consensusHash(consensusParams.block),
      secretOf: commits === "full" ? secretOf : undefined,
    };
    this.config = config;
    this.records = records;
    this.otherForks = otherForks;
    this.appOf = (binary) => config.appOf(binary);
    this.ledger = this.newLedger();
    this.faults = new Faults(seed, blockTime);
    this.membership = new Membership(this.ledger, this.appOf, nodes);
    this.reachability = new Reachability(this.ledger.decided);
    this.roundState = new RoundState(genesisTime);
    this.reader = new BlockReader(constants, this.ledger, secretOf);
    this.maker = new BlockMaker(constants);
    this.equivocations = new PendingEquivocations(chainId, this.ledger, records.log);
    this.refusedProposals = new RefusedProposals(this.ledger, records.log);
  }

  /** State stored in keyframes. */
  get persisted() {
    return [
      this.ledger.persisted,
      this.mempool.persisted,
      this.faults.persisted,
      this.membership.persisted,
      this.reachability.persisted,
      this.roundState.persisted,
      this.rounds.persisted,
      this.maker.lastCommit,
      this.equivocations.persisted,
      this.refusedProposals.persisted,
    ] as const;
  }
  set persisted(persisted) {
    let lastCommit: VotedCommit | undefined;
    [
      this.ledger.persisted,
      this.mempool.persisted,
      this.faults.persisted,
      this.membership.persisted,
      this.reachability.persisted,
      this.roundState.persisted,
      this.rounds.persisted,
      lastCommit,
      this.equivocations.persisted,
      this.refusedProposals.persisted,
    ] = persisted;
    this.maker.restore(lastCommit);
  }

  /** Returns a ledger of this chain that contains only genesis. */
  newLedger(): Ledger {
    const { chainId, genesisTime, consensusParams, paging, genesis, initial } = this.config;
    const { evidence } = consensusParams;
    return new Ledger(
      { chainId, genesisTime, evidence, paging, headerAt: (height) => this.reader.header(height) },
      genesis,
      initial,
    );
  }
}
