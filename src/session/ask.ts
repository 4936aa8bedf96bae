/** Asks worlds, also for what they have let go of, and for how they were. */
import { HeightNeeded, SessionNeeded } from "../api/lab/needs.ts";
import { WorldQueries } from "../api/lab/world-queries.ts";
import { PastNeeded } from "../engine/simulation/past-needed.ts";
import type { PastNeed } from "../engine/simulation/world-past.ts";
import { type Asker, QUERIES_ONLY } from "./asker.ts";
import { answerOf, type Kept } from "./recorded.ts";
import type { RunningWorld } from "./running-world.ts";

/** A session whose world is asked. */
export interface AskedSession {
  readonly player: { readonly live: RunningWorld };
  /** Brings what is needed of a world's past; without it all is replayed at once. */
  readonly past: ((live: RunningWorld, need: PastNeed) => Promise<object>) | undefined;
  /** Asks the played world as it was at the end of a height; without it only what stands there is asked. */
  readonly askAt: AskAt | undefined;
}

/** With whether the one who asks has gone: no world is led any further then. */
type AskAt = <T>(
  height: number,
  ask: (world: RunningWorld) => Promise<T>,
  gone?: Asker["gone"],
) => Promise<T>;

/**
 * Asks the played world. What is asked of the lab at another height is asked of the world as it was there, and what no
 * world can say by itself, of the session.
 */
export async function ask<T>(
  session: AskedSession & Kept,
  question: (queries: WorldQueries) => T,
  asker = QUERIES_ONLY,
): Promise<T> {
  const { askAt } = session;
  const answers = new Map<string, () => object>();
  const asked = (world: RunningWorld, travels = false): Promise<T> => {
    const queries = new WorldQueries(world.sim, world.context.follow, travels, answers);
    return withPast(session, world, () => question(queries));
  };
  for (;;) {
    try {
      return await asked(session.player.live, askAt !== undefined);
    } catch (error) {
      if (error instanceof SessionNeeded) {
        const { method, request } = error;
        const key = SessionNeeded.keyOf(method, request);
        // A refusal is one of the question, which says it in its own form.
        answers.set(key, await outcomeOf(answerOf(session, error, asker)));
      } else if (error instanceof HeightNeeded && askAt !== undefined) {
        return askAt(error.height, asked, asker.gone);
      } else throw error;
    }
  }
}

/** What gives the answer of a promise, or throws why there is none. */
const outcomeOf = <T>(promise: Promise<T>): Promise<() => T> =>
  promise.then(
    (answer) => () => answer,
    (error: unknown) => () => {
      throw error;
    },
  );

/** Reads something of a world, again when more of its past was brought that it needs. */
export async function withPast<T>(
  { past }: AskedSession,
  world: RunningWorld,
  read: () => T,
): Promise<T> {
  if (past === undefined) return read();
  const brought = new Map<string, object>();
  for (;;) {
    try {
      return world.sim.ask(read, brought);
    } catch (error) {
      if (!(error instanceof PastNeeded)) throw error;
      brought.set(error.need.key, await past(world, error.need));
    }
  }
}
