import { fromBinary } from "@bufbuild/protobuf";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { readTx } from "../app/deliver-tx.ts";
import type { Node } from "../network/node/node.ts";
import { signerState } from "../network/node/signer-state.ts";
import type { Command, SignedTxCommand, TxCommand } from "./command.ts";
import type { StateAt } from "./node-actions.ts";
import type { World } from "./world.ts";

/** Pages that are brought at once for a node that is far behind. */
const PAGES_AT_ONCE = 32;

/**
 * Reads what the next round or a command is going to read of the past, and changes nothing: what is not in memory
 * is brought before anything happens. What is not foreseen here comes back by replay.
 */
export class NeededPast {
  readonly #world: World;
  readonly #stateAt: StateAt;

  constructor(world: World, stateAt: StateAt) {
    this.#world = world;
    this.#stateAt = stateAt;
  }

  /** @param ranges whether many blocks are worth bringing at once */
  touchRound(ranges: boolean): void {
    const { chains } = this.#world;
    for (const network of chains.all) {
      network.touchRound();
      if (!ranges || network.faults.active.length === 0) continue;
      const height = network.ledger.decided + 1;
      const over = network.faults.over(height, network.clock);
      const due = network.faults.active.filter(({ from }) => from === height);
      for (const { kind, node } of [...over, ...due]) {
        if (kind === "partition") this.#touchMerge();
        else if (node !== undefined) this.#touchNode(node, ranges);
      }
    }
  }

  /** The same for a command; one that makes no sense needs nothing. */
  touchCommand(command: Command, ranges: boolean): void {
    const { blocks, committed } = this.#world.network.ledger;
    switch (command.type) {
      case "tx":
      case "signed_tx":
        for (const height of this.heightsIn(command)) blocks.touch(height);
        return;
      case "misbehavior":
        blocks.touch(command.height);
        return;
      case "light_client_attack":
        blocks.touch((command.height ?? committed) - 1);
        blocks.touch(command.height ?? committed);
        return;
      case "node": {
        const node = this.#world.findNode(command.node);
        if (node === undefined) return;
        if (command.action.kind === "roll_back") this.#touchRollBack(node, command.action.blocks);
        else this.#touchNode(node, ranges);
        return;
      }
      case "partition":
      case "heal":
        if (ranges) this.#touchMerge();
        return;
      case "fault":
        if (command.kind === "partition") return;
        for (const node of this.#world.nodes.filter(({ name }) => name === command.node)) {
          this.#touchNode(node, ranges);
        }
        return;
      case "clear_faults":
        if (ranges) this.#touchMerge();
        return;
      default:
    }
  }

  /** The heights that the evidence in a transaction is about. */
  heightsIn(command: TxCommand | SignedTxCommand): readonly number[] {
    const { messages } = command.type === "tx" ? command : readTx(command.bytes);
    const app = this.#world.appOf(this.#world.network.ledger.head.binary);
    return messages.flatMap(({ typeUrl, value }) => {
      if (!typeUrl.endsWith(MsgSubmitEvidenceSchema.typeName)) return [];
      try {
        const { evidence } = fromBinary(MsgSubmitEvidenceSchema, value);
        const read = evidence && app.unpackEvidence(evidence);
        return read === undefined ? [] : [Number(read.getHeight())];
      } catch {
        // The chain refuses it.
        return [];
      }
    });
  }

  #touchRollBack(node: Node, blocks: number): void {
    const { chains } = this.#world;
    const height = node.applied.height - blocks;
    chains.ledgerOf(node).blocks.touch(height);
    if (chains.appliedAt(node, height) === undefined) this.#stateAt(height);
    signerState(node, chains.ledgerOf(node));
  }

  /** What a node reads as it starts: its signer's last vote, and the blocks that it has not applied. */
  #touchNode(node: Node, ranges: boolean): void {
    const ledger = this.#world.chains.ledgerOf(node);
    const { height } = node.applied;
    signerState(node, ledger);
    ledger.blocks.touch(height);
    if (ranges) ledger.blocks.touch(height, ledger.decided, PAGES_AT_ONCE);
  }

  /** What is compared when partitions meet again: the blocks since they parted. */
  #touchMerge(): void {
    const { chains } = this.#world;
    if (chains.forks.length === 0) return;
    for (const { ledger } of chains.all) {
      ledger.blocks.touch(chains.common, ledger.decided, PAGES_AT_ONCE);
    }
  }
}
