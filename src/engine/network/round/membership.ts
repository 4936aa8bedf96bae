import type { App } from "../../app/app.ts";
import { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Node } from "../node/node.ts";
import {
  type ExecutionGroup,
  groupNodes,
  type VotingGroup,
  votingGroupsOf,
} from "./voting-groups.ts";

/** Whose machines are assembled, and on which chain. */
export interface AssemblyHost {
  readonly nodes: readonly Node[];
  readonly ledger: Ledger;
  appOf(binary: string): App;
}

/**
 * The machines that run and keep up, as groups that execute together and votingGroups that can vote together.
 * Sorting costs O(nodes), so it is done again only when something about a machine or the voting
 * set has changed.
 */
export class Membership {
  readonly #host: AssemblyHost;
  #groups: readonly ExecutionGroup[] = [];
  #votingGroups: readonly VotingGroup[] = [];
  #twins: readonly Node[] = [];
  #stale = true;
  #changes = 0;
  /** The voting set that the groups' signers refer to. */
  #voting: ValidatorList | undefined;

  constructor(host: AssemblyHost) {
    this.#host = host;
  }

  /** Something about a machine has changed. */
  touch(): void {
    this.#stale = true;
    this.#changes += 1;
  }

  /** How often something about a machine has changed. */
  get changes(): number {
    return this.#changes;
  }

  get groups(): readonly ExecutionGroup[] {
    this.#sort();
    return this.#groups;
  }

  /** With the most power first. */
  get votingGroups(): readonly VotingGroup[] {
    this.#sort();
    return this.#votingGroups;
  }

  /** Machines with the key of another one. */
  get twins(): readonly Node[] {
    this.#sort();
    return this.#twins;
  }

  /** Everybody assembled, as places in the voting set. */
  get signers(): Bitset {
    const none = new Bitset(this.#host.ledger.voting.size);
    return this.groups.reduce((all, group) => all.union(group.signers), none);
  }

  /** After a block: groups are as before, but their app hashes may have parted, or met again. */
  blockApplied(): void {
    if (this.#stale || this.#groups.length < 2 || this.#voting === undefined) return;
    this.#votingGroups = votingGroupsOf(this.#groups, this.#voting);
  }

  #sort(): void {
    const { nodes, ledger } = this.#host;
    const voting = ledger.voting.list;
    if (!this.#stale && voting === this.#voting) return;
    const ready = nodes.filter(
      (node) => node.process === "running" && node.applied.height === ledger.decided,
    );
    this.#groups = groupNodes(ready, voting, (binary) => this.#host.appOf(binary));
    this.#twins = ready.filter((node) => node.name !== node.validator);
    this.#votingGroups = votingGroupsOf(this.#groups, voting);
    this.#stale = false;
    this.#voting = voting;
  }
}
