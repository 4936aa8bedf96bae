/** Blocks, their commits and their results. */
import {
  blockSize,
  decidedBlock,
  type ReadBlock,
  signedCommit,
} from "../../engine/simulation/decided-blocks.ts";
import type { HistoryRanges } from "../../engine/simulation/history-range.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { toBase64 } from "../../view/base64.ts";
import {
  blockIdForm,
  commitForm,
  eventsForm,
  foundBlock,
  headerForm,
  type JsonObject,
  txResultForms,
  updateForm,
} from "../../view/events/forms.ts";
import { openBlocks } from "../../view/lab/reading.ts";
import { internalError } from "../../view/rpc-error.ts";
import { blockAt, heightOf } from "./heights.ts";
import { read } from "./method.ts";

/** Maximum blocks in one answer of `blockchain`. */
const METAS = 20;
const NO_ID: JsonObject = { hash: "", parts: { total: 0, hash: "" } };

export const BLOCK_METHODS = {
  block: read({ height: "integer" }, function* ({ sim }, { height }) {
    return foundBlock(yield* openedAt(sim, height));
  }),
  header: read({ height: "integer" }, function* ({ sim }, { height }) {
    return { header: headerForm((yield* openedAt(sim, height)).header) };
  }),
  block_by_hash: read({ hash: "bytes" }, function* ({ sim }, { hash = new Uint8Array() }) {
    const block = yield* openedWith(sim, hash);
    return block === undefined ? { block_id: NO_ID, block: null } : foundBlock(block);
  }),
  header_by_hash: read({ hash: "hex" }, function* ({ sim }, { hash = new Uint8Array() }) {
    const block = yield* openedWith(sim, hash);
    return { header: block === undefined ? null : headerForm(block.header) };
  }),
  block_results: read({ height: "integer" }, function* ({ sim }, { height }) {
    const at = heightOf(sim, height, sim.decidedHeight);
    // Changes of validators take effect two heights later.
    yield* openBlocks(at, at + 1);
    return blockResults(sim, at);
  }),
  blockchain: read(
    { minHeight: "integer", maxHeight: "integer" },
    ({ sim }, { minHeight = 0n, maxHeight = 0n }) => blockchain(sim, minHeight, maxHeight),
  ),
  commit: read({ height: "integer" }, function* ({ sim }, { height }) {
    const { header } = yield* openedAt(sim, height);
    const commit = commitForm(signedCommit(sim, header.height));
    return {
      signed_header: { header: headerForm(header), commit },
      canonical: header.height < sim.decidedHeight,
    };
  }),
};

/** A decided block, by default the newest. Throws an RpcError if there is none. */
function* openedAt(sim: Simulation, requested: bigint | undefined): HistoryRanges<ReadBlock> {
  const height = heightOf(sim, requested, sim.decidedHeight);
  yield* openBlocks(height);
  return blockAt(sim, requested && BigInt(height));
}

/** The block with a hash; undefined if there is none. */
function* openedWith(sim: Simulation, hash: Uint8Array): HistoryRanges<ReadBlock | undefined> {
  yield { kind: "hash", hash };
  const height = sim.heightOf(hash);
  return height === undefined ? undefined : yield* openedAt(sim, BigInt(height));
}

/** The results of a block. Throws an RpcError for one that no node has applied. */
function blockResults(sim: Simulation, height: number): JsonObject {
  const block = sim.block(height);
  if (block === undefined) {
    throw internalError(`could not find results for height #${height}`);
  }
  const updates = sim.network.ledger.updatesOf(height);
  return {
    height: `${height}`,
    txs_results: listOrNull(txResultForms(block.txs, decidedBlock(sim, height)?.txs ?? [])),
    finalize_block_events: listOrNull(eventsForm(block.events)),
    validator_updates: listOrNull(updates.map(updateForm)),
    consensus_param_updates: null,
    app_hash: toBase64(block.appHash),
  };
}

/** Go encodes a nil slice as null. */
const listOrNull = <T>(list: readonly T[]): T[] | null => (list.length === 0 ? null : [...list]);

function* blockchain(sim: Simulation, least: bigint, greatest: bigint): HistoryRanges<JsonObject> {
  if (least < 0n || greatest < 0n) throw internalError("heights must be non-negative");
  const last = sim.decidedHeight;
  const max = greatest === 0n || greatest > BigInt(last) ? last : Number(greatest);
  const lowest = BigInt(Math.max(sim.initialHeight, max - METAS + 1));
  const min = least > lowest ? least : lowest;
  if (min > BigInt(max)) {
    throw internalError(`min height ${min} can't be greater than max height ${max}`);
  }
  const heights = Array.from({ length: max - Number(min) + 1 }, (_, i) => max - i);
  yield* openBlocks(Number(min), max);
  return {
    last_height: `${last}`,
    block_metas: heights.map((height) => {
      const { id, header, txs } = blockAt(sim, BigInt(height));
      return {
        block_id: blockIdForm(id),
        block_size: `${blockSize(sim, height) ?? 0}`,
        header: headerForm(header),
        num_txs: `${txs.length}`,
      };
    }),
  };
}
