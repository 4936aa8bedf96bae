import { EMPTY } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { merkleRoot } from "../store/merkle.ts";
import type { BlockParams } from "./params.ts";
import { ProtoWriter } from "./wire.ts";

/**
 * SHA-256 of the empty string: the Merkle root of an empty list, and so the hash of no
 * transactions, no evidence, no results.
 */
export const EMPTY_HASH: Uint8Array = sha256(EMPTY);

/** Merkle root over the SHA-256 of each transaction. */
export function dataHash(txHashes: readonly Uint8Array[]): Uint8Array {
  return txHashes.length === 0 ? EMPTY_HASH : merkleRoot(txHashes);
}

/**
 * The part of a transaction's result to which the next header commits, without log, events and
 * codespace (rules/consensus 3.3).
 */
export interface TxResult {
  readonly code: number;
  readonly data: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
}

/** Merkle root of ExecTxResult{1 code, 2 data, 5 gas_wanted, 6 gas_used} of the previous block. */
export function lastResultsHash(results: readonly TxResult[]): Uint8Array {
  if (results.length === 0) return EMPTY_HASH;
  const w = new ProtoWriter();
  return merkleRoot(
    results.map((r) =>
      w.reset().int(1, r.code).bytes(2, r.data).int64(5, r.gasWanted).int64(6, r.gasUsed).finish(),
    ),
  );
}

/**
 * SHA-256 of HashedParams{1 block_max_bytes, 2 block_max_gas}: the only two params to which a
 * header commits.
 */
export function consensusHash(block: BlockParams): Uint8Array {
  return sha256(new ProtoWriter().int(1, block.maxBytes).int(2, block.maxGas).finish());
}
