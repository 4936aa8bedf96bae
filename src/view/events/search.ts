/** Finds transactions and blocks by their events (rules/clients 3.4). */
import { fromHex } from "../../base/from-hex.ts";
import { RPC } from "../../base/limits.ts";
import type { HistoryRange, HistoryRanges } from "../../engine/simulation/history-range.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { TxView } from "../../engine/simulation/views.ts";
import { openBlocks } from "../lab/reading.ts";
import { internalError } from "../rpc-error.ts";
import { type EventQuery, matchesEvents, parseEventQuery, rangeOf } from "./event-query.ts";
import { eventMap, txEvents } from "./events.ts";

/** Throws an RpcError for a query that is too long, and an EventQueryError for an invalid one. */
export function readQuery(source: string): EventQuery {
  if (source.length > RPC.queryCharacters) throw internalError("maximum query length exceeded");
  return parseEventQuery(source);
}

/**
 * Transactions with matching events, newest first. Throws an RpcError if too many blocks would be
 * searched.
 */
export function* searchTxs(sim: Simulation, query: EventQuery): HistoryRanges<readonly TxView[]> {
  const named = hashIn(query);
  const found = named === undefined ? yield* searchedTxs(sim, query) : [yield* sim.searchTx(named)];
  return found.flatMap((tx) =>
    tx !== undefined && matchesEvents(query, txEvents(tx)) ? [tx] : [],
  );
}

function* searchedTxs(sim: Simulation, query: EventQuery): HistoryRanges<readonly TxView[]> {
  const [from, to] = rangeOf(query, "tx.height", sim.initialHeight, sim.height);
  const heights = yield* atMost(sim.searchEventful(from, to, true), "tx.height");
  for (const height of heights) yield* openBlocks(height);
  return heights.flatMap((height) => (sim.block(height)?.txs ?? []).toReversed());
}

/** The hash required by a query; undefined if there is none. */
function hashIn(query: EventQuery): Uint8Array | undefined {
  const { operand } =
    query.find(({ key, operator }) => key === "tx.hash" && operator === "=") ?? {};
  if (operand?.kind !== "string" || !/^([0-9A-F]{2})+$/.test(operand.text)) return undefined;
  return fromHex(operand.text);
}

/** Heights of blocks with matching events outside transactions, newest first. Throws as above. */
export function* searchBlocks(
  sim: Simulation,
  query: EventQuery,
): HistoryRanges<readonly number[]> {
  const [from, to] = rangeOf(query, "block.height", sim.initialHeight, sim.height);
  const byHeight = query.every(({ key }) => key === "block.height");
  const searched = byHeight ? downFrom(from, to) : sim.searchEventful(from, to, false);
  const heights = yield* atMost(searched, "block.height");
  if (!byHeight) for (const height of heights) yield* openBlocks(height);
  return heights.filter((height) => {
    const events = byHeight ? {} : eventMap(sim.block(height)?.events ?? []);
    return matchesEvents(query, { ...events, "block.height": [`${height}`] });
  });
}

function* downFrom(from: number, to: number): Generator<number> {
  for (let height = to; height >= from; height--) yield height;
}

/** Collects the heights. Throws an RpcError if they are too many for one search. */
function* atMost(heights: Iterable<number | HistoryRange>, key: string): HistoryRanges<number[]> {
  const found: number[] = [];
  for (const height of heights) {
    if (typeof height !== "number") {
      yield height;
      continue;
    }
    found.push(height);
    if (found.length > RPC.searchedBlocks) {
      throw internalError(
        `this would search more than ${RPC.searchedBlocks} blocks: bound it, for example with ${key}>${height}`,
      );
    }
  }
  return found;
}
