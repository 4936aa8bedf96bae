import { useState } from "react";
import type { StateDiff as Answer } from "../../store/types.ts";
import { count, list, plural } from "../../widgets/format.ts";
import { useNames } from "../../widgets/use-names.ts";
import { useStateAnswer } from "./ask-state.ts";
import { shortKey } from "./KeyList.tsx";
import { KeyValue } from "./KeyValue.tsx";
import css from "./StateDiff.module.css";

type Difference = Answer["differences"][number];

const ON_A_PAGE = 100;

interface StateDiffProps {
  before: number;
  after: number;
  onChoose: (store: string, key: string) => void;
  onClose: () => void;
}

/** The keys in which the states after two blocks differ, with both values. */
export function StateDiff({ before, after, onChoose, onClose }: StateDiffProps) {
  const [shown, setShown] = useState(ON_A_PAGE);
  const { answer, problem, waiting } = useStateAnswer<Answer>({
    about: `diff ${before} ${after} ${shown}`,
    height: Math.max(before, after),
    query: (lab) => lab.getStateDiff({ before, after, limit: shown }),
  });
  const total = answer?.total ?? 0;
  return (
    <section className={`card ${css.diff}`} aria-label="What changed">
      <header className={css.head}>
        <h2>
          From block {count(before)} to block {count(after)}
        </h2>
        <p className="soft small" role="status">
          {waiting
            ? "Comparing…"
            : answer &&
              (total === 0
                ? "The states are the same."
                : `${plural(total, "key")} ${total === 1 ? "differs" : "differ"}: ${list(
                    answer.stores.map(({ store, changes }) => `${count(changes)} in ${store}`),
                  )}.`)}
        </p>
        <button type="button" data-plain="" onClick={onClose}>
          Close
        </button>
      </header>
      {problem && <p role="alert">{problem}</p>}
      {answer && total > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={css.scroll} tabIndex={0} aria-label="Keys that differ">
          <table>
            <thead>
              <tr>
                <th scope="col">Store</th>
                <th scope="col">Key</th>
                <th scope="col">After block {count(before)}</th>
                <th scope="col">After block {count(after)}</th>
              </tr>
            </thead>
            <tbody>
              {answer.differences.map((one) => (
                <Line key={`${one.store}/${one.key}`} one={one} onChoose={onChoose} />
              ))}
            </tbody>
          </table>
          {shown < total && (
            <button type="button" onClick={() => setShown(shown + ON_A_PAGE)}>
              {count(Math.min(ON_A_PAGE, total - shown))} more of {count(total)}
            </button>
          )}
        </section>
      )}
    </section>
  );
}

function Line({ one, onChoose }: { one: Difference; onChoose: StateDiffProps["onChoose"] }) {
  const named = useNames();
  const { store, key, name } = one;
  return (
    <tr>
      <td>{store}</td>
      <td>
        <button type="button" data-link="" title={key} onClick={() => onChoose(store, key)}>
          {named(name) || <code>{shortKey(key)}</code>}
        </button>
      </td>
      <td>
        <KeyValue one={one} side="before" />
      </td>
      <td>
        <KeyValue one={one} side="after" />
      </td>
    </tr>
  );
}
