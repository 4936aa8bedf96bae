import { useEffect, useRef, useState } from "react";
import { usePage } from "../../store/page.ts";
import type { WorldComparison } from "../../store/types.ts";
import type { Other } from "./other.ts";

/** The sides to compare: the world on screen at height `a`, another side at height `b`. */
export interface Question {
  readonly other: Other;
  readonly a: number;
  readonly b: number;
  /** Link that determines the other side's height; empty: it is `b`. */
  readonly link: string;
  /** Maximum number of keys and events. */
  readonly limit: number;
}

interface Answered {
  readonly answer: WorldComparison | undefined;
  readonly problem: string;
  /** True while the answer belongs to an earlier question. */
  readonly waiting: boolean;
  /** Stops querying these two, at any height. */
  readonly stop: () => void;
  /** Repeats the query, also after it was stopped. */
  readonly again: () => void;
}

/**
 * Compares, one query at a time: while heights change quickly, the newest is queried next. An older
 * answer stays until the next one arrives.
 * @param two identifies the compared pair
 * @param about identifies the complete query
 */
export function useComparison(two: string, about: string, request: Question | undefined): Answered {
  const { client } = usePage();
  const [state, setState] = useState({
    key: "",
    answer: undefined as WorldComparison | undefined,
    problem: "",
  });
  const [stopped, setStopped] = useState<string>();
  const [times, setTimes] = useState(0);
  const isStopped = stopped === two;
  const question = isStopped ? undefined : request;
  const key = `${two} ${about} ${times}`;
  const wanted = useRef({ two, key, question });
  wanted.current = { two, key, question };
  /** The queried pair; undefined if there is none. */
  const asking = useRef<string>(undefined);
  // If it cannot be stopped, it ends by itself.
  const giveUp = (): void => void client.lab.stopComparing({}).catch(() => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what is asked
  useEffect(() => {
    const ask = async (): Promise<void> => {
      const now = wanted.current;
      // An obsolete comparison would delay the current one.
      if (asking.current !== undefined && asking.current !== now.two) giveUp();
      if (asking.current !== undefined || now.question === undefined) return;
      asking.current = now.two;
      const { other, a, b, limit, link } = now.question;
      try {
        const answer = await client.lab.compareWorlds({
          a: { world: "", height: a },
          b: { ...other, height: b },
          limit,
          // If both histories are traversed together, one may end before the other.
          link: link || "height",
        });
        setState({ key: now.key, answer, problem: "" });
      } catch (error) {
        setState({ key: now.key, answer: undefined, problem: (error as Error).message });
      }
      asking.current = undefined;
      if (wanted.current.key !== now.key) await ask();
    };
    void ask();
  }, [key, question === undefined, client]);
  const stop = (): void => {
    setStopped(two);
    giveUp();
  };
  const again = (): void => {
    setStopped(undefined);
    setTimes(times + 1);
  };
  return {
    answer: state.answer,
    problem: isStopped ? "The comparison was stopped" : state.key === key ? state.problem : "",
    waiting: question !== undefined && state.key !== key,
    stop,
    again,
  };
}
