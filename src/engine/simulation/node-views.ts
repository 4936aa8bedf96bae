import { haltText } from "../framework/halt.ts";
import type { Fault } from "../network/faults/faults.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import type { LoggedLine } from "../network/node/node-log.ts";
import { accountOf } from "./genesis/world-spec.ts";
import type { FaultView, NodeLogLine, NodeView } from "./views.ts";

/** Says of a consensus address whether its precommit is in the newest commit. */
export function lastSigners({ ledger }: Network): (consensusAddress: Uint8Array) => boolean {
  const { blocks, committed } = ledger;
  if (!blocks.has(committed)) return () => false;
  const absent = new Set(blocks.absentAt(committed));
  const voters = blocks.validatorsAt(committed);
  return (address) => {
    const index = voters.indexOf(address);
    return index >= 0 && !absent.has(index);
  };
}

/** A node as it is now. */
export function nodeView(
  node: Node,
  network: Network,
  operatorAddress: Uint8Array = accountOf(node.validator),
): NodeView {
  const { consensusAddress, applied } = node;
  const { ledger, faults } = network;
  return {
    name: node.name,
    validator: node.validator,
    consensusAddress,
    operatorAddress,
    process: node.process,
    binary: node.binary,
    staged: node.staged,
    power: ledger.voting.list.find(consensusAddress)?.power ?? 0,
    height: applied.height,
    appHash: applied.appHash,
    haltCause: node.haltCause,
    reason: node.haltCause === undefined ? "" : haltText(node.haltCause),
    skipUpgradeHeights: [...node.skipUpgradeHeights],
    partition: node.partition,
    faults: faults.of(node, ledger.decided + 1).map(faultView),
  };
}

/** A fault with the heights at which it acts. */
export const faultView = ({ kind, from, to }: Fault): FaultView => ({
  kind,
  from,
  to: Number.isFinite(to) ? to : undefined,
});

/** A line of a log with its fields behind its text. */
export function withFields(line: Omit<LoggedLine, "nodes">): NodeLogLine {
  const { seq, height, level, module, last } = line;
  const fields = Object.entries(line.fields ?? {}).map(([key, value]) => ` ${key}=${value}`);
  const text = line.text + fields.join("");
  return { seq, height, level, module, text, ...(last && { last }) };
}
