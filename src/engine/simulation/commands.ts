import { encodeTx } from "../app/deliver-tx.ts";
import { CHAOS_LEVELS, drawFault } from "../network/chaos.ts";
import { DEFAULT_CLOCK_OFFSET, DEFAULT_FLAKINESS } from "../network/faults.ts";
import { accAddress } from "../primitives/bech32.ts";
import { Rng } from "../primitives/rng.ts";
import { sha256 } from "../primitives/sha256.ts";
import type { Command, FaultCommand } from "./command.ts";
import { runNodeAction, type StateAt } from "./node-actions.ts";
import type { CommandResult } from "./views.ts";
import type { World } from "./world.ts";

/** What commands do to a world. */
export class Commands {
  readonly #world: World;
  readonly #stateAt: StateAt;
  readonly #rng: Rng;
  #sequence = 0n;
  /** Chaos of a level, up to a height. */
  #chaos: { readonly level: number; readonly to: number } | undefined;

  constructor(world: World, stateAt: StateAt) {
    this.#world = world;
    this.#stateAt = stateAt;
    this.#rng = Rng.seeded(world.spec.seed);
  }

  get #decided(): number {
    return this.#world.network.ledger.decided;
  }

  /** Carries out a command. Throws an Error with a clear sentence, nothing changed, if it makes no sense here. */
  perform(command: Command): CommandResult {
    switch (command.type) {
      case "tx":
        return this.#queueTx(command);
      case "misbehavior":
        this.#forward(command);
        return {};
      case "double_sign": {
        const node = this.#world.node(command.node);
        if (node.process !== "running")
          throw new Error(`${node.name} is ${node.process} and signs nothing`);
        if (this.#world.network.ledger.voting.indexOf(node.consensusAddress) < 0) {
          throw new Error(`${node.name} is not in the validator set and signs nothing`);
        }
        this.#world.network.doubleSign(node);
        return {};
      }
      case "light_client_attack": {
        const by = command.by.map((name) => this.#world.node(name));
        const height = command.height ?? this.#world.network.ledger.committed;
        this.#world.network.attackLightClient({ kind: command.kind, by, height });
        return {};
      }
      case "node":
        this.#refuseOnFork(command.node);
        runNodeAction(command.action, this.#world.node(command.node), this.#world, this.#stateAt);
        return {};
      case "partition":
        for (const name of command.groups.flat()) this.#world.node(name);
        this.#world.forks.merge();
        this.#world.network.partition(command.groups);
        this.#world.forks.split();
        return {};
      case "heal":
        this.#world.forks.merge();
        this.#world.network.partition([]);
        return {};
      case "binary":
        this.#world.addBinary(command.binary);
        return {};
      case "fault":
        this.#addFault(command);
        return {};
      case "chaos":
        if (!CHAOS_LEVELS.some((level) => level === command.level)) {
          throw new Error(
            `there is no chaos level ${command.level}; there are ${CHAOS_LEVELS.join(", ")}`,
          );
        }
        this.#chaos = { level: command.level, to: this.#decided + command.for };
        return {};
      case "clear_faults":
        this.#clearFaults(command.node);
        return {};
      case "release": {
        const { name, url, serves } = command;
        this.#world.binary(name);
        this.#world.sidecars.releases.set(url, { binary: name, serves });
        return {};
      }
    }
  }

  /** A chain of its own is watched until it meets the other one; nobody works on its machines. */
  #refuseOnFork(name: string): void {
    const fork = this.#world.forks.branches.find(({ nodes }) =>
      nodes.some((node) => node.name === name),
    );
    if (fork === undefined) return;
    throw new Error(
      `${name} is on another chain since height ${this.#world.forks.common}; heal the network first`,
    );
  }

  #queueTx({ signer, messages, memo }: Extract<Command, { type: "tx" }>): CommandResult {
    const address = this.#world.addressOf(signer);
    this.#sequence += 1n;
    const bytes = encodeTx({
      messages: [...messages],
      memo: memo ?? "",
      signer: accAddress(address),
      sequence: this.#sequence,
    });
    this.#world.network.mempool.submit(bytes);
    return { txHash: sha256(bytes) };
  }

  #forward(command: Extract<Command, { type: "misbehavior" }>): void {
    const address = this.#world.node(command.validator).consensusAddress;
    const { blocks } = this.#world.network.ledger;
    const { height } = command;
    const time = command.time ?? blocks.timeAt(height);
    if (time === undefined) {
      throw new Error(`there is no block ${height} to take the time from; give a time`);
    }
    const list = blocks.has(height)
      ? blocks.validatorsAt(height)
      : this.#world.network.ledger.voting.list;
    const power = command.power ?? list.find(address)?.power;
    if (power === undefined) {
      throw new Error(
        `${command.validator} was not in the validator set of height ${height}; give a power`,
      );
    }
    this.#world.network.mempool.forward({
      type: command.kind,
      address,
      power,
      height,
      time,
      totalVotingPower: list.totalPower,
    });
  }

  #addFault({ node, kind, at, for: lasts, by, probability }: FaultCommand): void {
    const from = at ?? this.#decided + 1;
    if (from <= this.#decided) {
      throw new Error(`height ${from} is past; the chain is at ${this.#decided}`);
    }
    this.#world.network.faults.add({
      node: this.#world.node(node),
      kind,
      from,
      to: lasts === undefined ? Number.POSITIVE_INFINITY : from + lasts - 1,
      by: by ?? DEFAULT_CLOCK_OFFSET,
      probability: probability ?? DEFAULT_FLAKINESS,
    });
  }

  #clearFaults(node: string | undefined): void {
    const whose = node === undefined ? undefined : this.#world.node(node);
    if (node === undefined) this.#chaos = undefined;
    for (const crashed of this.#world.network.faults.clear(whose, this.#decided)) {
      if (crashed.process === "exited") this.#world.network.restart(crashed);
    }
  }

  /** While there is chaos, each height may bring one more fault. */
  drawChaos(): void {
    const chaos = this.#chaos;
    const height = this.#decided + 1;
    if (chaos === undefined || this.#world.network.round > 0) return;
    if (height > chaos.to) {
      this.#chaos = undefined;
      return;
    }
    const { voting } = this.#world.network.ledger;
    const fault = drawFault(this.#rng.fork(`chaos/${height}`), chaos.level, height, {
      nodes: this.#world.network.nodes,
      faults: this.#world.network.faults.active,
      powerOf: (node) => voting.list.find(node.consensusAddress)?.power ?? 0,
      totalPower: voting.totalPower,
    });
    if (fault !== undefined) this.#world.network.faults.add(fault);
  }
}
