import { sha256 } from "../../../base/sha256.ts";
import type { Time } from "../../../base/time.ts";
import type { VoteTimes } from "../../consensus/commit.ts";
import type { Evidence } from "../../consensus/evidence.ts";
import type { ValidatorList } from "../../consensus/validator-list.ts";
import type { Misbehavior } from "../../framework/context.ts";

/** Contents of a block, except its header. Most blocks are empty and have no body. */
export interface BlockBody {
  readonly txs: readonly Uint8Array[];
  /** Transaction hashes; absent in a block read from a page, since they can be derived. */
  readonly txHashes?: readonly Uint8Array[];
  readonly evidence: readonly Evidence[];
  readonly misbehavior: readonly Misbehavior[];
}

export const EMPTY_BODY: BlockBody = { txs: [], evidence: [], misbehavior: [] };

export const txHashesOf = ({ txs, txHashes }: BlockBody): readonly Uint8Array[] =>
  txHashes ?? txs.map(sha256);

export interface DecidedBlock {
  readonly time: Time;
  readonly hash: Uint8Array;
  /** Validator index of the proposer. */
  readonly proposer: number;
  readonly round: number;
  readonly body: BlockBody;
  /** Indexes, in the set of this height, of validators without a precommit. */
  readonly absent: readonly number[];
  readonly validators: ValidatorList;
  readonly times: VoteTimes;
}
