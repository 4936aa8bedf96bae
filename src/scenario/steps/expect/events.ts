import * as v from "valibot";
import type { Event } from "../../../engine/framework/events.ts";
import { defineExpectation } from "../../expectation.ts";
import { LIMITS, map, text, whole, wholeOrReference } from "../../fields.ts";
import { resolveNumber, resolveText } from "../../references.ts";
import { StepError } from "../../world.ts";

const event = map({
  type: text,
  attributes: v.optional(v.record(text, text, "a map of texts"), {}),
});

/** Events of blocks and transactions, counted over a range of heights. */
export const events = defineExpectation({
  key: "events",
  args: map({
    events: event,
    count: v.optional(whole(0, LIMITS.blocks)),
    from: v.optional(wholeOrReference(1, LIMITS.height)),
    to: v.optional(wholeOrReference(1, LIMITS.height)),
  }),
  meet(world, { events: { type, attributes }, count, from = 1, to }) {
    const { sim } = world;
    const first = resolveNumber(world, from);
    const last = to === undefined ? sim.height : Math.min(resolveNumber(world, to), sim.height);
    const wanted = Object.entries(attributes).map(
      ([key, value]) => [key, resolveText(world, value)] as const,
    );
    const sameType: Event[] = [];
    let found = 0;
    for (let height = first; height <= last; height++) {
      const block = sim.block(height);
      const all = [...(block?.events ?? []), ...(block?.txs ?? []).flatMap((tx) => tx.events)];
      for (const candidate of all) {
        if (candidate.type !== type) continue;
        sameType.push(candidate);
        if (wanted.every(([key, value]) => has(candidate, key, value))) found += 1;
      }
    }
    if (count === undefined ? found > 0 : found === count) return;
    const others = sameType.slice(0, 3).map(written).join("; ");
    const range = `in blocks ${first} to ${last}`;
    throw new StepError(
      `expected ${count ?? "at least 1"} ${written({ type, attributes: wanted.map(([key, value]) => ({ key, value })) })} ${range}, found ${found}${others ? `; events of that type: ${others}` : ""}`,
      "count",
    );
  },
});

const has = (candidate: Event, key: string, value: string): boolean =>
  candidate.attributes.some((attribute) => attribute.key === key && attribute.value === value);

const written = ({ type, attributes }: Event): string =>
  `${type}{${attributes.map(({ key, value }) => `${key}=${value}`).join(", ")}}`;
