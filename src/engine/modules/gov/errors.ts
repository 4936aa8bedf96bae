import { type ChainError, plainError, registerError } from "../../framework/errors.ts";

const CODESPACE = "gov";

/** Errors of codespace `gov` (rules/gov 1.4). */
export const ErrInactiveProposal = registerError(CODESPACE, 3, "inactive proposal");
export const ErrInvalidProposalContent = registerError(CODESPACE, 5, "invalid proposal content");
export const ErrInvalidVote = registerError(CODESPACE, 7, "invalid vote option");
export const ErrNoProposalHandlerExists = registerError(
  CODESPACE,
  9,
  "no handler exists for proposal type",
);
export const ErrUnroutableProposalMsg = registerError(
  CODESPACE,
  10,
  "proposal message not recognized by router",
);
export const ErrNoProposalMsgs = registerError(CODESPACE, 11, "no messages proposed");
export const ErrInvalidProposalMsg = registerError(CODESPACE, 12, "invalid proposal message");
export const ErrInvalidSigner = registerError(
  CODESPACE,
  13,
  "expected gov account as only signer for proposal message",
);
export const ErrMetadataTooLong = registerError(CODESPACE, 15, "metadata too long");
export const ErrMinDepositTooSmall = registerError(CODESPACE, 16, "minimum deposit is too small");
export const ErrInvalidProposer = registerError(CODESPACE, 18, "invalid proposer");
export const ErrVotingPeriodEnded = registerError(CODESPACE, 20, "voting period already ended");
export const ErrInvalidProposal = registerError(CODESPACE, 21, "invalid proposal");
export const ErrSummaryTooLong = registerError(CODESPACE, 22, "summary too long");
export const ErrInvalidDepositDenom = registerError(CODESPACE, 23, "invalid deposit denom");

/** Store error for an unknown proposal, without a registered code. */
export const proposalNotFound = (id: bigint): ChainError =>
  plainError(
    `collections: not found: key '${id}' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal`,
  );
