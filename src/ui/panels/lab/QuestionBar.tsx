import { count } from "../../widgets/format.ts";
import css from "./lab.module.css";
import type { RunningQuery } from "./use-question.ts";

interface QuestionBarProps {
  question: RunningQuery;
  /** Plural noun of its parts, such as `files`. */
  parts: string;
}

/** Progress of a running query, with a button that stops it; nothing if none is running. */
export function QuestionBar({ question: { underWay, stop }, parts }: QuestionBarProps) {
  if (underWay === undefined) return null;
  const { done, of, stopped } = underWay;
  const far = of === 0 ? `Running ${parts}…` : `${count(done)} of ${count(of)} ${parts}`;
  return (
    <div className={css.asked}>
      <progress className={css.bar} aria-label={`Of ${parts}`} max={of || 1} value={done} />
      <span className="small soft" role="status">
        {stopped ? `${far}: ending with what is there` : far}
      </span>
      <button type="button" onClick={stop}>
        {stopped ? "Give it up" : "Stop"}
      </button>
    </div>
  );
}
