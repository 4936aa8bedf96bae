import * as v from "valibot";
import { consAddress } from "../../base/bech32.ts";
import { atMostLast } from "../../base/time.ts";
import type { Event } from "../../engine/framework/events.ts";
import {
  about,
  choice,
  duration,
  has,
  integer,
  integerOrReference,
  isScalar,
  LIMITS,
  map,
  name,
  oneOf,
  text,
} from "../fields.ts";
import { appliedHeight, PROPOSAL_STATES, type ProposalState, proposalState } from "../queries.ts";
import { resolveNumber, resolveText } from "../references.ts";
import { advanceUntil, MAX_ROUNDS, makeBlocksUntil, whyNoBlock } from "../rounds.ts";
import { type StepContext, StepError } from "../step-context.ts";
import { defineVerb } from "../verb.ts";

const within = about(
  v.optional(integer(1, LIMITS.blocks)),
  `Maximum number of consensus rounds. Default: ${MAX_ROUNDS}.`,
);

const condition = choice(
  "halted, running or a map with plan_applied, proposal or event",
  [isScalar, oneOf("halted", "running")],
  [has("plan_applied"), map({ plan_applied: about(text, "Name of a plan.") })],
  [
    has("proposal"),
    map({
      proposal: about(integerOrReference(1, Number.MAX_SAFE_INTEGER), "Id of a proposal."),
      is: about(
        oneOf(...PROPOSAL_STATES, "decided"),
        "State of the proposal to wait for. decided: any state after voting; it has no limit of rounds while the chain makes blocks.",
      ),
    }),
  ],
  [has("event"), map({ event: about(name, "Type of an event in a later block.") })],
);

const args = choice(
  "a number of blocks or a map with to, rounds, for or until",
  [isScalar, integer(1, LIMITS.blocks)],
  [
    has("to"),
    map({
      to: about(
        integerOrReference(1, LIMITS.height),
        "Height to reach. If it is already committed, nothing happens.",
      ),
    }),
  ],
  [
    has("rounds"),
    map({
      rounds: about(
        integer(1, LIMITS.blocks),
        "Number of consensus rounds, with or without blocks.",
      ),
    }),
  ],
  [has("for"), map({ for: about(duration, "Simulated time to run.") })],
  [has("until"), map({ until: about(condition, "Condition to wait for."), within })],
);

/** Lets the chain make blocks. */
export const run = defineVerb({
  name: "run",
  about:
    "Runs the chain: a number of blocks, to a height, for a number of rounds, for a simulated time, or until a condition holds.",
  args,
  heightAfter(how, height) {
    if (typeof how === "number") return height + how;
    if ("rounds" in how) return height + how.rounds;
    return "to" in how && typeof how.to === "number" ? Math.max(height, how.to) : undefined;
  },
  // It would do nothing, which is never the intention of a manual step.
  preview({ sim }, how) {
    if (typeof how === "number" || !("to" in how) || typeof how.to !== "number") return {};
    if (how.to > sim.height) return {};
    throw new StepError(`the chain is at ${sim.height}: expected a later height`, "to");
  },
  *run(context, how) {
    const { sim } = context;
    if (typeof how === "number") {
      const target = sim.height + how;
      yield* makeBlocksUntil(context, () => sim.height >= target);
    } else if ("to" in how) {
      const target = resolveNumber(context, how.to);
      yield* makeBlocksUntil(context, () => sim.height >= target);
    } else if ("rounds" in how) {
      yield* advanceUntil(context, how.rounds, () => false);
    } else if ("for" in how) {
      yield* runFor(context, how.for);
    } else if (how.within === undefined && isDecision(how.until)) {
      const { isSatisfied, found } = watch(context, how.until);
      yield* makeBlocksUntil(context, isSatisfied);
      return { found: found() };
    } else {
      return { found: yield* runUntil(context, how.until, how.within ?? MAX_ROUNDS) };
    }
    return undefined;
  },
});

/**
 * Lets simulated time pass. A chain that was halted from the start may make no blocks; one that
 * halts on the way is a failure.
 */
function* runFor(context: StepContext, time: bigint): Generator<void, void> {
  const { sim } = context;
  // The clock cannot go further: a chain that reaches it halts.
  const end = atMostLast(sim.clock + time);
  const owesBlocks = sim.chainStatus().state === "running";
  yield* advanceUntil(context, Number.POSITIVE_INFINITY, () => sim.clock >= end);
  if (owesBlocks && sim.chainStatus().state === "halted") throw new StepError(whyNoBlock(sim));
}

function* runUntil(
  context: StepContext,
  until: v.InferOutput<typeof condition>,
  limit: number,
): Generator<void, string> {
  const { what, isSatisfied, found } = watch(context, until);
  if (yield* advanceUntil(context, limit, isSatisfied)) return found();
  const { sim } = context;
  const where =
    sim.chainStatus().state === "halted"
      ? whyNoBlock(sim)
      : `the chain is running at height ${sim.height}`;
  throw new StepError(`${what} did not happen within ${limit} rounds; ${where}`, "until");
}

/**
 * True if the step waits for the end of a vote, with any result: the voting period is a parameter.
 */
const isDecision = (until: v.InferOutput<typeof condition>): boolean =>
  typeof until === "object" && "proposal" in until && until.is === "decided";

interface Watched {
  /** The awaited state as text. */
  readonly what: string;
  isSatisfied(): boolean;
  /** Once it is satisfied, a clause with the found value. */
  found(): string;
}

function watch(context: StepContext, until: v.InferOutput<typeof condition>): Watched {
  const { sim } = context;
  if (typeof until === "string") {
    return {
      what: `${until}`,
      isSatisfied: () => sim.chainStatus().state === until,
      found: () => `the chain is ${until}`,
    };
  }
  if ("plan_applied" in until) {
    const plan = resolveText(context, until.plan_applied);
    return {
      what: `applying plan "${plan}"`,
      isSatisfied: () => appliedHeight(sim, plan) > 0,
      found: () => `plan ${plan} was applied in block ${appliedHeight(sim, plan)}`,
    };
  }
  if ("proposal" in until) {
    const id = BigInt(resolveNumber(context, until.proposal));
    const { is } = until;
    return {
      what: `proposal ${id} becoming ${is}`,
      isSatisfied: () => reaches(is, id, proposalState(sim, id)),
      found: () => `proposal ${id} is ${proposalState(sim, id)}`,
    };
  }
  let seen = sim.height;
  const { event: type } = until;
  let events: readonly Event[] = [];
  return {
    what: `event ${type}`,
    isSatisfied() {
      while (seen < sim.height && events.length === 0) {
        seen += 1;
        const block = sim.block(seen);
        const all = [...(block?.events ?? []), ...(block?.txs ?? []).flatMap((tx) => tx.events)];
        events = all.filter((event) => event.type === type);
      }
      return events.length > 0;
    },
    found: () => foundEvents(context, events),
  };
}

/**
 * Events of one type and block as a clause, with the validator or the proposal that they are about.
 */
function foundEvents({ sim }: StepContext, events: readonly Event[]): string {
  const values = (key: string): string[] =>
    events
      .flatMap(({ attributes }) => attributes.filter((one) => one.key === key))
      .map(({ value }) => value);
  const addresses = [...values("address"), ...values("jailed")];
  const names = sim.nodes().filter(({ name, validator, consensusAddress }) => {
    return name === validator && addresses.includes(consAddress(consensusAddress));
  });
  const [type = "", whom] = [events[0]?.type, names.map(({ name }) => name).join(" and ")];
  if (type === "slash" && whom) return `${whom} ${names.length > 1 ? "were" : "was"} slashed`;
  const [proposal] = values("proposal_id");
  if (type === "active_proposal" && proposal) return `voting on proposal ${proposal} has ended`;
  return `event ${type} came${whom ? ` for ${whom}` : ""}`;
}

/** Throws as soon as the awaited state can no longer be reached. */
function reaches(
  is: ProposalState | "decided",
  id: bigint,
  state: ProposalState | undefined,
): boolean {
  if (state === is) return true;
  if (is === "decided" && state !== undefined) return state !== "deposit" && state !== "voting";
  if (state === "deposit" || state === "voting") return false;
  throw new StepError(
    state === undefined ? `there is no proposal ${id}` : `proposal ${id} is ${state}, not ${is}`,
    "until",
  );
}
