import { useQuery } from "../../store/use-query.ts";
import { dateTime, short } from "../../widgets/format.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import css from "./inspect.module.css";

const SHOWN = 100;
const VOTE: Readonly<Record<number, readonly [IconName, string]>> = {
  1: ["minus", "absent"],
  2: ["check", "for the block"],
  3: ["cross", "nil"],
};

/** The precommits of a block. Signatures are computed and verified on demand. */
export function CommitFacts({ height }: { height: number }) {
  const { answer, problem } = useQuery(String(height), (lab) => lab.getCommit({ height }));
  if (problem) return <p className="soft small">{problem}</p>;
  if (!answer) return <p className="soft small">Signing…</p>;
  const { signatures, round, error } = answer;
  return (
    <>
      <ul className={css.steps}>
        <li data-outcome={error === "" ? "ok" : "refused"}>
          <Icon name={error === "" ? "check" : "cross"} size={14} />
          {error === ""
            ? `Verified: more than two thirds of the power signed this block in round ${round}.`
            : error}
        </li>
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={css.scroll} tabIndex={0} aria-label="Signatures">
        <ol className={css.steps}>
          {signatures.slice(0, SHOWN).map((one, i) => {
            const [icon, label] = VOTE[one.blockIdFlag] ?? ["minus", "absent"];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a commit never changes, and its places are its keys
              <li key={i} data-outcome={one.blockIdFlag === 2 ? "ok" : undefined}>
                <Icon name={icon} size={14} />
                <span>
                  <b>{one.node || `place ${i + 1}`}</b> {label}
                  {one.signature !== "" && (
                    <span className={css.signature}>
                      <time dateTime={one.timestamp} title={one.timestamp}>
                        {dateTime(one.timestamp)}
                      </time>
                      <code title={one.signature}>{short(one.signature)}</code>
                    </span>
                  )}
                </span>
              </li>
            );
          })}
        </ol>
      </section>
      {signatures.length > SHOWN && (
        <p className="soft small">and {signatures.length - SHOWN} more</p>
      )}
    </>
  );
}
