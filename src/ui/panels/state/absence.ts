/**
 * Checks in the page itself that a key is missing from a store, by its neighbours
 * (rules/store 2.6).
 */
import type { ExistenceProof, StoreProof } from "../../store/types.ts";
import { EMPTY_ROOT, hashesAbove, hashesFrom, type ProofHash } from "./check-proof.ts";

/** One of the two neighbours of a missing key. */
export interface Neighbour {
  readonly proof: ExistenceProof;
  /** From its leaf up to the junction with the other, or to the app hash if there is no other. */
  readonly hashes: readonly ProofHash[];
}

/** Proof that a key is absent. */
export interface Absence {
  /** The next smaller and the next greater key; undefined if there is none. */
  readonly left: Neighbour | undefined;
  readonly right: Neighbour | undefined;
  /** Above the junction, up to the app hash; for an empty store from its root. */
  readonly shared: readonly ProofHash[];
  /** The final hash. */
  readonly end: string;
  /** Reason why the key may exist although the hashes are right; empty if it cannot. */
  readonly problem: string;
}

/** Undefined for a proof that a key exists. */
export function absenceOf(proof: StoreProof): Absence | undefined {
  const { absent, stores } = proof;
  if (absent === undefined || stores === undefined) return undefined;
  const { key, left, right } = absent;
  const problem = problemOf(key, left, right, stores.value);
  const [from, to] = [left, right].map((side) => side && hashesFrom(side, stores));
  const common = from && to ? sharedEnd(from, to) : 0;
  const shared =
    from && to ? from.slice(from.length - common) : from || to ? [] : hashesAbove(stores);
  const neighbour = (of: ExistenceProof | undefined, hashes: readonly ProofHash[] | undefined) =>
    of && hashes && { proof: of, hashes: hashes.slice(0, hashes.length - common) };
  const whole = from ?? to ?? shared;
  return {
    left: neighbour(left, from),
    right: neighbour(right, to),
    shared,
    end: whole.at(-1)?.hash ?? "",
    problem:
      problem || (from && to && common === 0 ? "the two keys end with different hashes" : ""),
  };
}

/** Returns the number of hashes that two paths share at their upper ends. */
function sharedEnd(a: readonly ProofHash[], b: readonly ProofHash[]): number {
  let common = 0;
  while (common < a.length && a.at(-1 - common)?.hash === b.at(-1 - common)?.hash) common++;
  return common;
}

function problemOf(
  key: string,
  left: ExistenceProof | undefined,
  right: ExistenceProof | undefined,
  root: string,
): string {
  if ((left && left.key >= key) || (right && right.key <= key)) {
    return "the key does not lie between the two";
  }
  if (left && right) return areNeighbours(left, right) ? "" : "there may be keys between the two";
  if (left) return left.path.every(isRight) ? "" : "there may be keys above it";
  if (right) return right.path.every(isLeft) ? "" : "there may be keys below it";
  return root === EMPTY_ROOT ? "" : "the store is not empty";
}

type Step = ExistenceProof["path"][number];

/** True if the hash below a step is its left child: then the neighbour comes after it. */
const isLeft = ({ suffix }: Step): boolean => suffix !== "";
const isRight = (step: Step): boolean => !isLeft(step);

/**
 * True if two leaves are adjacent: below the node where their paths join, one path goes right at
 * every step, the other left.
 */
function areNeighbours(left: ExistenceProof, right: ExistenceProof): boolean {
  let [l, r] = [left.path.length, right.path.length];
  const same = (a: Step | undefined, b: Step | undefined): boolean =>
    a?.prefix === b?.prefix && a?.suffix === b?.suffix;
  while (l > 0 && r > 0 && same(left.path[l - 1], right.path[r - 1])) {
    l--;
    r--;
  }
  const [below, other] = [left.path.slice(0, l), right.path.slice(0, r)];
  const [top, otherTop] = [below.pop(), other.pop()];
  if (top === undefined || otherTop === undefined) return false;
  return isLeft(top) && isRight(otherTop) && below.every(isRight) && other.every(isLeft);
}
