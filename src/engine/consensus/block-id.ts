import { concat, EMPTY, equal, toHexUpper } from "../../base/bytes.ts";
import { leafHash } from "../store/merkle.ts";
import { ProtoWriter } from "./wire.ts";

/** Hashes are 32 bytes, or empty for nil. */
export interface PartSetHeader {
  readonly total: number;
  readonly hash: Uint8Array;
}

export interface BlockId {
  readonly hash: Uint8Array;
  readonly partSetHeader: PartSetHeader;
}

/** Block id of a vote for nil, and last block id of the first block. */
export const NIL_BLOCK_ID: BlockId = { hash: EMPTY, partSetHeader: { total: 0, hash: EMPTY } };

export function isNil(id: BlockId): boolean {
  return id.hash.length === 0 && id.partSetHeader.total === 0 && id.partSetHeader.hash.length === 0;
}

export function equalBlockIds(a: BlockId, b: BlockId): boolean {
  return (
    equal(a.hash, b.hash) &&
    a.partSetHeader.total === b.partSetHeader.total &&
    equal(a.partSetHeader.hash, b.partSetHeader.hash)
  );
}

/**
 * Returns the id of a block with this header hash. Blocks are not split into parts here, since
 * there is no gossip: the part set is treated as one part that consists of the header hash, so its
 * Merkle root is the hash of that single leaf.
 */
export function blockIdOf(headerHash: Uint8Array): BlockId {
  return { hash: headerHash, partSetHeader: { total: 1, hash: leafHash(headerHash) } };
}

/**
 * BlockID{1 hash, 2 part_set_header{1 total, 2 hash}} without tag; field 2 is always present
 * (rules/consensus 3.5).
 */
export function writeBlockId(w: ProtoWriter, id: BlockId): ProtoWriter {
  w.bytes(1, id.hash);
  const mark = w.open(2);
  writePartSetHeader(w, id.partSetHeader);
  return w.close(mark);
}

function writePartSetHeader(w: ProtoWriter, header: PartSetHeader): ProtoWriter {
  return w.int(1, header.total).bytes(2, header.hash);
}

/**
 * Sort key for the two votes of a DuplicateVoteEvidence: block hash bytes, then the part set
 * header's protobuf.
 */
export function blockIdKey(id: BlockId): Uint8Array {
  return concat(id.hash, writePartSetHeader(new ProtoWriter(), id.partSetHeader).finish());
}

/** CometBFT's format: HASH:total:first six bytes of the part set hash. */
export function blockIdText(id: BlockId): string {
  const fingerprint = new Uint8Array(6);
  fingerprint.set(id.partSetHeader.hash.subarray(0, 6));
  return `${toHexUpper(id.hash)}:${id.partSetHeader.total}:${toHexUpper(fingerprint)}`;
}
