import type { Vote } from "../../gen/chain/consensus/v1/types_pb.ts";
import { type PRECOMMIT, type PREVOTE, verifyVote } from "../consensus/vote.ts";
import { EMPTY } from "../primitives/bytes.ts";
import { fromTimestamp, GO_ZERO_TIME } from "../primitives/time.ts";

/** Whether a vote message carries this ed25519 key's signature over its canonical sign bytes. */
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
