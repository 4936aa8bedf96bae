import { useEffect, useRef, useState } from "react";
import { usePage } from "../../store/page.ts";
import type { WorldComparison } from "../../store/types.ts";
import type { Other } from "./other.ts";

/** The sides to compare: the world on screen at height `a`, another side at height `b`. */
export interface Question {
  readonly other: Other;
  readonly a: number;
  readonly b: number;
  /** Link from which the other side's height follows; empty: it is `b`. */
  readonly link: string;
  /** Keys and events at most. */
  readonly limit: number;
}

interface Answered {
  readonly answer: WorldComparison | undefined;
  readonly problem: string;
  /** True while the answer is not of the current question. */
  readonly waiting: boolean;
  /** Asks no more of these two, whatever the height. */
  readonly stop: () => void;
  /** Asks the same again, also after it was stopped. */
  readonly again: () => void;
}

/**
 * Compares, one question at a time: while heights are passed over, the newest is asked next. An older answer stays until
 * the next is there.
 * @param two says which two are compared
 * @param about says what is asked of them, all of it
 */
export function useComparison(two: string, about: string, asked: Question | undefined): Answered {
  const { client } = usePage();
  const [state, setState] = useState({
    key: "",
    answer: undefined as WorldComparison | undefined,
    problem: "",
  });
  const [stopped, setStopped] = useState<string>();
  const [times, setTimes] = useState(0);
  const isStopped = stopped === two;
  const question = isStopped ? undefined : asked;
  const key = `${two} ${about} ${times}`;
  const wanted = useRef({ two, key, question });
  wanted.current = { two, key, question };
  /** The two that are asked about; undefined where none are. */
  const asking = useRef<string>(undefined);
  // Where it cannot be told to stop, it ends by itself.
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
          // Of two histories that are passed over together one may end before the other.
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
