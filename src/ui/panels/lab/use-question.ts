import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../input/error-text.ts";
import { usePage } from "../../store/page.ts";
import type { QuestionProgress } from "../../store/types.ts";

const POLL_MS = 200;

interface UnderWay extends Pick<QuestionProgress, "done" | "of"> {
  readonly name: string;
  /** True once it was requested to end with the results so far. */
  readonly stopped: boolean;
}

/** A question to the lab that takes long. */
export interface AskedQuestion {
  /** Progress; undefined while no query is running. */
  readonly underWay: UnderWay | undefined;
  /** Why there is no answer; empty if there is one. */
  readonly problem: string;
  /** Asks, unless something is asked: under a name, by which it is followed and can be stopped. */
  readonly ask: (work: (question: string) => Promise<string | undefined>) => Promise<void>;
  /** Has it end with what is there; said once more, it is given up. */
  readonly stop: () => void;
}

/** One question of a part of the lab, which ends where that part is taken away. */
export function useQuestion(): AskedQuestion {
  const { client } = usePage();
  const [underWay, setUnderWay] = useState<UnderWay>();
  const [problem, setProblem] = useState("");
  const name = useRef("");
  useEffect(
    () => () => {
      if (name.current !== "")
        void client.lab.stopQuestion({ question: name.current }).catch(() => {});
    },
    [client],
  );
  const asked = underWay?.name;
  useEffect(() => {
    if (asked === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      // A failed poll is repeated.
      const found = await client.lab.getQuestion({ question: asked }).catch(() => undefined);
      if (timer === undefined) return;
      if (found && found.of > 0)
        setUnderWay((now) => now && { ...now, done: found.done, of: found.of });
      timer = setTimeout(look, POLL_MS);
    };
    timer = setTimeout(look, POLL_MS);
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, [client, asked]);
  const ask: AskedQuestion["ask"] = async (work) => {
    if (name.current !== "") return;
    name.current = newQuestion();
    setUnderWay({ name: name.current, done: 0, of: 0, stopped: false });
    setProblem("");
    try {
      setProblem((await work(name.current)) ?? "");
    } catch (error) {
      setProblem(errorText(error));
    }
    name.current = "";
    setUnderWay(undefined);
  };
  const stop = (): void => {
    if (name.current === "") return;
    setUnderWay((now) => now && { ...now, stopped: true });
    client.lab
      .stopQuestion({ question: name.current })
      .catch((error: unknown) => setProblem(errorText(error)));
  };
  return { underWay, problem, ask, stop };
}

/** A name under which something is asked: no other page of a node has the same. */
const newQuestion = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
