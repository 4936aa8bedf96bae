/**
 * Resolves the block or page of a call; refuses invalid ones with CometBFT's texts
 * (rules/clients 2.4).
 */
import { decidedBlock, type ReadBlock } from "../../engine/simulation/decided-blocks.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { internalError } from "../../view/rpc-error.ts";

const PAGE = 30;
const LARGEST_PAGE = 100;

/** The requested height, by default the latest. Throws an RpcError if it does not exist. */
export function heightOf(sim: Simulation, asked: bigint | undefined, latest: number): number {
  if (asked === undefined) return latest;
  if (asked <= 0n) throw internalError(`height must be greater than 0, but got ${asked}`);
  if (asked > BigInt(latest)) {
    throw internalError(
      `height ${asked} must be less than or equal to the current blockchain height ${latest}`,
    );
  }
  if (asked < BigInt(sim.initialHeight)) {
    throw internalError(`height ${asked} is not available, lowest height is ${sim.initialHeight}`);
  }
  return Number(asked);
}

/** A decided block, by default the newest. Throws an RpcError if there is none. */
export function blockAt(sim: Simulation, asked: bigint | undefined): ReadBlock {
  const height = heightOf(sim, asked, sim.decidedHeight);
  const block = decidedBlock(sim, height);
  if (block === undefined) throw internalError(`there is no block ${height} yet`);
  return block;
}

/**
 * Index of the first entry of a page, and its number of entries. Throws an RpcError for a page that
 * does not exist.
 */
export function pageOf(
  total: number,
  asked: bigint | undefined,
  perPage: bigint | undefined,
): { readonly from: number; readonly count: number } {
  const size =
    perPage === undefined || perPage < 1n
      ? PAGE
      : Number(perPage > BigInt(LARGEST_PAGE) ? LARGEST_PAGE : perPage);
  const pages = Math.max(Math.ceil(total / size), 1);
  const page = asked ?? 1n;
  if (page <= 0n || page > BigInt(pages)) {
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`);
  }
  const from = (Number(page) - 1) * size;
  return { from, count: Math.min(size, total - from) };
}

/** Limits a requested number of entries to the maximum. */
export const limitOf = (asked: bigint | undefined): number => pageOf(LARGEST_PAGE, 1n, asked).count;
