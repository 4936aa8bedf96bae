import { equal } from "../../base/bytes.ts";
import { haltText } from "../framework/halt.ts";
import type { Fault } from "../network/faults/faults.ts";
import type { Network } from "../network/network.ts";
import type { Node } from "../network/node/node.ts";
import type { LoggedLine } from "../network/node/node-log.ts";
import { skipFlagOf } from "../network/node/start-args.ts";
import type { Chains } from "../network/partition/chains.ts";
import { accountOf } from "./genesis/world-spec.ts";
import type { FaultView, ForkView, NodeLogLine, NodeView } from "./views.ts";
import type { World } from "./world.ts";

const NONE: readonly never[] = [];

/**
 * Returns a function that reports whether an address's precommit is in the newest commit; undefined
 * for addresses outside its set.
 */
export function lastSigners({
  ledger,
}: Network): (consensusAddress: Uint8Array) => boolean | undefined {
  const { blocks, committed } = ledger;
  if (!blocks.has(committed)) return () => undefined;
  const absent = new Set(blocks.absentAt(committed));
  const voters = blocks.validatorsAt(committed);
  return (address) => {
    const index = voters.indexOf(address);
    return index < 0 ? undefined : !absent.has(index);
  };
}

/** View of a node in its current state. */
export function nodeView(node: Node, world: World): NodeView {
  const { consensusAddress, applied } = node;
  const { ledger, faults } = world.chains.of(node);
  const operatorAddress = world.account(node.validator) ?? accountOf(node.validator);
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
    skipFlag: skipFlagOf(node.skipFlag),
    haltHeight: node.haltHeight,
    haltTime: node.haltTime,
    diskWritable: node.diskWritable,
    partition: node.partition,
    faults: faults.of(node, ledger.decided + 1).map(faultView),
  };
}

/** View of a fault with the heights at which it acts. */
export const faultView = ({ kind, from, to }: Fault): FaultView => ({
  kind,
  from,
  to: Number.isFinite(to) ? to : undefined,
});

/** Log line with its fields appended to its text. */
export function withFields(line: Omit<LoggedLine, "nodes">): NodeLogLine {
  const { seq, height, level, module, last } = line;
  const fields = Object.entries(line.fields ?? {}).map(([key, value]) => ` ${key}=${value}`);
  const text = line.text + fields.join("");
  return { seq, height, level, module, text, ...(last && { last }) };
}

export const namesOf = (nodes: readonly Node[]): readonly string[] => nodes.map(({ name }) => name);

/** Views of a world's forks, without its main chain. */
export function forkViews({ common, forks }: Chains): readonly ForkView[] {
  if (forks.length === 0) return NONE;
  return forks.map(({ nodes, ledger }) => ({
    nodes: namesOf(nodes),
    common,
    height: ledger.decided,
    hashAt: (height) => ledger.blocks.hashAt(height)?.slice(),
  }));
}

/** Returns true if all nodes at the greatest height have the same app hash. */
export function appHashesAgree(nodes: readonly Node[]): boolean {
  const applied = nodes.map((node) => node.applied);
  const newest = applied.reduce((top, { height }) => Math.max(top, height), 0);
  const hashes = applied.filter(({ height }) => height === newest).map(({ appHash }) => appHash);
  return hashes.every((hash) => equal(hash, hashes[0] ?? hash));
}
