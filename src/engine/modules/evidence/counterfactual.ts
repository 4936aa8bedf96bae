import { EMPTY, equal, toHexUpper } from "../../../base/bytes.ts";
import type { BlockID, Vote } from "../../../gen/chain/consensus/v1/types_pb.ts";
import { CounterfactualSigningSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { plainError } from "../../framework/errors.ts";
import { addressOrEmpty } from "./equivocation.ts";
import { messageEvidence } from "./message-evidence.ts";
import type { EvidenceType, ValidatorEvidence } from "./types.ts";

export const ROUTE_COUNTERFACTUAL = "counterfactual";

/**
 * Evidence that a validator signed a vote for a block that is not on this chain: vote A is for this
 * chain's block, vote B, of the same height, round and type, for a block of another fork. Rules
 * that equal CometBFT's for duplicate votes have the same texts (rules/evidence 1.4).
 */
export class CounterfactualSigning
  extends messageEvidence(CounterfactualSigningSchema, ROUTE_COUNTERFACTUAL)
  implements ValidatorEvidence
{
  getHeight(): bigint {
    return this.message.voteA?.height ?? 0n;
  }
  getValidatorPower(): bigint {
    return this.message.power;
  }
  getTotalPower(): bigint {
    return 0n;
  }
  getConsensusAddress(): Uint8Array {
    return addressOrEmpty(this.message.consensusAddress);
  }

  /** Both votes. @throws if one is missing */
  votes(): readonly [Vote, Vote] {
    const { voteA, voteB } = this.message;
    if (voteA === undefined || voteB === undefined) {
      throw plainError("invalid counterfactual signing: one or both of the votes are empty");
    }
    return [voteA, voteB];
  }

  validateBasic(): void {
    const { power, consensusAddress } = this.message;
    const [a, b] = this.votes();
    if (a.height < 1n) throw plainError(`invalid counterfactual signing height: ${a.height}`);
    if (power < 1n) throw plainError(`invalid counterfactual signing validator power: ${power}`);
    if (consensusAddress === "") {
      throw plainError("invalid counterfactual signing validator consensus address: ");
    }
    if (a.height !== b.height || a.round !== b.round || a.type !== b.type) {
      throw plainError(
        `h/r/s does not match: ${a.height}/${a.round}/${a.type} vs ${b.height}/${b.round}/${b.type}`,
      );
    }
    if (!equal(a.validatorAddress, b.validatorAddress)) {
      throw plainError(
        `validator addresses do not match: ${toHexUpper(a.validatorAddress)} vs ${toHexUpper(b.validatorAddress)}`,
      );
    }
    if (sameBlock(a.blockId, b.blockId)) {
      throw plainError(
        `block IDs are the same (${toHexUpper(blockHash(a))}) - not a counterfactual vote`,
      );
    }
    // CometBFT accepts a nil vote as half of a duplicate vote; here nil is a block of no chain.
    for (const [name, vote] of Object.entries({ VoteA: a, VoteB: b })) {
      if (blockHash(vote).length === 0) throw plainError(`${name} is for nil - not for a block`);
    }
  }
}

export const counterfactualSigningType: EvidenceType<typeof CounterfactualSigningSchema> = {
  schema: CounterfactualSigningSchema,
  from: (message) => new CounterfactualSigning(message),
};

/** Hash of the block a vote is for; empty for a nil vote. */
export const blockHash = (vote: Vote): Uint8Array => vote.blockId?.hash ?? EMPTY;

function sameBlock(a: BlockID | undefined, b: BlockID | undefined): boolean {
  return (
    equal(a?.hash ?? EMPTY, b?.hash ?? EMPTY) &&
    (a?.partSetHeader?.total ?? 0) === (b?.partSetHeader?.total ?? 0) &&
    equal(a?.partSetHeader?.hash ?? EMPTY, b?.partSetHeader?.hash ?? EMPTY)
  );
}
