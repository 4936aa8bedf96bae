import { toHexUpper } from "../../base/bytes.ts";
import { elapsed, goTimeString, type Time } from "../../base/time.ts";
import { duplicateVoteError, duplicateVoteEvidence, type Notice } from "./duplicate-vote.ts";
import {
  attackError,
  type Evidence,
  evidenceHash,
  evidenceHeight,
  evidenceListEntrySize,
  evidenceShapeError,
} from "./evidence.ts";
import type { LightClientAttackEvidence, TrustedBlock } from "./light-client-attack.ts";
import type { EvidenceParams } from "./params.ts";
import type { ValidatorList } from "./validator-list.ts";
import type { Vote } from "./vote.ts";

/** The pool's view of its node's chain, up to the last committed block. */
export interface EvidenceChain {
  readonly chainId: string;
  readonly lastHeight: number;
  readonly lastTime: Time;
  readonly params: EvidenceParams;
  /** Undefined for a height that is not (or no longer) available. */
  timeAt(height: number): Time | undefined;
  validatorsAt(height: number): ValidatorList | undefined;
  blockAt(height: number): TrustedBlock | undefined;
}

/** Effects of a pool update, for logs and steps. */
export interface PoolUpdate {
  /** Conflicting votes that became pending evidence. */
  readonly added: readonly Evidence[];
  /** Conflicting votes that were dropped, and why. */
  readonly dropped: readonly { readonly vote: Vote; readonly reason: string }[];
  /** Pending evidence that became too old to be committed. */
  readonly expired: readonly Evidence[];
}

/**
 * CometBFT's evidence pool: pending → committed, or expired (rules/consensus 2.3, 2.4, 2.5).
 * Conflicting votes are buffered until their height has been committed, because the evidence
 * contains that block's time. Every check returns CometBFT's text of the refusal, or null.
 */
export class EvidencePool {
  /** By height and hash, which is also the order of proposing. */
  #pending = new Map<string, Evidence>();
  #committed = new Set<string>();
  #buffer: (readonly [Vote, Vote, Notice | undefined])[] = [];

  copy(): EvidencePool {
    const copy = new EvidencePool();
    copy.#pending = new Map(this.#pending);
    copy.#committed = new Set(this.#committed);
    copy.#buffer = this.#buffer.slice();
    return copy;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#pending, this.#committed, this.#buffer] as const;
  }
  set persisted(persisted) {
    [this.#pending, this.#committed, this.#buffer] = persisted;
  }

  /** All pending evidence, ordered by height and hash. */
  get pending(): readonly Evidence[] {
    if (this.#pending.size === 0) return NO_EVIDENCE;
    return [...this.#pending].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ev]) => ev);
  }

  /** Evidence for a proposer's block: starting with the oldest, as much as fits. */
  propose(maxBytes: number): readonly Evidence[] {
    const { pending } = this;
    let size = 0;
    const end = pending.findIndex((ev) => {
      size += evidenceListEntrySize(ev);
      return size > maxBytes;
    });
    return end < 0 ? pending : pending.slice(0, end);
  }

  /** True if nothing is pending, so that an update without evidence changes nothing. */
  get isIdle(): boolean {
    return this.#pending.size + this.#buffer.length === 0;
  }

  /** Heights of the pending evidence and votes. */
  get heights(): readonly number[] {
    if (this.isIdle) return NONE;
    const pending = [...this.#pending.values()].map((ev) => evidenceHeight(ev));
    return [...pending, ...this.#buffer.map(([vote]) => vote.height)];
  }

  isPending(ev: Evidence): boolean {
    return this.#pending.has(keyOf(ev));
  }

  /**
   * Adds evidence from a peer or a user; returns the reason of refusal, or null. Also null for
   * evidence that is already pending or committed.
   */
  add(ev: Evidence, chain: EvidenceChain): string | null {
    const key = keyOf(ev);
    if (this.#pending.has(key) || this.#committed.has(key)) return null;
    const error = evidenceError(ev, chain);
    if (error === null) this.#pending.set(key, ev);
    return error;
  }

  /**
   * Buffers two conflicting votes that an honest node received. The vote set has verified them.
   */
  reportConflictingVotes(voteA: Vote, voteB: Vote, noticed?: Notice): void {
    this.#buffer.push([voteA, voteB, noticed]);
  }

  /**
   * Updates the pool after a block was committed: `chain` includes it, `committed` is its evidence.
   */
  update(committed: readonly Evidence[], chain: EvidenceChain): PoolUpdate {
    const { added, dropped } = this.#flush(chain);
    for (const ev of committed) {
      const key = keyOf(ev);
      this.#pending.delete(key);
      this.#committed.add(key);
    }
    const expired = [...this.#pending.values()].filter((ev) => isExpired(ev, chain));
    for (const ev of expired) this.#pending.delete(keyOf(ev));
    return { added, dropped, expired };
  }

  #flush(chain: EvidenceChain): Pick<PoolUpdate, "added" | "dropped"> {
    const added: Evidence[] = [];
    const dropped: { vote: Vote; reason: string }[] = [];
    for (const [voteA, voteB, noticed] of this.#buffer.splice(0)) {
      const built = fromVotes(voteA, voteB, chain);
      if (typeof built === "string") {
        dropped.push({ vote: voteA, reason: built });
        continue;
      }
      const key = keyOf(built);
      if (this.#pending.has(key) || this.#committed.has(key)) continue;
      const evidence = { ...built, noticed };
      this.#pending.set(key, evidence);
      added.push(evidence);
    }
    return { added, dropped };
  }
}

const NONE: readonly number[] = [];
const NO_EVIDENCE: readonly Evidence[] = [];

/** Creates evidence from two conflicting votes; returns the reason if that is impossible. */
function fromVotes(voteA: Vote, voteB: Vote, chain: EvidenceChain): Evidence | string {
  const { height } = voteA;
  if (height > chain.lastHeight) {
    return "inbound duplicate votes from consensus are of a greater height than current state";
  }
  const validators = chain.validatorsAt(height);
  if (validators === undefined) return "failed to load validator set for conflicting votes";
  const time = chain.timeAt(height);
  if (time === undefined) return "failed to load block time for conflicting votes";
  try {
    return duplicateVoteEvidence(voteA, voteB, time, validators);
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Validates evidence as of the last committed block. Returns the error, or null. Does not check
 * whether it is already committed.
 */
function evidenceError(ev: Evidence, chain: EvidenceChain): string | null {
  const shape = evidenceShapeError(ev);
  if (shape !== null) return shape;
  const height = evidenceHeight(ev);
  const time = chain.timeAt(height);
  if (time === undefined) return `don't have header #${height}`;
  if (ev.timestamp !== time) {
    const [theirs, ours] = [goTimeString(ev.timestamp), goTimeString(time)];
    return `evidence has a different time to the block it is associated with (${theirs} != ${ours})`;
  }
  if (isExpired(ev, chain)) return tooOld(height, time, chain);
  const validators = chain.validatorsAt(height);
  if (validators === undefined) return `could not find validator set for height #${height}`;
  return ev.kind === "duplicate-vote"
    ? duplicateVoteError(ev, chain.chainId, validators)
    : attackErrorAt(ev, chain, validators);
}

function attackErrorAt(
  ev: LightClientAttackEvidence,
  chain: EvidenceChain,
  validators: ValidatorList,
): string | null {
  const conflicting = ev.conflictingBlock.header;
  const ours = chain.blockAt(conflicting.height);
  if (ours !== undefined) return attackError(ev, chain.chainId, ours, validators);
  // A forward lunatic attack: the chain has no block at that height, so only the latest time is
  // compared.
  const latest = chain.blockAt(chain.lastHeight);
  if (latest === undefined) return `don't have header at height #${chain.lastHeight}`;
  if (latest.header.time < conflicting.time) {
    return `latest block time (${goTimeString(latest.header.time)}) is before conflicting block time (${goTimeString(conflicting.time)})`;
  }
  return attackError(ev, chain.chainId, latest, validators);
}

/** Expired only if both its age in time and its age in blocks exceed the limits. */
export function isExpired(ev: Evidence, chain: EvidenceChain): boolean {
  const { maxAgeDuration, maxAgeNumBlocks } = chain.params;
  return (
    elapsed(ev.timestamp, chain.lastTime) > maxAgeDuration &&
    chain.lastHeight - evidenceHeight(ev) > maxAgeNumBlocks
  );
}

/**
 * CometBFT prints the last block's time plus the limit, although minus is meant; the text is the
 * same here.
 */
function tooOld(height: number, time: Time, chain: EvidenceChain): string {
  const { maxAgeDuration, maxAgeNumBlocks } = chain.params;
  const oldest = goTimeString(chain.lastTime + maxAgeDuration);
  return `evidence from height ${height} (created at: ${goTimeString(time)}) is too old; min height is ${chain.lastHeight - maxAgeNumBlocks} and evidence can not be older than ${oldest}`;
}

function keyOf(ev: Evidence): string {
  const height = evidenceHeight(ev).toString(16).padStart(16, "0");
  return `${height}/${toHexUpper(evidenceHash(ev))}`;
}
