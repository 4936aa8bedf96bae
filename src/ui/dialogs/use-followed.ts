import { useEffect, useState } from "react";
import type { Client } from "../../client/client.ts";
import { useFrameState, usePage } from "../store/page.ts";
import type { QueryState } from "../store/use-query.ts";

/**
 * Queries the engine, and again whenever the world has changed, one query at a time. An equal
 * answer is returned as the same object, so that components do not render again.
 */
export function useFollowed<T>(
  about: string,
  query: (lab: Client["lab"]) => Promise<T>,
): QueryState<T> {
  const world = useFrameState(({ frame }) => frame?.world);
  const at = useFrameState((state) => state.at);
  const { client, frames } = usePage();
  const [state, setState] = useState<QueryState<T>>({ answer: undefined, problem: "" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked, and a world has its own answers
  useEffect(() => {
    if (at === undefined) return;
    let current = true;
    let asking = false;
    let revision: number | undefined;
    const follow = (): void => {
      const now = frames.getState().frame?.revision;
      if (asking || now === revision) return;
      asking = true;
      revision = now;
      query(client.lab)
        .then(
          (answer): QueryState<T> => ({ answer, problem: "" }),
          ({ message }: Error): QueryState<T> => ({ answer: undefined, problem: message }),
        )
        .then((next) => {
          asking = false;
          if (!current) return;
          setState((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next));
          follow();
        });
    };
    follow();
    const stop = frames.subscribe(follow);
    return () => {
      current = false;
      stop();
    };
  }, [about, world, at]);
  return state;
}
