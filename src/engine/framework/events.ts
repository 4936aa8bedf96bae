/** One key and value of an event. */
export interface EventAttribute {
  readonly key: string;
  readonly value: string;
}

/** An event in a block: attribute order is part of the contract. */
export interface Event {
  readonly type: string;
  readonly attributes: readonly EventAttribute[];
}

/** Builds an event from alternating keys and values, in order. */
export function event(type: string, ...pairs: readonly (readonly [string, string])[]): Event {
  return { type, attributes: pairs.map(([key, value]) => ({ key, value })) };
}

/**
 * Appends an attribute to each event (`mode`, `msg_index`); returns the same list if it is empty.
 */
export const withAttribute = (
  events: readonly Event[],
  key: string,
  value: string,
): readonly Event[] =>
  events.length === 0
    ? events
    : events.map((e) => ({ type: e.type, attributes: [...e.attributes, { key, value }] }));
