import { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import { equal } from "../../primitives/bytes.ts";
import type { Ledger } from "../chain/ledger.ts";
import { headerFault } from "../node/execution.ts";
import type { Node } from "../node/node.ts";
import type { VotingGroup } from "./voting-groups.ts";

/** A validator that could not vote with the others, and why. */
export interface Absence {
  /** Place in the voting set. */
  readonly index: number;
  readonly why: string;
  /** It hears the proposal and refuses it, for it holds another app hash. */
  readonly refuses: boolean;
}

export const NO_ABSENCES: readonly Absence[] = [];

interface World {
  readonly nodes: readonly Node[];
  readonly ledger: Ledger;
  /** Machines that make another chain, and the last height in common. */
  readonly elsewhere: readonly Node[];
  readonly cutAt: number | undefined;
}

/** Every validator of the set without a machine in the votingGroup. */
export function absencesFrom(
  votingGroup: VotingGroup | undefined,
  voting: ValidatorList,
  world: World,
): readonly Absence[] {
  const { nodes, elsewhere, ledger } = world;
  const away: Absence[] = [];
  const known = votingGroup?.signers.copy() ?? new Bitset(voting.size);
  for (const node of [...nodes, ...elsewhere]) {
    const index = voting.indexOf(node.consensusAddress);
    if (index < 0 || known.get(index)) continue;
    known.set(index);
    away.push({
      index,
      why: absenceReason(node, votingGroup, world),
      refuses: keepsUp(node, ledger.decided) && node.partition === partitionOf(votingGroup),
    });
  }
  return away;
}

/** Why a node is not in the votingGroup, in its own words if it has any. A proposal that it refuses is one of the votingGroup's. */
export function absenceReason(
  node: Node,
  votingGroup: VotingGroup | undefined,
  { ledger, elsewhere, cutAt }: World,
): string {
  if (node.process === "stopped") return "stopped by its operator";
  if (node.process !== "running") return node.reason;
  if (elsewhere.includes(node)) return `cut off: it is on another chain since height ${cutAt}`;
  if (!keepsUp(node, ledger.decided)) return "cut off: it does not hear of the newest block";
  const theirs = votingGroup?.groups[0];
  if (node.partition !== theirs?.partition) return "cut off: it does not hear the others";
  const fault = headerFault(node.applied, theirs.applied) ?? "";
  const sameState = equal(node.applied.appHash, theirs.applied.appHash);
  return sameState ? fault : `${fault} (holds another app hash than the others)`;
}

const keepsUp = (node: Node, decided: number): boolean =>
  node.process === "running" && node.applied.height === decided;

const partitionOf = (votingGroup: VotingGroup | undefined): number | undefined =>
  votingGroup?.groups[0]?.partition;
