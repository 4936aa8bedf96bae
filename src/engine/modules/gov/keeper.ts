import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { accAddress, fromAccAddress } from "../../../base/bech32.ts";
import { readU64be, u64be } from "../../../base/bytes.ts";
import type { Time } from "../../../base/time.ts";
import {
  DepositSchema,
  ParamsSchema,
  ProposalSchema,
  VoteSchema,
} from "../../../gen/chain/gov/v1/gov_pb.ts";
import { inChain, inCosmos, protoCodec } from "../../framework/codec.ts";
import type { Context, StateStores } from "../../framework/context.ts";
import type { KVStore } from "../../store/kv-store.ts";
import { proposalNotFound } from "./errors.ts";
import {
  ACTIVE_QUEUE,
  DEPOSITS,
  depositKey,
  depositsKey,
  INACTIVE_QUEUE,
  NEXT_PROPOSAL_ID,
  PARAMS,
  PROPOSALS,
  proposalKey,
  queuedId,
  queueEnd,
  queueKey,
  VOTES,
  voteKey,
  votesKey,
  votingPeriodKey,
} from "./keys.ts";
import type { GovNeeds } from "./needs.ts";
import {
  type Coins,
  coinMessages,
  type Deposit,
  MODULE_NAME,
  type Params,
  type Proposal,
  ProposalStatus,
  timeOf,
  type Vote,
} from "./types.ts";

export const proposalCodec = protoCodec(ProposalSchema);
export const depositCodec = protoCodec(DepositSchema);
export const voteCodec = protoCodec(VoteSchema);
const paramsCodec = protoCodec(ParamsSchema);

const MARK = Uint8Array.of(1);
const FIRST_PROPOSAL_ID = 1n;

/** Governance's records: proposals with their queues, deposits, votes, params (rules/gov 1.2). */
export class GovKeeper {
  readonly needs: GovNeeds;

  constructor(needs: GovNeeds) {
    this.needs = needs;
  }

  get authority(): string {
    return this.needs.authority;
  }

  /** @throws if genesis has not run */
  getParams(ctx: Context): Params {
    const params = this.#store(ctx).read(PARAMS, paramsCodec);
    if (params === undefined) throw new Error("gov has no params: genesis has not run");
    return params;
  }
  setParams(ctx: Context, params: Params): void {
    this.#store(ctx).write(PARAMS, paramsCodec, params);
  }

  /** Id of the next proposal. */
  peekProposalId(ctx: Context): bigint {
    const bytes = this.#store(ctx).get(NEXT_PROPOSAL_ID);
    return bytes === undefined ? FIRST_PROPOSAL_ID : readU64be(bytes);
  }
  setProposalId(ctx: Context, id: bigint): void {
    this.#store(ctx).set(NEXT_PROPOSAL_ID, u64be(id));
  }
  nextProposalId(ctx: Context): bigint {
    const id = this.peekProposalId(ctx);
    this.setProposalId(ctx, id + 1n);
    return id;
  }

  /** @throws the store's error if there is no such proposal */
  getProposal(ctx: Context, id: bigint): Proposal {
    const proposal = this.findProposal(ctx, id);
    if (proposal === undefined) throw proposalNotFound(id);
    return proposal;
  }
  findProposal(ctx: Context, id: bigint): Proposal | undefined {
    return this.#store(ctx).read(proposalKey(id), proposalCodec);
  }
  /** Stores a proposal, and its entry among the proposals in voting. */
  setProposal(ctx: Context, proposal: Proposal): void {
    const store = this.#store(ctx);
    if (proposal.status === ProposalStatus.VOTING_PERIOD) {
      store.set(votingPeriodKey(proposal.id), MARK);
    } else store.delete(votingPeriodKey(proposal.id));
    if (proposal.status > ProposalStatus.VOTING_PERIOD) this.#forgetSent(ctx, proposal.id);
    store.write(proposalKey(proposal.id), proposalCodec, proposal);
  }
  /** Removes a proposal from the store and from both queues. */
  deleteProposal(ctx: Context, proposal: Proposal): void {
    const store = this.#store(ctx);
    this.dequeueInactive(ctx, proposal);
    this.dequeueActive(ctx, proposal);
    store.delete(votingPeriodKey(proposal.id));
    store.delete(proposalKey(proposal.id));
    this.#forgetSent(ctx, proposal.id);
  }

  /**
   * Records in the memory store, by id, which messages of a proposal were sent under the root
   * `cosmos`: the state uses the same name for both roots (rules/clients 1.1).
   */
  noteSent(ctx: Context, id: bigint, messages: readonly Any[]): void {
    const roots = messages.map(({ typeUrl }) => Number(inChain(typeUrl) !== typeUrl));
    if (roots.includes(1)) ctx.memory(MODULE_NAME).set(u64be(id), Uint8Array.from(roots));
  }
  /** Type URL of an open proposal's message as it was sent. */
  sentUrl(ctx: Context, { id, messages }: Proposal, index: number): string {
    const url = messages[index]?.typeUrl ?? "";
    return ctx.memory(MODULE_NAME).get(u64be(id))?.[index] ? inCosmos(url) : url;
  }
  #forgetSent(ctx: Context, id: bigint): void {
    ctx.memory(MODULE_NAME).delete(u64be(id));
  }
  inVotingPeriod(ctx: Context, id: bigint): boolean {
    return this.#store(ctx).has(votingPeriodKey(id));
  }
  /** Newest proposals, newest first. */
  newestProposals(ctx: Context, count: number): Proposal[] {
    const found: Proposal[] = [];
    for (const entry of this.#store(ctx).prefix(PROPOSALS, true)) {
      if (found.length === count) break;
      found.push(entry.read(proposalCodec));
    }
    return found;
  }
  allProposals(ctx: Context): Proposal[] {
    return Array.from(this.#store(ctx).prefix(PROPOSALS), (entry) => entry.read(proposalCodec));
  }

  enqueueInactive(ctx: Context, proposal: Proposal): void {
    this.#enqueue(ctx, INACTIVE_QUEUE, timeOf(proposal.depositEndTime), proposal.id);
  }
  dequeueInactive(ctx: Context, { depositEndTime, id }: Proposal): void {
    this.#store(ctx).delete(queueKey(INACTIVE_QUEUE, timeOf(depositEndTime), id));
  }
  enqueueActive(ctx: Context, proposal: Proposal): void {
    this.#enqueue(ctx, ACTIVE_QUEUE, timeOf(proposal.votingEndTime), proposal.id);
  }
  dequeueActive(ctx: Context, { votingEndTime, id }: Proposal): void {
    this.#store(ctx).delete(queueKey(ACTIVE_QUEUE, timeOf(votingEndTime), id));
  }
  /** Ids of proposals whose deposit period ends at or before a time, by (time, id). */
  inactiveDue(state: StateStores, time: Time): bigint[] {
    return this.#due(state, INACTIVE_QUEUE, time);
  }
  /** Ids of proposals whose voting period ends at or before a time, by (time, id). */
  activeDue(state: StateStores, time: Time): bigint[] {
    return this.#due(state, ACTIVE_QUEUE, time);
  }

  /** True if either list is not empty. */
  isAnyDue(state: StateStores, time: Time): boolean {
    return this.inactiveDue(state, time).length > 0 || this.activeDue(state, time).length > 0;
  }

  getDeposit(ctx: Context, id: bigint, depositor: Uint8Array): Deposit | undefined {
    return this.#store(ctx).read(depositKey(id, depositor), depositCodec);
  }
  setDeposit(ctx: Context, id: bigint, depositor: Uint8Array, amount: Coins): void {
    const deposit = create(DepositSchema, {
      proposalId: id,
      depositor: accAddress(depositor),
      amount: coinMessages(amount),
    });
    this.#store(ctx).write(depositKey(id, depositor), depositCodec, deposit);
  }
  removeDeposit(ctx: Context, { proposalId, depositor }: Deposit): void {
    this.#store(ctx).delete(depositKey(proposalId, fromAccAddress(depositor)));
  }
  /** Deposits of one proposal by depositor address, or all by proposal. */
  deposits(ctx: Context, id?: bigint): Deposit[] {
    const prefix = id === undefined ? DEPOSITS : depositsKey(id);
    return Array.from(this.#store(ctx).prefix(prefix), (entry) => entry.read(depositCodec));
  }

  getVote(ctx: Context, id: bigint, voter: Uint8Array): Vote | undefined {
    return this.#store(ctx).read(voteKey(id, voter), voteCodec);
  }
  setVote(ctx: Context, vote: Vote): void {
    const key = voteKey(vote.proposalId, fromAccAddress(vote.voter));
    this.#store(ctx).write(key, voteCodec, vote);
  }
  /** Votes on one proposal by voter address, or all by proposal. */
  votes(ctx: Context, id?: bigint): Vote[] {
    const prefix = id === undefined ? VOTES : votesKey(id);
    return Array.from(this.#store(ctx).prefix(prefix), (entry) => entry.read(voteCodec));
  }
  deleteVotes(ctx: Context, id: bigint): void {
    for (const { key } of this.#store(ctx).prefix(votesKey(id))) this.#store(ctx).delete(key);
  }

  /** Rewrites every record. The format is unchanged, so code of either version reads both. */
  rewriteAll(ctx: Context): void {
    this.setParams(ctx, this.getParams(ctx));
    for (const proposal of this.allProposals(ctx)) this.setProposal(ctx, proposal);
    for (const vote of this.votes(ctx)) this.setVote(ctx, vote);
    for (const deposit of this.deposits(ctx)) {
      const key = depositKey(deposit.proposalId, fromAccAddress(deposit.depositor));
      this.#store(ctx).write(key, depositCodec, deposit);
    }
  }

  #enqueue(ctx: Context, queue: Uint8Array, end: Time, id: bigint): void {
    this.#store(ctx).set(queueKey(queue, end, id), u64be(id));
  }

  #due(state: StateStores, queue: Uint8Array, time: Time): bigint[] {
    // Most queues are empty: then the time need not be encoded as a key.
    const store = state.store(MODULE_NAME);
    if (store.first(queue) === undefined) return [];
    const due = store.iterate(queue, queueEnd(queue, time));
    return Array.from(due, ({ key }) => queuedId(key));
  }

  #store(ctx: Context): KVStore {
    return ctx.store(MODULE_NAME);
  }
}
