import { Rng } from "../../base/rng.ts";
import { CommandError } from "../framework/errors.ts";
import { HaltError } from "../framework/halt.ts";
import { CHAOS_LEVELS, drawFault } from "../network/faults/chaos.ts";
import { DEFAULT_CLOCK_OFFSET, DEFAULT_FLAKINESS, type Fault } from "../network/faults/faults.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import { lastSignedPosition, setSignerState, signerState } from "../network/node/signer-state.ts";
import type { FaultCommand, NodeAction } from "./command.ts";
import { runNodeAction, type StateAt } from "./node-actions.ts";
import { faultView } from "./node-views.ts";
import type { InjectedFaultsView } from "./views.ts";
import type { World } from "./world.ts";

/** State of a signer before it was lost. */
export interface SignerBefore {
  /** Its file; undefined if it was deleted. */
  readonly file: string | undefined;
  readonly blocksLost: boolean;
}

/**
 * Starts and ends faults, and applies their effects to nodes and the network. A fault's effect is
 * undone when the fault ends or is cleared, unless an operator has acted on the node since.
 */
export class FaultScheduler {
  readonly #world: World;
  readonly #stateAt: StateAt;
  readonly #rng: Rng;
  /** Active faults with an effect on nodes or the network, with the data to undo it, if any. */
  #active = new Map<Fault, SignerBefore | undefined>();
  /** Active chaos: its level, and its last height. */
  #chaos: { readonly level: number; readonly to: number } | undefined;

  constructor(world: World, stateAt: StateAt) {
    this.#world = world;
    this.#stateAt = stateAt;
    this.#rng = Rng.seeded(world.spec.seed);
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#active, this.#chaos] as const;
  }
  set persisted(persisted) {
    [this.#active, this.#chaos] = persisted;
  }

  // ——— by command ———

  /**
   * Injects a fault from a height on. Throws if it cannot start now; a later one waits until it
   * can.
   */
  inject(command: FaultCommand): void {
    const node = command.kind === "partition" ? undefined : this.#world.node(command.node);
    const groups = command.kind === "partition" ? command.groups : [];
    this.#checkPartitions(groups);
    const { kind, at, for: lasts } = command;
    const { decided } = this.#chainOf(node).ledger;
    const from = at ?? decided + 1;
    if (from <= decided)
      throw new CommandError(`height ${from} is past; the chain is at ${decided}`);
    const { by = DEFAULT_CLOCK_OFFSET, probability = DEFAULT_FLAKINESS } =
      command.kind === "partition" ? {} : command;
    const to = lasts === undefined ? Number.POSITIVE_INFINITY : from + lasts - 1;
    this.#add({ node, kind, from, to, by, probability, groups });
  }

  /** Draws faults for a number of heights. Throws for an unknown level. */
  beginChaos(level: number, heights: number): void {
    if (!CHAOS_LEVELS.some((known) => known === level)) {
      throw new CommandError(
        `there is no chaos level ${level}; there are ${CHAOS_LEVELS.join(", ")}`,
      );
    }
    this.#chaos = { level, to: this.#world.network.ledger.decided + heights };
  }

  /** Returns the injected faults that were not cleared, per fork in order of injection. */
  injected(): InjectedFaultsView {
    const next = this.#world.network.ledger.decided + 1;
    const faults = this.#world.chains.all.flatMap(({ faults: { active }, ledger }) =>
      active
        .filter(({ kind }) => kind !== "signer")
        .map((fault) => ({
          ...faultView(fault),
          node: fault.node?.name,
          groups: fault.groups,
          planned: fault.from > ledger.decided + 1,
        })),
    );
    const chaos = this.#chaos;
    return { faults, chaos: chaos !== undefined && next <= chaos.to ? chaos : undefined };
  }

  /** Ends the faults of a node, or all of them and chaos. Throws for an unknown node. */
  clear(name: string | undefined): void {
    const node = name === undefined ? undefined : this.#world.node(name);
    if (name === undefined) this.#chaos = undefined;
    const active = this.#world.chains.all.flatMap(({ faults }) => faults.active);
    for (const fault of active) {
      const cleared = name === undefined || fault.node === node;
      if (cleared && fault.kind !== "signer") this.#end(fault);
    }
  }

  /**
   * Partitions the network, replacing earlier partitions. Throws for unknown names and for a node
   * in two groups.
   */
  partition(groups: readonly (readonly string[])[]): void {
    this.#checkPartitions(groups);
    this.#forget((fault) => fault.kind === "partition");
    this.#world.chains.partition(groups);
  }

  /** Records an operator's action on a node: the end of a fault does not undo it. */
  operated(node: Node, { kind }: NodeAction): void {
    if (kind === "twin" || kind === "remove_twin") {
      this.#forget((fault) => fault.kind === "twin" && fault.node === node);
    } else if (PROCESS_ACTIONS.includes(kind)) {
      this.#forget((fault) => fault.kind === "stop" && fault.node === node);
    }
  }

  // ——— by height ———

  /** Ends, draws and starts the faults that are due. Call before every round. */
  beforeRound(): void {
    for (const network of this.#world.chains.all) {
      const height = network.ledger.decided + 1;
      network.faults.tryHeight(height, network.clock);
      if (network.faults.active.length === 0) continue;
      for (const fault of network.faults.over(height, network.clock)) this.#end(fault);
    }
    this.#drawChaos();
    for (const network of this.#world.chains.all) {
      const height = network.ledger.decided + 1;
      for (const fault of network.faults.active) {
        // Retries faults that could not start at an earlier height.
        if (fault.from <= height && !this.#active.has(fault)) attempt(() => this.#begin(fault));
      }
    }
  }

  /** Draws at most one fault per height of chaos. */
  #drawChaos(): void {
    const { network } = this.#world;
    const chaos = this.#chaos;
    const height = network.ledger.decided + 1;
    if (chaos === undefined || network.round > 0) return;
    if (height > chaos.to) {
      this.#chaos = undefined;
      return;
    }
    const { list } = network.ledger.voting;
    const fault = drawFault(this.#rng.fork(`chaos/${height}`), chaos.level, height, {
      nodes: network.nodes,
      faults: network.faults.active,
      powerOf: (node) => list.find(node.consensusAddress)?.power ?? 0,
      totalPower: list.totalPower,
    });
    if (fault !== undefined) attempt(() => this.#add(fault));
  }

  #add(input: Omit<Fault, "given">): void {
    const network = this.#chainOf(input.node);
    const fault: Fault = { ...input, given: network.clock };
    if (fault.from === network.ledger.decided + 1) this.#begin(fault);
    this.#chainOf(input.node).faults.add(fault);
  }

  #begin(fault: Fault): void {
    const before = this.#do(fault);
    if (UNDONE.includes(fault.kind)) this.#active.set(fault, before);
  }

  #end(fault: Fault): void {
    for (const { faults } of this.#world.chains.all) faults.drop([fault]);
    if (this.#active.has(fault)) this.#undo(fault, this.#active.get(fault));
    this.#active.delete(fault);
  }

  /** Drops active faults without undoing their effects. */
  #forget(which: (fault: Fault) => boolean): void {
    const active = [...this.#active.keys()].filter(which);
    for (const { faults } of this.#world.chains.all) faults.drop(active);
    for (const fault of active) this.#active.delete(fault);
  }

  // ——— effects ———

  /**
   * Applies a fault's one-time effect. Returns the signer state that it lost. Throws if refused.
   */
  #do({ kind, node, groups }: Fault): SignerBefore | undefined {
    if (kind === "partition") this.partition(groups);
    if (node === undefined) return undefined;
    switch (kind) {
      case "stop":
        if (node.process === "stopped") throw new CommandError(`${node.name} is stopped already`);
        this.#act(node, { kind: "stop" });
        return undefined;
      case "twin":
        if (this.#world.findNode(`${node.name}-twin`) !== undefined) {
          throw new CommandError(`${node.name} already has a twin`);
        }
        this.#act(node, { kind: "twin" });
        return undefined;
      case "double_sign":
        this.#checkSigns(node);
        return undefined;
      case "lose_signer_state": {
        const file = signerState(node, this.#chainOf(node).ledger);
        const { blocksLost } = node;
        this.#act(node, { kind: "lose_signer_state" });
        return { file, blocksLost };
      }
      default:
        return undefined;
    }
  }

  /** Undoes the effect of an active fault. */
  #undo({ kind, node, from }: Fault, before: SignerBefore | undefined): void {
    if (kind === "partition") this.#world.chains.partition([]);
    if (node === undefined) return;
    if (kind === "stop") {
      if (node.process === "stopped") this.#act(node, { kind: "start" });
    } else if (kind === "twin") attempt(() => this.#act(node, { kind: "remove_twin" }));
    else if (kind === "crash") this.#restart(node, from);
    else if (before !== undefined) this.#restoreSigner(node, before);
  }

  #act(node: Node, action: NodeAction): void {
    runNodeAction(action, node, this.#world, this.#stateAt);
  }

  /** Restarts a node that crashed at a height, through its sidecar if it has one. */
  #restart(node: Node, crashed: number): void {
    const { decided } = this.#chainOf(node).ledger;
    if (node.haltCause?.kind === "crashed" && crashed <= decided) this.#world.sidecars.start(node);
  }

  /** Throws if a node cannot sign at the next height; the round produces the second vote. */
  #checkSigns(node: Node): void {
    if (node.process !== "running") {
      throw new CommandError(`${node.name} is ${node.process} and signs nothing`);
    }
    if (this.#chainOf(node).ledger.voting.indexOf(node.consensusAddress) < 0) {
      throw new CommandError(`${node.name} is not in the validator set and signs nothing`);
    }
  }

  /** Restores a lost signer state, unless the signer has signed since. */
  #restoreSigner(node: Node, { file, blocksLost }: SignerBefore): void {
    const { ledger } = this.#chainOf(node);
    if (node.process !== "running") node.setBlocksLost(blocksLost);
    attempt(() => {
      const [then, now] = [file, signerState(node, ledger)].map(lastSignedPosition);
      if (then === undefined || now === undefined) return;
      if (then.height > now.height || (then.height === now.height && then.round > now.round)) {
        setSignerState(node, file, ledger);
      }
    });
  }

  /** Throws for unknown names and for a node in two groups. */
  #checkPartitions(groups: readonly (readonly string[])[]): void {
    const names = groups.flat();
    names.forEach((name, i) => {
      this.#world.node(name);
      if (names.indexOf(name) < i) {
        throw new CommandError(`${name} is named in two partitions, or twice in one`);
      }
    });
  }

  /** Chain of a node; the main chain if there is no node. */
  #chainOf(node: Node | undefined): Network {
    const { chains } = this.#world;
    return node === undefined ? chains.main : chains.of(node);
  }
}

/** Faults whose effect on nodes or the network is undone at their end; the others act in rounds. */
const UNDONE: readonly Fault["kind"][] = [
  "partition",
  "stop",
  "twin",
  "lose_signer_state",
  "crash",
];

/** Actions that start or stop a node's process. */
const PROCESS_ACTIONS: readonly NodeAction["kind"][] = [
  "stop",
  "start",
  "install",
  "skip_upgrades",
  "halt_height",
  "halt_time",
  "state_sync",
];

/** Runs an action and ignores a refusal, which changes nothing. */
function attempt(what: () => void): void {
  try {
    what();
  } catch (error) {
    const refused = error instanceof CommandError || error instanceof HaltError;
    if (!refused) throw error;
  }
}
