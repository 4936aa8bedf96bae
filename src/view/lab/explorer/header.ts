import { toHexUpper } from "../../../base/bytes.ts";
import { formatProtoTime } from "../../../base/time.ts";
import type { BlockId } from "../../../engine/consensus/block-id.ts";
import type { Header } from "../../../engine/consensus/header.ts";
import type { BlockMeta } from "../../../gen/lab/v1/lab_plain.ts";

/** A header with all its fourteen fields. */
export function headerView(header: Header): NonNullable<BlockMeta["header"]> {
  return {
    version: { block: `${header.version.block}` },
    chainId: header.chainId,
    height: `${header.height}`,
    time: formatProtoTime(header.time),
    lastBlockId: blockIdView(header.lastBlockId),
    lastCommitHash: toHexUpper(header.lastCommitHash),
    dataHash: toHexUpper(header.dataHash),
    validatorsHash: toHexUpper(header.validatorsHash),
    nextValidatorsHash: toHexUpper(header.nextValidatorsHash),
    consensusHash: toHexUpper(header.consensusHash),
    appHash: toHexUpper(header.appHash),
    lastResultsHash: toHexUpper(header.lastResultsHash),
    evidenceHash: toHexUpper(header.evidenceHash),
    proposerAddress: toHexUpper(header.proposerAddress),
  };
}

export const blockIdView = ({
  hash,
  partSetHeader,
}: BlockId): NonNullable<BlockMeta["blockId"]> => ({
  hash: toHexUpper(hash),
  parts: { total: partSetHeader.total, hash: toHexUpper(partSetHeader.hash) },
});
