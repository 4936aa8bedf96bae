/** Computes previews: the previewed step runs in a copy of the world. */

import { fromHex } from "../base/from-hex.ts";
import { fromTimestamp } from "../base/time.ts";
import type { SidecarEnd } from "../engine/network/sidecar/upgrade-record.ts";
import type { UpgradeInfo as Plan } from "../engine/network/sidecar/upgrade-watch.ts";
import { copiesOf } from "../engine/simulation/keyframe/keyframe.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { NodeView, TxView } from "../engine/simulation/views.ts";
import { Query as GovQuery } from "../gen/chain/gov/v1/query_pb.ts";
import type { StepPreview } from "../gen/lab/v1/lab_plain.ts";
import { scheduledPlan } from "../view/lab/diagnosis/binary-compatibility.ts";
import { BlockTimes } from "../view/lab/frame/block-times.ts";
import { lazyObserver } from "../view/lab/frame/observed.ts";
import { query } from "../view/lab/query.ts";
import { ballotOf, type Proposal, pass, validatorNames } from "./proposals.ts";
import { proposalState } from "./queries.ts";
import { whyNoBlock } from "./rounds.ts";
import { type StepContext, StepError, type StepValue } from "./step-context.ts";
import { queue } from "./transactions.ts";

/** Maximum blocks of a copy: these take a tenth of a second. */
const MOST_BLOCKS = 1_000;
/** Maximum rounds of one preview, in all of its copies. */
const MOST_ROUNDS = 1_500;
/** Maximum rounds without a block, for a chain that stays halted and for any other. */
const MOST_IDLE = 3;
export const MOST_IDLE_RUNNING = 60;

/** Sentences about a vote that was not simulated to its end. */
const NOT_FOLLOWED = {
  blocks: `The vote takes more than ${MOST_BLOCKS} blocks, so its end was not tried out.`,
  rounds: `The vote ends after more than ${MOST_ROUNDS} rounds, so its end was not tried out.`,
  no_block: `No block comes in ${MOST_IDLE_RUNNING} rounds, so the end of the vote was not tried out.`,
} as const;

/** A sentence about a halted chain. */
export const noBlockComes = (sim: Simulation): string => `No block comes: ${whyNoBlock(sim)}.`;

const haltsBeforeEnd = (sim: Simulation): string =>
  `The chain halts at block ${sim.height + 1}, before the vote ends.`;

/**
 * True if the chain is halted, had no block in some rounds, and stays halted: no fault ends and no
 * sidecar starts a node by itself.
 */
export function isStuck(sim: Simulation, idle: number): boolean {
  if (idle < MOST_IDLE || sim.chainStatus().state !== "halted") return false;
  const { faults, chaos } = sim.faults();
  if (chaos || faults.some(({ to, planned }) => to !== undefined && !planned)) return false;
  return !sim.nodes().some(({ haltCause }) => haltCause?.kind === "sidecar_waits");
}

/** A context of a modifiable copy of another world. */
export interface Copy extends StepContext {
  /** Rounds left for the preview. */
  readonly budget: { rounds: number };
}

/** A factory of the copies that one preview needs; they share its rounds. */
export function copiesFor(context: StepContext): () => Copy {
  const { sim, results } = context;
  const budget = { rounds: MOST_ROUNDS };
  let make: (() => Simulation) | undefined;
  return () => {
    make ??= copiesOf(sim);
    const copy = make();
    return { ...context, sim: copy, follow: lazyObserver(copy), results: new Map(results), budget };
  };
}

/** Runs rounds of a copy until `done`, within the limits of a preview. */
export function follow(
  { sim, budget }: Copy,
  done: () => boolean,
  advance: () => unknown = () => sim.advance(),
): "done" | "halted" | keyof typeof NOT_FOLLOWED {
  const last = sim.height + MOST_BLOCKS;
  let { height } = sim;
  let idle = 0;
  while (!done()) {
    if (height >= last) return "blocks";
    if (isStuck(sim, idle)) return "halted";
    if (idle === MOST_IDLE_RUNNING) return "no_block";
    if (budget.rounds === 0) return "rounds";
    budget.rounds--;
    advance();
    idle = sim.height > height ? 0 : idle + 1;
    height = sim.height;
  }
  return "done";
}

/** Rounds after a step in which its effect is watched. */
const WATCHED_ROUNDS = 2;

/** A node before and after a step that takes effect at once. */
export interface NodeAfter {
  readonly name: string;
  /** Undefined if the step adds it. */
  readonly before: NodeView | undefined;
  /** Right after the step; undefined if that removes it. */
  readonly after: NodeView | undefined;
  /** Its new halt or exit, which would not come without the step. */
  readonly ended: NodeView | undefined;
  /** The new end of its sidecar. */
  readonly sidecarEnd: SidecarEnd | undefined;
}

/**
 * Carries out a step in a copy of the world, and returns the nodes before it, after it, and if they
 * end in the next rounds. Changes nothing. Throws the errors of the step.
 * @param toHalt runs the copy until all of them have ended, and reports any halt on the way
 */
export function nodesAfter(
  context: StepContext,
  names: readonly string[],
  run: (copy: StepContext) => unknown,
  toHalt: boolean,
): readonly NodeAfter[] {
  const copies = copiesFor(context);
  const copy = copies();
  const { sim } = copy;
  const views = () => new Map(names.map((name) => [name, sim.node(name)]));
  const before = views();
  const sidecarEnd = (name: string) => sim.node(name) && sim.sidecar(name)?.end;
  const sidecarEnds = new Map(names.map((name) => [name, sidecarEnd(name)]));
  run(copy);
  const after = views();
  const end = (name: string): NodeView | undefined => {
    const node = sim.node(name);
    const isNew = node?.haltCause !== before.get(name)?.haltCause;
    return isNew && node?.haltCause ? node : undefined;
  };
  const last = sim.rounds + WATCHED_ROUNDS;
  // Those that end at the same time without the step, or earlier, do not end because of it.
  const watched = new Set(names);
  let without: Simulation | undefined;
  follow(
    copy,
    () => (toHalt ? names.every(end) : sim.rounds === last),
    () => {
      const going = toHalt ? [] : [...watched].filter((name) => !end(name));
      sim.advance();
      const ended = going.filter(end);
      if (ended.length === 0) return;
      without ??= copies().sim;
      while (without.rounds < sim.rounds) without.advance();
      for (const name of ended) {
        const goesOn = without.node(name)?.process === "running";
        if (before.get(name)?.process === "running" && !goesOn) watched.delete(name);
      }
    },
  );
  return names.map((name) => ({
    name,
    before: before.get(name),
    after: after.get(name),
    ended: watched.has(name) ? end(name) : undefined,
    sidecarEnd: sidecarEnd(name) === sidecarEnds.get(name) ? undefined : sidecarEnd(name),
  }));
}

/** The copy after a step has ended, with its value, or a preview that says why it has not ended. */
type TriedStep<T> =
  | { readonly copy: Copy; readonly value: T }
  | { readonly preview: Partial<StepPreview> };

/**
 * Runs a step in a copy of the world to its end. Changes nothing. A refusal is the chain's own; a
 * step that expects a result of its transaction throws its own error instead.
 */
export function tryStep<T>(
  context: StepContext,
  run: (copy: StepContext) => Generator<void, T>,
  expects = false,
): TriedStep<T> {
  const copy = copiesFor(context)();
  const running = run(copy);
  let step = running.next();
  try {
    const end = follow(
      copy,
      () => step.done === true,
      () => {
        step = running.next();
      },
    );
    if (end === "halted")
      return { preview: { sentence: `It waits for a block: ${whyNoBlock(copy.sim)}.` } };
    if (!step.done) return { preview: { sentence: "It takes longer than can be tried out." } };
    return { copy, value: step.value };
  } catch (error) {
    if (!(error instanceof StepError) || error.tx === undefined || expects) throw error;
    const log = copy.sim.tx(fromHex(error.tx))?.log || error.message;
    return { preview: { message: log.replace(ONLY_MESSAGE, "") } };
  }
}

const ONLY_MESSAGE = /^failed to execute message; message index: 0: /;

/** The transaction that a step sent in a copy. */
export const sentIn = ({ sim }: StepContext, { value = "" }: StepValue): TxView | undefined =>
  sim.tx(fromHex(value));

/**
 * Describes the end of the vote on a proposal, with the current votes of a copy. Runs the copy to
 * that end.
 */
export function voteEnd(copy: Copy, id: bigint, when: string): string {
  const { sim } = copy;
  const proposal = () => query(sim, GovQuery.method.proposal, { proposalId: id }).proposal;
  const ends = proposal()?.votingEndTime;
  const at = ends === undefined ? sim.height : new BlockTimes(sim).firstAt(fromTimestamp(ends));
  if (at - sim.height > MOST_BLOCKS)
    return `Voting ends at about block ${at}. ${NOT_FOLLOWED.blocks}`;
  const end = follow(copy, () => proposalState(sim, id) !== "voting");
  switch (end) {
    case "halted":
      return haltsBeforeEnd(sim);
    case "done": {
      const state = proposalState(sim, id) ?? "dropped";
      const passed = state === "failed" ? "passed" : state;
      const failed =
        state === "failed" ? `, but its messages fail: ${proposal()?.failedReason}` : "";
      return `${when}, proposal ${id} is ${passed} at block ${sim.height}${failed}.`;
    }
    default:
      return NOT_FOLLOWED[end];
  }
}

/**
 * Describes the end of the vote on a proposal if every validator votes yes. Runs the copy to that
 * end.
 */
export function allInFavour(copy: Copy, id: bigint): string {
  for (const name of validatorNames(copy)) queue(copy, ballotOf(copy, id, "yes", name));
  return voteEnd(copy, id, "If every validator votes yes");
}

/** The end of a vote, with the plan scheduled before its last block, and the one after it. */
export interface ForeseenVote {
  /** Undefined if the chain halts before it, or the simulation stopped earlier. */
  readonly ends?: number;
  readonly before?: Plan | undefined;
  readonly after?: Plan | undefined;
  /** The error of its messages; absent if they do not fail. */
  readonly failed?: string | undefined;
  /** A sentence, if it was not simulated to its end. */
  readonly notFollowed?: string;
}

/**
 * The end of a vote that starts now if everyone votes yes in it; other votes keep their current
 * tally, and nodes keep their binaries.
 * @param blocks approximate duration in blocks
 */
export function foreseeVote(copies: () => Copy, proposal: Proposal, blocks: number): ForeseenVote {
  if (blocks > MOST_BLOCKS) return { notFollowed: NOT_FOLLOWED.blocks };
  const copied = copies();
  const { sim } = copied;
  const steps = pass(copied, proposal);
  let [before, after] = [scheduledPlan(sim), scheduledPlan(sim)];
  const startHeight = sim.height;
  let height = startHeight;
  let step: IteratorResult<void, bigint> | undefined;
  const end = follow(
    copied,
    () => step?.done === true,
    () => {
      step = steps.next();
      if (sim.height > height) [before, after] = [after, scheduledPlan(sim)];
      height = sim.height;
    },
  );
  if (end !== "done" && end !== "halted") return { notFollowed: NOT_FOLLOWED[end] };
  // A due plan halts the chain as well: it comes first.
  if (!step?.done && after?.height !== sim.height + 1)
    return { notFollowed: sim.height === startHeight ? noBlockComes(sim) : haltsBeforeEnd(sim) };
  if (!step?.done) return { before: after, after };
  const { proposal: ended } = query(sim, GovQuery.method.proposal, { proposalId: step.value });
  return { ends: sim.height, before, after, failed: ended?.failedReason };
}
