import * as v from "valibot";
import { INPUT } from "../../../base/limits.ts";
import { isReference } from "../../../base/reference-syntax.ts";
import type { Event } from "../../../engine/framework/events.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import { openBlocks } from "../../../view/lab/reading.ts";
import { defineExpectation } from "../../expectation.ts";
import {
  about,
  integer,
  integerOrReference,
  LIMITS,
  map,
  oneOf,
  record,
  text,
} from "../../fields.ts";
import { sameText } from "../../match.ts";
import { missingBlock } from "../../names.ts";
import { resolveNumber, resolveText } from "../../references.ts";
import { type StepContext, StepError, Unanswerable } from "../../step-context.ts";
import { EVENT_TYPES } from "./event-types.ts";

export const eventSchema = map({
  type: about(oneOf(...EVENT_TYPES), "Type of the events."),
  attributes: about(
    v.optional(record(text, text, "a map of texts", INPUT.binaryParts), {}),
    "Attributes that each event must have.",
  ),
});

export type WantedEvents = v.InferOutput<typeof eventSchema>;

/** Events of blocks and transactions, counted over a range of heights. */
export const events = defineExpectation({
  key: "events",
  args: map({
    events: about(eventSchema, "Events of blocks and of their transactions."),
    count: about(v.optional(integer(0, LIMITS.blocks)), "Number of events. Default: at least one."),
    from: about(
      v.optional(integerOrReference(1, LIMITS.height)),
      "First block to search. Default: the chain's first. It must exist.",
    ),
    to: about(
      v.optional(integerOrReference(1, LIMITS.height)),
      "Last block to search. Default: the chain's last. It must exist.",
    ),
  }),
  reads: "blocks",
  check({ from, to }, check) {
    check.block(from, "from");
    check.block(to, "to");
    if (typeof from === "number" && typeof to === "number" && from > to) {
      check.problem(`expected a block not before ${from}, found ${to}`, "to");
    }
  },
  *opens(context, range) {
    const [first, last] = rangeOf(context, range);
    yield* openBlocks(first, last);
  },
  verify(context, { events: { type, attributes }, count, ...range }) {
    const { sim } = context;
    const [first, last] = rangeOf(context, range);
    mustExist(sim, first, last);
    const wanted = Object.entries(attributes).map(
      ([key, value]) => [key, resolveText(context, value)] as const,
    );
    const sameType: Event[] = [];
    let found = 0;
    for (let height = first; height <= last; height++) {
      for (const candidate of eventsOf(sim, height)) {
        if (candidate.type !== type) continue;
        sameType.push(candidate);
        if (wanted.every(([key, value]) => has(candidate, key, value))) found += 1;
      }
    }
    if (count === undefined ? found > 0 : found === count) return String(found);
    const others = sameType.slice(0, 3).map(source).join("; ");
    const where = `in blocks ${first} to ${last}`;
    throw new StepError(
      `expected ${count ?? "at least 1"} ${source({ type, attributes: wanted.map(([key, value]) => ({ key, value })) })} ${where}, found ${found}${others ? `; events of that type: ${others}` : ""}`,
      "count",
    );
  },
  look({ events: wanted, count, from, to }) {
    const first = typeof from === "number" ? from : 0;
    const found = counting(wanted, first, typeof to === "number" ? to : Number.POSITIVE_INFINITY);
    return (context) => {
      const number = found(context);
      return count === undefined ? number > 0 : number === count;
    };
  },
});

/** The first and the last height of the range. */
const rangeOf = (
  context: StepContext,
  {
    from,
    to,
  }: { readonly from?: number | string | undefined; readonly to?: number | string | undefined },
): readonly [number, number] => [
  from === undefined ? context.sim.initialHeight : resolveNumber(context, from),
  to === undefined ? context.sim.height : resolveNumber(context, to),
];

/** Counts incrementally, so that a check after each block costs only that block's events. */
function counting({ type, attributes }: WantedEvents, first: number, last: number) {
  const input = Object.entries(attributes);
  const refers = input.some(([, value]) => isReference(value));
  let wanted = refers ? undefined : input;
  let seen = first - 1;
  let found = 0;
  return (context: StepContext): number => {
    const { sim } = context;
    if (refers) {
      const now = input.map(([key, value]): [string, string] => [key, resolveText(context, value)]);
      if (now.some(([, value], i) => value !== wanted?.[i]?.[1])) {
        [wanted, seen, found] = [now, first - 1, 0];
      }
    }
    const newest = Math.min(sim.height, last);
    for (seen = Math.max(seen, sim.initialHeight - 1); seen < newest; seen++) {
      for (const candidate of eventsOf(sim, seen + 1)) {
        if (candidate.type !== type) continue;
        if (wanted?.every(([key, value]) => has(candidate, key, value))) found += 1;
      }
    }
    return found;
  };
}

/** Number of matching events in the newest block. */
export function countInBlock(context: StepContext, { type, attributes }: WantedEvents): number {
  const wanted = Object.entries(attributes).map(
    ([key, value]) => [key, resolveText(context, value)] as const,
  );
  let found = 0;
  for (const candidate of eventsOf(context.sim, context.sim.height)) {
    if (candidate.type !== type) continue;
    if (wanted.every(([key, value]) => has(candidate, key, value))) found += 1;
  }
  return found;
}

/** A count over missing blocks would be meaningless. */
function mustExist(sim: Simulation, first: number, last: number): void {
  const noFirst = missingBlock(first, sim);
  const missing = noFirst ?? missingBlock(last, sim);
  if (missing !== undefined) throw new Unanswerable(missing, noFirst ? "from" : "to");
  if (first > last)
    throw new StepError(`expected a block not before ${first}, found ${last}`, "to");
}

/** The events of a block and of its transactions; for the newest one no view is built. */
function* eventsOf(sim: Simulation, height: number): Iterable<Event> {
  const { head } = sim.network.ledger;
  const block = head.height === height ? undefined : sim.block(height);
  yield* block?.events ?? head.outcome?.events ?? [];
  for (const tx of block?.txs ?? head.outcome?.txResults ?? []) yield* tx.events;
}

const has = (candidate: Event, key: string, value: string): boolean =>
  candidate.attributes.some((input) => input.key === key && sameText(input.value, value));

const source = ({ type, attributes }: Event): string =>
  `${type}{${attributes.map(({ key, value }) => `${key}=${value}`).join(", ")}}`;
