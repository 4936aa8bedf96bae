import { useEffect, useState } from "react";
import type { Client } from "../../client/client.ts";
import type { FrameState } from "./frame-store.ts";
import { useFrameState, usePage } from "./page.ts";

export interface QueryState<T> {
  readonly answer: T | undefined;
  /** Reason why there is no answer, in the engine's words; otherwise empty. */
  readonly problem: string;
}

const heightOf = ({ frame }: FrameState): number | undefined => frame?.chain?.height;

/**
 * Queries the engine when the component appears, and again for another `about`, in another world,
 * or at another height of the past. The old answer stays until the new one arrives, unless it has
 * another subject. A failed query is repeated at another height: the missing block may have
 * arrived.
 */
export function useQuery<T>(
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
    let stop = (): void => {};
    const read = (): void => {
      stop();
      const height = heightOf(frames.getState());
      query(client.lab).then(
        (answer) => current && setState({ answer, problem: "" }),
        (error: Error) => {
          if (!current) return;
          setState({ answer: undefined, problem: error.message });
          stop = frames.subscribe((now) => heightOf(now) !== height && read());
        },
      );
    };
    read();
    return () => {
      current = false;
      stop();
    };
  }, [about, world, at]);
  return state;
}
