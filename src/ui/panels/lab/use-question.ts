import { useEffect, useRef, useState } from "react";
import { errorText } from "../../../base/error-text.ts";
import { usePage } from "../../store/page.ts";
import type { QuestionProgress } from "../../store/types.ts";

const POLL_MS = 200;

interface UnderWay extends Pick<QuestionProgress, "done" | "of"> {
  readonly name: string;
  /** True once it was requested to end with the results so far. */
  readonly stopped: boolean;
}

/** A long-running query of the lab. */
export interface RunningQuery {
  /** Progress; undefined while no query is running. */
  readonly underWay: UnderWay | undefined;
  /** Reason why there is no answer; empty if there is one. */
  readonly problem: string;
  /** Starts a query, unless one is running, with a name to poll and stop it. */
  readonly start: (work: (question: string) => Promise<string | undefined>) => Promise<void>;
  /** Ends it with the results so far; a second call cancels it. */
  readonly stop: () => void;
}

/** One query of a part of the lab, cancelled when that part is unmounted. */
export function useQuestion(): RunningQuery {
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
  const requested = underWay?.name;
  useEffect(() => {
    if (requested === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      // A failed poll is repeated.
      const found = await client.lab.getQuestion({ question: requested }).catch(() => undefined);
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
  }, [client, requested]);
  const ask: RunningQuery["start"] = async (work) => {
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
  return { underWay, problem, start: ask, stop };
}

/** A name for a query, unique among all pages of a node. */
const newQuestion = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
