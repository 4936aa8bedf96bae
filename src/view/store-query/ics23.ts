/** Encodes proofs of keys for upstream's light clients (rules/store 2.5, 2.6). */
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import type {
  ExistenceProof as Existence,
  NonExistenceProof as NonExistence,
} from "../../engine/store/proof.ts";
import {
  CommitmentProofSchema,
  type ExistenceProofSchema,
  HashOp,
  LengthOp,
} from "../../gen/cosmos/ics23/v1/proofs_pb.ts";

type Init = MessageInitShape<typeof ExistenceProofSchema>;

/** A CommitmentProof in bytes. */
export function commitmentBytes(proof: Existence | NonExistence): Uint8Array {
  if ("path" in proof) return bytesOf({ case: "exist", value: existence(proof) });
  const { key, left, right } = proof;
  const value = {
    key,
    ...(left && { left: existence(left) }),
    ...(right && { right: existence(right) }),
  };
  return bytesOf({ case: "nonexist", value });
}

const bytesOf = (
  proof: NonNullable<MessageInitShape<typeof CommitmentProofSchema>["proof"]>,
): Uint8Array => toBinary(CommitmentProofSchema, create(CommitmentProofSchema, { proof }));

const existence = ({ key, value, leafPrefix, path }: Existence): Init => ({
  key,
  value,
  leaf: {
    hash: HashOp.SHA256,
    prehashValue: HashOp.SHA256,
    length: LengthOp.VAR_PROTO,
    prefix: leafPrefix,
  },
  path: path.map(({ prefix, suffix }) => ({ hash: HashOp.SHA256, prefix, suffix })),
});
