import type { Any } from "@bufbuild/protobuf/wkt";
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
import type { AbsenceCause } from "../network/round/absence.ts";
import type { Sidecar } from "../network/sidecar/sidecar.ts";
import type { Time } from "../primitives/time.ts";
import type { WorldSpec } from "./genesis/world-spec.ts";

export type ProcessState = "running" | "stopped" | "halted" | "exited" | "syncing";

/** Cosmovisor beside a node, as it is now. */
export type SidecarView = Pick<Sidecar, "settings" | "upgrade" | "end" | "waitsUntil" | "looksAt">;

/** A node as it is now. */
export interface NodeView {
  readonly name: string;
  /** Name of the validator whose key it has; another than its own for a twin. */
  readonly validator: string;
  /** Consensus address (20 bytes) and operator (= account) address (20 bytes). */
  readonly consensusAddress: Uint8Array;
  readonly operatorAddress: Uint8Array;
  readonly process: ProcessState;
  readonly binary: string;
  readonly staged: string | undefined;
  /** Power in the set that votes on the next block. */
  readonly power: number;
  /** Greatest height it has applied, and its app hash after that. */
  readonly height: number;
  readonly appHash: Uint8Array;
  /** Cause of its halt or exit, and the text that the node prints; undefined and empty in any other state. */
  readonly haltCause: HaltCause | undefined;
  readonly reason: string;
  readonly skipUpgradeHeights: readonly number[];
  /** Halts it was started with, the time in seconds since 1970; 0 for none. */
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
  /** Height of the last block that both had when the network parted. */
  readonly common: number;
  /** Height of its newest block. */
  readonly height: number;
  /** Hash of its block at a height. */
  hashAt(height: number): Uint8Array | undefined;
}

/** A fault of a node. */
export interface FaultView {
  readonly kind: Fault["kind"];
  /** First and last height at which it acts; `to` is undefined until it is taken back. */
  readonly from: number;
  readonly to: number | undefined;
}

/** A fault that was injected. */
export interface InjectedFaultView extends FaultView {
  /** Undefined for a partition. */
  readonly node: string | undefined;
  /** The sides of a partition by node name. */
  readonly groups: readonly (readonly string[])[];
  /** It has not begun. */
  readonly planned: boolean;
}

/** The faults that were injected, those of later heights included, and the chaos that draws more. */
export interface InjectedFaultsView {
  readonly faults: readonly InjectedFaultView[];
  /** `to` is the last height at which a fault may begin. */
  readonly chaos: { readonly level: number; readonly to: number } | undefined;
}

/** A line of a node's log. `seq` grows over the whole world. */
export interface NodeLogLine {
  readonly seq: number;
  readonly height: number;
  readonly level: "info" | "error";
  readonly module: string;
  readonly text: string;
  /** Set on the line with which a node's process exits or its consensus ends. */
  readonly last?: true;
}

/** Nodes that stopped over a block. `seq` grows over the whole world. */
export interface HaltView {
  readonly seq: number;
  readonly height: number;
  readonly nodes: readonly string[];
  readonly cause: HaltCause;
  /** Steps of that block before they stopped; they are in no block's own steps. */
  readonly steps: readonly ModuleStep[];
}

/**
 * Results of a block, as the nodes holding most power applied it. Nothing is copied, read or hashed
 * for it.
 */
export interface BlockResults {
  readonly height: number;
  readonly round: number;
  /** The binary that applied it. */
  readonly binary: string;
  readonly txs: readonly Pick<TxView, "events">[];
  /** Events outside transactions, in order (PreBlock, BeginBlock, EndBlock). */
  readonly events: readonly Event[];
  /** Decisions noted on the way; kept for recent blocks only. */
  readonly steps: readonly ModuleStep[];
  /** The evidence it carried, as it came from the pool. */
  readonly evidence: readonly Evidence[];
  /** Number of misbehavior items in the block. */
  readonly misbehavior: number;
}

/** A block of the chain with its results. */
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
  /** Power of the largest set of running nodes that reach one another and hold the same state. */
  readonly votingPower: number;
  readonly totalPower: number;
  /** Least power that is more than two thirds. */
  readonly neededPower: number;
  readonly missing: readonly Missing[];
}

/** Nodes that do not vote, for one reason. */
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
  /** The height whose block was decided in this round; undefined if none was. */
  readonly decided: number | undefined;
}

/** A chain's state after a height, from which another chain can begin. */
export interface ExportedGenesis extends AppGenesis {
  /** The application that wrote it; its modules know the messages. */
  readonly app: App;
  /** The state, to be read. */
  readonly state: Context;
  /** The chain's own genesis. */
  readonly spec: WorldSpec;
  /** The binaries that exist in its world. */
  readonly binaries: readonly BinarySpec[];
  /** The validator sets around the height, with their proposer priorities. */
  readonly sets: ValidatorSets;
  /** Validator indexes of those whose vote the last commit lacks. */
  readonly absent: readonly number[];
  /** The last height that is part of it. */
  readonly height: number;
  /** Time of the block after it, with which the other chain begins. */
  readonly time: Time;
  readonly consensusParams: ConsensusParams;
}
