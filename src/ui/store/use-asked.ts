import { useEffect, useState } from "react";
import type { Client } from "../../client/client.ts";
import { useFrameState, usePage } from "./page.ts";

export interface Asked<T> {
  readonly answer: T | undefined;
  /** Why there is no answer, in the engine's words; empty while there may be one. */
  readonly problem: string;
}

/**
 * What the engine answers; asked when the part that shows it appears, and again for another `about` or in
 * another world. An older answer stays until the new one is there, unless it is of something else.
 */
export function useAsked<T>(about: string, ask: (lab: Client["lab"]) => Promise<T>): Asked<T> {
  const world = useFrameState(({ frame }) => frame?.world);
  const { client } = usePage();
  const [state, setState] = useState<Asked<T>>({ answer: undefined, problem: "" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked, and a world has its own answers
  useEffect(() => {
    let current = true;
    ask(client.lab).then(
      (answer) => current && setState({ answer, problem: "" }),
      (error: Error) => current && setState({ answer: undefined, problem: error.message }),
    );
    return () => {
      current = false;
    };
  }, [about, world]);
  return state;
}
