import { fromBinary } from "@bufbuild/protobuf";
import { MsgSubmitEvidenceSchema } from "../../gen/chain/evidence/v1beta1/tx_pb.ts";
import { readTx } from "../app/deliver-tx.ts";
import type { Ledger } from "../network/chain/ledger.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import { signerPages } from "../network/node/signer-state.ts";
import type { Command, SignedTxCommand, TxCommand } from "./command.ts";
import type { HistoryRange, HistoryRanges } from "./history-range.ts";
import type { World } from "./world.ts";

/** Number of pages of blocks opened ahead, after the first, for a node that is far behind. */
const PAGES_AHEAD = 31;

const blocks = (from: number, to = from): HistoryRange => ({ kind: "blocks", from, to });

/**
 * Predicts the history that the next round or a command will read, without changing anything: parts
 * that are not in memory are opened beforehand. For unpredicted reads, history is replayed.
 */
export class RequiredHistory {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** @param ahead whether to open many blocks at once */
  round(ahead: boolean): HistoryRanges {
    const isQuiet = ({ heightsRead, faults }: Network) =>
      heightsRead.length === 0 && (!ahead || faults.active.length === 0);
    // Most rounds read nothing: skip the generator.
    return this.#world.chains.all.every(isQuiet) ? NOTHING : this.#round(ahead);
  }

  *#round(ahead: boolean): HistoryRanges {
    const { chains } = this.#world;
    for (const network of chains.all) {
      for (const height of network.heightsRead) yield blocks(height);
      if (!ahead || network.faults.active.length === 0) continue;
      const height = network.ledger.decided + 1;
      const over = network.faults.over(height, network.clock);
      const due = network.faults.active.filter(({ from }) => from === height);
      for (const { kind, node } of [...over, ...due]) {
        if (kind === "partition") yield* this.#merge();
        else if (node !== undefined) yield* this.#start(node, ahead);
      }
    }
  }

  /** Same for a command; an invalid one reads nothing. */
  *command(command: Command, ahead: boolean): HistoryRanges {
    const { committed } = this.#world.network.ledger;
    switch (command.type) {
      case "tx":
      case "signed_tx":
        for (const height of this.heightsIn(command)) yield blocks(height);
        return;
      case "misbehavior":
        yield blocks(command.height);
        return;
      case "light_client_attack": {
        const height = command.height ?? committed;
        yield blocks(height - 1, height);
        return;
      }
      case "node": {
        const node = this.#world.findNode(command.node);
        if (node === undefined) return;
        if (command.action.kind === "roll_back") yield* this.#rollBack(node, command.action.blocks);
        else yield* this.#start(node, ahead);
        return;
      }
      case "partition":
      case "heal":
      case "clear_faults":
        if (ahead) yield* this.#merge();
        return;
      case "fault":
        if (command.kind === "partition") return;
        for (const node of this.#world.nodes.filter(({ name }) => name === command.node)) {
          yield* this.#start(node, ahead);
        }
        return;
      default:
    }
  }

  /** Same for the files of a node: the signer's file contains its last vote. */
  *files(node: Node): HistoryRanges {
    yield* signer(node, this.#world.chains.ledgerOf(node));
  }

  /** Heights of the evidence in a transaction. */
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
        // The chain rejects it.
        return [];
      }
    });
  }

  *#rollBack(node: Node, count: number): HistoryRanges {
    const { chains } = this.#world;
    const height = node.applied.height - count;
    yield blocks(height);
    if (chains.appliedAt(node, height) === undefined) yield { kind: "state", height };
    yield* this.files(node);
  }

  /**
   * Ranges that a node reads when it starts: its signer's last vote, and the blocks it has not
   * applied.
   */
  *#start(node: Node, ahead: boolean): HistoryRanges {
    const ledger = this.#world.chains.ledgerOf(node);
    yield* signer(node, ledger);
    if (ahead) yield blocksFrom(node.applied.height, ledger);
  }

  /** Blocks compared when partitions heal: those since the split. */
  *#merge(): HistoryRanges {
    const { chains } = this.#world;
    if (chains.forks.length === 0) return;
    for (const { ledger } of chains.all) yield blocksFrom(chains.common, ledger);
  }
}

const NOTHING: HistoryRanges = (function* () {})();

/** Range of blocks from a height on, of the size to open at once. */
function blocksFrom(from: number, { blocks: store, decided }: Ledger): HistoryRange {
  return blocks(from, Math.min(decided, store.lastWithin(from, PAGES_AHEAD)));
}

function* signer(node: Node, ledger: Ledger): HistoryRanges {
  yield blocks(node.applied.height);
  for (const { first, last } of signerPages(node, ledger)) yield blocks(first + 1, last - 1);
}
