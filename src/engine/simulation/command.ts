import type { Any } from "@bufbuild/protobuf/wkt";
import type { Duration, Time } from "../../base/time.ts";
import type { BinarySpec } from "../app/binary.ts";
import type { AttackKind } from "../consensus/light-client-attack.ts";
import type { NodeFaultKind } from "../network/faults/kinds.ts";
import type { SkipForm } from "../network/node/start-args.ts";
import type { SidecarSettings } from "../network/sidecar/sidecar.ts";

/**
 * Every change that any interface can make to a world. Plain data: a journal of commands, each with
 * the round at which it was issued, is the complete history of a world.
 */
export type Command =
  | TxCommand
  | SignedTxCommand
  | MisbehaviorCommand
  | { readonly type: "double_sign"; readonly node: string }
  | LightClientAttackCommand
  | { readonly type: "node"; readonly node: string; readonly action: NodeAction }
  | { readonly type: "partition"; readonly groups: readonly (readonly string[])[] }
  | { readonly type: "heal" }
  | FaultCommand
  | ChaosCommand
  /** Ends the faults of a node, or all faults and chaos. */
  | { readonly type: "clear_faults"; readonly node?: string }
  | ReleaseCommand
  | { readonly type: "binary"; readonly binary: BinarySpec }
  | TamperCommand;

/** Queues a transaction for the next block. */
export interface TxCommand {
  readonly type: "tx";
  /** Account name, validator name (its operator account) or bech32 address. */
  readonly signer: string;
  readonly messages: readonly Any[];
  readonly memo?: string;
}

/** Queues a signed transaction as received: its signatures are checked earlier, and never again. */
export interface SignedTxCommand {
  readonly type: "signed_tx";
  readonly bytes: Uint8Array;
}

/** Passes misbehavior to the app in the next block unchanged, bypassing the evidence pool. */
export interface MisbehaviorCommand {
  readonly type: "misbehavior";
  /** 1 DUPLICATE_VOTE, 2 LIGHT_CLIENT_ATTACK; other values are allowed, but unknown to the app. */
  readonly kind: number;
  readonly validator: string;
  readonly height: number;
  /** Defaults to the actual value at that height. */
  readonly time?: Time;
  readonly power?: number;
}

/**
 * Validators sign a block that conflicts with a committed one; an honest node reports the attack.
 */
export interface LightClientAttackCommand {
  readonly type: "light_client_attack";
  readonly kind: AttackKind;
  readonly by: readonly string[];
  /** Height of the conflicting block; the newest if absent. A lunatic one may be higher. */
  readonly height?: number;
}

export type NodeAction =
  | { readonly kind: "stop" }
  | { readonly kind: "start" }
  /** Installs the binary and starts or restarts the node with it. */
  | { readonly kind: "install"; readonly binary: string }
  /** Places the binary on the disk, for the sidecar or a later restart. */
  | { readonly kind: "stage"; readonly binary: string }
  | { readonly kind: "sidecar"; readonly sidecar: SidecarSettings }
  /**
   * Restarts the node with `--unsafe-skip-upgrades`; the heights are joined by commas unless given.
   */
  | {
      readonly kind: "skip_upgrades";
      readonly heights: readonly number[];
      readonly form?: SkipForm;
    }
  /** Restarts the node with `--halt-height`; 0 for no flag. */
  | { readonly kind: "halt_height"; readonly height: number }
  /** Restarts the node with `--halt-time`, in seconds since 1970; 0 for no flag. */
  | { readonly kind: "halt_time"; readonly time: number }
  | { readonly kind: "twin" }
  /** Removes the second node. */
  | { readonly kind: "remove_twin" }
  /**
   * Resets the signer's file; unless the node is running, its stored and unapplied blocks are lost
   * too.
   */
  | { readonly kind: "lose_signer_state" }
  | { readonly kind: "roll_back"; readonly blocks: number }
  | { readonly kind: "state_sync"; readonly from: string }
  | { readonly kind: "wipe" }
  | { readonly kind: "disk"; readonly writable: boolean }
  | { readonly kind: "write_file"; readonly path: string; readonly content: string }
  | { readonly kind: "remove_file"; readonly path: string };

/**
 * Injects a fault into a node or the network, from a height on and for a number of heights. While
 * the chain is halted, each remaining height counts as past after one regular block interval.
 */
export type FaultCommand = NodeFaultCommand | PartitionFaultCommand;

interface FaultSpan {
  readonly type: "fault";
  /** First height; the next one if absent. */
  readonly at?: number;
  /** Duration in heights; if absent, it lasts until cleared (a double sign happens once). */
  readonly for?: number;
}

export interface PartitionFaultCommand extends FaultSpan {
  readonly kind: "partition";
  readonly groups: readonly (readonly string[])[];
}

export interface NodeFaultCommand extends FaultSpan {
  readonly kind: NodeFaultKind;
  readonly node: string;
  /** Skew of a wrong clock, in nanoseconds. */
  readonly by?: Duration;
  /** Probability that a flaky node is mute, 0 to 1. */
  readonly probability?: number;
}

/** Draws faults from the seed for a number of heights; the level determines how often and which. */
export interface ChaosCommand {
  readonly type: "chaos";
  readonly level: number;
  readonly for: number;
}

/** Sets the response of the simulated release server at an address. */
export interface ReleaseCommand {
  readonly type: "release";
  /** Binary that can be downloaded there. */
  readonly name: string;
  readonly url: string;
  readonly serves: "binary" | "missing" | "slow" | "wrong_checksum" | "empty";
}

/**
 * Changes one byte of a value in the database of every node at the newest height. No block does
 * that, so everything that follows is impossible: only branches start with it, and scenarios have
 * no syntax for it.
 */
export interface TamperCommand {
  readonly type: "tamper";
  readonly store: string;
  readonly key: Uint8Array;
  /** Offset of the byte in the value, and its new value. */
  readonly place: number;
  readonly byte: number;
}

/** A command and the number of rounds the world had run when it was issued. */
export interface JournalEntry {
  readonly at: number;
  readonly command: Command;
}
