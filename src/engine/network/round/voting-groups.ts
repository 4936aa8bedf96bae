import type { App } from "../../app/app.ts";
import type { BinarySpec } from "../../app/binary.ts";
import { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { NodeInfo } from "../../framework/context.ts";
import { toHex } from "../../primitives/bytes.ts";
import type { Applied, Node } from "../node/node.ts";

/** A round that brought no block: who was there has voted in it, but for the silent ones. */
export interface FailedRound {
  readonly height: number;
  readonly round: number;
  readonly silent: readonly Node[];
}

/**
 * Nodes that are at one state, with binaries that do the same and equal settings: their next block is
 * executed once for all of them. A thousand healthy nodes are one group.
 */
export interface ExecutionGroup {
  readonly nodes: readonly Node[];
  readonly app: App;
  /** Name of the binary that most of its power runs; the others differ from it in name only. */
  readonly binary: string;
  readonly settings: Omit<NodeInfo, "writeFile">;
  readonly partition: number;
  applied: Applied;
  /** The last round that it voted in for nothing since it came together. */
  vain: FailedRound | undefined;
  /** Its nodes' places in the voting set, and their power together. */
  readonly signers: Bitset;
  readonly power: number;
}

/** Groups that hear one another and agree: what can vote together. */
export interface VotingGroup {
  readonly groups: readonly ExecutionGroup[];
  readonly signers: Bitset;
  readonly power: number;
}

/** Sorts nodes that have applied the same height into groups. Validators are counted once, twins or not. */
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
  const first = nodes[0] as Node;
  const signers = new Bitset(voting.size);
  for (const node of nodes) {
    const index = voting.indexOf(node.consensusAddress);
    if (index >= 0) signers.set(index);
  }
  const group: ExecutionGroup = {
    nodes,
    app: appOf(first.binary),
    binary: mainBinary(nodes, voting),
    settings: settingsOf(first),
    partition: first.partition,
    applied: first.applied,
    vain: undefined,
    signers,
    power: signers.weigh(voting.powers),
  };
  for (const node of nodes) {
    node.leaveGroup();
    node.group = group;
  }
  return group;
}

function mainBinary(nodes: readonly Node[], voting: ValidatorList): string {
  const powers = new Map<string, number>();
  for (const { binary, consensusAddress } of nodes) {
    const power = voting.find(consensusAddress)?.power ?? 0;
    powers.set(binary, (powers.get(binary) ?? 0) + power);
  }
  return [...powers].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Everything that can make one node's execution differ from another's. */
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
    node.fresh,
    node.diskWritable,
    // Only such a binary's results depend on the machine.
    binary.migration.kind === "nondeterministic" ? node.name : "",
  ].join("|");
}

const contents = new WeakMap<BinarySpec, string>();

/** All of a binary that a block can notice, which is not its name. Written out once for each. */
function contentOf(binary: BinarySpec): string {
  let content = contents.get(binary);
  if (content === undefined) {
    content = JSON.stringify({ ...binary, name: "" });
    contents.set(binary, content);
  }
  return content;
}

/** Notes a round that brought no block. A node that was heard in an earlier round of the height has voted there all the same. */
export function noteFailedRound(groups: readonly ExecutionGroup[], now: FailedRound): void {
  for (const group of groups) {
    const before = group.vain?.height === now.height ? group.vain.silent : now.silent;
    group.vain = { ...now, silent: now.silent.filter((node) => before.includes(node)) };
  }
}

export const settingsOf = (node: Node): Omit<NodeInfo, "writeFile"> => ({
  name: node.name,
  skipUpgradeHeights: node.skipUpgradeHeights,
  haltHeight: node.haltHeight,
  firstBlock: node.fresh,
  diskWritable: node.diskWritable,
});

/** Puts together the groups that could decide a block: same partition, same app hash, same results. */
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
