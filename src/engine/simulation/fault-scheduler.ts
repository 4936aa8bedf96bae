import { HaltError } from "../framework/halt.ts";
import { CHAOS_LEVELS, drawFault } from "../network/faults/chaos.ts";
import { DEFAULT_CLOCK_OFFSET, DEFAULT_FLAKINESS, type Fault } from "../network/faults/faults.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import { placeSignerState, rememberedPlace, signerState } from "../network/node/signer-state.ts";
import { Rng } from "../primitives/rng.ts";
import { CommandError, type FaultCommand, type NodeAction } from "./command.ts";
import { runNodeAction, type StateAt } from "./node-actions.ts";
import type { World } from "./world.ts";

type Undo = () => void;

/**
 * When faults begin and end, and what is done to machines and the network then. What a fault does can be
 * taken back: by its end, by a command, or by an operator who does something else to the machine.
 */
export class FaultScheduler {
  readonly #world: World;
  readonly #stateAt: StateAt;
  readonly #rng: Rng;
  /** How to take back what was done for a fault that has begun. */
  readonly #undo = new Map<Fault, Undo>();
  /** Chaos of a level, up to a height. */
  #chaos: { readonly level: number; readonly to: number } | undefined;

  constructor(world: World, stateAt: StateAt) {
    this.#world = world;
    this.#stateAt = stateAt;
    this.#rng = Rng.seeded(world.spec.seed);
  }

  // ——— by command ———

  /** A fault from a height on. Throws if it makes no sense: at once if it begins at once, else it waits until it does. */
  give(command: FaultCommand): void {
    const node = command.kind === "partition" ? undefined : this.#world.node(command.node);
    const groups = command.kind === "partition" ? command.groups : [];
    this.#checkParts(groups);
    const { kind, at, for: lasts } = command;
    const { decided } = this.#networkOf(node).ledger;
    const from = at ?? decided + 1;
    if (from <= decided)
      throw new CommandError(`height ${from} is past; the chain is at ${decided}`);
    const { by = DEFAULT_CLOCK_OFFSET, probability = DEFAULT_FLAKINESS } =
      command.kind === "partition" ? {} : command;
    const to = lasts === undefined ? Number.POSITIVE_INFINITY : from + lasts - 1;
    this.#add({ node, kind, from, to, by, probability, groups });
  }

  /** For a number of heights faults are drawn. Throws for an unknown level. */
  beginChaos(level: number, heights: number): void {
    if (!CHAOS_LEVELS.some((known) => known === level)) {
      throw new CommandError(
        `there is no chaos level ${level}; there are ${CHAOS_LEVELS.join(", ")}`,
      );
    }
    this.#chaos = { level, to: this.#world.network.ledger.decided + heights };
  }

  /** Takes back the faults of a node, or all of them and chaos. Throws for an unknown node. */
  clear(name: string | undefined): void {
    const node = name === undefined ? undefined : this.#world.node(name);
    if (name === undefined) this.#chaos = undefined;
    const ours = this.#all().filter((fault) => name === undefined || fault.node === node);
    for (const fault of ours) if (fault.kind !== "signer") this.#end(fault);
  }

  /** Cuts the network, whatever faults had done to it. Throws for unknown names and for a machine in two places. */
  cut(groups: readonly (readonly string[])[]): void {
    this.#checkParts(groups);
    this.#forget((fault) => fault.kind === "partition");
    this.#partition(groups);
  }

  /** Lets everybody hear everybody. */
  heal(): void {
    this.cut([]);
  }

  /** Must be called after an operator did something to a machine: no fault takes that back. */
  operated(node: Node, { kind }: NodeAction): void {
    if (kind === "remove_twin") {
      this.#forget((fault) => fault.kind === "twin" && fault.node === node);
    } else if (PROCESS_ACTIONS.includes(kind)) {
      this.#forget((fault) => fault.kind === "stop" && fault.node === node);
    }
  }

  // ——— by the chain's course ———

  /** Ends, draws and begins what is due. Must be called before every round. */
  beforeRound(): void {
    for (const network of this.#networks()) {
      const height = network.ledger.decided + 1;
      network.faults.try(height, network.clock);
      if (network.faults.active.length === 0) continue;
      for (const fault of network.faults.over(height, network.clock)) this.#end(fault);
    }
    this.#drawChaos();
    for (const network of this.#networks()) {
      const height = network.ledger.decided + 1;
      for (const fault of network.faults.active) {
        if (fault.from <= height) this.#goOn(fault, network);
      }
    }
  }

  /** A double sign of no duration is over when it is done. Must be called after every round. */
  afterRound(): void {
    for (const network of this.#networks()) {
      for (const fault of network.faults.active) {
        const once = fault.kind === "double_sign" && !Number.isFinite(fault.to);
        if (once && this.#undo.has(fault) && !this.#isPending(fault, network)) this.#end(fault);
      }
    }
  }

  /** While there is chaos, each height may bring one more fault. */
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

  #add(given: Omit<Fault, "given">): void {
    const network = this.#networkOf(given.node);
    const fault: Fault = { ...given, given: network.clock };
    if (fault.from === network.ledger.decided + 1) this.#begin(fault);
    this.#networkOf(given.node).faults.add(fault);
  }

  /** Begins what could not begin before, and lets a node sign twice at every height of its fault. */
  #goOn(fault: Fault, network: Network): void {
    const again = fault.kind === "double_sign" && !this.#isPending(fault, network);
    if (again || !this.#undo.has(fault)) attempt(() => this.#begin(fault));
  }

  #isPending({ node }: Fault, network: Network): boolean {
    return node !== undefined && network.signsTwice(node);
  }

  #begin(fault: Fault): void {
    const undo = this.#do(fault);
    if (undo !== undefined) this.#undo.set(fault, undo);
  }

  #end(fault: Fault): void {
    for (const { faults } of this.#networks()) faults.drop([fault]);
    this.#undo.get(fault)?.();
    this.#undo.delete(fault);
  }

  /** Drops faults that have begun, and leaves what they have done. */
  #forget(which: (fault: Fault) => boolean): void {
    const begun = [...this.#undo.keys()].filter(which);
    for (const { faults } of this.#networks()) faults.drop(begun);
    for (const fault of begun) this.#undo.delete(fault);
  }

  // ——— what is done ———

  /** Does what a fault is, once. How to take it back; undefined for one that only rounds notice. Throws if it cannot be done. */
  #do({ kind, node, groups, from }: Fault): Undo | undefined {
    if (kind === "partition") {
      this.cut(groups);
      return () => this.#partition([]);
    }
    if (node === undefined) return undefined;
    switch (kind) {
      case "stop":
        return this.#stop(node);
      case "twin":
        this.#act(node, { kind: "twin" });
        return () => attempt(() => this.#act(node, { kind: "remove_twin" }));
      case "double_sign":
        return this.#signTwice(node);
      case "lose_signer_state":
        return this.#loseSignerState(node);
      case "crash":
        return () => this.#comeBack(node, from);
      default:
        return undefined;
    }
  }

  #act(node: Node, action: NodeAction): void {
    runNodeAction(action, node, this.#world, this.#stateAt);
  }

  #stop(node: Node): Undo {
    if (node.process === "stopped") throw new CommandError(`${node.name} is stopped already`);
    this.#act(node, { kind: "stop" });
    return () => {
      if (node.process === "stopped") this.#act(node, { kind: "start" });
    };
  }

  #comeBack(node: Node, crashed: number): void {
    const network = this.#networkOf(node);
    if (node.process === "exited" && crashed <= network.ledger.decided) network.restart(node);
  }

  #signTwice(node: Node): Undo {
    const network = this.#networkOf(node);
    if (node.process !== "running") {
      throw new CommandError(`${node.name} is ${node.process} and signs nothing`);
    }
    if (network.ledger.voting.indexOf(node.consensusAddress) < 0) {
      throw new CommandError(`${node.name} is not in the validator set and signs nothing`);
    }
    network.doubleSign(node);
    return () => this.#networkOf(node).signOnce(node);
  }

  /** Taken back, the signer remembers again what it knew, unless it has signed later since. */
  #loseSignerState(node: Node): Undo {
    const before = signerState(node, this.#networkOf(node).ledger);
    const hadLostBlocks = node.blocksLost;
    this.#act(node, { kind: "lose_signer_state" });
    return () => {
      const { ledger } = this.#networkOf(node);
      if (node.process !== "running") node.blocksLost = hadLostBlocks;
      attempt(() => {
        const [then, now] = [before, signerState(node, ledger)].map(rememberedPlace);
        if (then === undefined || now === undefined) return;
        if (then.height > now.height || (then.height === now.height && then.round > now.round)) {
          placeSignerState(node, before, ledger);
        }
      });
    };
  }

  #partition(groups: readonly (readonly string[])[]): void {
    const { forks, network } = this.#world;
    forks.merge();
    network.partition(groups);
    forks.split();
  }

  /** A machine is in one place. */
  #checkParts(groups: readonly (readonly string[])[]): void {
    const names = groups.flat();
    names.forEach((name, i) => {
      this.#world.node(name);
      if (names.indexOf(name) < i) {
        throw new CommandError(`${name} is named in two parts, or twice in one`);
      }
    });
  }

  #networks(): readonly Network[] {
    return [this.#world.network, ...this.#world.forks.branches];
  }

  #networkOf(node: Node | undefined): Network {
    return node === undefined ? this.#world.network : this.#world.networkOf(node);
  }

  #all(): readonly Fault[] {
    return this.#networks().flatMap(({ faults }) => faults.active);
  }
}

/** What decides whether a machine's process runs. */
const PROCESS_ACTIONS: readonly NodeAction["kind"][] = [
  "stop",
  "start",
  "install",
  "skip_upgrades",
  "halt_height",
  "state_sync",
];

/** Does something that may make no sense any more, or not yet: if it is refused, nothing has changed. */
function attempt(what: () => void): void {
  try {
    what();
  } catch (error) {
    const refused = error instanceof CommandError || error instanceof HaltError;
    if (!refused) throw error;
  }
}
