import { useRef, useState } from "react";
import { type ClientError, CODE } from "../../client/client.ts";
import type { WorldList } from "../store/types.ts";
import { capital, sentence } from "../widgets/format.ts";

export type Work = () => Promise<string | undefined>;

/** The actions of a row: those under way, and the result of the last. */
export function useRowActions(onChanged: () => Promise<WorldList | undefined>) {
  const [doing, setDoing] = useState<readonly string[]>([]);
  const turn = useRef(Promise.resolve());
  const [said, setSaid] = useState({ text: "", ok: true });
  const [full, setFull] = useState(false);
  const attempt = async (work: Work): Promise<void> => {
    setSaid({ text: "", ok: true });
    try {
      const text = (await work()) ?? "";
      await onChanged();
      setSaid({ text, ok: true });
    } catch (error) {
      const { code, message } = error as ClientError;
      setFull(code === CODE.resourceExhausted);
      setSaid({ text: capital(sentence(message)), ok: false });
    }
  };
  /**
   * Runs actions in sequence; shows the result if it is not visible otherwise, or the reason of a
   * failure.
   */
  const act = (what: string, work: Work): Promise<void> => {
    setDoing((others) => [...others, what]);
    turn.current = turn.current.then(async () => {
      await attempt(work);
      setDoing(([, ...others]) => others);
    });
    return turn.current;
  };
  /** Runs a button's action; a second press while it is pending is ignored. */
  const press = (what: string, work: Work): void => {
    if (!doing.includes(what)) void act(what, work);
  };
  return { doing, said, full, act, press };
}

export type RowActions = ReturnType<typeof useRowActions>;
