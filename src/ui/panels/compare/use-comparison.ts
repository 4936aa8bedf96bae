import { useEffect, useRef, useState } from "react";
import { usePage } from "../../store/page.ts";
import type { WorldComparison } from "../../store/types.ts";
import type { Other } from "./other.ts";

/** What is compared: the world on screen at a height, and another side at one. */
export interface Question {
  readonly other: Other;
  readonly a: number;
  readonly b: number;
  /** What the height of the other one follows from; empty: it is `b`. */
  readonly link: string;
  /** Keys and events at most. */
  readonly limit: number;
}

interface Answered {
  readonly answer: WorldComparison | undefined;
  readonly problem: string;
  /** Whether the answer is not of what is asked now. */
  readonly waiting: boolean;
}

/**
 * Compares, one question at a time: while heights are passed over, the newest is asked next. An older answer stays until
 * the next is there.
 * @param about says what is asked, all of it
 */
export function useComparison(about: string, question: Question | undefined): Answered {
  const { client } = usePage();
  const [state, setState] = useState({
    about: "",
    answer: undefined as WorldComparison | undefined,
    problem: "",
  });
  const wanted = useRef({ about, question });
  wanted.current = { about, question };
  const asking = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked
  useEffect(() => {
    const ask = async (): Promise<void> => {
      const now = wanted.current;
      if (asking.current || now.question === undefined) return;
      asking.current = true;
      const { other, a, b, limit, link } = now.question;
      try {
        const answer = await client.lab.compareWorlds({
          a: { world: "", height: a },
          b: { ...other, height: b },
          limit,
          link,
        });
        setState({ about: now.about, answer, problem: "" });
      } catch (error) {
        setState({ about: now.about, answer: undefined, problem: (error as Error).message });
      }
      asking.current = false;
      if (wanted.current.about !== now.about) await ask();
    };
    void ask();
  }, [about, question === undefined, client]);
  const { answer, problem } = state;
  return { answer, problem, waiting: question !== undefined && state.about !== about };
}
