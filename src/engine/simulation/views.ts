import type { Any } from "@bufbuild/protobuf/wkt";
import type { Time } from "../../base/time.ts";
import type { App, AppGenesis } from "../app/app.ts";
import type { BinarySpec } from "../app/binary.ts";
import type { ModuleStep } from "../app/steps.ts";
import type { Evidence } from "../consensus/evidence.ts";
import type { ConsensusParams } from "../consensus/params.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import type { ValidatorSets } from "../consensus/validator-sets.ts";
import type { Context } from "../framework/context.ts";
import type { Event } from "../framework/events.ts";
import type { HaltCause } from "../framework/halt.ts";
import type { Fault } from "../network/faults/faults.ts";
import type { SkipFlag } from "../network/node/start-args.ts";
import type { AbsenceCause } from "../network/round/absence.ts";
import type { Sidecar } from "../network/sidecar/sidecar.ts";
import type { WorldSpec } from "./genesis/world-spec.ts";

export type ProcessState = "running" | "stopped" | "halted" | "exited" | "syncing";

/** Current state of the Cosmovisor beside a node. */
export type SidecarView = Pick<Sidecar, "settings" | "upgrade" | "end" | "waitsUntil" | "looksAt">;

/** Current state of a node. */
export interface NodeView {
  readonly name: string;
  /** Name of the validator whose key it has; for a twin, it differs from the node's name. */
  readonly validator: string;
  /** Consensus address (20 bytes) and operator (= account) address (20 bytes). */
  readonly consensusAddress: Uint8Array;
  readonly operatorAddress: Uint8Array;
  readonly process: ProcessState;
  readonly binary: string;
  readonly staged: string | undefined;
  /** Power in the set that votes on the next block. */
  readonly power: number;
  /** Greatest height it has applied, and its app hash after that block. */
  readonly height: number;
  readonly appHash: Uint8Array;
  /**
   * Cause of its halt or exit, and the text that the node prints; otherwise undefined and empty.
   */
  readonly haltCause: HaltCause | undefined;
  readonly reason: string;
  readonly skipUpgradeHeights: readonly number[];
  /** The flag from which the app reads these heights. */
  readonly skipFlag: SkipFlag;
  /** Halt height and halt time (seconds since 1970) it was started with; 0 for none. */
  readonly haltHeight: number;
  readonly haltTime: number;
  readonly diskWritable: boolean;
  readonly partition: number;
  /** Faults of the node at the next height. */
  readonly faults: readonly FaultView[];
}

/** Another fork of a partitioned network. */
export interface ForkView {
  readonly nodes: readonly string[];
  /** Height of the last common block when the network was partitioned. */
  readonly common: number;
  /** Height of its newest block. */
  readonly height: number;
  /** Hash of its block at a height. */
  hashAt(height: number): Uint8Array | undefined;
}

/** A fault of a node. */
export interface FaultView {
  readonly kind: Fault["kind"];
  /** First and last height at which it acts; `to` is undefined if it lasts until cleared. */
  readonly from: number;
  readonly to: number | undefined;
}

export interface InjectedFaultView extends FaultView {
  /** Undefined for a partition. */
  readonly node: string | undefined;
  /** The sides of a partition by node name. */
  readonly groups: readonly (readonly string[])[];
  /** True if it has not started. */
  readonly planned: boolean;
}

/** Injected faults, including those planned for later heights, and the chaos that draws more. */
export interface InjectedFaultsView {
  readonly faults: readonly InjectedFaultView[];
  /** `to` is the last height at which a fault may start. */
  readonly chaos: { readonly level: number; readonly to: number } | undefined;
}

/** A line of a node's log. `seq` increases across the whole world. */
export interface NodeLogLine {
  readonly seq: number;
  readonly height: number;
  readonly level: "info" | "error";
  readonly module: string;
  readonly text: string;
  /** Set on the line with which a node's process exits or its consensus ends. */
  readonly last?: true;
}

/** Nodes that stopped because of a block. `seq` increases across the whole world. */
export interface HaltView {
  readonly seq: number;
  readonly height: number;
  readonly nodes: readonly string[];
  readonly cause: HaltCause;
  /** Steps of that block before the nodes stopped; not part of any block's steps. */
  readonly steps: readonly ModuleStep[];
}

/**
 * Results of a block as applied by the nodes with the most power. Obtained without copying, reading
 * or hashing.
 */
export interface BlockResults {
  readonly height: number;
  readonly round: number;
  /** The binary that applied it. */
  readonly binary: string;
  readonly txs: readonly Pick<TxView, "events">[];
  /** Events outside transactions, in order (PreBlock, BeginBlock, EndBlock). */
  readonly events: readonly Event[];
  /** Decisions recorded during execution; stored for recent blocks only. */
  readonly steps: readonly ModuleStep[];
  /** Evidence in the block, as received from the pool. */
  readonly evidence: readonly Evidence[];
  /** Number of misbehavior items in the block. */
  readonly misbehavior: number;
}

export interface BlockView extends BlockResults {
  readonly hash: Uint8Array;
  readonly time: Time;
  /** Consensus address of the proposer. */
  readonly proposer: Uint8Array;
  /** App hash after this block. */
  readonly appHash: Uint8Array;
  /** Consensus addresses of validators whose precommit for this block is absent. */
  readonly absent: readonly Uint8Array[];
  readonly txs: readonly TxView[];
}

/** Signers of a block; `absent` are indexes into the list. */
export interface BlockSigners {
  readonly round: number;
  readonly list: ValidatorList;
  readonly absent: readonly number[];
}

export interface TxView {
  /** SHA-256 of the transaction bytes. */
  readonly hash: Uint8Array;
  readonly height: number;
  /** Account address of the signer. */
  readonly signer: Uint8Array;
  readonly messages: readonly Any[];
  /** 0 is success. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  /** Packed message responses; empty if it failed. */
  readonly responses: readonly Any[];
  readonly events: readonly Event[];
}

/**
 * Status of block production; if it is halted, with the missing nodes, the reasons and the
 * remedies.
 */
export interface ChainStatus {
  readonly state: "running" | "halted";
  /** Power of the largest set of running nodes that are connected and have the same state. */
  readonly votingPower: number;
  readonly totalPower: number;
  /** Smallest power above two thirds. */
  readonly neededPower: number;
  readonly missing: readonly Missing[];
}

/** Nodes that do not vote for the same reason. */
export interface Missing {
  readonly nodes: readonly string[];
  readonly power: number;
  readonly cause: AbsenceCause;
  /** The cause as a sentence; for a halt the text that the nodes print. */
  readonly reason: string;
}

/** Result of an accepted command. */
export interface CommandResult {
  /** Hash of a queued transaction. */
  readonly txHash?: Uint8Array;
}

/** Result of one consensus round. */
export interface RoundResult {
  /** Height decided in this round; undefined if none was. */
  readonly decided: number | undefined;
}

/** A chain's state after a height, from which another chain can start. */
export interface ExportedGenesis extends AppGenesis {
  /** Application that wrote it; its modules define the messages. */
  readonly app: App;
  /** Read-only state. */
  readonly state: Context;
  /** The chain's own genesis. */
  readonly spec: WorldSpec;
  /** The binaries that exist in its world. */
  readonly binaries: readonly BinarySpec[];
  /** The validator sets around the height, with their proposer priorities. */
  readonly sets: ValidatorSets;
  /** Indexes of the validators whose vote is missing from the last commit. */
  readonly absent: readonly number[];
  /** Last height that it includes. */
  readonly height: number;
  /** Time of the next block, with which the other chain starts. */
  readonly time: Time;
  readonly consensusParams: ConsensusParams;
}
