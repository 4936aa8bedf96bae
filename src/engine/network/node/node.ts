import type { AppliedOutcome } from "../../app/app.ts";
import type { HaltCause, HeaderMismatch } from "../../framework/halt.ts";
import type { KeyPair } from "../../primitives/ed25519.ts";
import type { CommittedState } from "../../store/multi-store.ts";
import type { ExecutionGroup, FailedRound } from "../round/voting-groups.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import type { PlacedSignerState } from "./signer-state.ts";

/** What a process is doing: see the world model, "Machines". */
export type ProcessState = "running" | "stopped" | "halted" | "exited" | "syncing";

/** A block as applied: one object shared by all nodes for which it came out the same. */
export interface Applied {
  readonly height: number;
  /** What the next header must carry. */
  readonly appHash: Uint8Array;
  /** Where the next block starts from: the same state, but for what a StoreLoader added or removed. */
  readonly state: CommittedState;
  /** Merkle root of the transaction results, for the next header. */
  readonly resultsHash: Uint8Array;
  readonly binary: string;
  /** Applied without skip heights or a halt height: any node with this binary gets the same. */
  readonly plain: boolean;
  /** What happened in it; undefined for the genesis state. */
  readonly outcome: AppliedOutcome | undefined;
}

/** The file that the upgrade module writes before it stops a node. */
export const UPGRADE_INFO = "data/upgrade-info.json";

/** One machine: a validator's key, a process, a disk, and the settings it was started with. */
export class Node {
  readonly name: string;
  readonly key: KeyPair;
  /** 20 bytes; a twin has its original's. */
  readonly consensusAddress: Uint8Array;
  /** Name of the validator it votes for; differs from `name` for a twin. */
  readonly validator: string;

  process: ProcessState = "running";
  /** Why it is halted or has exited; undefined in any other state. */
  haltCause: HaltCause | undefined;
  binary: string;
  /** The binary that was placed on the disk last and is not yet run. */
  staged: string | undefined;
  /** The arguments of `--unsafe-skip-upgrades`, as written, and the heights that the app takes from them. */
  skipFlag: readonly string[] = [];
  skipUpgradeHeights: ReadonlySet<number> = new Set();
  haltHeight = 0;
  diskWritable = true;
  /** All but the signer's, which is made up when somebody looks. */
  readonly files = new Map<string, string>();
  placedSignerState: PlacedSignerState | undefined;
  /** Blocks above its state are not in its block store either: they were taken off the disk. */
  blocksLost = false;
  /** Nodes with the same number hear one another. */
  partition = 0;
  /** Starts the process and switches its binary; undefined if the operator does that. */
  sidecar: Sidecar | undefined;
  /** No block has been executed since the process started. */
  fresh = true;
  /** Why its blocks are not the chain's; undefined unless it was on the lost side of a fork. */
  strayed: HeaderMismatch | undefined;
  /** The group it executes with while it keeps up; its `applied` is the group's then. */
  group: ExecutionGroup | undefined;
  #applied: Applied;
  #vain: FailedRound | undefined;

  constructor(
    name: string,
    validator: string,
    key: KeyPair,
    address: Uint8Array,
    binary: string,
    genesis: Applied,
  ) {
    this.name = name;
    this.validator = validator;
    this.key = key;
    this.consensusAddress = address;
    this.binary = binary;
    this.#applied = genesis;
  }

  /** The last block it applied. */
  get applied(): Applied {
    return this.group?.applied ?? this.#applied;
  }

  /**
   * The last round without a block that it voted in. What it signed for blocks stands in their commits;
   * this is known nowhere else.
   */
  get vain(): FailedRound | undefined {
    const vain = this.group?.vain;
    return vain === undefined || vain.silent.includes(this) ? this.#vain : vain;
  }

  /** Sets the last applied block of a node that is in no group. */
  setApplied(applied: Applied): void {
    this.#applied = applied;
  }

  /** Takes over a state of the chain, whatever it held before. */
  adopt(applied: Applied): void {
    this.#applied = applied;
    this.strayed = undefined;
  }

  /** Takes the node out of its group, keeping what it has applied. */
  leaveGroup(): void {
    if (this.group === undefined) return;
    this.#vain = this.vain;
    this.#applied = this.group.applied;
    this.group = undefined;
  }

  /** Ends its consensus: the process stays up, or exits if it fell over while starting. */
  halt(state: "halted" | "exited", cause: HaltCause): void {
    this.leaveGroup();
    this.process = state;
    this.haltCause = cause;
  }
}
