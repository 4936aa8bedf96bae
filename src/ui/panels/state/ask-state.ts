import { useEffect, useState } from "react";
import type { Client, LabClient } from "../../../client/client.ts";
import { useFrameState, usePage } from "../../store/page.ts";

/** Answer of a query about the state after one height. */
export interface StateAnswer<T> {
  /** An older one stays until the next arrives. */
  readonly answer: T | undefined;
  /** True while another answer is loading. */
  readonly waiting: boolean;
  /** Reason why there is none, in the engine's words; otherwise empty. */
  readonly problem: string;
}

interface Question<T> {
  /** Identifies the query, which is repeated when this changes, and in another world. */
  readonly about: string;
  /** The height of the queried state. */
  readonly height: number;
  readonly query: (lab: LabClient) => Promise<T>;
}

/** Runs a query, if there is one. */
export function useStateAnswer<T>(question: Question<T> | undefined): StateAnswer<T> {
  const { client } = usePage();
  const world = useFrameState(({ frame }) => frame?.world);
  const about = question && `${world} ${question.height} ${question.about}`;
  const [state, setState] = useState<{
    readonly about: string | undefined;
    readonly answer: T | undefined;
    readonly problem: string;
  }>({ about: undefined, answer: undefined, problem: "" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked
  useEffect(() => {
    if (question === undefined) return;
    let current = true;
    queryAt(client, question.height, question.query).then(
      (answer) => current && setState({ about, answer, problem: "" }),
      ({ message }: Error) => current && setState({ about, answer: undefined, problem: message }),
    );
    return () => {
      current = false;
    };
  }, [about, client]);
  const { answer, problem } = state;
  return question === undefined
    ? { answer: undefined, waiting: false, problem: "" }
    : { answer, problem, waiting: state.about !== about };
}

/**
 * Queries a height, whichever the page shows: a call uses the client's height at the time of the
 * call.
 */
export function queryAt<T>(
  client: Client,
  height: number,
  ask: (lab: LabClient) => Promise<T>,
): Promise<T> {
  const shown = client.height;
  client.height = height;
  try {
    return ask(client.lab);
  } finally {
    client.height = shown;
  }
}
