import { useFrameState } from "../store/page.ts";
import type { CancelAdvice } from "../store/types.ts";
import css from "./CancelWindow.module.css";
import { duration } from "./duration.ts";
import { count, dayClock } from "./format.ts";

interface CancelWindowProps {
  advice: CancelAdvice;
  planHeight: number;
}

/** Deadline for cancelling a plan by vote, drawn on the way to its height. */
export function CancelWindow({ advice, planHeight }: CancelWindowProps) {
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const genesis = useFrameState(({ frame }) => frame?.chain?.genesisTime ?? "");
  const deposits = useFrameState(({ frame }) => frame?.chain?.depositSeconds ?? 0);
  const { lastHeight, lastExpeditedHeight, lastTime, advisedHeight, enough, possible } = advice;
  const last = Math.max(lastHeight, lastExpeditedHeight);
  const at = (h: number): string =>
    `${Math.min(100, Math.max(0, ((h - height) / Math.max(1, planHeight - height)) * 100))}%`;
  return (
    <div className={css.window} data-testid="cancel-window">
      <div className={css.ruler} aria-hidden="true">
        {possible && <span className={css.open} style={{ width: at(last) }} />}
        {lastHeight > height && <span className={css.last} style={{ left: at(lastHeight) }} />}
      </div>
      <p className="small">
        {!possible ? (
          <b>
            Too late to cancel by vote: no voting can begin and end before height{" "}
            {count(planHeight)}.
          </b>
        ) : lastHeight > height ? (
          <>
            <b>You can still cancel</b>: voting must start by block {count(lastHeight)}, at{" "}
            <time dateTime={lastTime} title={lastTime}>
              {dayClock(lastTime, genesis)}
            </time>
            {lastExpeditedHeight > lastHeight &&
              `, or by block ${count(lastExpeditedHeight)} if it is expedited`}
            .
          </>
        ) : (
          <>
            <b>You can still cancel by an expedited vote only</b>: voting must start by block{" "}
            {count(lastExpeditedHeight)}.
          </>
        )}
      </p>
      <p className="small soft">
        {enough
          ? `The plan follows the advice of 2 · (voting + deposit period) + safety: ${count(advisedHeight)} or later.`
          : `The advice for public chains, 2 · (voting + deposit period) + safety, would be ${count(advisedHeight)} or later: it allows ${duration(deposits)} for each deposit. A proposal sent with its whole deposit takes only the voting period.`}
      </p>
    </div>
  );
}
