import { concat, prefixEnd, readU64be, u64be } from "../../../base/bytes.ts";
import type { Time } from "../../../base/time.ts";
import { lengthPrefixed, timeKey } from "../../framework/keys.ts";

/**
 * Prefixes of the store (rules/gov 1.2). Ids are eight bytes big-endian, addresses are preceded by
 * their length.
 */
export const PREFIX = {
  proposal: 0,
  activeQueue: 1,
  inactiveQueue: 2,
  nextProposalId: 3,
  votingPeriod: 4,
  deposit: 16,
  vote: 32,
  params: 48,
} as const;

export const PROPOSALS = Uint8Array.of(PREFIX.proposal);
export const ACTIVE_QUEUE = Uint8Array.of(PREFIX.activeQueue);
export const INACTIVE_QUEUE = Uint8Array.of(PREFIX.inactiveQueue);
export const NEXT_PROPOSAL_ID = Uint8Array.of(PREFIX.nextProposalId);
const VOTING_PERIOD = Uint8Array.of(PREFIX.votingPeriod);
export const DEPOSITS = Uint8Array.of(PREFIX.deposit);
export const VOTES = Uint8Array.of(PREFIX.vote);
export const PARAMS = Uint8Array.of(PREFIX.params);

export const proposalKey = (id: bigint): Uint8Array => concat(PROPOSALS, u64be(id));
export const votingPeriodKey = (id: bigint): Uint8Array => concat(VOTING_PERIOD, u64be(id));
export const depositsKey = (id: bigint): Uint8Array => concat(DEPOSITS, u64be(id));
export const depositKey = (id: bigint, depositor: Uint8Array): Uint8Array =>
  concat(depositsKey(id), lengthPrefixed(depositor));
export const votesKey = (id: bigint): Uint8Array => concat(VOTES, u64be(id));
export const voteKey = (id: bigint, voter: Uint8Array): Uint8Array =>
  concat(votesKey(id), lengthPrefixed(voter));

export const queueKey = (queue: Uint8Array, end: Time, id: bigint): Uint8Array =>
  concat(queue, timeKey(end), u64be(id));

/** End of the key range of queue entries that end at or before a time. */
export const queueEnd = (queue: Uint8Array, time: Time): Uint8Array | undefined =>
  prefixEnd(concat(queue, timeKey(time)));

/** Proposal id in a queue key. */
export const queuedId = (key: Uint8Array): bigint => readU64be(key, key.length - 8);
