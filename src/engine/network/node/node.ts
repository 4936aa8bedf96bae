import type { KeyPair } from "../../../base/ed25519.ts";
import type { HaltCause, HeaderMismatch } from "../../framework/halt.ts";
import { UPGRADE_INFO_PATH } from "../../modules/upgrade/upgrade-info.ts";
import type { Sidecar } from "../sidecar/sidecar.ts";
import type { Applied } from "./applied.ts";

/** State of a node's process. `halted`: it is running, but its consensus has ended. */
export type ProcessState = "running" | "stopped" | "halted" | "exited" | "syncing";

/** A failed round. Every online node of the group except `silent` voted in it. */
export interface FailedRound {
  readonly height: number;
  readonly round: number;
  readonly silent: readonly Node[];
}

/** Progress shared by all nodes of one execution group. */
export interface SharedProgress {
  readonly applied: Applied;
  /** Last failed round since the group was formed. */
  readonly lastFailedRound: FailedRound | undefined;
}

/**
 * A signer state file that was manually written or deleted. Valid until the next vote overwrites
 * it.
 */
export interface PlacedSignerState {
  /** Undefined if it was deleted. */
  readonly content: string | undefined;
  /** Height of the newest block at that time. */
  readonly at: number;
  /** Last failed round in which the node had voted by then. */
  readonly lastFailedRound: FailedRound | undefined;
}

/** Groups nodes: a changed node must be regrouped. */
export interface NodeObserver {
  nodeChanged(): void;
}

/**
 * One node: a validator's key, a process, a disk, and the flags it was started with. Its state
 * changes only through the methods below; each one that can affect the node's execution or voting
 * group leaves the execution group and notifies the observer.
 */
export class Node {
  readonly name: string;
  readonly key: KeyPair;
  /** 20 bytes; a twin has the address of its original. */
  readonly consensusAddress: Uint8Array;
  /** Name of the validator it votes for; differs from `name` for a twin. */
  readonly validator: string;

  #observer: NodeObserver | undefined;
  #shared: SharedProgress | undefined;
  #applied: Applied;
  #lastFailedRound: FailedRound | undefined;
  #process: ProcessState = "running";
  #haltCause: HaltCause | undefined;
  #binary: string;
  #staged: string | undefined;
  #skipFlag: readonly string[] = [];
  #skipUpgradeHeights: ReadonlySet<number> = new Set();
  #haltHeight = 0;
  #haltTime = 0;
  #diskWritable = true;
  #files = new Map<string, string>();
  #placedSignerState: PlacedSignerState | undefined;
  #blocksLost = false;
  #partition = 0;
  #sidecar: Sidecar | undefined;
  #fresh = true;
  #orphaned: HeaderMismatch | undefined;
  #firstVersion: number;

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
    this.#binary = binary;
    this.#applied = genesis;
    this.#firstVersion = genesis.height + 1;
  }

  /** A second node with the same key, binary, files and state, in the same partition. */
  twin(name: string): Node {
    const { validator, key, consensusAddress, binary, applied } = this;
    const twin = new Node(name, validator, key, consensusAddress, binary, applied);
    twin.#files = new Map(this.#files);
    twin.#partition = this.#partition;
    twin.#orphaned = this.#orphaned;
    twin.#firstVersion = this.#firstVersion;
    return twin;
  }

  /** State stored in keyframes. */
  get persisted() {
    const progress = [this.#shared, this.#applied, this.#lastFailedRound, this.#orphaned] as const;
    const process = [this.#process, this.#haltCause, this.#fresh, this.#sidecar] as const;
    const command = [this.#binary, this.#skipFlag, this.#skipUpgradeHeights] as const;
    const disk = [this.#files, this.#staged, this.#diskWritable, this.#blocksLost] as const;
    const halts = [this.#haltHeight, this.#haltTime] as const;
    const rest = [this.#placedSignerState, this.#partition, this.#firstVersion] as const;
    return [progress, process, command, disk, halts, rest] as const;
  }
  set persisted([progress, process, command, disk, halts, rest]) {
    [this.#shared, this.#applied, this.#lastFailedRound, this.#orphaned] = progress;
    [this.#process, this.#haltCause, this.#fresh, this.#sidecar] = process;
    [this.#binary, this.#skipFlag, this.#skipUpgradeHeights] = command;
    [this.#files, this.#staged, this.#diskWritable, this.#blocksLost] = disk;
    [this.#haltHeight, this.#haltTime] = halts;
    [this.#placedSignerState, this.#partition, this.#firstVersion] = rest;
  }

  get isTwin(): boolean {
    return this.name !== this.validator;
  }

  // ——— state ———

  get process(): ProcessState {
    return this.#process;
  }
  /** Cause of its halt or exit; undefined in any other state. */
  get haltCause(): HaltCause | undefined {
    return this.#haltCause;
  }
  /**
   * First version of the stores on its disk: the chain's first height, or the height of the
   * snapshot from which it was restored.
   */
  get firstVersion(): number {
    return this.#firstVersion;
  }
  get binary(): string {
    return this.#binary;
  }
  /** Binary last placed on the disk and not yet run. */
  get staged(): string | undefined {
    return this.#staged;
  }
  /** The arguments of `--unsafe-skip-upgrades`, as written. */
  get skipFlag(): readonly string[] {
    return this.#skipFlag;
  }
  /** Heights that the app reads from the skip flag. */
  get skipUpgradeHeights(): ReadonlySet<number> {
    return this.#skipUpgradeHeights;
  }
  /** 0 if the process was started without one. */
  get haltHeight(): number {
    return this.#haltHeight;
  }
  /** Seconds since 1970; 0 if the process was started without one. */
  get haltTime(): number {
    return this.#haltTime;
  }
  get diskWritable(): boolean {
    return this.#diskWritable;
  }
  /** All files except the signer's, which is computed on demand. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }
  get placedSignerState(): PlacedSignerState | undefined {
    return this.#placedSignerState;
  }
  /** True if blocks above its state are also missing from its block store. */
  get blocksLost(): boolean {
    return this.#blocksLost;
  }
  /** Nodes with the same number reach one another. */
  get partition(): number {
    return this.#partition;
  }
  /** Starts the process and switches its binary; undefined if the operator does so. */
  get sidecar(): Sidecar | undefined {
    return this.#sidecar;
  }
  /** True if the process has executed no block since it started. */
  get fresh(): boolean {
    return this.#fresh;
  }
  /** Mismatch of its blocks with the chain; undefined unless it is on an orphaned fork. */
  get orphaned(): HeaderMismatch | undefined {
    return this.#orphaned;
  }
  /** The last block it applied. */
  get applied(): Applied {
    return this.#shared?.applied ?? this.#applied;
  }
  /**
   * Last failed round in which it voted. Votes for blocks are in commits; votes of failed rounds
   * are stored nowhere else.
   */
  get lastFailedRound(): FailedRound | undefined {
    const failed = this.#shared?.lastFailedRound;
    return failed === undefined || failed.silent.includes(this) ? this.#lastFailedRound : failed;
  }

  // ——— membership ———

  /** Sets the observer of changes; undefined for none. */
  observe(observer: NodeObserver | undefined): void {
    this.#observer = observer;
  }

  /** Shares its progress with an execution group until it changes. */
  share(progress: SharedProgress): void {
    this.#leaveGroup();
    this.#shared = progress;
  }

  /** Stores the last failed round in which it voted: its group votes in a later one without it. */
  recordFailedRound(): void {
    this.#lastFailedRound = this.lastFailedRound;
  }

  #leaveGroup(): void {
    if (this.#shared === undefined) return;
    this.recordFailedRound();
    this.#applied = this.#shared.applied;
    this.#shared = undefined;
  }

  #change(): void {
    this.#leaveGroup();
    this.#observer?.nodeChanged();
  }

  /** Moves it to another partition. */
  joinPartition(partition: number): void {
    this.#change();
    this.#partition = partition;
  }

  // ——— process ———

  /** Marks its process as running, without an executed block. */
  startProcess(): void {
    this.#change();
    this.#process = "running";
    this.#haltCause = undefined;
    this.#fresh = true;
  }

  /** Stops the process, by its operator. */
  stop(): void {
    this.#change();
    this.#process = "stopped";
    this.#haltCause = undefined;
  }

  /** Ends its consensus: the process keeps running (`halted`) or exits (`exited`). */
  halt(state: "halted" | "exited", cause: HaltCause): void {
    this.#change();
    this.#process = state;
    this.#haltCause = cause;
  }

  /** Records that the first block after a start has been executed. */
  finishStart(): void {
    this.#change();
    this.#fresh = false;
  }

  /** Sets the binary that its process runs. */
  install(binary: string): void {
    this.#change();
    this.#binary = binary;
    if (this.#staged === binary) this.#staged = undefined;
  }

  /** Records a binary that is on the disk but not yet run. */
  stage(binary: string): void {
    this.#staged = binary;
  }

  attachSidecar(sidecar: Sidecar | undefined): void {
    this.#sidecar = sidecar;
  }

  /** Sets the skip flag: its arguments as written, and the heights that the app reads from them. */
  setSkipFlag(args: readonly string[], heights: ReadonlySet<number>): void {
    this.#change();
    this.#skipFlag = args;
    this.#skipUpgradeHeights = heights;
  }

  setHaltHeight(height: number): void {
    this.#change();
    this.#haltHeight = height;
  }

  setHaltTime(seconds: number): void {
    this.#change();
    this.#haltTime = seconds;
  }

  // ——— disk ———

  setDiskWritable(writable: boolean): void {
    this.#change();
    this.#diskWritable = writable;
  }

  writeFile(path: string, content: string): void {
    this.#files.set(path, content);
  }

  deleteFile(path: string): void {
    this.#files.delete(path);
  }

  /** Writes or deletes the signer's file; `at` is the height of the newest block. */
  setSignerState(content: string | undefined, at: number): void {
    this.#placedSignerState = { content, at, lastFailedRound: this.lastFailedRound };
  }

  /** Records whether blocks above its state are missing from its block store. */
  setBlocksLost(lost: boolean): void {
    this.#blocksLost = lost;
  }

  // ——— state of the chain ———

  /** Sets its state to the one after this block. */
  setApplied(applied: Applied): void {
    this.#change();
    this.#applied = applied;
  }

  /** Reverts the last applied blocks: its blocks above `applied` are deleted. */
  rollBack(applied: Applied): void {
    this.setApplied(applied);
    this.#blocksLost = true;
  }

  /** Replaces its state with a peer's. */
  stateSync(applied: Applied): void {
    this.setApplied(applied);
    this.#firstVersion = applied.height;
    this.#orphaned = undefined;
    this.deleteFile(UPGRADE_INFO_PATH);
  }

  /** Deletes `data/`: only the genesis state is left. */
  wipe(genesis: Applied): void {
    this.setApplied(genesis);
    this.#firstVersion = genesis.height + 1;
    this.#orphaned = undefined;
    this.#blocksLost = true;
    for (const path of [...this.#files.keys()]) {
      if (path.startsWith("data/")) this.#files.delete(path);
    }
  }

  /** Marks its newest blocks as not belonging to the chain. */
  orphan(mismatch: HeaderMismatch): void {
    this.#orphaned = mismatch;
  }
}
