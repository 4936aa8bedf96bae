import { create } from "@bufbuild/protobuf";
import { fromAccAddress } from "../../../base/bech32.ts";
import { ParamsSchema } from "../../../gen/chain/gov/v1/gov_pb.ts";
import type { Msg } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { coinsFromMessages, formatCoins, mustBeValid } from "../../framework/coins.ts";
import { errorText, sdkErrors } from "../../framework/errors.ts";
import type { ServiceImpl } from "../../framework/router.ts";
import { addDeposit, checkDenoms, checkInitialDeposit } from "./deposits.ts";
import { ErrInvalidSigner, ErrNoProposalMsgs } from "./errors.ts";
import { emitCancel, emitVotingStarted, PROPOSAL_DEPOSIT, SUBMIT_PROPOSAL } from "./events.ts";
import type { GovKeeper } from "./keeper.ts";
import { execLegacyContent } from "./legacy.ts";
import { validateParams } from "./params.ts";
import { cancelProposal, checkMetadata, submitProposal } from "./proposals.ts";
import { timestamp } from "./types.ts";
import { addVote, checkOption, checkWeights, nonSplit } from "./votes.ts";

/** Message handlers, with checks in the order of rules/gov 2.1, 3.1, 4.1 and 5.1. */
export const msgServer = (k: GovKeeper): ServiceImpl<typeof Msg> => ({
  submitProposal(ctx, msg) {
    if (msg.title === "") throw sdkErrors.invalidRequest.wrap("proposal title cannot be empty");
    if (msg.summary === "") {
      throw sdkErrors.invalidRequest.wrap("proposal summary cannot be empty");
    }
    const proposer = addressOf("proposer", msg.proposer);
    if (msg.messages.length === 0 && msg.metadata === "") {
      throw ErrNoProposalMsgs.wrap("either metadata or Msgs length must be non-nil");
    }
    checkMetadata(msg);
    const deposit = coinsFromMessages(msg.initialDeposit);
    mustBeValid(deposit);
    const params = k.getParams(ctx);
    checkInitialDeposit(params, deposit, msg.expedited);
    checkDenoms(params, deposit);
    const { id } = submitProposal(ctx, k, msg);
    if (addDeposit(ctx, k, id, proposer, msg.proposer, deposit)) {
      emitVotingStarted(ctx, SUBMIT_PROPOSAL, id);
    }
    return { proposalId: id };
  },

  execLegacyContent(ctx, message) {
    execLegacyContent(ctx, k, message);
    return {};
  },

  deposit(ctx, { proposalId, depositor, amount }) {
    const address = addressOf("depositor", depositor);
    const coins = coinsFromMessages(amount);
    mustBeValid(coins);
    if (coins.length === 0) throw sdkErrors.invalidCoins.wrap(formatCoins(coins));
    if (addDeposit(ctx, k, proposalId, address, depositor, coins)) {
      emitVotingStarted(ctx, PROPOSAL_DEPOSIT, proposalId);
    }
    return {};
  },

  vote(ctx, { proposalId, voter, option, metadata }) {
    addressOf("voter", voter);
    checkOption(option);
    addVote(ctx, k, proposalId, voter, nonSplit(option), metadata);
    return {};
  },

  voteWeighted(ctx, { proposalId, voter, options, metadata }) {
    addressOf("voter", voter);
    checkWeights(options);
    addVote(ctx, k, proposalId, voter, options, metadata);
    return {};
  },

  cancelProposal(ctx, { proposalId, proposer }) {
    addressOf("proposer", proposer);
    cancelProposal(ctx, k, proposalId, proposer);
    emitCancel(ctx, proposer, proposalId);
    return {
      proposalId,
      canceledTime: timestamp(ctx.time),
      canceledHeight: BigInt(ctx.height),
    };
  },

  updateParams(ctx, { authority, params = create(ParamsSchema) }) {
    if (authority !== k.authority) {
      throw ErrInvalidSigner.wrap(`invalid authority; expected ${k.authority}, got ${authority}`);
    }
    validateParams(params);
    k.setParams(ctx, params);
    return {};
  },
});

function addressOf(role: string, text: string): Uint8Array {
  try {
    return fromAccAddress(text);
  } catch (error) {
    throw sdkErrors.invalidAddress.wrap(`invalid ${role} address: ${errorText(error)}`);
  }
}
