import { formatProtoTime, type Time } from "../../../base/time.ts";
import { unpackAny } from "../../../engine/framework/codec.ts";
import { amountOf, type Coin } from "../../../engine/framework/coins.ts";
import { timeOf } from "../../../engine/framework/time-messages.ts";
import { minDepositOf } from "../../../engine/modules/gov/params.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  type MsgSubmitProposal,
  MsgSubmitProposalResponseSchema,
  MsgSubmitProposalSchema,
} from "../../../gen/chain/gov/v1/tx_pb.ts";
import type {
  ProposalCourse,
  ProposalPeriod,
  ProposalView,
} from "../../../gen/lab/v1/lab_plain.ts";
import { BlockTimes } from "../frame/block-times.ts";
import type { Observer } from "../frame/observer.ts";
import { planIn, proposalsOf, type ReadProposal } from "../frame/proposals.ts";
import { paramsOf } from "../frame/read-state.ts";
import { countsOf, standingOf } from "./proposal-counts.ts";
import { Notes, notesOf } from "./proposal-notes.ts";

export type Course = ProposalCourse & { readonly proposal: ProposalView };

/** Maximum in one answer; the newest are returned. */
const MOST = 500;
/** Maximum of deleted proposals. */
const MOST_DELETED = 50;

/**
 * The newest proposals with their periods, newest first; deleted ones as far as blocks have
 * recorded them.
 */
export function governanceOf(sim: Simulation, observer: Observer): readonly Course[] {
  const notes = notesOf(observer);
  const none = new Notes([]);
  const of = (id: number): Notes => notes.get(id) ?? none;
  const times = new BlockTimes(sim);
  const stored = proposalsOf(sim, (id) => observer.bondedAtCount(id), MOST);
  const known = new Set(stored.map(({ view }) => view.id));
  const deleted = [...notes.keys()].filter((id) => !known.has(id)).slice(-MOST_DELETED);
  return [
    ...stored.map((read) => courseOf(sim, times, read, of(read.view.id))),
    ...deleted.flatMap((id) => deletedCourseOf(sim, times, id, of(id)) ?? []),
  ]
    .sort((a, b) => b.proposal.id - a.proposal.id)
    .slice(0, MOST);
}

/** Opens the blocks that `governanceOf` reads. */
export function* openGovernance(sim: Simulation, observer: Observer): HistoryRanges {
  const times = new BlockTimes(sim);
  for (const { height, step } of observer.govNotes) {
    if (TURNS.includes(step.kind)) yield { kind: "blocks", from: height, to: height };
    // Deleted proposals are no longer in the state.
    if (step.kind === "submitted") yield { kind: "results", from: height, to: height };
  }
  for (const { proposal } of proposalsOf(sim, (id) => observer.bondedAtCount(id), MOST)) {
    const { submitTime, depositEndTime, votingStartTime, votingEndTime } = proposal;
    for (const time of [submitTime, depositEndTime, votingStartTime, votingEndTime]) {
      if (time !== undefined) yield* times.searchFirst(timeOf(time));
    }
  }
}

/** Notes of blocks that mark a period. */
const TURNS: readonly string[] = ["submitted", "voting", "closed", "dropped", "cancelled"];

function courseOf(
  sim: Simulation,
  times: BlockTimes,
  { view, proposal }: ReadProposal,
  notes: Notes,
): Course {
  const { submitTime, depositEndTime, votingStartTime, votingEndTime } = proposal;
  const counts = countsOf(notes);
  const expedited = proposal.expedited || counts.some(({ outcome }) => outcome === "converted");
  const open = view.status === "deposit" || view.status === "voting";
  const periods = periodsOf(sim, times, notes, {
    begun: timeOf(submitTime),
    depositEnd: timeOf(depositEndTime),
    votingStart: votingStartTime && timeOf(votingStartTime),
    votingEnd: votingEndTime && timeOf(votingEndTime),
    expedited: proposal.expedited,
    ended: 0,
  });
  return {
    proposal: view,
    proposer: proposal.proposer,
    expedited,
    periods,
    counts,
    ended: open ? 0 : (periods.at(-1)?.to ?? 0),
    minimum: minimumOf(sim, expedited),
    lost: lostOf(sim, notes),
    standing: standingOf(sim, proposal),
  };
}

/**
 * The periods of a proposal that is no longer in the state; undefined if its submission is not
 * stored.
 */
function deletedCourseOf(
  sim: Simulation,
  times: BlockTimes,
  id: number,
  notes: Notes,
): Course | undefined {
  const submitted = notes.last("submitted");
  const end = notes.last("dropped") ?? notes.last("cancelled");
  const content = submitted && contentOf(sim, submitted.height, id);
  if (submitted === undefined || end === undefined || content === undefined) return undefined;
  const { title, messages, proposer, expedited } = content;
  const plan = planIn(content);
  const submittedAt = sim.timeAt(submitted.height) ?? sim.spec.genesisTime;
  const voting = notes.last("voting");
  const votingStart = voting && sim.timeAt(voting.height);
  const counts = countsOf(notes);
  const goesOn = counts.some(({ outcome }) => outcome === "converted");
  return {
    proposal: {
      id,
      title,
      status: notes.last("dropped") ? "dropped" : "withdrawn",
      messages: messages.map(({ typeUrl }) => typeUrl),
      votingEnd: voting ? formatProtoTime(voting.data.until) : "",
      failedReason: "",
      ...{ yes: "0", no: "0", abstain: "0", veto: "0" },
      planName: plan?.name ?? "",
      planHeight: Number(plan?.height ?? 0),
      submitTime: formatProtoTime(submittedAt),
      votingStart: votingStart === undefined ? "" : formatProtoTime(votingStart),
      depositEnd: formatProtoTime(submitted.data.until),
      deposit: inBondDenom(sim, notes.last("deposit")?.data.total ?? []),
    },
    proposer,
    expedited,
    periods: periodsOf(sim, times, notes, {
      begun: submittedAt,
      depositEnd: submitted.data.until,
      votingStart,
      votingEnd: voting?.data.until,
      expedited: expedited && !goesOn,
      ended: end.height,
    }),
    counts,
    ended: end.height,
    minimum: minimumOf(sim, expedited),
    lost: lostOf(sim, notes),
  };
}

interface Dates {
  readonly begun: Time;
  readonly depositEnd: Time;
  readonly votingStart: Time | undefined;
  readonly votingEnd: Time | undefined;
  /** True if the current or last vote is expedited. */
  readonly expedited: boolean;
  /** Height of the block that deleted it; 0 if none did. */
  readonly ended: number;
}

function periodsOf(
  sim: Simulation,
  times: BlockTimes,
  notes: Notes,
  { begun, depositEnd, votingStart, votingEnd, expedited, ended }: Dates,
): readonly ProposalPeriod[] {
  const periods: ProposalPeriod[] = [];
  const add = (kind: string, end: Time, from: number, to: number): void => {
    const cut = ended > 0 && to > ended;
    periods.push({
      kind,
      end: formatProtoTime(cut ? (sim.timeAt(ended) ?? end) : end),
      from,
      to: cut ? ended : to,
      over: (cut ? ended : to) <= sim.height,
    });
  };
  const submitted = notes.last("submitted")?.height ?? times.firstAt(begun);
  const started =
    votingStart === undefined
      ? undefined
      : (notes.heightsOf("voting").at(0) ?? times.firstAt(votingStart));
  if (votingStart === undefined || votingStart > begun) {
    const over = started ?? (ended || times.firstAt(depositEnd));
    add("deposit", votingStart ?? depositEnd, submitted, over);
  }
  if (votingStart === undefined || votingEnd === undefined || started === undefined) return periods;
  const closings = notes.heightsOf("closed");
  const converted = closings.find(
    (height) => notes.last("closed", height)?.data.closing.result === "converted",
  );
  const last = closings.findLast((height) => height !== converted);
  const to = last ?? (ended || Math.max(times.firstAt(votingEnd), (converted ?? 0) + 1));
  if (converted === undefined) {
    add(expedited ? "expedited" : "voting", votingEnd, started, to);
    return periods;
  }
  const turn = sim.timeAt(converted) ?? votingStart;
  add("expedited", turn, started, converted);
  add("voting", votingEnd, converted, to);
  return periods;
}

/** The message that submitted the proposal with an id, from a transaction in a block. */
function contentOf(sim: Simulation, height: number, id: number): MsgSubmitProposal | undefined {
  for (const { messages, responses } of sim.block(height)?.txs ?? []) {
    for (const [index, response] of responses.entries()) {
      const made = unpackAny(MsgSubmitProposalResponseSchema, response);
      const message = messages[index];
      if (message && made && Number(made.proposalId) === id)
        return unpackAny(MsgSubmitProposalSchema, message);
    }
  }
  return undefined;
}

function minimumOf(sim: Simulation, expedited: boolean): string {
  const params = paramsOf(sim);
  return inBondDenom(sim, params ? minDepositOf(params, expedited) : []);
}

const lostOf = (sim: Simulation, notes: Notes): string =>
  inBondDenom(sim, (notes.last("deposits_burned") ?? notes.last("cancel_cost"))?.data.coins ?? []);

const inBondDenom = (sim: Simulation, coins: readonly Coin[]): string =>
  amountOf(coins, sim.spec.staking.bondDenom).toString();
