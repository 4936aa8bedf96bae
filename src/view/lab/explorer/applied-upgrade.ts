import { blockIdOf } from "../../../engine/consensus/block-id.ts";
import { type Header, headerHash } from "../../../engine/consensus/header.ts";
import { STATUS, StatusError } from "../../../engine/framework/errors.ts";
import { blockSize } from "../../../engine/simulation/decided-blocks.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { Query } from "../../../gen/chain/upgrade/v1beta1/query_pb.ts";
import type { AppliedUpgrade, BlockMeta } from "../../../gen/lab/v1/lab_plain.ts";
import { query } from "../query.ts";
import { openBlocks, openState } from "../reading.ts";
import { blockIdView, headerView } from "./header.ts";

/**
 * Returns the height at which an upgrade was applied: with the block's header, which shows the
 * binaries and their block ranges, or alone if the profile shows no more (rules/upgrade 8.2).
 */
export function* appliedUpgradeOf(
  sim: Simulation,
  name: string,
  asOf: number = sim.height,
): HistoryRanges<AppliedUpgrade> {
  yield* openState(asOf);
  const height = Number(query(sim, Query.method.appliedPlan, { name }, asOf).height);
  if (height === 0 || sim.world.config.profile.appliedQuery !== "header") return { height };
  yield* openBlocks(height);
  const header = sim.header(height);
  if (header !== undefined) return { height, meta: metaOf(sim, header) };
  throw new StatusError(
    STATUS.notFound,
    `upgrade ${name} was applied at height ${height}, and block ${height} is not here: this chain begins with block ${sim.initialHeight}`,
  );
}

function metaOf(sim: Simulation, header: Header): BlockMeta {
  return {
    blockId: blockIdView(blockIdOf(headerHash(header))),
    blockSize: `${blockSize(sim, header.height)}`,
    header: headerView(header),
    numTxs: `${sim.block(header.height)?.txs.length}`,
  };
}
