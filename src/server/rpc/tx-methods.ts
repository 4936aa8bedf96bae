import { openBlocks } from "../../view/lab/reading.ts";
/** Finds transactions by hash, and transactions and blocks by their events. */

import { equal, toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { decidedBlock } from "../../engine/simulation/decided-blocks.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { TxView } from "../../engine/simulation/views.ts";
import { toBase64 } from "../../view/base64.ts";
import { foundBlock, type JsonObject, txResultForm } from "../../view/events/forms.ts";
import { readQuery, searchBlocks, searchTxs } from "../../view/events/search.ts";
import { internalError } from "../../view/rpc-error.ts";
import { blockAt, pageOf } from "./heights.ts";
import { read } from "./method.ts";

export const TX_METHODS = {
  tx: read({ hash: "bytes", prove: "flag" }, function* ({ sim }, { hash = new Uint8Array() }) {
    const tx = yield* sim.searchTx(hash);
    if (tx === undefined) throw internalError(`tx (${toHexUpper(hash)}) not found`);
    yield* openBlocks(tx.height);
    return foundTx(sim, tx);
  }),
  tx_search: read(
    { query: "text", prove: "flag", page: "integer", per_page: "integer", order_by: "text" },
    function* ({ sim }, { query = "", page, per_page, order_by = "" }) {
      const found = inOrder(yield* searchTxs(sim, readQuery(query)), order_by, "asc");
      const { from, count } = pageOf(found.length, page, per_page);
      const shown = found.slice(from, from + count);
      for (const { height } of shown) yield* openBlocks(height);
      const txs = shown.map((tx) => foundTx(sim, tx));
      return { txs, total_count: `${found.length}` };
    },
  ),
  block_search: read(
    { query: "text", page: "integer", per_page: "integer", order_by: "text" },
    function* ({ sim }, { query = "", page, per_page, order_by = "" }) {
      const found = inOrder(yield* searchBlocks(sim, readQuery(query)), order_by, "desc");
      const { from, count } = pageOf(found.length, page, per_page);
      const shown = found.slice(from, from + count);
      for (const height of shown) yield* openBlocks(height);
      const blocks = shown.map((height) => foundBlock(blockAt(sim, BigInt(height))));
      return { blocks, total_count: `${found.length}` };
    },
  ),
};

/** @param found newest first */
function inOrder<T>(found: readonly T[], requested: string, usual: "asc" | "desc"): readonly T[] {
  const order = requested === "" ? usual : requested;
  if (order === "desc") return found;
  if (order === "asc") return found.toReversed();
  throw internalError("expected order_by to be either `asc` or `desc` or empty");
}

/** A transaction with its position, its bytes and its result. */
function foundTx(sim: Simulation, tx: TxView): JsonObject {
  const { txs = [] } = decidedBlock(sim, tx.height) ?? {};
  const index = txs.findIndex((one) => equal(sha256(one), tx.hash));
  const bytes = txs[index] ?? new Uint8Array();
  return {
    hash: toHexUpper(tx.hash),
    height: `${tx.height}`,
    index,
    tx_result: txResultForm(tx, bytes),
    tx: toBase64(bytes),
  };
}
