import { Bitset } from "../../consensus/bitset.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import { type HaltCause, type HeaderMismatch, haltText } from "../../framework/halt.ts";
import type { Ledger } from "../chain/ledger.ts";
import { type AnyFaultKind, faultAbsence } from "../faults/kinds.ts";
import { headerMismatch } from "../node/execution.ts";
import type { Node } from "../node/node.ts";
import type { VotingGroup } from "./voting-groups.ts";

/**
 * Cause of a node's absence from votes: it has stopped, or it runs and is excluded for another
 * reason.
 */
export type AbsenceCause =
  | HaltCause
  | { readonly kind: "stopped" }
  /** It has been on another fork since the network was partitioned at that height. */
  | { readonly kind: "other_fork"; readonly since: number }
  /** The newest blocks are not delivered to it. */
  | { readonly kind: "behind" }
  /** It has all blocks and is in another partition. */
  | { readonly kind: "partitioned" }
  /** Its state differs from the one in the others' next header. */
  | { readonly kind: "diverged"; readonly mismatch: HeaderMismatch }
  | { readonly kind: "fault"; readonly fault: AnyFaultKind };

/** A validator that could not vote with the others, and the cause. */
export interface Absence {
  /** Validator index in the voting set. */
  readonly index: number;
  readonly cause: AbsenceCause | undefined;
  /** True if it receives the proposal but refuses it, because its app hash differs. */
  readonly refuses: boolean;
}

export const NO_ABSENCES: readonly Absence[] = [];

/** Nodes on other chains while the network is partitioned. */
export interface OtherForks {
  readonly nodes: readonly Node[];
  /**
   * Height of the last block before the partition; undefined while the network is not partitioned.
   */
  readonly common: number | undefined;
}

/** Chain from which a validator is absent. */
interface Chain {
  readonly nodes: readonly Node[];
  readonly ledger: Ledger;
  readonly otherForks: OtherForks;
}

/** Returns all validators of the set without a node in the voting group. */
export function absencesFrom(
  votingGroup: VotingGroup | undefined,
  voting: ValidatorList,
  chain: Chain,
): readonly Absence[] {
  const { nodes, otherForks, ledger } = chain;
  const absences: Absence[] = [];
  const known = votingGroup?.signers.copy() ?? new Bitset(voting.size);
  for (const node of [...nodes, ...otherForks.nodes]) {
    const index = voting.indexOf(node.consensusAddress);
    if (index < 0 || known.get(index)) continue;
    known.set(index);
    absences.push({
      index,
      cause: absenceCause(node, votingGroup, chain),
      refuses: keepsUp(node, ledger.decided) && node.partition === partitionOf(votingGroup),
    });
  }
  return absences;
}

/** Returns why a node is not in the voting group; undefined if nothing excludes it. */
export function absenceCause(
  node: Node,
  votingGroup: VotingGroup | undefined,
  { ledger, otherForks }: Chain,
): AbsenceCause | undefined {
  if (node.process !== "running") return node.haltCause ?? { kind: "stopped" };
  if (otherForks.nodes.includes(node)) {
    return { kind: "other_fork", since: otherForks.common ?? 0 };
  }
  if (!keepsUp(node, ledger.decided)) return { kind: "behind" };
  const theirs = votingGroup?.groups[0];
  if (node.partition !== theirs?.partition) return { kind: "partitioned" };
  const mismatch = headerMismatch(node.applied, theirs.applied);
  return mismatch && { kind: "diverged", mismatch };
}

/** Returns the sentence for an absence; for a halt, the node's own text. */
export function absenceText(cause: AbsenceCause): string {
  switch (cause.kind) {
    case "stopped":
      return "stopped by its operator";
    case "other_fork":
      return `partitioned since height ${cause.since}: it is on another fork`;
    case "behind":
      return "partitioned: the newest block does not reach it";
    case "partitioned":
      return "partitioned: it does not reach the others";
    case "diverged": {
      const text = haltText(cause.mismatch);
      const otherHash = cause.mismatch.kind !== "wrong_last_results_hash";
      return otherHash ? `${text} (holds another app hash than the others)` : text;
    }
    case "fault":
      return faultAbsence(cause.fault);
    default:
      return haltText(cause);
  }
}

const keepsUp = (node: Node, decided: number): boolean =>
  node.process === "running" && node.applied.height === decided;

const partitionOf = (votingGroup: VotingGroup | undefined): number | undefined =>
  votingGroup?.groups[0]?.partition;
