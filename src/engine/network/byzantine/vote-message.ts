import { create } from "@bufbuild/protobuf";
import { EMPTY } from "../../../base/bytes.ts";
import { fromTimestamp, GO_ZERO_TIME, toTimestamp } from "../../../base/time.ts";
import { type Vote, VoteSchema } from "../../../gen/chain/consensus/v1/types_pb.ts";
import {
  type PRECOMMIT,
  type PREVOTE,
  type Vote as SignedVote,
  verifyVote,
} from "../../consensus/vote.ts";

/** Vote message as contained in evidence. */
export const voteMessage = ({ blockId, ...vote }: SignedVote): Vote =>
  create(VoteSchema, {
    ...vote,
    height: BigInt(vote.height),
    blockId: { hash: blockId.hash, partSetHeader: blockId.partSetHeader },
    timestamp: toTimestamp(vote.timestamp),
  });

/** Verifies a vote message's ed25519 signature over its canonical sign bytes. */
export function verifyVoteMessage(chainId: string, vote: Vote, pubKey: Uint8Array): boolean {
  const id = vote.blockId;
  return verifyVote(pubKey, chainId, {
    type: vote.type as typeof PREVOTE | typeof PRECOMMIT,
    height: Number(vote.height),
    round: vote.round,
    blockId: {
      hash: id?.hash ?? EMPTY,
      partSetHeader: {
        total: id?.partSetHeader?.total ?? 0,
        hash: id?.partSetHeader?.hash ?? EMPTY,
      },
    },
    timestamp: vote.timestamp === undefined ? GO_ZERO_TIME : fromTimestamp(vote.timestamp),
    validatorAddress: vote.validatorAddress,
    validatorIndex: vote.validatorIndex,
    signature: vote.signature,
  });
}
