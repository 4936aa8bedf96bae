import { profileOf } from "../../engine/app/profile.ts";
import { type BlockId, blockIdOf } from "../../engine/consensus/block-id.ts";
import { type Header, headerHash } from "../../engine/consensus/header.ts";
import { toHexUpper } from "../../engine/primitives/bytes.ts";
import { formatRfc3339 } from "../../engine/primitives/time.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { Query } from "../../gen/chain/upgrade/v1beta1/query_pb.ts";
import { ask } from "./ask.ts";
import type { AppliedUpgrade, BlockMeta } from "./plain.ts";

/**
 * Where an upgrade was applied: the block's header, so that one can tell which binary was valid over which
 * blocks, or its height alone where the profile shows no more. Upgrade document §2 and §4.
 */
export function appliedUpgradeOf(sim: Simulation, name: string): AppliedUpgrade {
  const height = Number(ask(sim, Query.method.appliedPlan, { name }).height);
  const header = profileOf(sim.spec.profile).appliedQuery === "header" && sim.header(height);
  return header ? { height, meta: metaOf(sim, header) } : { height };
}

function metaOf(sim: Simulation, header: Header): BlockMeta {
  return {
    blockId: blockIdView(blockIdOf(headerHash(header))),
    blockSize: `${sim.blockSize(header.height)}`,
    header: headerView(header),
    numTxs: `${sim.block(header.height)?.txs.length}`,
  };
}

function headerView(header: Header): NonNullable<BlockMeta["header"]> {
  return {
    version: { block: `${header.version.block}` },
    chainId: header.chainId,
    height: `${header.height}`,
    time: formatRfc3339(header.time),
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

const blockIdView = ({ hash, partSetHeader }: BlockId): NonNullable<BlockMeta["blockId"]> => ({
  hash: toHexUpper(hash),
  parts: { total: partSetHeader.total, hash: toHexUpper(partSetHeader.hash) },
});
