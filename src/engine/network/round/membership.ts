import type { App } from "../../app/app.ts";
import { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Node, NodeObserver } from "../node/node.ts";
import {
  type ExecutionGroup,
  groupNodes,
  type VotingGroup,
  votingGroupsOf,
} from "./voting-groups.ts";

/**
 * The nodes of a chain; running nodes that have applied its newest block form execution groups and
 * voting groups. Grouping costs O(nodes), so it is repeated only after a node or the voting set has
 * changed.
 */
export class Membership implements NodeObserver {
  readonly #ledger: Ledger;
  readonly #appOf: (binary: string) => App;
  #nodes: readonly Node[] = [];
  #groups: readonly ExecutionGroup[] = [];
  #votingGroups: readonly VotingGroup[] = [];
  #groupOf = new Map<Node, ExecutionGroup>();
  #twins: readonly Node[] = [];
  #stale = true;
  #changes = 0;
  /** Voting set to which the groups' signers refer. */
  #voting: ValidatorList | undefined;

  constructor(ledger: Ledger, appOf: (binary: string) => App, nodes: readonly Node[]) {
    this.#ledger = ledger;
    this.#appOf = appOf;
    this.add(nodes);
  }

  /** State stored in keyframes. */
  get persisted() {
    const groups = [this.#groups, this.#votingGroups, this.#groupOf, this.#twins] as const;
    return [this.#nodes, groups, this.#stale, this.#changes, this.#voting] as const;
  }
  set persisted([nodes, groups, stale, changes, voting]) {
    [this.#groups, this.#votingGroups, this.#groupOf, this.#twins] = groups;
    this.#nodes = nodes;
    for (const node of nodes) node.observe(this);
    this.#stale = stale;
    this.#changes = changes;
    this.#voting = voting;
  }

  get nodes(): readonly Node[] {
    return this.#nodes;
  }

  add(nodes: readonly Node[]): void {
    this.#nodes = [...this.#nodes, ...nodes];
    for (const node of nodes) node.observe(this);
    this.nodeChanged();
  }

  remove(nodes: readonly Node[]): void {
    this.#nodes = this.#nodes.filter((node) => !nodes.includes(node));
    for (const node of nodes) node.observe(undefined);
    this.nodeChanged();
  }

  /** Marks the groups as stale. */
  nodeChanged(): void {
    this.#stale = true;
    this.#changes += 1;
  }

  /** Incremented by every change of a node. */
  get changes(): number {
    return this.#changes;
  }

  get groups(): readonly ExecutionGroup[] {
    this.#sort();
    return this.#groups;
  }

  /** Most power first. */
  get votingGroups(): readonly VotingGroup[] {
    this.#sort();
    return this.#votingGroups;
  }

  /**
   * Group with which a node executes the next block; undefined if it is not ready for that block.
   */
  groupOf(node: Node): ExecutionGroup | undefined {
    this.#sort();
    return this.#groupOf.get(node);
  }

  /** Twins among the nodes that are ready for the next block. */
  get twins(): readonly Node[] {
    this.#sort();
    return this.#twins;
  }

  /** Validator indexes of all nodes that are ready for the next block. */
  get signers(): Bitset {
    const { groups } = this;
    const [first] = groups;
    if (first !== undefined && groups.length === 1) return first.signers;
    const none = new Bitset(this.#ledger.voting.size);
    return groups.reduce((all, group) => all.union(group.signers), none);
  }

  /** Returns a group of one, with which a node that is not ready yet can apply a block. */
  isolate(node: Node): ExecutionGroup {
    const voting = this.#ledger.voting.list;
    const [group] = groupNodes([node], voting, this.#appOf) as [ExecutionGroup];
    node.share(group);
    this.nodeChanged();
    return group;
  }

  /**
   * Regroups after a block that one partition has applied: app hashes may have diverged or
   * converged, and the nodes of other partitions have fallen behind.
   */
  blockApplied(partition: number): void {
    if (this.#stale || this.#voting === undefined) return;
    if (this.#groups.some((group) => group.partition !== partition)) this.nodeChanged();
    else if (this.#groups.length > 1) {
      this.#votingGroups = votingGroupsOf(this.#groups, this.#voting);
    }
  }

  #sort(): void {
    const ledger = this.#ledger;
    const voting = ledger.voting.list;
    if (!this.#stale && voting === this.#voting) return;
    const ready = this.#nodes.filter(
      (node) => node.process === "running" && node.applied.height === ledger.decided,
    );
    this.#groups = groupNodes(ready, voting, this.#appOf);
    this.#groupOf = new Map();
    for (const group of this.#groups) {
      for (const node of group.nodes) {
        node.share(group);
        this.#groupOf.set(node, group);
      }
    }
    this.#twins = ready.filter((node) => node.isTwin);
    this.#votingGroups = votingGroupsOf(this.#groups, voting);
    this.#stale = false;
    this.#voting = voting;
  }
}
