import { useEffect, useState } from "react";
import type { Client } from "../../client/client.ts";
import { usePage } from "./page.ts";
import type { QueryState } from "./use-query.ts";

/**
 * Queries the engine, and again whenever the frame has changed: one query at a time, so that a fast
 * chain causes no more queries than are answered. The old answer stays until the new one arrives.
 */
export function useFollowed<T>(
  about: string,
  query: (lab: Client["lab"]) => Promise<T>,
): QueryState<T> {
  const { client, frames } = usePage();
  const [state, setState] = useState<QueryState<T>>({ answer: undefined, problem: "" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked
  useEffect(() => {
    let current = true;
    let asking = false;
    let requested = "";
    const look = (): void => {
      const { frame, at } = frames.getState();
      // The past does not change.
      const now = `${frame?.world} ${at || frame?.revision}`;
      if (at === undefined || asking || !current || frame === undefined || now === requested)
        return;
      asking = true;
      requested = now;
      const answered = (to: QueryState<T>) => {
        asking = false;
        if (current) setState(to);
        look();
      };
      query(client.lab).then(
        (answer) => answered({ answer, problem: "" }),
        (error: Error) => answered({ answer: undefined, problem: error.message }),
      );
    };
    const stop = frames.subscribe(look);
    look();
    return () => {
      current = false;
      stop();
    };
  }, [about, client, frames]);
  return state;
}
