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
export function heightOf(sim: Simulation, requested: bigint | undefined, latest: number): number {
  if (requested === undefined) return latest;
  if (requested <= 0n) throw internalError(`height must be greater than 0, but got ${requested}`);
  if (requested > BigInt(latest)) {
    throw internalError(
      `height ${requested} must be less than or equal to the current blockchain height ${latest}`,
    );
  }
  if (requested < BigInt(sim.initialHeight)) {
    throw internalError(
      `height ${requested} is not available, lowest height is ${sim.initialHeight}`,
    );
  }
  return Number(requested);
}

/** A decided block, by default the newest. Throws an RpcError if there is none. */
export function blockAt(sim: Simulation, requested: bigint | undefined): ReadBlock {
  const height = heightOf(sim, requested, sim.decidedHeight);
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
  requested: bigint | undefined,
  perPage: bigint | undefined,
): { readonly from: number; readonly count: number } {
  const size =
    perPage === undefined || perPage < 1n
      ? PAGE
      : Number(perPage > BigInt(LARGEST_PAGE) ? LARGEST_PAGE : perPage);
  const pages = Math.max(Math.ceil(total / size), 1);
  const page = requested ?? 1n;
  if (page <= 0n || page > BigInt(pages)) {
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`);
  }
  const from = (Number(page) - 1) * size;
  return { from, count: Math.min(size, total - from) };
}

/** Limits a requested number of entries to the maximum. */
export const limitOf = (requested: bigint | undefined): number =>
  pageOf(LARGEST_PAGE, 1n, requested).count;
