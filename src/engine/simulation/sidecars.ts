import { BoundedLog } from "../../base/bounded-log.ts";
import { consensusHalt } from "../framework/halt.ts";
import { UPGRADE_INFO_PATH } from "../modules/upgrade/upgrade-info.ts";
import type { Node } from "../network/node/node.ts";
import { filesOf } from "../network/node/signer-state.ts";
import { startArgs } from "../network/node/start-args.ts";
import type { Chains } from "../network/partition/chains.ts";
import { DiskDraft } from "../network/sidecar/disk-draft.ts";
import { binaryPath, CURRENT, GENESIS_DIR, upgradeDir } from "../network/sidecar/layout.ts";
import { ReleaseServer } from "../network/sidecar/releases.ts";
import { Sidecar, type SidecarSettings } from "../network/sidecar/sidecar.ts";
import type { SidecarEnvironment, SidecarStep } from "../network/sidecar/step.ts";
import { installBinary } from "../network/sidecar/switch-binary.ts";
import type { SidecarEnd, UpgradeRecord } from "../network/sidecar/upgrade-record.ts";
import { planIn } from "../network/sidecar/upgrade-watch.ts";

/**
 * Result of a sidecar's step: its effect on the node, the reason why the sidecar ended, if it did,
 * and its upgrade.
 */
export type SidecarTurn = readonly [
  SidecarStep["process"],
  SidecarEnd | undefined,
  UpgradeRecord | undefined,
];

/** The sidecars of a world and what they act on. A node without one costs nothing. */
export class Sidecars {
  readonly releases = new ReleaseServer();
  /** Results of the latest steps, since the world was created or restored. */
  readonly turns = new BoundedLog<SidecarTurn>(500);
  readonly #chains: Chains;
  #guarded = new Set<Node>();
  readonly #handlersOf: (binary: string) => readonly string[] | undefined;

  /**
   * @param handlersOf plan names for which a binary has a handler; undefined if there is no such
   *   binary
   */
  constructor(chains: Chains, handlersOf: (binary: string) => readonly string[] | undefined) {
    this.#chains = chains;
    this.#handlersOf = handlersOf;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#guarded, this.releases.persisted] as const;
  }
  set persisted(persisted) {
    [this.#guarded, this.releases.persisted] = persisted;
  }

  /**
   * Attaches a sidecar to a node, or detaches it. The sidecar restarts a running process as its
   * child, and starts one that exited with its consensus.
   */
  attach(node: Node, settings: SidecarSettings): void {
    node.attachSidecar(undefined);
    this.#guarded.delete(node);
    if (settings.mode === "manual") return;
    node.attachSidecar(new Sidecar(settings));
    this.#guarded.add(node);
    this.#install(node, node.binary);
    if (node.process === "running" || consensusHalt(node) !== undefined) this.start(node);
  }

  /** Stops watching a removed node. */
  leave(node: Node): void {
    this.#guarded.delete(node);
  }

  /** Starts a node's process, through its sidecar if it has one. */
  start(node: Node): void {
    const { sidecar } = node;
    if (sidecar === undefined) this.#chains.start(node);
    else this.#carryOut(node, sidecar, sidecar.start(node.files, startArgs(node), this.#world()));
  }

  stop(node: Node): void {
    node.sidecar?.stop();
  }

  /** Manual installation of a binary by the operator. */
  install(node: Node, binary: string): void {
    node.install(binary);
    if (node.sidecar !== undefined) this.#install(node, binary);
    this.start(node);
  }

  /** Stages a binary for every plan for which it has a handler, else under its own name. */
  stage(node: Node, binary: string): void {
    const handlers = this.#handlersOf(binary) ?? [];
    for (const plan of handlers.length === 0 ? [binary] : handlers) {
      node.writeFile(placeFor(node, plan), binary);
    }
    node.stage(binary);
  }

  /**
   * Binary at the path where a node's sidecar looks for a plan's binary; undefined if there is
   * none.
   */
  stagedFor(node: Node, plan: string): string | undefined {
    return node.files.get(placeFor(node, plan));
  }

  /** Links the genesis binary again after `data/` was wiped: replay starts at the first block. */
  beginAgain(node: Node): void {
    const first = node.files.get(binaryPath(GENESIS_DIR));
    if (node.sidecar === undefined || first === undefined) return;
    node.writeFile(CURRENT, GENESIS_DIR);
    node.install(first);
  }

  /** One step of every sidecar. Call after each round. */
  run(): void {
    if (this.#guarded.size === 0) return;
    const world = this.#world();
    for (const node of this.#guarded) {
      const { sidecar } = node;
      if (sidecar === undefined) continue;
      if (sidecar.guards && !hasHeight(node)) this.#log(node, sidecar.appExited());
      const looks = sidecar.looksAt <= world.clock;
      const step = sidecar.step(
        {
          files: node.files,
          allFiles: () => filesOf(node, this.#chains.ledgerOf(node)),
          height: storedHeight(node),
        },
        world,
      );
      if (step !== undefined) this.#carryOut(node, sidecar, step);
      else if (sidecar.guards && looks && node.process === "exited")
        this.#log(node, sidecar.appExited());
    }
  }

  #carryOut(node: Node, sidecar: Sidecar, step: SidecarStep): void {
    this.#log(node, step);
    for (const [path, content] of step.files) node.writeFile(path, content);
    const { process } = step;
    if (process.kind === "exit") {
      node.halt("exited", process.cause);
    } else if (process.kind === "run") {
      node.install(process.binary);
      this.#chains.start(node);
      if (!hasHeight(node)) this.#log(node, sidecar.appExited());
    }
  }

  #log(node: Node, step: SidecarStep): void {
    this.turns.push([step.process, node.sidecar?.end, node.sidecar?.upgrade]);
    this.#chains.main.log.write([node], node.applied.height, step.logs);
  }

  #install(node: Node, binary: string): void {
    const disk = new DiskDraft(node.files);
    const plan = planIn(node.files.get(UPGRADE_INFO_PATH), node.sidecar?.settings.recase);
    installBinary(binary, this.#handlersOf(binary) ?? [], plan, disk);
    for (const [path, content] of disk.changes) node.writeFile(path, content);
  }

  #world(): SidecarEnvironment {
    return {
      clock: this.#chains.main.clock,
      releases: this.releases,
      hasBinary: (name: string) => this.#handlersOf(name) !== undefined,
    };
  }
}

/**
 * Height seen by a sidecar: from the node's status command, or from the block store of a node that
 * exited with its consensus. A halted node has stored a block it could not apply.
 */
function storedHeight(node: Node): number | undefined {
  const { process, applied } = node;
  if (process === "running" || process === "syncing") return applied.height;
  return consensusHalt(node) === undefined ? undefined : applied.height + 1;
}

/**
 * True if a sidecar can get a height from its node, whose process may have exited (rules/sidecar
 * 3.3).
 */
const hasHeight = (node: Node): boolean =>
  node.process !== "exited" || consensusHalt(node) !== undefined;

const placeFor = (node: Node, plan: string): string =>
  binaryPath(upgradeDir(plan, node.sidecar?.settings.recase));
