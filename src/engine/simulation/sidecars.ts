import type { Network } from "../network/network.ts";
import { type Node, UPGRADE_INFO } from "../network/node/node.ts";
import { filesOf } from "../network/node/signer-state.ts";
import { startArgs } from "../network/node/start-args.ts";
import type { Forks } from "../network/partition/forks.ts";
import { DiskDraft } from "../network/sidecar/disk-draft.ts";
import { binaryPath, CURRENT, GENESIS_DIR, upgradeDir } from "../network/sidecar/layout.ts";
import { ReleaseServer } from "../network/sidecar/releases.ts";
import { Sidecar, type SidecarSettings } from "../network/sidecar/sidecar.ts";
import type { SidecarStep, SidecarWorld } from "../network/sidecar/step.ts";
import { placeBinary } from "../network/sidecar/switch-binary.ts";
import { planIn } from "../network/sidecar/upgrade-watch.ts";

/** The sidecars of a world and what they act on. A node without one costs nothing. */
export class Sidecars {
  readonly releases = new ReleaseServer();
  readonly #network: Network;
  readonly #forks: Forks;
  readonly #guarded = new Set<Node>();
  readonly #handlersOf: (binary: string) => readonly string[] | undefined;

  /** @param handlersOf plan names for which a binary carries a Handler; undefined if there is no such binary */
  constructor(
    network: Network,
    forks: Forks,
    handlersOf: (binary: string) => readonly string[] | undefined,
  ) {
    this.#network = network;
    this.#forks = forks;
    this.#handlersOf = handlersOf;
    network.restart = (node) => this.start(node);
  }

  /** Gives a node a sidecar, or takes it away. The sidecar starts a process that is up once more, as its child. */
  attach(node: Node, settings: SidecarSettings): void {
    node.sidecar = undefined;
    this.#guarded.delete(node);
    if (settings.mode === "manual") return;
    node.sidecar = new Sidecar(settings);
    this.#guarded.add(node);
    this.#place(node, node.binary);
    if (node.process === "running" || node.process === "halted") this.start(node);
  }

  /** Watches over a node no longer, which is taken away. */
  leave(node: Node): void {
    this.#guarded.delete(node);
  }

  /** Starts a node's process, through its sidecar if it has one. */
  start(node: Node): void {
    const { sidecar } = node;
    if (sidecar === undefined) this.#forks.networkOf(node).start(node);
    else this.#carryOut(node, sidecar, sidecar.start(node.files, startArgs(node), this.#world()));
  }

  stop(node: Node): void {
    node.sidecar?.stop();
  }

  /** The operator installs a binary by hand. */
  install(node: Node, binary: string): void {
    node.binary = binary;
    if (node.staged === binary) node.staged = undefined;
    if (node.sidecar !== undefined) this.#place(node, binary);
    this.start(node);
  }

  /** Lays a binary ready for every plan that it has a Handler for, else under its own name; where the sidecar of now looks. */
  stage(node: Node, binary: string): void {
    const handlers = this.#handlersOf(binary) ?? [];
    for (const plan of handlers.length === 0 ? [binary] : handlers) {
      node.files.set(placeFor(node, plan), binary);
    }
    node.staged = binary;
  }

  /** What lies where the sidecar of a node looks for a plan's binary. */
  stagedFor(node: Node, plan: string): string | undefined {
    return node.files.get(placeFor(node, plan));
  }

  /** After `data/` was wiped: the first binary is run again, since the blocks begin again. */
  beginAgain(node: Node): void {
    const first = node.files.get(binaryPath(GENESIS_DIR));
    if (node.sidecar === undefined || first === undefined) return;
    node.files.set(CURRENT, GENESIS_DIR);
    node.binary = first;
  }

  /** Lets every sidecar have a look. Called after each round. */
  run(): void {
    if (this.#guarded.size === 0) return;
    const world = this.#world();
    for (const node of this.#guarded) {
      const { sidecar } = node;
      if (sidecar === undefined) continue;
      if (sidecar.guards && hasExited(node)) this.#log(node, sidecar.appExited());
      const step = sidecar.step(
        {
          files: node.files,
          allFiles: () => filesOf(node, this.#forks.networkOf(node).ledger),
          height: storedHeight(node),
        },
        world,
      );
      if (step !== undefined) this.#carryOut(node, sidecar, step);
    }
  }

  #carryOut(node: Node, sidecar: Sidecar, step: SidecarStep): void {
    const network = this.#forks.networkOf(node);
    this.#log(node, step);
    for (const [path, content] of step.files) node.files.set(path, content);
    const { process } = step;
    if (process.kind === "exit") {
      network.nodesChanged();
      node.halt("exited", process.cause);
    } else if (process.kind === "run") {
      node.binary = process.binary;
      if (node.staged === process.binary) node.staged = undefined;
      network.start(node);
      if (hasExited(node)) this.#log(node, sidecar.appExited());
    }
  }

  #log(node: Node, step: SidecarStep): void {
    this.#network.log.write([node], node.applied.height, step.logs);
  }

  #place(node: Node, binary: string): void {
    const disk = new DiskDraft(node.files);
    const plan = planIn(node.files.get(UPGRADE_INFO), node.sidecar?.settings.recase);
    placeBinary(binary, this.#handlersOf(binary) ?? [], plan, disk);
    for (const [path, content] of disk.changes) node.files.set(path, content);
  }

  #world(): SidecarWorld {
    return {
      clock: this.#network.clock,
      releases: this.releases,
      hasBinary: (name: string) => this.#handlersOf(name) !== undefined,
    };
  }
}

/** What the status command of a node's process says; a halted one has stored a block it could not apply. */
function storedHeight({ process, applied }: Node): number | undefined {
  if (process === "running" || process === "syncing") return applied.height;
  return process === "halted" ? applied.height + 1 : undefined;
}

const placeFor = (node: Node, plan: string): string =>
  binaryPath(upgradeDir(plan, node.sidecar?.settings.recase));

const hasExited = (node: Node): boolean => node.process === "exited";
