/** The service of transactions (rules/clients 6.5). */

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { equal, toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { formatRfc3339 } from "../../base/time.ts";
import { blockInfoAt } from "../../engine/app/app.ts";
import { runMessages } from "../../engine/app/deliver-tx.ts";
import { gasUsed, gasWanted } from "../../engine/app/gas.ts";
import { signersOf } from "../../engine/app/signed-tx.ts";
import { packAny } from "../../engine/framework/codec.ts";
import { ChainError, STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Event } from "../../engine/framework/events.ts";
import { decidedBlock } from "../../engine/simulation/decided-blocks.ts";
import type { HistoryRanges } from "../../engine/simulation/history-range.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { TxView } from "../../engine/simulation/views.ts";
import { TxResponseSchema } from "../../gen/chain/base/abci/v1beta1/abci_pb.ts";
import { TxMsgDataSchema } from "../../gen/chain/tx/v1beta1/named_tx_pb.ts";
import {
  BroadcastMode,
  type BroadcastTxResponseSchema,
  type GetTxsEventRequest,
  OrderBy,
  type Service,
} from "../../gen/chain/tx/v1beta1/service_pb.ts";
import { TxSchema } from "../../gen/chain/tx/v1beta1/tx_pb.ts";
import { EventQueryError } from "../events/event-query.ts";
import { readQuery, searchTxs } from "../events/search.ts";
import { hashOf } from "../hex.ts";
import { openBlocks } from "../lab/reading.ts";
import { RpcError } from "../rpc-error.ts";
import { admitTx, type CheckedTx, strictly, waitingIn } from "../tx/check-tx.ts";
import { txIn } from "../tx/read-tx.ts";
import type { Methods } from "./methods.ts";
import { blockFields, blockIdOf } from "./node.ts";

const PAGE = 100n;

export const TX_SERVICE: Methods<typeof Service> = {
  /** Runs it on the newest state, which stays unchanged; signatures are not checked. */
  *simulate(sim, { txBytes, tx }) {
    const bytes = txBytes.length > 0 || tx === undefined ? txBytes : toBinary(TxSchema, tx);
    try {
      return yield* simulated(sim, bytes);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      throw new StatusError(STATUS.unknown, error.message);
    }
  },

  /** Always throws: only a server that stores transactions accepts them. */
  broadcastTx(_, { mode }) {
    if (isWaiting(mode))
      throw new StatusError(STATUS.unimplemented, "transactions are sent to a node");
    throw invalid(
      `unsupported broadcast mode ${BroadcastMode[mode] ?? mode}; supported modes: sync, async`,
    );
  },

  *getTx(sim, { hash }) {
    if (hash === "") throw invalid("tx hash cannot be empty");
    const view = yield* sim.searchTx(hashOf(hash, STATUS.unknown));
    if (view === undefined) throw new StatusError(STATUS.notFound, `tx not found: ${hash}`);
    yield* openBlocks(view.height);
    return found(sim, view);
  },

  *getTxsEvent(sim, request) {
    const views = yield* searched(sim, request);
    const ordered = request.orderBy === OrderBy.DESC ? views : views.toReversed();
    const limit = request.limit || request.pagination?.limit || PAGE;
    const from =
      request.page === 0n ? (request.pagination?.offset ?? 0n) : (request.page - 1n) * limit;
    const page = ordered.slice(Number(from), Number(from + (limit > PAGE ? PAGE : limit)));
    for (const { height } of page) yield* openBlocks(height);
    const all = page.map((view) => found(sim, view));
    return {
      txs: all.map(({ tx }) => tx),
      txResponses: all.map(({ txResponse }) => txResponse),
      total: BigInt(views.length),
    };
  },

  *getBlockWithTxs(sim, { height, pagination }) {
    if (height < 1n || height > BigInt(sim.height)) {
      throw invalid(`requested height ${height} but the chain is at height ${sim.height}`);
    }
    yield* openBlocks(Number(height));
    const block = decidedBlock(sim, Number(height));
    if (block === undefined) throw new StatusError(STATUS.notFound, `there is no block ${height}`);
    const from = Number(pagination?.offset ?? 0n);
    const end = from + Number(pagination?.limit || PAGE);
    return {
      txs: block.txs.slice(from, end).map(txIn),
      blockId: blockIdOf(block.id),
      block: blockFields(block),
      pagination: { total: BigInt(block.txs.length) },
    };
  },

  txDecode: (_, { txBytes }) => ({ tx: txIn(txBytes) }),
  txEncode: (_, { tx }) => ({
    txBytes: tx === undefined ? new Uint8Array() : toBinary(TxSchema, tx),
  }),
};

/** True for a mode that sends transactions: sync or async. */
export const isWaiting = (mode: BroadcastMode): boolean =>
  mode === BroadcastMode.SYNC || mode === BroadcastMode.ASYNC;

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);

/** The answer to a received transaction. */
export const broadcastResponse = (
  checked: CheckedTx,
): MessageInitShape<typeof BroadcastTxResponseSchema> => ({
  txResponse: {
    txhash: checked.hash,
    codespace: checked.codespace,
    code: checked.code,
    rawLog: checked.log,
  },
});

function* simulated(sim: Simulation, bytes: Uint8Array) {
  const tx = strictly(bytes);
  yield* sim.readBy({ type: "signed_tx", bytes });
  const place = blockInfoAt(sim.spec.chainId, sim.height + 1, sim.nextTime);
  const result = sim.read((ctx, app) => {
    admitTx(ctx, app, tx, waitingIn(sim), {});
    const own = app.contextOf(sim.state(), place, ctx.record);
    return runMessages(own, app.router, tx.messages, () => signersOf(tx.messages));
  });
  if (result.code !== 0) throw new ChainError(result.codespace, result.code, result.log);
  const { data, events, responses } = result;
  return {
    gasInfo: { gasWanted: tx.auth.fee?.gasLimit ?? 0n, gasUsed: gasUsed(bytes, events) },
    result: { data, events: eventFields(events), msgResponses: [...responses] },
  };
}

function* searched(
  sim: Simulation,
  { query, events }: GetTxsEventRequest,
): HistoryRanges<readonly TxView[]> {
  const text = query === "" ? events.join(" AND ") : query;
  if (text === "") throw invalid("query cannot be empty");
  try {
    return yield* searchTxs(sim, readQuery(text));
  } catch (error) {
    if (error instanceof EventQueryError) throw invalid(`failed to parse query: ${error.message}`);
    if (error instanceof RpcError) throw invalid(error.message);
    throw error;
  }
}

function found(sim: Simulation, view: TxView) {
  const { txs = [] } = decidedBlock(sim, view.height) ?? {};
  const bytes = txs.find((one) => equal(sha256(one), view.hash)) ?? new Uint8Array();
  const tx = txIn(bytes);
  const data = toBinary(
    TxMsgDataSchema,
    create(TxMsgDataSchema, { msgResponses: [...view.responses] }),
  );
  const txResponse = create(TxResponseSchema, {
    height: BigInt(view.height),
    txhash: toHexUpper(view.hash),
    codespace: view.codespace,
    code: view.code,
    data: view.code === 0 ? toHexUpper(data) : "",
    rawLog: view.log,
    gasWanted: gasWanted(bytes),
    gasUsed: gasUsed(bytes, view.events),
    tx: packAny(TxSchema, tx),
    // In whole seconds, as upstream's format has no fraction.
    timestamp: formatRfc3339(sim.timeAt(view.height) ?? sim.spec.genesisTime).replace(/\.\d+/, ""),
    events: eventFields(view.events),
  });
  return { tx, txResponse };
}

const eventFields = (events: readonly Event[]) =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value }) => ({ key, value, index: true })),
  }));
