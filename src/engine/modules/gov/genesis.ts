import { create } from "@bufbuild/protobuf";
import { moduleAddress } from "../../../base/address.ts";
import { fromAccAddress } from "../../../base/bech32.ts";
import { type GenesisState, GenesisStateSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { addCoins, coinsFromMessages, formatCoins } from "../../framework/coins.ts";
import type { Context } from "../../framework/context.ts";
import { Panic, plainError } from "../../framework/errors.ts";
import { genesisOf, type ModuleGenesis } from "../../framework/module.ts";
import type { GovKeeper } from "./keeper.ts";
import { defaultParams, validateParams } from "./params.ts";
import { type Coins, MODULE_NAME, ProposalStatus, type TallyResult } from "./types.ts";
import { checkWeights } from "./votes.ts";

export const govGenesis = (k: GovKeeper): ModuleGenesis =>
  genesisOf<typeof GenesisStateSchema>({
    schema: GenesisStateSchema,
    defaults: () => create(GenesisStateSchema, { startingProposalId: 1n, params: defaultParams() }),
    validate,

    init(ctx, state) {
      validate(state);
      k.setProposalId(ctx, state.startingProposalId);
      k.setParams(ctx, state.params ?? defaultParams());
      let deposited: Coins = [];
      for (const { proposalId, depositor, amount } of state.deposits) {
        const coins = coinsFromMessages(amount);
        k.setDeposit(ctx, proposalId, fromAccAddress(depositor), coins);
        deposited = addCoins(deposited, coins);
      }
      for (const vote of state.votes) k.setVote(ctx, vote);
      for (const proposal of state.proposals) {
        if (proposal.status === ProposalStatus.DEPOSIT_PERIOD) k.enqueueInactive(ctx, proposal);
        if (proposal.status === ProposalStatus.VOTING_PERIOD) k.enqueueActive(ctx, proposal);
        k.noteSent(ctx, proposal.id, proposal.messages);
        const messages = proposal.messages.map((any) => k.needs.router.inChain(any));
        k.setProposal(ctx, { ...proposal, messages });
      }
      checkBalance(ctx, k, deposited);
      return [];
    },

    export: (ctx) =>
      create(GenesisStateSchema, {
        startingProposalId: k.peekProposalId(ctx),
        deposits: k.deposits(ctx),
        votes: k.votes(ctx),
        // An open proposal's messages have the type URLs with which they were sent (rules/clients
        // 1.1).
        proposals: k.allProposals(ctx).map((proposal) => ({
          ...proposal,
          messages: proposal.messages.map((any, i) => {
            return { ...any, typeUrl: k.sentUrl(ctx, proposal, i) };
          }),
        })),
        params: k.getParams(ctx),
      }),
  });

/** Panics unless the balance of the module's account equals the deposits (rules/gov 1.5). */
function checkBalance(ctx: Context, k: GovKeeper, deposited: Coins): void {
  const balance = formatCoins(k.needs.bank.getAllBalances(ctx, moduleAddress(MODULE_NAME)));
  if (balance === formatCoins(deposited)) return;
  throw new Panic(`expected module account was ${balance} but we got ${formatCoins(deposited)}`);
}

function validate(state: GenesisState): void {
  if (state.startingProposalId === 0n) {
    throw plainError("starting proposal id must be greater than 0");
  }
  const ids = new Set<bigint>();
  for (const { id } of state.proposals) {
    if (ids.has(id)) throw plainError(`duplicate proposal id: ${id}`);
    ids.add(id);
  }
  for (const { totalDeposit, finalTallyResult } of state.proposals) {
    coinsFromMessages(totalDeposit);
    if (finalTallyResult !== undefined) checkCounts(finalTallyResult);
  }
  checkEach("deposit", ids, state.deposits, ({ depositor }) => depositor);
  checkEach("vote", ids, state.votes, ({ voter }) => voter);
  for (const { options } of state.votes) checkWeights(options);
  if (state.params === undefined) throw plainError("params must not be nil");
  validateParams(state.params);
}

/** Throws unless every count of a tally is an integer; unset text is zero. */
function checkCounts({ yesCount, abstainCount, noCount, noWithVetoCount }: TallyResult): void {
  for (const count of [yesCount, abstainCount, noCount, noWithVetoCount]) {
    if (!/^\d*$/.test(count)) throw plainError(`invalid tally count: ${count}`);
  }
}

/** Throws unless each account occurs at most once per proposal, and all proposals exist. */
function checkEach<T extends { readonly proposalId: bigint }>(
  what: string,
  ids: ReadonlySet<bigint>,
  items: readonly T[],
  account: (item: T) => string,
): void {
  const seen = new Set<string>();
  for (const item of items) {
    const name = `${account(item)} on proposal ${item.proposalId}`;
    if (seen.has(name)) throw plainError(`duplicate ${what}: ${name}`);
    seen.add(name);
    if (!ids.has(item.proposalId)) {
      throw plainError(`${what} ${name} has non-existent proposal id: ${item.proposalId}`);
    }
  }
}
