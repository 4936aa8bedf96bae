import { EMPTY } from "../../base/bytes.ts";
import type { Time } from "../../base/time.ts";
import { merkleRoot } from "../store/merkle.ts";
import { type BlockId, writeBlockId } from "./block-id.ts";
import { IncrementalMerkleTree } from "./incremental-merkle.ts";
import { ProtoWriter } from "./wire.ts";

/** CometBFT's block protocol version. */
export const BLOCK_PROTOCOL = 11;

/**
 * The fourteen fields of a header; hashes are 32 bytes (empty for nil), `version.app` is the app's
 * protocol version.
 */
export interface Header {
  readonly version: { readonly block: number; readonly app: number };
  readonly chainId: string;
  readonly height: number;
  readonly time: Time;
  readonly lastBlockId: BlockId;
  readonly lastCommitHash: Uint8Array;
  readonly dataHash: Uint8Array;
  readonly validatorsHash: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  readonly consensusHash: Uint8Array;
  readonly appHash: Uint8Array;
  readonly lastResultsHash: Uint8Array;
  readonly evidenceHash: Uint8Array;
  readonly proposerAddress: Uint8Array;
}

type LeafWriter = (w: ProtoWriter, header: Header) => void;

/**
 * Leaves in Merkle order (rules/consensus 3.1). Wrapped scalars and bytes are field 1, omitted when
 * zero or empty.
 */
const LEAVES: readonly LeafWriter[] = [
  (w, h) => w.int(1, h.version.block).int(2, h.version.app),
  (w, h) => w.string(1, h.chainId),
  (w, h) => w.int(1, h.height),
  (w, h) => w.timestampFields(h.time),
  (w, h) => writeBlockId(w, h.lastBlockId),
  (w, h) => w.bytes(1, h.lastCommitHash),
  (w, h) => w.bytes(1, h.dataHash),
  (w, h) => w.bytes(1, h.validatorsHash),
  (w, h) => w.bytes(1, h.nextValidatorsHash),
  (w, h) => w.bytes(1, h.consensusHash),
  (w, h) => w.bytes(1, h.appHash),
  (w, h) => w.bytes(1, h.lastResultsHash),
  (w, h) => w.bytes(1, h.evidenceHash),
  (w, h) => w.bytes(1, h.proposerAddress),
];

/**
 * The block hash: Merkle root of the fourteen leaves, or empty (nil) if the validators hash is
 * empty.
 */
export function headerHash(header: Header): Uint8Array {
  if (header.validatorsHash.length === 0) return EMPTY;
  const w = new ProtoWriter();
  return merkleRoot(
    LEAVES.map((write) => {
      write(w.reset(), header);
      return w.finish();
    }),
  );
}

/**
 * Computes the same hash for consecutive headers. Most fields repeat from block to block, so the
 * tree is cached and only changed leaves, and the nodes above them, are hashed again.
 */
export class HeaderHasher {
  readonly #tree = new IncrementalMerkleTree(LEAVES.length);
  readonly #writer = new ProtoWriter();

  hash(header: Header): Uint8Array {
    if (header.validatorsHash.length === 0) return EMPTY;
    for (let i = 0; i < LEAVES.length; i++) {
      const writer = this.#writer.reset();
      LEAVES[i]?.(writer, header);
      this.#tree.setLeaf(i, writer.buffer, writer.length);
    }
    return this.#tree.root();
  }
}

/** The Header message of CometBFT's types.proto, used in evidence and by clients. */
export function writeHeader(w: ProtoWriter, h: Header): ProtoWriter {
  const version = w.open(1);
  w.int(1, h.version.block).int(2, h.version.app).close(version);
  w.string(2, h.chainId).int(3, h.height).timestamp(4, h.time);
  const lastBlockId = w.open(5);
  writeBlockId(w, h.lastBlockId).close(lastBlockId);
  return w
    .bytes(6, h.lastCommitHash)
    .bytes(7, h.dataHash)
    .bytes(8, h.validatorsHash)
    .bytes(9, h.nextValidatorsHash)
    .bytes(10, h.consensusHash)
    .bytes(11, h.appHash)
    .bytes(12, h.lastResultsHash)
    .bytes(13, h.evidenceHash)
    .bytes(14, h.proposerAddress);
}
