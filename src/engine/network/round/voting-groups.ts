import { toHex } from "../../../base/bytes.ts";
import type { App } from "../../app/app.ts";
import type { BinarySpec } from "../../app/binary.ts";
import { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { NodeInfo } from "../../framework/context.ts";
import type { Applied } from "../node/applied.ts";
import type { FailedRound, Node, SharedProgress } from "../node/node.ts";

/**
 * Nodes with the same state, equivalent binaries and the same settings: the next block is executed
 * once for all of them (rules/consensus 9.5). A thousand healthy nodes are one group.
 */
export interface ExecutionGroup extends SharedProgress {
  readonly nodes: readonly Node[];
  readonly app: App;
  /** Name of the binary that most of its power runs; the others differ only in name. */
  readonly binary: string;
  readonly settings: Omit<NodeInfo, "writeFile">;
  readonly partition: number;
  applied: Applied;
  lastFailedRound: FailedRound | undefined;
  /** Validator indexes of its nodes, and their total power. */
  readonly signers: Bitset;
  readonly power: number;
}

/**
 * Execution groups of one partition with the same app hash and results, which can vote together
 * (rules/consensus 5.4).
 */
export interface VotingGroup {
  readonly groups: readonly ExecutionGroup[];
  readonly signers: Bitset;
  readonly power: number;
}

/**
 * Groups nodes that have applied the same height. A validator counts once, with or without twins.
 */
export function groupNodes(
  nodes: readonly Node[],
  voting: ValidatorList,
  appOf: (binary: string) => App,
): ExecutionGroup[] {
  const members = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = groupKey(node, appOf);
    const known = members.get(key);
    if (known === undefined) members.set(key, [node]);
    else known.push(node);
  }
  return Array.from(members.values(), (group) => createGroup(group, voting, appOf));
}

function createGroup(
  nodes: readonly Node[],
  voting: ValidatorList,
  appOf: (binary: string) => App,
): ExecutionGroup {
  const [first] = nodes as readonly [Node];
  const signers = new Bitset(voting.size);
  for (const node of nodes) {
    const index = voting.indexOf(node.consensusAddress);
    if (index >= 0) signers.set(index);
  }
  return {
    nodes,
    app: appOf(first.binary),
    binary: mainBinary(nodes, voting),
    settings: settingsOf(first),
    partition: first.partition,
    applied: first.applied,
    lastFailedRound: undefined,
    signers,
    power: signers.weigh(voting.powers),
  };
}

function mainBinary(nodes: readonly Node[], voting: ValidatorList): string {
  const powers = new Map<string, number>();
  for (const { binary, consensusAddress } of nodes) {
    const power = voting.find(consensusAddress)?.power ?? 0;
    powers.set(binary, (powers.get(binary) ?? 0) + power);
  }
  return [...powers].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Returns a key of everything that can make one node's execution differ from another's. */
function groupKey(node: Node, appOf: (binary: string) => App): string {
  const { applied } = node;
  const { binary } = appOf(node.binary);
  return [
    node.partition,
    contentOf(binary),
    toHex(applied.appHash),
    applied.state.storeNames.join(),
    toHex(applied.resultsHash),
    [...node.skipUpgradeHeights].join(),
    node.haltHeight,
    node.haltTime,
    node.fresh,
    node.diskWritable,
    // Only the results of a nondeterministic binary depend on the node.
    binary.migration.kind === "nondeterministic" ? node.name : "",
  ].join("|");
}

const contents = new WeakMap<BinarySpec, string>();

/**
 * Serializes the part of a binary on which execution depends: everything except its name. Cached
 * per binary.
 */
function contentOf(binary: BinarySpec): string {
  let content = contents.get(binary);
  if (content === undefined) {
    content = JSON.stringify({ ...binary, name: "" });
    contents.set(binary, content);
  }
  return content;
}

/** Records a failed round for all nodes of the groups except the silent ones. */
export function noteFailedRound(groups: readonly ExecutionGroup[], failed: FailedRound): void {
  for (const node of failed.silent) node.recordFailedRound();
  for (const group of groups) group.lastFailedRound = failed;
}

export const settingsOf = (node: Node): Omit<NodeInfo, "writeFile"> => ({
  name: node.name,
  skipUpgradeHeights: node.skipUpgradeHeights,
  haltHeight: node.haltHeight,
  haltTime: node.haltTime,
  firstBlock: node.fresh,
  diskWritable: node.diskWritable,
});

/**
 * Joins groups that could decide a block: same partition, app hash and results. Most power first.
 */
export function votingGroupsOf(
  groups: readonly ExecutionGroup[],
  voting: ValidatorList,
): VotingGroup[] {
  if (groups.length === 1) {
    const only = groups[0] as ExecutionGroup;
    return [{ groups, signers: only.signers, power: only.power }];
  }
  const votingGroups = new Map<string, ExecutionGroup[]>();
  for (const group of groups) {
    const key = `${group.partition}|${toHex(group.applied.appHash)}|${toHex(group.applied.resultsHash)}`;
    const known = votingGroups.get(key);
    if (known === undefined) votingGroups.set(key, [group]);
    else known.push(group);
  }
  return Array.from(votingGroups.values(), (members) => {
    const signers = members.reduce((all, g) => all.union(g.signers), new Bitset(voting.size));
    return { groups: members, signers, power: signers.weigh(voting.powers) };
  }).sort((a, b) => b.power - a.power);
}
