/** Queries worlds, including their evicted history and their state at earlier heights. */

import type { Elsewhere, Reading } from "../view/lab/reading.ts";
import { type LabQuery, WorldQueries } from "../view/lab/world-queries.ts";
import { type Caller, QUERIES_ONLY } from "./caller.ts";
import { type LoadPartOf, openHistory } from "./open-history.ts";
import { answerOf, type StoredFeatures } from "./recorded.ts";
import type { RunningWorld } from "./running-world.ts";

/** A session whose world is queried. */
export interface QueriedSession {
  readonly player: { readonly live: RunningWorld };
  /**
   * Loads the parts of a world's history that a reader opens; without it everything is replayed at
   * once.
   */
  readonly loadPart: LoadPartOf | undefined;
  /**
   * Queries the played world as of the end of a height; without it only the current world is
   * queried.
   */
  readonly queryAt: QueryAt | undefined;
}

/** `gone` returns true once the caller has disconnected, which stops the replay. */
type QueryAt = <T>(
  height: number,
  ask: (world: RunningWorld) => Promise<T>,
  gone?: Caller["gone"],
) => Promise<T>;

/**
 * Answers a query from the played world. A lab query for another height is answered from the world
 * at that height; the session answers the queries that no world can.
 */
export function query<T>(
  session: QueriedSession & StoredFeatures,
  question: (queries: WorldQueries) => T | Reading<T>,
  caller = QUERIES_ONLY,
): Promise<T> {
  const { queryAt } = session;
  const elsewhere = (need: Elsewhere): Promise<unknown> => {
    if (need.kind === "session") return answerOf(session, need, caller);
    if (queryAt === undefined) throw need.refusal;
    const { method, request, height } = need;
    const there = (queries: WorldQueries) =>
      queries.labReading(method as LabQuery, request, height);
    return queryAt(height, (world) => askWorld(world, there), caller.gone);
  };
  const askWorld = <A>(
    world: RunningWorld,
    requested: (queries: WorldQueries) => A | Reading<A>,
  ): Promise<A> => {
    const { sim, context } = world;
    const queries = new WorldQueries(sim, context.follow);
    return openHistory(session, world).read(() => requested(queries), elsewhere, caller);
  };
  return askWorld(session.player.live, question);
}
