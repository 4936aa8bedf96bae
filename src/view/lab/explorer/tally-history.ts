import { fromTimestamp } from "../../../base/time.ts";
import { STATUS, StatusError } from "../../../engine/framework/errors.ts";
import { tally } from "../../../engine/modules/gov/tally.ts";
import { ProposalStatus } from "../../../engine/modules/gov/types.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { TallyHistory, TallyPoint } from "../../../gen/lab/v1/lab_plain.ts";
import { BlockTimes } from "../frame/block-times.ts";
import { openState } from "../reading.ts";

/** Heights read first, evenly spaced; a voting period of no more blocks is complete. */
const EVENLY = 40;
/** Maximum heights read: the others are between two that differ. */
const AT_MOST = 100;

/**
 * The tally of a proposal after each block that changed it, from the states of those blocks; of a
 * long voting period with very many changes, after some of them. Throws a StatusError for an
 * unknown proposal.
 */
export function* tallyHistoryOf(sim: Simulation, id: number): HistoryRanges<TallyHistory> {
  const proposal = sim.read((ctx, { keepers }) => keepers.gov.findProposal(ctx, BigInt(id)));
  if (proposal === undefined) {
    throw new StatusError(STATUS.notFound, `there is no proposal ${id}`);
  }
  const { votingStartTime, votingEndTime, status } = proposal;
  if (votingStartTime === undefined || votingEndTime === undefined) return NO_POINTS;
  const times = new BlockTimes(sim);
  const { height } = sim;
  const first = Math.min(yield* times.searchFirst(fromTimestamp(votingStartTime)), height);
  const counted = status !== ProposalStatus.VOTING_PERIOD;
  const end = counted ? yield* times.searchFirst(fromTimestamp(votingEndTime)) : height;
  const newest = Math.max(first, Math.min(end, height));
  const points = yield* changesBetween(first, newest, (at) => pointAt(sim, BigInt(id), at));
  return { first, last: counted ? newest : 0, points };
}

const NO_POINTS: TallyHistory = { first: 0, last: 0, points: [] };

/** The points that differ from the previous one, found by bisection between two that differ. */
function* changesBetween(
  first: number,
  last: number,
  at: (height: number) => HistoryRanges<TallyPoint>,
): HistoryRanges<readonly TallyPoint[]> {
  const stride = Math.max(1, Math.ceil((last - first) / EVENLY));
  const known: TallyPoint[] = [];
  // In ascending order, so that missing history is replayed only once.
  for (let height = first; height < last; height += stride) known.push(yield* at(height));
  known.push(yield* at(last));
  while (known.length < AT_MOST) {
    const [place, gap] = widestChange(known);
    if (gap < 2) break;
    known.splice(place, 0, yield* at((known[place]?.height ?? 0) - Math.floor(gap / 2)));
  }
  return known.filter((point, i) => differ(known[i - 1], point));
}

/**
 * The index of the changed point with the largest distance from the previous one, and that
 * distance.
 */
function widestChange(points: readonly TallyPoint[]): readonly [place: number, gap: number] {
  let widest: readonly [number, number] = [0, 0];
  for (const [place, point] of points.entries()) {
    const before = points[place - 1];
    const gap = before && differ(before, point) ? point.height - before.height : 0;
    if (gap > widest[1]) widest = [place, gap];
  }
  return widest;
}

const differ = (a: TallyPoint | undefined, b: TallyPoint): boolean =>
  a === undefined ||
  a.yes !== b.yes ||
  a.no !== b.no ||
  a.abstain !== b.abstain ||
  a.veto !== b.veto ||
  a.bonded !== b.bonded;

/** Tallied votes are deleted from the state: then it is the stored result. */
function* pointAt(sim: Simulation, id: bigint, height: number): HistoryRanges<TallyPoint> {
  yield* openState(height);
  return sim.read((ctx, { keepers: { gov, staking } }) => {
    const proposal = gov.getProposal(ctx, id);
    const voting = proposal.status === ProposalStatus.VOTING_PERIOD;
    const votes = voting ? tally(ctx, gov, proposal).result : proposal.finalTallyResult;
    return {
      height,
      yes: votes?.yesCount ?? "0",
      no: votes?.noCount ?? "0",
      abstain: votes?.abstainCount ?? "0",
      veto: votes?.noWithVetoCount ?? "0",
      bonded: staking.totalBondedTokens(ctx).toString(),
    };
  }, height);
}
