import { accAddress } from "../../base/bech32.ts";
import { unreachable } from "../../base/unreachable.ts";
import { encodeTx } from "../app/deliver-tx.ts";
import type { ValidatorList } from "../consensus/validator-list.ts";
import { CommandError } from "../framework/errors.ts";
import type {
  Command,
  LightClientAttackCommand,
  SignedTxCommand,
  TamperCommand,
  TxCommand,
} from "./command.ts";
import { FaultScheduler } from "./fault-scheduler.ts";
import { runNodeAction, type StateAt } from "./node-actions.ts";
import type { RequiredHistory } from "./required-history.ts";
import type { CommandResult, InjectedFaultsView } from "./views.ts";
import type { World } from "./world.ts";

type Tampering = (world: World, command: TamperCommand) => CommandResult;

/** Undefined until registered: calling it before then is a bug and throws. */
let tampering: Tampering;

/**
 * Registers the handler of manual edits (`tamper.ts`), which is loaded separately from the engine.
 */
export const acceptTamperingBy = (accepting: Tampering): void => {
  tampering = accepting;
};

type Attacking = (world: World, command: LightClientAttackCommand) => CommandResult;

let attacking: Attacking;

/**
 * Registers the handler of light-client attacks (`light-client-attacks.ts`), also loaded
 * separately.
 */
export const acceptAttacksBy = (accepting: Attacking): void => {
  attacking = accepting;
};

/** Applies commands to a world. */
export class Commands {
  readonly #world: World;
  readonly #stateAt: StateAt;
  readonly #faults: FaultScheduler;
  readonly #needed: RequiredHistory;
  #sequence = 0n;

  constructor(world: World, stateAt: StateAt, needed: RequiredHistory) {
    this.#world = world;
    this.#needed = needed;
    this.#stateAt = stateAt;
    this.#faults = new FaultScheduler(world, stateAt);
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#sequence, this.#faults.persisted] as const;
  }
  set persisted(persisted) {
    [this.#sequence, this.#faults.persisted] = persisted;
  }

  /** Starts and ends scheduled faults. Call before every round. */
  beforeRound(): void {
    this.#faults.beforeRound();
  }

  faults(): InjectedFaultsView {
    return this.#faults.injected();
  }

  /** Executes a command. Throws a CommandError, and changes nothing, if it is not valid now. */
  perform(command: Command): CommandResult {
    switch (command.type) {
      case "tx":
        return this.#queueTx(command);
      case "signed_tx":
        return this.#queue(command.bytes, command);
      case "misbehavior":
        this.#forward(command);
        return {};
      case "double_sign":
        this.#faults.inject({ type: "fault", kind: "double_sign", node: command.node });
        return {};
      case "light_client_attack":
        return attacking(this.#world, command);
      case "node": {
        const node = this.#world.node(command.node);
        runNodeAction(command.action, node, this.#world, this.#stateAt);
        this.#faults.operated(node, command.action);
        return {};
      }
      case "partition":
        this.#faults.partition(command.groups);
        return {};
      case "heal":
        this.#faults.partition([]);
        return {};
      case "binary":
        this.#world.addBinary(command.binary);
        return {};
      case "fault":
        this.#faults.inject(command);
        return {};
      case "chaos":
        this.#faults.beginChaos(command.level, command.for);
        return {};
      case "clear_faults":
        this.#faults.clear(command.node);
        return {};
      case "release": {
        const { name, url, serves } = command;
        this.#world.binary(name);
        this.#world.sidecars.releases.set(url, { binary: name, serves });
        return {};
      }
      case "tamper":
        return tampering(this.#world, command);
      default:
        return unreachable(command);
    }
  }

  #queueTx(command: Extract<Command, { type: "tx" }>): CommandResult {
    const { signer, messages, memo } = command;
    const address = this.#world.addressOf(signer);
    this.#sequence += 1n;
    const bytes = encodeTx({
      messages,
      signer: accAddress(address),
      ...(memo !== undefined && { memo }),
      sequence: this.#sequence,
    });
    return this.#queue(bytes, command);
  }

  #queue(bytes: Uint8Array, command: TxCommand | SignedTxCommand): CommandResult {
    const { mempool } = this.#world.network;
    return { txHash: mempool.submit(bytes, this.#needed.heightsIn(command)) };
  }

  /** Voting power of a node's validator at a height; undefined if it is not in the set. */
  powerAt(node: string, height: number): number | undefined {
    return this.#votersAt(height).find(this.#world.node(node).consensusAddress)?.power;
  }

  /** Validator set of a height; that of the next height if there is no block yet. */
  #votersAt(height: number): ValidatorList {
    const { blocks, voting } = this.#world.network.ledger;
    return blocks.has(height) ? blocks.validatorsAt(height) : voting.list;
  }

  #forward(command: Extract<Command, { type: "misbehavior" }>): void {
    const address = this.#world.node(command.validator).consensusAddress;
    const { blocks } = this.#world.network.ledger;
    const { height } = command;
    const time = command.time ?? blocks.timeAt(height);
    if (time === undefined) {
      throw new CommandError(`there is no block ${height} to take the time from; give a time`);
    }
    const list = this.#votersAt(height);
    const power = command.power ?? list.find(address)?.power;
    if (power === undefined) {
      throw new CommandError(
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
}
