/** Subscriptions of clients, and their notifications of a block (rules/clients 3.2, 3.3). */

import { RPC } from "../../base/limits.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import {
  type EventQuery,
  EventQueryError,
  eventQueryText,
  matchesEvents,
} from "../../view/events/event-query.ts";
import { eventsOfBlock } from "../../view/events/events.ts";
import { readQuery } from "../../view/events/search.ts";
import { internalError } from "../../view/rpc-error.ts";
import type { RpcId } from "./answer.ts";

interface Subscription {
  readonly id: RpcId;
  /** As the client wrote it. */
  readonly source: string;
  readonly query: EventQuery;
  /** Height above which blocks are notified. */
  readonly after: number;
}

/** A message for one of the clients. */
export interface Notification<C> {
  readonly client: C;
  readonly text: string;
}

/** The subscriptions of all clients of one server. */
export class Subscriptions<C> {
  /** Subscriptions of each client by normalized query. */
  readonly #clients = new Map<C, Map<string, Subscription>>();

  get size(): number {
    return this.#clients.size;
  }

  /** Throws an RpcError if the query is invalid, already subscribed, or exceeds the limit. */
  subscribe(client: C, id: RpcId, source: string, after: number): void {
    const known = this.#clients.get(client) ?? new Map<string, Subscription>();
    if (known.size === 0 && this.#clients.size >= RPC.subscriptionClients) {
      throw internalError(`max_subscription_clients ${RPC.subscriptionClients} reached`);
    }
    if (known.size >= RPC.subscriptionsPerClient) {
      throw internalError(`max_subscriptions_per_client ${RPC.subscriptionsPerClient} reached`);
    }
    const query = subscribedQuery(source);
    const text = eventQueryText(query);
    if (known.has(text)) throw internalError("already subscribed");
    known.set(text, { id, source: source, query, after });
    this.#clients.set(client, known);
  }

  /** Ends one subscription. Throws an RpcError if it does not exist. */
  unsubscribe(client: C, text: string): void {
    const known = this.#clients.get(client);
    if (known?.delete(eventQueryText(subscribedQuery(text))) !== true) {
      throw internalError("subscription not found");
    }
    if (known.size === 0) this.#clients.delete(client);
  }

  /** Ends all subscriptions of a client. Throws an RpcError if there are none. */
  unsubscribeAll(client: C): void {
    if (!this.#clients.delete(client)) throw internalError("subscription not found");
  }

  /** Removes a client. Returns the ids of its subscriptions. */
  leave(client: C): readonly RpcId[] {
    const ids = [...(this.#clients.get(client)?.values() ?? [])].map(({ id }) => id);
    this.#clients.delete(client);
    return ids;
  }

  /** The notifications of a block. Each event is serialized once for all clients. */
  notify(sim: Simulation, height: number): readonly Notification<C>[] {
    return eventsOfBlock(sim, height).flatMap(({ name, events, value }) => {
      const wanted = [...this.#clients].flatMap(([client, known]) =>
        [...known.values()]
          .filter(({ query, after }) => height > after && matchesEvents(query, events))
          .map((subscription) => ({ client, subscription })),
      );
      if (wanted.length === 0) return [];
      const data = JSON.stringify({ type: `tendermint/event/${name}`, value: value() });
      const rest = `"data":${data},"events":${JSON.stringify(events)}`;
      return wanted.map(({ client, subscription: { id, source: text } }) => ({
        client,
        text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"query":${JSON.stringify(text)},${rest}}}`,
      }));
    });
  }
}

/** The query of a subscription. Throws an RpcError if it is invalid. */
function subscribedQuery(text: string): EventQuery {
  try {
    return readQuery(text);
  } catch (error) {
    if (!(error instanceof EventQueryError)) throw error;
    throw internalError(`failed to parse query: ${error.message}`);
  }
}
